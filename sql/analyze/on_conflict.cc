// ON CONFLICT: which unique index decides, and what to do with the existing row.
#include <algorithm>

#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"

namespace mayfly::analyze {
namespace {

// The index whose columns are exactly those named, in any order.
Oid InferIndex(Scope& scope, const catalog::TableDescriptor& table, const parse::OnConflict& conflict) {
  std::vector<ColumnId> columns;
  bool expressions = false;
  const auto& entry = std::get<TableEntry>(scope.query->range_table[scope.query->modification->target_entry].source);
  for (const parse::ExprPtr& syntax : conflict.columns) {
    const ExprPtr expr = AnalyzeExprAt(scope, *syntax, ExprPlace::kIndexExpression);
    const Var* var = expr->As<Var>();
    if (var == nullptr) {
      expressions = true;
    } else if (const ColumnId id = entry.column_ids[var->column];
               std::find(columns.begin(), columns.end(), id) == columns.end()) {
      columns.push_back(id);
    }
  }
  // A full index serves under any condition, so the condition is only checked.
  if (conflict.index_where != nullptr) AnalyzeCondition(scope, *conflict.index_where, ExprPlace::kIndexExpression, "WHERE");
  for (const catalog::IndexDescriptor& index : table.indexes) {
    if (!index.unique || expressions || index.columns.size() != columns.size()) continue;
    const auto named = [&](ColumnId id) { return std::find(columns.begin(), columns.end(), id) != columns.end(); };
    if (std::all_of(index.columns.begin(), index.columns.end(), named)) return index.oid;
  }
  Throw(SqlError::Make(kInvalidColumnReference,
                       "there is no unique or exclusion constraint matching the ON CONFLICT specification"));
}

Oid FindConstraint(const catalog::TableDescriptor& table, const parse::OnConflict& conflict) {
  for (const catalog::IndexDescriptor& index : table.indexes) {
    if (index.name == conflict.constraint && index.constraint_oid.valid() && index.unique) return index.oid;
  }
  Throw(SqlError::Make(kUndefinedObject, "constraint \"{}\" for table \"{}\" does not exist", conflict.constraint, table.name));
}

// The pseudo table of the row that was proposed.
size_t AddExcluded(Scope& scope, const catalog::TableDescriptor& table) {
  RangeTableEntry entry;
  entry.alias = "excluded";
  entry.source = ExcludedEntry{};
  for (const catalog::ColumnDescriptor& column : table.columns) {
    if (!column.dropped) entry.columns.push_back({column.name, column.type, column.typmod});
  }
  entry.visible_columns = entry.columns.size();
  return AddEntry(scope, std::move(entry));
}

}  // namespace

void AnalyzeOnConflict(Scope& scope, const parse::OnConflict& conflict) {
  Modification& modification = *scope.query->modification;
  const catalog::TablePtr table = std::get<TableEntry>(scope.query->range_table[modification.target_entry].source).table;
  OnConflictAction action;
  action.update = conflict.update;
  action.any_arbiter = conflict.columns.empty() && conflict.constraint.empty();
  if (action.any_arbiter && conflict.update) {
    Throw(SqlError::Make(kSyntaxError, "ON CONFLICT DO UPDATE requires inference specification or constraint name")
              .Hint("For example, ON CONFLICT (column_name).")
              .At(conflict.pos));
  }
  if (!conflict.constraint.empty()) action.arbiter_index = FindConstraint(*table, conflict);
  // PostgreSQL looks for the index when it plans: a missing one is reported after errors in SET.
  if (conflict.update) {
    const size_t excluded = AddExcluded(scope, *table);
    modification.excluded_entry = excluded;
    scope.names.push_back({.entry = excluded, .alias = {}, .columns = {}});
    action.set = AnalyzeSetList(scope, *table, conflict.set);
    if (conflict.where != nullptr) action.where = AnalyzeCondition(scope, *conflict.where, ExprPlace::kWhere, "WHERE");
    scope.names.pop_back();
  }
  if (!conflict.columns.empty()) action.arbiter_index = InferIndex(scope, *table, conflict);
  modification.on_conflict = std::move(action);
}

}  // namespace mayfly::analyze
