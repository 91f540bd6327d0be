// The clauses of SELECT and the data-modifying statements, one function or file each.
#pragma once

#include "sql/analyze/coerce.h"
#include "sql/analyze/scope.h"

namespace mayfly::analyze {

// select.cc: fills `scope.query` from a SELECT, VALUES or set operation.
void AnalyzeSelect(Scope& scope, const parse::SelectStatement& select);
// A query of its own level inside `parent`.
struct SubqueryOptions {
  bool lateral = false;
  bool resolve_unknowns = true;
};
std::shared_ptr<Query> AnalyzeSubselect(Scope& parent, const parse::SelectStatement& select, const SubqueryOptions& options = {});
// values.cc
void AnalyzeValues(Scope& scope, const parse::SelectStatement& select);
// set_operation.cc
void AnalyzeSetOperation(Scope& scope, const parse::SelectStatement& select);
// with.cc
void AnalyzeWith(Scope& scope, const parse::WithClause* with);
struct FoundCommonTable {
  CommonTable* table = nullptr;
  int levels_up = 0;
};
FoundCommonTable FindCommonTable(Scope& scope, std::string_view name);

// from.cc
void AnalyzeFrom(Scope& scope, const std::vector<parse::TableExprPtr>& from);
struct AnalyzedFrom {
  FromNode node;
  std::vector<NamespaceItem> names;
};
AnalyzedFrom AnalyzeTableExpr(Scope& scope, const parse::TableExpr& expr);
// join.cc
AnalyzedFrom AnalyzeJoin(Scope& scope, const parse::JoinRef& join);
// from_function.cc
AnalyzedFrom AnalyzeFromFunction(Scope& scope, const parse::FunctionRef& function, SourcePos pos);
// Renames the first columns as the alias says; 42P10 where it names more than there are.
void ApplyColumnAliases(std::vector<RteColumn>& columns, size_t count, const parse::Alias& alias, std::string_view table);
AnalyzedFrom AddFromEntry(Scope& scope, RangeTableEntry entry);
// Output columns of an analyzed query.
std::vector<RteColumn> OutputColumns(const Query& query);
// table.cc: the range table entry of a stored or virtual table (not of a view).
RangeTableEntry MakeTableEntry(catalog::TablePtr table, const parse::TableRef& ref);

// target_list.cc
std::vector<TargetEntry> AnalyzeTargets(Scope& scope, const std::vector<parse::Target>& targets, ExprPlace place);
// Output columns that are still unknown become text.
void ResolveUnknownTargets(Scope& scope, std::vector<TargetEntry>& targets);
void AppendAllColumns(Scope& scope, std::vector<TargetEntry>& out, SourcePos pos);

// sort_group.cc
struct SortOrder {
  bool descending = false;
  bool nulls_first = false;
};
SortOrder ResolveSortOrder(const parse::SortItem& item, const Expr& expr);
void AnalyzeOrderBy(Scope& scope, const std::vector<parse::SortItem>& items);
void AnalyzeGroupBy(Scope& scope, const parse::SelectStatement& select);
void AnalyzeDistinct(Scope& scope, const parse::SelectStatement& select);
// limit.cc
void AnalyzeLimit(Scope& scope, const parse::SelectStatement& select);
void AnalyzeLocking(Scope& scope, const std::vector<parse::LockingClause>& locking);
std::string_view LockText(parse::LockStrength strength);

// insert.cc, update.cc, delete.cc
void AnalyzeInsert(Scope& scope, const parse::InsertStatement& insert);
void AnalyzeUpdate(Scope& scope, const parse::UpdateStatement& update);
void AnalyzeDelete(Scope& scope, const parse::DeleteStatement& statement);
// on_conflict.cc
void AnalyzeOnConflict(Scope& scope, const parse::OnConflict& conflict);
// assignment.cc
struct AssignmentTarget {
  const catalog::TableDescriptor& table;
  const catalog::ColumnDescriptor& column;
  ExprPlace place = ExprPlace::kUpdateSource;
};
// Coerced to the column in assignment context; 42804.
ExprPtr CoerceAssigned(Scope& scope, const AssignmentTarget& target, const ExprPtr& expr);
// An expression or DEFAULT, as the column's new value.
ExprPtr AnalyzeAssigned(Scope& scope, const AssignmentTarget& target, const parse::Expr& expr);
// The column's default, or NULL.
ExprPtr ColumnDefault(Scope& scope, const catalog::ColumnDescriptor& column);
// The SET list of UPDATE and of ON CONFLICT.
std::vector<Assignment> AnalyzeSetList(Scope& scope, const catalog::TableDescriptor& table,
                                       const std::vector<parse::Target>& set);
// The table to modify as entry 0; 42809 for views and system tables.
size_t AddTargetTable(Scope& scope, const parse::TableRef& ref);

// fold.cc: constants in all expressions of the query.
void FoldQuery(Scope& scope, Query& query);

}  // namespace mayfly::analyze
