// FROM: tables, views (their text analyzed in place), common tables, subqueries.
#include "base/check.h"
#include "sql/analyze/analyze.h"
#include "sql/analyze/clauses.h"
#include "sql/parse/parser.h"

namespace mayfly::analyze {
namespace {

void SetLateral(std::vector<NamespaceItem>& names, bool only, bool ok) {
  for (NamespaceItem& item : names) {
    item.lateral_only = only;
    item.lateral_ok = ok;
  }
}

// Views of views nest no deeper than this.
constexpr int kViewDepthMax = 64;

QueryPtr AnalyzeView(Scope& scope, const catalog::TableDescriptor& view) {
  Analysis& outer = scope.analysis;
  if (outer.view_depth >= kViewDepthMax) Throw(SqlError::Make(kStatementTooComplex, "views are nested too deeply"));
  // A view's names were written for pg_catalog and its own schema; its text has no parameters.
  static const std::vector<std::string> kNoPath;
  const AnalyzeContext context{outer.context.snapshot, kNoPath, outer.context.io, outer.context.database_name};
  Analysis inner{.context = context, .parameters = {}, .infer_parameters = false};
  inner.view_depth = outer.view_depth + 1;
  const std::vector<parse::StatementPtr> statements = parse::Parse(view.view_sql).value();
  Check(statements.size() == 1, "a view is one statement");
  const auto* select = std::get_if<parse::SelectStatement>(&statements[0]->node);
  Check(select != nullptr, "a view is a SELECT");
  Scope inner_scope{inner};
  try {
    AnalyzeSelect(inner_scope, *select);
  } catch (SqlException& exception) {
    // Positions in the view's text mean nothing to the client.
    SqlError& error = exception.error();
    error.internal_position = error.position;
    error.internal_query = view.view_sql;
    error.position = {};
    throw;
  }
  return inner_scope.query;
}

RangeTableEntry MakeSubqueryEntry(QueryPtr query, std::vector<RteColumn> columns, const parse::Alias& alias, std::string name,
                                  bool lateral) {
  RangeTableEntry entry;
  entry.alias = alias.name.empty() ? std::move(name) : alias.name;
  entry.columns = std::move(columns);
  entry.visible_columns = entry.columns.size();
  ApplyColumnAliases(entry.columns, entry.visible_columns, alias, entry.alias);
  entry.source = SubqueryEntry{std::move(query), lateral};
  return entry;
}

AnalyzedFrom AnalyzeTable(Scope& scope, const parse::TableRef& ref) {
  if (ref.schema.empty()) {
    if (const auto [table, levels_up] = FindCommonTable(scope, ref.name); table != nullptr) {
      if (++table->references > 1 && table->is_volatile) {
        Throw(SqlError::NotSupported("WITH query with volatile functions that is referenced more than once", ref.pos));
      }
      QueryPtr query = levels_up == 0 ? table->query : ShiftLevels(table->query, levels_up, 1);
      return AddFromEntry(scope, MakeSubqueryEntry(std::move(query), table->columns, ref.alias, ref.name, false));
    }
  }
  catalog::TablePtr table = ResolveTable(scope.context(), ref);
  if (table->kind != 'v') return AddFromEntry(scope, MakeTableEntry(std::move(table), ref));
  QueryPtr query = AnalyzeView(scope, *table);
  std::vector<RteColumn> columns = OutputColumns(*query);
  for (size_t i = 0; i < columns.size() && i < table->columns.size(); ++i) columns[i].name = table->columns[i].name;
  return AddFromEntry(scope, MakeSubqueryEntry(std::move(query), std::move(columns), ref.alias, ref.name, false));
}

AnalyzedFrom AnalyzeFromSubquery(Scope& scope, const parse::SubqueryRef& ref) {
  if (ref.alias.name.empty()) {
    // Where the subquery begins is not kept; its statement's position is the nearest.
    const bool values = !ref.select->values.empty();
    Throw(SqlError::Make(kSyntaxError, "{} in FROM must have an alias", values ? "VALUES" : "subquery")
              .Hint(values ? "For example, FROM (VALUES ...) [AS] foo." : "For example, FROM (SELECT ...) [AS] foo.")
              .At(ref.select->pos));
  }
  QueryPtr query = AnalyzeSubselect(scope, *ref.select, {.lateral = ref.lateral, .resolve_unknowns = true});
  std::vector<RteColumn> columns = OutputColumns(*query);
  return AddFromEntry(scope, MakeSubqueryEntry(std::move(query), std::move(columns), ref.alias, {}, ref.lateral));
}

}  // namespace

void AnalyzeFrom(Scope& scope, const std::vector<parse::TableExprPtr>& from) {
  for (const parse::TableExprPtr& expr : from) {
    AnalyzedFrom item = AnalyzeTableExpr(scope, *expr);
    CheckNameConflicts(scope, scope.names, item.names);
    SetLateral(item.names, true, true);
    for (NamespaceItem& name : item.names) scope.names.push_back(std::move(name));
    scope.query->from.push_back(std::move(item.node));
  }
  SetLateral(scope.names, false, true);
}

AnalyzedFrom AnalyzeTableExpr(Scope& scope, const parse::TableExpr& expr) {
  if (const auto* table = std::get_if<parse::TableRef>(&expr.node)) return AnalyzeTable(scope, *table);
  if (const auto* subquery = std::get_if<parse::SubqueryRef>(&expr.node)) return AnalyzeFromSubquery(scope, *subquery);
  if (const auto* function = std::get_if<parse::FunctionRef>(&expr.node)) return AnalyzeFromFunction(scope, *function, expr.pos);
  return AnalyzeJoin(scope, std::get<parse::JoinRef>(expr.node));
}

AnalyzedFrom AddFromEntry(Scope& scope, RangeTableEntry entry) {
  const size_t index = AddEntry(scope, std::move(entry));
  AnalyzedFrom result{{FromNode::Leaf{index}}, {}};
  result.names.push_back({.entry = index, .alias = {}, .columns = {}});
  return result;
}

void ApplyColumnAliases(std::vector<RteColumn>& columns, size_t count, const parse::Alias& alias, std::string_view table) {
  if (alias.columns.size() > count) {
    Throw(SqlError::Make(kInvalidColumnReference, "table \"{}\" has {} columns available but {} columns specified", table, count,
                         alias.columns.size()));
  }
  for (size_t i = 0; i < alias.columns.size(); ++i) columns[i].name = alias.columns[i];
}

std::vector<RteColumn> OutputColumns(const Query& query) {
  std::vector<RteColumn> columns;
  const std::vector<TargetEntry>& targets = query.command == Command::kSelect ? query.targets : query.modification->returning;
  for (const TargetEntry& target : targets) {
    if (!target.hidden) columns.push_back({target.name, target.expr->type, target.expr->typmod});
  }
  return columns;
}

}  // namespace mayfly::analyze
