// The whole plan of a query, and what can be said of it: its result columns, whether it may block, how many rows it can have.
#include "base/check.h"
#include "sql/plan/builder.h"

namespace mayfly::plan {

using analyze::Command;
using analyze::Query;

namespace {

// The node that decides how many rows there are, below projections and filters.
const Node& RowSource(const Node& node) {
  if (const auto* project = std::get_if<Project>(&node.op)) return RowSource(*project->input);
  if (const auto* filter = std::get_if<Filter>(&node.op)) return RowSource(*filter->input);
  if (const auto* limit = std::get_if<Limit>(&node.op)) return RowSource(*limit->input);
  if (const auto* insert = std::get_if<Insert>(&node.op)) return RowSource(*insert->input);
  if (const auto* update = std::get_if<Update>(&node.op)) return RowSource(*update->input);
  if (const auto* remove = std::get_if<Delete>(&node.op)) return RowSource(*remove->input);
  if (const auto* lock = std::get_if<LockRows>(&node.op)) return RowSource(*lock->input);
  return node;
}

bool HasAtMostOneRow(const Node& node) {
  const Node& source = RowSource(node);
  if (std::holds_alternative<PointGet>(source.op) || std::holds_alternative<CounterRead>(source.op)) return true;
  const auto* values = std::get_if<Values>(&source.op);
  return values != nullptr && values->rows.size() == 1;
}

bool AnyVolatile(const Node& node) {
  bool found = false;
  const auto look = [&](const ExprPtr& expr) { found = found || IsVolatile(expr); };
  ForEachExpr(node, look);
  ForEachInput(node, [&](const NodePtr& input) { found = found || AnyVolatile(*input); });
  return found;
}

std::vector<ResultField> FieldsOf(const std::vector<analyze::TargetEntry>& targets) {
  std::vector<ResultField> fields;
  for (const analyze::TargetEntry& target : targets) {
    if (!target.hidden) fields.push_back({target.name, target.table, target.attribute, target.expr->type, target.expr->typmod});
  }
  return fields;
}

}  // namespace

PlanPtr Builder::Build(const Query& query) {
  auto plan = std::make_shared<Plan>();
  SubplanParams params;
  Scope scope{this, &query, nullptr, true, &params, nullptr};
  NodePtr root;
  switch (query.command) {
    case Command::kSelect: root = BuildSelect(query, scope); break;
    case Command::kInsert: root = BuildInsert(query, scope); break;
    case Command::kUpdate: root = BuildUpdate(query, scope); break;
    case Command::kDelete: root = BuildDelete(query, scope); break;
  }
  plan->root = PruneColumns(ApplyRules(root));
  plan->writes = query.command != Command::kSelect;
  if (plan->writes) {
    written_tables_.push_back(std::get<analyze::TableEntry>(query.range_table[query.modification->target_entry].source).table);
  }
  for (Plan::SubPlan& subplan : subplans_) subplan.root = PruneColumns(ApplyRules(subplan.root));
  plan->subplans = std::move(subplans_);
  plan->outer_param_count = params.args.size();
  plan->command = query.command;
  plan->fields = FieldsOf(query.modification ? query.modification->returning : query.targets);
  plan->parameter_types = query.parameter_types;
  plan->single_row = plan->subplans.empty() && HasAtMostOneRow(*plan->root);
  plan->never_blocks = plan->single_row && !plan->writes && written_tables_.empty() && !AnyVolatile(*plan->root);
  plan->written_tables = std::move(written_tables_);
  plan->catalog_version = snapshot_.version();
  return plan;
}

size_t Builder::AddSubplan(const Query& query, Scope& around, SubplanParams& params) {
  Scope scope{this, &query, &around, true, &params, nullptr};
  NodePtr root = BuildSelect(query, scope);
  subplans_.push_back({std::move(root), params.args.size()});
  return subplans_.size() - 1;
}

PlanPtr BuildPlan(const catalog::Snapshot& snapshot, const Query& query) { return Builder(snapshot).Build(query); }

}  // namespace mayfly::plan
