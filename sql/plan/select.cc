// SELECT and set operations: FROM and WHERE, grouping, target list, DISTINCT, ORDER BY, LIMIT, in this order.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "sql/plan/builder.h"

namespace mayfly::plan {

using analyze::Expr;
using analyze::InputRef;
using analyze::Query;

namespace {

// Collects the aggregates of this query level, and its columns outside of them.
void CollectGrouped(const ExprPtr& expr, const std::vector<Computed>& groups, std::vector<ExprPtr>& aggregates,
                    std::vector<ExprPtr>& columns) {
  if (expr == nullptr) return;
  for (const Computed& group : groups) {
    if (analyze::Equal(*group.expr, *expr)) return;
  }
  const auto add = [](std::vector<ExprPtr>& list, const ExprPtr& item) {
    const auto same = [&](const ExprPtr& other) { return analyze::Equal(*other, *item); };
    if (std::none_of(list.begin(), list.end(), same)) list.push_back(item);
  };
  if (const auto* aggregate = expr->As<analyze::Aggregate>(); aggregate != nullptr && aggregate->levels_up == 0) {
    add(aggregates, expr);
    return;
  }
  if (const auto* var = expr->As<analyze::Var>(); var != nullptr && var->levels_up == 0) {
    add(columns, expr);
    return;
  }
  if (expr->As<analyze::SubLink>() != nullptr) {
    ForEachColumn(expr, [&](const analyze::Var& var, const Expr& reference) {
      add(columns, analyze::MakeExpr(analyze::Var{var.entry, var.column, 0}, reference.type, reference.typmod, reference.pos));
    });
  }
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { CollectGrouped(child, groups, aggregates, columns); });
}

double DistinctRows(double rows) { return std::max(1.0, rows * 0.1); }

NodePtr MakeSort(NodePtr input, std::vector<SortKey> keys) {
  const double rows = input->rows;
  const double cost = input->total_cost + rows * std::max(1.0, std::log2(std::max(2.0, rows))) * 0.005;
  std::vector<OutputColumn> output = input->output;
  return MakeNode(Sort{std::move(input), std::move(keys), nullptr, nullptr}, std::move(output), rows, cost, cost);
}

NodePtr MakeDistinct(NodePtr input, std::vector<size_t> columns) {
  const double rows = DistinctRows(input->rows);
  const double cost = input->total_cost + input->rows * 0.01;
  std::vector<OutputColumn> output = input->output;
  return MakeNode(Distinct{std::move(input), std::move(columns)}, std::move(output), rows, cost, cost);
}

}  // namespace

NodePtr Builder::BuildSelect(const Query& query, Scope& scope) {
  return query.set_operation == analyze::SetOperation::kNone ? BuildPlainSelect(query, scope) : BuildSetOperation(query, scope);
}

NodePtr Builder::BuildSetOperation(const Query& query, Scope& scope) {
  // The sides are one level below the operation, as a subquery in FROM is.
  const auto build_arm = [&](const Query& arm) {
    Scope inner{this, &arm, &scope, false, scope.params, nullptr};
    return BuildSelect(arm, inner);
  };
  NodePtr left = build_arm(*query.set_left);
  NodePtr right = build_arm(*query.set_right);
  std::vector<OutputColumn> output = left->output;
  const double rows = left->rows + right->rows;
  const double cost = left->total_cost + right->total_cost;
  NodePtr node;
  if (query.set_operation == analyze::SetOperation::kUnion) {
    node = MakeNode(Append{{std::move(left), std::move(right)}}, output, rows, 0, cost);
    if (!query.set_all) {
      std::vector<size_t> columns(output.size());
      for (size_t i = 0; i < columns.size(); ++i) columns[i] = i;
      node = MakeDistinct(std::move(node), std::move(columns));
    }
  } else {
    node =
        MakeNode(SetOperation{query.set_operation, query.set_all, std::move(left), std::move(right)}, output, rows, cost, cost);
  }
  return FinishSelect(query, scope, std::move(node));
}

NodePtr Builder::BuildPlainSelect(const Query& query, Scope& scope) {
  std::vector<ExprPtr> terms;
  SplitConjuncts(query.where, terms);
  std::optional<size_t> locked;
  if (query.lock != analyze::RowLock::kNone) {
    const auto* leaf = query.from.size() == 1 ? std::get_if<analyze::FromNode::Leaf>(&query.from[0].node) : nullptr;
    if (leaf == nullptr || !std::holds_alternative<analyze::TableEntry>(query.range_table[leaf->entry].source)) {
      Throw(SqlError::NotSupported("row locking of anything but a single table"));
    }
    locked = leaf->entry;
  }
  Source source = BuildFrom(query, scope, terms, locked);
  std::vector<ExprPtr> left_over;
  for (const ExprPtr& term : terms) left_over.push_back(Lower(term, {scope, source.layout}));
  source.node = MakeFilter(std::move(source.node), JoinConjuncts(std::move(left_over)));
  if (locked) {
    const auto& rte = query.range_table[*locked];
    const auto& entry = std::get<analyze::TableEntry>(rte.source);
    LockRows lock{entry.table, entry.column_ids, source.node, rte.columns.size(), Lower(query.where, {scope, source.layout}),
                  query.lock,  query.lock_wait};
    std::vector<OutputColumn> output = source.node->output;
    source.node = MakeNode(std::move(lock), std::move(output), source.node->rows, 0, source.node->total_cost);
    written_tables_.push_back(entry.table);
  }

  std::vector<Computed> computed;
  const bool grouped = query.has_aggregates || query.having != nullptr || !query.group_by.empty();
  if (grouped) source = BuildAggregate(query, scope, std::move(source), computed);
  const LowerContext context{scope, source.layout, grouped ? &computed : nullptr};
  if (grouped) source.node = MakeFilter(std::move(source.node), Lower(query.having, context));

  std::vector<ExprPtr> exprs;
  for (const analyze::TargetEntry& target : query.targets) exprs.push_back(Lower(target.expr, context));
  NodePtr node;
  if (query.has_target_set_functions) {
    node = MakeTargetSets(std::move(source.node), std::move(exprs));
  } else {
    node = MakeProject(std::move(source.node), std::move(exprs));
  }
  return FinishSelect(query, scope, std::move(node));
}

Source Builder::BuildAggregate(const Query& query, Scope& scope, Source source, std::vector<Computed>& computed) {
  Aggregate node;
  node.grouped = !query.group_by.empty();
  const LowerContext input{scope, source.layout};
  for (const size_t target : query.group_by) {
    computed.push_back({query.targets[target].expr, node.groups.size()});
    node.groups.push_back(Lower(query.targets[target].expr, input));
  }
  std::vector<ExprPtr> aggregates;
  std::vector<ExprPtr> columns;
  for (const analyze::TargetEntry& target : query.targets) CollectGrouped(target.expr, computed, aggregates, columns);
  CollectGrouped(query.having, computed, aggregates, columns);
  // Columns that depend on the grouped primary key: grouping by them too changes nothing.
  for (const ExprPtr& column : columns) {
    computed.push_back({column, node.groups.size()});
    node.groups.push_back(Lower(column, input));
  }
  std::vector<OutputColumn> output = OutputOf(node.groups);
  for (const ExprPtr& expr : aggregates) {
    const analyze::Aggregate& aggregate = *expr->As<analyze::Aggregate>();
    AggregateCall call{aggregate.proc, {}, {}, Lower(aggregate.filter, input), aggregate.distinct, expr->type, expr->typmod};
    for (const ExprPtr& arg : aggregate.args) call.args.push_back(Lower(arg, input));
    for (const analyze::SortKey& key : aggregate.order_by) {
      call.order_by.push_back({Lower(key.expr, input), key.descending, key.nulls_first});
    }
    computed.push_back({expr, output.size()});
    output.push_back({expr->type, expr->typmod});
    node.calls.push_back(std::move(call));
  }
  const double rows = node.groups.empty() ? 1 : DistinctRows(source.node->rows);
  const double cost = source.node->total_cost + source.node->rows * 0.01;
  node.input = std::move(source.node);
  return {MakeNode(std::move(node), std::move(output), rows, cost, cost), {}};
}

NodePtr Builder::FinishSelect(const Query& query, Scope& scope, NodePtr node) {
  std::vector<SortKey> keys;
  for (const analyze::SortClause& clause : query.order_by) keys.push_back({clause.target, clause.descending, clause.nulls_first});
  if (query.distinct && query.distinct_on.empty()) {
    std::vector<size_t> columns;
    for (size_t i = 0; i < query.targets.size(); ++i) {
      if (!query.targets[i].hidden) columns.push_back(i);
    }
    node = MakeDistinct(std::move(node), std::move(columns));
  }
  if (!keys.empty()) node = MakeSort(std::move(node), std::move(keys));
  if (!query.distinct_on.empty()) node = MakeDistinct(std::move(node), query.distinct_on);
  if (query.limit != nullptr || query.offset != nullptr) {
    const Layout none;
    Limit limit{nullptr, Lower(query.limit, {scope, none}), Lower(query.offset, {scope, none})};
    std::vector<OutputColumn> output = node->output;
    const double rows = std::max(1.0, node->rows * 0.1);
    const double startup = node->startup_cost;
    const double cost = startup + (node->total_cost - startup) * 0.1;
    limit.input = std::move(node);
    node = MakeNode(std::move(limit), std::move(output), rows, startup, cost);
  }
  std::vector<ExprPtr> visible;
  for (size_t i = 0; i < query.targets.size(); ++i) {
    const analyze::TargetEntry& target = query.targets[i];
    if (!target.hidden)
      visible.push_back(analyze::MakeExpr(InputRef{i}, target.expr->type, target.expr->typmod, target.expr->pos));
  }
  return MakeProject(std::move(node), std::move(visible));
}

}  // namespace mayfly::plan
