// SELECT, clause by clause, in the order in which PostgreSQL analyzes (and so reports errors).
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"

namespace mayfly::analyze {

namespace {

void AnalyzePlainSelect(Scope& scope, const parse::SelectStatement& select) {
  Query& query = *scope.query;
  AnalyzeFrom(scope, select.from);
  query.targets = AnalyzeTargets(scope, select.targets, ExprPlace::kSelectTarget);
  if (select.where != nullptr) query.where = AnalyzeCondition(scope, *select.where, ExprPlace::kWhere, "WHERE");
  if (select.having != nullptr) query.having = AnalyzeCondition(scope, *select.having, ExprPlace::kHaving, "HAVING");
  AnalyzeOrderBy(scope, select.order_by);
  AnalyzeGroupBy(scope, select);
  AnalyzeDistinct(scope, select);
  AnalyzeLimit(scope, select);
  if (!select.windows.empty()) Throw(SqlError::NotSupported("WINDOW", select.windows.front().pos));
  if (scope.resolve_unknowns) ResolveUnknownTargets(scope, query.targets);
  AnalyzeLocking(scope, select.locking);
  CheckGrouping(scope);
}

}  // namespace

void AnalyzeSelect(Scope& scope, const parse::SelectStatement& select) {
  AnalyzeWith(scope, select.with.get());
  if (select.op != parse::SetOperation::kNone) {
    AnalyzeSetOperation(scope, select);
  } else if (!select.values.empty()) {
    AnalyzeValues(scope, select);
  } else {
    AnalyzePlainSelect(scope, select);
  }
  FoldQuery(scope, *scope.query);
}

std::shared_ptr<Query> AnalyzeSubselect(Scope& parent, const parse::SelectStatement& select, const SubqueryOptions& options) {
  Scope scope{parent.analysis, &parent};
  scope.resolve_unknowns = options.resolve_unknowns;
  // Whether the names of the enclosing FROM may be used is a property of the enclosing scope while the subquery is analyzed.
  const bool lateral = std::exchange(parent.lateral_active, options.lateral);
  AnalyzeSelect(scope, select);
  parent.lateral_active = lateral;
  return scope.query;
}

}  // namespace mayfly::analyze
