// Rewrites of the finished tree. Each rule looks at one node whose inputs are done, and returns it or a better one.
#include "sql/plan/builder.h"

namespace mayfly::plan {

namespace {

// count(*) over a whole table without TTL is its row counter. On a TTL table it cannot be: compaction removes rows outside the
// write path.
NodePtr CountFromRowCounter(const NodePtr& node) {
  const auto* aggregate = std::get_if<Aggregate>(&node->op);
  if (aggregate == nullptr || aggregate->grouped || !aggregate->groups.empty() || aggregate->calls.size() != 1) return node;
  const AggregateCall& call = aggregate->calls[0];
  if (call.proc->name != "count" || !call.args.empty() || call.filter != nullptr || call.distinct) return node;
  const auto* scan = std::get_if<KeyScan>(&aggregate->input->op);
  if (scan == nullptr) return node;
  if (scan->table->ttl) {
    auto noted = std::make_shared<Node>(*node);
    noted->notes.push_back("COUNT(*) Pushdown: off (rows of a TTL table are removed by compaction, outside the write path)");
    return noted;
  }
  if (!scan->full() || scan->filter != nullptr) {
    auto noted = std::make_shared<Node>(*node);
    noted->notes.push_back("COUNT(*) Pushdown: off (the rows are filtered)");
    return noted;
  }
  return MakeNode(CounterRead{scan->table}, node->output, 1, 0, 0.01);
}

// The table scan below projections that keep the given columns as they are; null where there is none. `columns` are mapped down.
const KeyScan* ScanBelow(const Node& node, std::vector<size_t>& columns) {
  if (const auto* scan = std::get_if<KeyScan>(&node.op)) return scan;
  const auto* project = std::get_if<Project>(&node.op);
  if (project == nullptr) return nullptr;
  for (size_t& column : columns) {
    const auto* ref = project->exprs[column]->As<analyze::InputRef>();
    if (ref == nullptr) return nullptr;
    column = ref->column;
  }
  return ScanBelow(*project->input, columns);
}

NodePtr ReverseScan(const NodePtr& node) {
  if (const auto* scan = std::get_if<KeyScan>(&node->op)) {
    auto copy = std::make_shared<Node>(*node);
    std::get<KeyScan>(copy->op).reverse = !scan->reverse;
    return copy;
  }
  return MapInputs(node, [](const NodePtr& input) { return ReverseScan(input); });
}

// ORDER BY the primary key (after columns fixed by equality): the scan yields that order, or its reverse, by itself.
NodePtr SortByKeyOrder(const NodePtr& node) {
  const auto* sort = std::get_if<Sort>(&node->op);
  if (sort == nullptr) return node;
  std::vector<size_t> columns;
  for (const SortKey& key : sort->keys) columns.push_back(key.column);
  const KeyScan* scan = ScanBelow(*sort->input, columns);
  if (scan == nullptr || scan->table->primary_key() == nullptr) return node;
  const std::vector<ColumnId>& key_columns = scan->table->primary_key()->columns;
  const size_t fixed = scan->equal.size();
  const bool descending = sort->keys[0].descending;
  if (fixed + columns.size() > key_columns.size()) return node;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (scan->columns[columns[i]] != key_columns[fixed + i] || sort->keys[i].descending != descending) return node;
  }
  return descending ? ReverseScan(sort->input) : sort->input;
}

// ORDER BY … LIMIT keeps only the rows that can still be wanted.
NodePtr LimitIntoSort(const NodePtr& node) {
  const auto* limit = std::get_if<Limit>(&node->op);
  if (limit == nullptr || limit->limit == nullptr) return node;
  const auto* sort = std::get_if<Sort>(&limit->input->op);
  if (sort == nullptr) return node;
  auto bounded = std::make_shared<Node>(*limit->input);
  std::get<Sort>(bounded->op).limit = limit->limit;
  std::get<Sort>(bounded->op).offset = limit->offset;
  auto copy = std::make_shared<Node>(*node);
  std::get<Limit>(copy->op).input = std::move(bounded);
  return copy;
}

// A projection above LIMIT computes no row that is not wanted: no time for it, and no error from it, as in PostgreSQL. There rows
// that OFFSET skips are computed, and can fail.
NodePtr LimitBelowProject(const NodePtr& node) {
  const auto* limit = std::get_if<Limit>(&node->op);
  const auto* project = limit == nullptr ? nullptr : std::get_if<Project>(&limit->input->op);
  if (project == nullptr || limit->offset != nullptr) return node;
  auto below = std::make_shared<Node>(*node);
  std::get<Limit>(below->op).input = project->input;
  below->output = project->input->output;
  auto above = std::make_shared<Node>(*limit->input);
  std::get<Project>(above->op).input = LimitIntoSort(LimitBelowProject(below));
  above->rows = node->rows;
  above->startup_cost = node->startup_cost;
  above->total_cost = node->total_cost;
  return above;
}

// True where several threads may compute `expr`: it has nothing random in it, runs no subplan, and takes nothing from a row
// around.
bool IsParallelSafe(const ExprPtr& expr) {
  if (expr == nullptr) return true;
  if (const auto* call = expr->As<analyze::Call>(); call != nullptr && call->proc->volatility == catalog::Volatility::kVolatile)
    return false;
  if (expr->As<analyze::SubPlan>() != nullptr || expr->As<analyze::OuterParam>() != nullptr) return false;
  bool safe = true;
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { safe = safe && IsParallelSafe(child); });
  return safe;
}

// Aggregates straight over a range of a table are computed by parts of the range, where each can be combined from its parts'
// states.
NodePtr AggregateByParts(const NodePtr& node) {
  const auto* aggregate = std::get_if<Aggregate>(&node->op);
  if (aggregate == nullptr) return node;
  const auto* scan = std::get_if<KeyScan>(&aggregate->input->op);
  if (scan == nullptr || !scan->equal.empty()) return node;
  for (const AggregateCall& call : aggregate->calls) {
    if (call.distinct || !call.order_by.empty() || call.proc->aggregate == nullptr || call.proc->aggregate->combine == nullptr)
      return node;
  }
  bool safe = true;
  const auto look = [&](const ExprPtr& expr) { safe = safe && IsParallelSafe(expr); };
  ForEachExpr(*node, look);
  ForEachExpr(*aggregate->input, look);
  if (!safe) return node;
  auto copy = std::make_shared<Node>(*node);
  std::get<Aggregate>(copy->op).parallel = true;
  return copy;
}

constexpr Rule kRules[] = {
    {"count_from_row_counter", CountFromRowCounter}, {"sort_by_key_order", SortByKeyOrder},    {"limit_into_sort", LimitIntoSort},
    {"limit_below_project", LimitBelowProject},      {"aggregate_by_parts", AggregateByParts},
};

}  // namespace

std::span<const Rule> Rules() { return kRules; }

NodePtr ApplyRules(const NodePtr& root) {
  NodePtr node = MapInputs(root, [](const NodePtr& input) { return ApplyRules(input); });
  for (const Rule& rule : kRules) node = rule.apply(node);
  return node;
}

}  // namespace mayfly::plan
