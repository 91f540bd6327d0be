// DELETE and its USING.
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"

namespace mayfly::analyze {

void AnalyzeDelete(Scope& scope, const parse::DeleteStatement& statement) {
  Query& query = *scope.query;
  query.command = Command::kDelete;
  query.modification.emplace();
  AnalyzeWith(scope, statement.with.get());
  const size_t target = AddTargetTable(scope, statement.table);
  query.modification->target_entry = target;
  query.from.push_back({FromNode::Leaf{target}});
  scope.names.push_back({.entry = target, .alias = {}, .columns = {}});
  scope.names[0].lateral_only = true;
  scope.names[0].lateral_ok = false;
  AnalyzeFrom(scope, statement.using_list);
  scope.names[0].lateral_only = false;
  scope.names[0].lateral_ok = true;
  if (statement.where != nullptr) query.where = AnalyzeCondition(scope, *statement.where, ExprPlace::kWhere, "WHERE");
  query.modification->returning = AnalyzeTargets(scope, statement.returning, ExprPlace::kReturning);
  ResolveUnknownTargets(scope, query.modification->returning);
  FoldQuery(scope, query);
}

}  // namespace mayfly::analyze
