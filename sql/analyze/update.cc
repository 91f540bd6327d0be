// UPDATE and its FROM. The target table is entry 0 and the first item of FROM.
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"

namespace mayfly::analyze {

void AnalyzeUpdate(Scope& scope, const parse::UpdateStatement& update) {
  Query& query = *scope.query;
  query.command = Command::kUpdate;
  query.modification.emplace();
  AnalyzeWith(scope, update.with.get());
  const size_t target = AddTargetTable(scope, update.table);
  query.modification->target_entry = target;
  const catalog::TablePtr table = std::get<TableEntry>(query.range_table[target].source).table;
  query.from.push_back({FromNode::Leaf{target}});
  scope.names.push_back({.entry = target, .alias = {}, .columns = {}});
  // FROM items may look at the target only as LATERAL, which PostgreSQL refuses: the target is hidden from them.
  scope.names[0].lateral_only = true;
  scope.names[0].lateral_ok = false;
  AnalyzeFrom(scope, update.from);
  scope.names[0].lateral_only = false;
  scope.names[0].lateral_ok = true;
  if (update.where != nullptr) query.where = AnalyzeCondition(scope, *update.where, ExprPlace::kWhere, "WHERE");
  query.modification->returning = AnalyzeTargets(scope, update.returning, ExprPlace::kReturning);
  ResolveUnknownTargets(scope, query.modification->returning);
  query.modification->assignments = AnalyzeSetList(scope, *table, update.set);
  FoldQuery(scope, query);
}

}  // namespace mayfly::analyze
