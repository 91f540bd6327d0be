// Column pruning, from the root down: each node is asked for the columns that are needed above, and says where they now stand.
#include <algorithm>

#include "base/check.h"
#include "sql/plan/builder.h"

namespace mayfly::plan {

namespace {

using analyze::InputRef;
using Needed = std::vector<bool>;

// A node, and for each column of the old one its place in the new one (meaningful where it was needed).
struct Pruned {
  NodePtr node;
  std::vector<size_t> place;
};

void AddRefs(const ExprPtr& expr, Needed& needed) {
  if (expr == nullptr) return;
  if (const auto* ref = expr->As<InputRef>()) needed[ref->column] = true;
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { AddRefs(child, needed); });
}

ExprPtr Remap(const ExprPtr& expr, const std::vector<size_t>& place) {
  if (expr == nullptr) return nullptr;
  if (const auto* ref = expr->As<InputRef>()) {
    if (place[ref->column] == ref->column) return expr;
    return analyze::MakeExpr(InputRef{place[ref->column]}, expr->type, expr->typmod, expr->pos);
  }
  return analyze::MapChildren(expr, [&](const ExprPtr& child) { return Remap(child, place); });
}
void RemapAll(std::vector<ExprPtr>& exprs, const std::vector<size_t>& place) {
  for (ExprPtr& expr : exprs) expr = Remap(expr, place);
}

std::vector<size_t> Identity(size_t size) {
  std::vector<size_t> place(size);
  for (size_t i = 0; i < size; ++i) place[i] = i;
  return place;
}

// Keeps the needed items of `items`; `place` says where each went.
template <typename T>
std::vector<T> Keep(const std::vector<T>& items, const Needed& needed, std::vector<size_t>& place) {
  std::vector<T> kept;
  place.assign(items.size(), 0);
  for (size_t i = 0; i < items.size(); ++i) {
    if (!needed[i]) continue;
    place[i] = kept.size();
    kept.push_back(items[i]);
  }
  return kept;
}

Pruned Prune(const NodePtr& node, Needed needed);

// A node that hands its input's columns through.
template <typename Op, typename RemapFn>
Pruned PruneThrough(const Node& node, Op op, Needed needed, RemapFn remap) {
  Pruned input = Prune(op.input, std::move(needed));
  op.input = input.node;
  remap(op, input.place);
  auto copy = std::make_shared<Node>(node);
  copy->op = std::move(op);
  copy->output = input.node->output;
  return {std::move(copy), std::move(input.place)};
}

// A node whose own output stays as it is, over an input of which only some columns are looked at.
template <typename Op, typename RemapFn>
Pruned PruneInput(const Node& node, Op op, Needed input_needed, RemapFn remap) {
  Pruned input = Prune(op.input, std::move(input_needed));
  op.input = input.node;
  remap(op, input.place);
  auto copy = std::make_shared<Node>(node);
  copy->op = std::move(op);
  return {std::move(copy), Identity(node.output.size())};
}

// Nodes that read a table: the filter's columns stay in the output.
template <typename Op>
Pruned PruneScan(const Node& node, Op op, Needed needed) {
  AddRefs(op.filter, needed);
  std::vector<size_t> place;
  op.columns = Keep(op.columns, needed, place);
  op.filter = Remap(op.filter, place);
  auto copy = std::make_shared<Node>(node);
  copy->output = Keep(node.output, needed, place);
  copy->op = std::move(op);
  return {std::move(copy), std::move(place)};
}

Pruned PruneJoin(const Node& node, Join op, Needed needed) {
  AddRefs(op.on, needed);
  const size_t left_width = op.left->output.size();
  Needed left_needed(needed.begin(), needed.begin() + static_cast<std::ptrdiff_t>(left_width));
  Needed right_needed(needed.begin() + static_cast<std::ptrdiff_t>(left_width), needed.end());
  for (const ExprPtr& key : op.left_keys) AddRefs(key, left_needed);
  for (const ExprPtr& key : op.right_keys) AddRefs(key, right_needed);
  for (const auto& [number, expr] : op.lateral_params) AddRefs(expr, left_needed);
  Pruned left = Prune(op.left, std::move(left_needed));
  Pruned right = Prune(op.right, std::move(right_needed));
  RemapAll(op.left_keys, left.place);
  RemapAll(op.right_keys, right.place);
  for (auto& [number, expr] : op.lateral_params) expr = Remap(expr, left.place);
  std::vector<size_t> place = left.place;
  for (const size_t at : right.place) place.push_back(at + left.node->output.size());
  op.on = Remap(op.on, place);
  auto copy = std::make_shared<Node>(node);
  copy->output = left.node->output;
  copy->output.insert(copy->output.end(), right.node->output.begin(), right.node->output.end());
  op.left = std::move(left.node);
  op.right = std::move(right.node);
  copy->op = std::move(op);
  return {std::move(copy), std::move(place)};
}

Pruned PruneProject(const Node& node, Project op, const Needed& needed) {
  std::vector<size_t> place;
  op.exprs = Keep(op.exprs, needed, place);
  Needed input_needed(op.input->output.size(), false);
  for (const ExprPtr& expr : op.exprs) AddRefs(expr, input_needed);
  Pruned input = Prune(op.input, std::move(input_needed));
  RemapAll(op.exprs, input.place);
  auto copy = std::make_shared<Node>(node);
  copy->output = Keep(node.output, needed, place);
  op.input = std::move(input.node);
  copy->op = std::move(op);
  return {std::move(copy), std::move(place)};
}

Pruned PruneAggregate(const Node& node, const Aggregate& op) {
  Needed input_needed(op.input->output.size(), false);
  ForEachExpr(node, [&](const ExprPtr& expr) { AddRefs(expr, input_needed); });
  return PruneInput(node, op, std::move(input_needed), [](Aggregate& copy, const std::vector<size_t>& place) {
    RemapAll(copy.groups, place);
    for (AggregateCall& call : copy.calls) {
      RemapAll(call.args, place);
      for (analyze::SortKey& key : call.order_by) key.expr = Remap(key.expr, place);
      call.filter = Remap(call.filter, place);
    }
  });
}

Pruned PruneSort(const Node& node, const Sort& op, Needed needed) {
  for (const SortKey& key : op.keys) needed[key.column] = true;
  return PruneThrough(node, op, std::move(needed), [](Sort& copy, const std::vector<size_t>& place) {
    for (SortKey& key : copy.keys) key.column = place[key.column];
  });
}

Pruned PruneDistinct(const Node& node, const Distinct& op, Needed needed) {
  for (const size_t column : op.columns) needed[column] = true;
  return PruneThrough(node, op, std::move(needed), [](Distinct& copy, const std::vector<size_t>& place) {
    for (size_t& column : copy.columns) column = place[column];
  });
}

Pruned PruneProjectSet(const Node& node, const ProjectSet& op) {
  Needed input_needed(op.input->output.size(), false);
  for (const ExprPtr& expr : op.exprs) AddRefs(expr, input_needed);
  return PruneInput(node, op, std::move(input_needed),
                    [](ProjectSet& copy, const std::vector<size_t>& place) { RemapAll(copy.exprs, place); });
}

// All other nodes want all columns of their inputs.
Pruned PruneNothing(const NodePtr& node) {
  return {MapInputs(node, [](const NodePtr& input) { return PruneColumns(input); }), Identity(node->output.size())};
}

Pruned Prune(const NodePtr& node, Needed needed) {
  if (const auto* op = std::get_if<PointGet>(&node->op)) return PruneScan(*node, *op, std::move(needed));
  if (const auto* op = std::get_if<MultiGet>(&node->op)) return PruneScan(*node, *op, std::move(needed));
  if (const auto* op = std::get_if<KeyScan>(&node->op)) return PruneScan(*node, *op, std::move(needed));
  if (const auto* op = std::get_if<VirtualScan>(&node->op)) return PruneScan(*node, *op, std::move(needed));
  if (const auto* op = std::get_if<Join>(&node->op)) return PruneJoin(*node, *op, std::move(needed));
  if (const auto* op = std::get_if<Project>(&node->op)) return PruneProject(*node, *op, needed);
  if (const auto* op = std::get_if<Aggregate>(&node->op)) return PruneAggregate(*node, *op);
  if (const auto* op = std::get_if<Sort>(&node->op)) return PruneSort(*node, *op, std::move(needed));
  if (const auto* op = std::get_if<Distinct>(&node->op)) return PruneDistinct(*node, *op, std::move(needed));
  if (const auto* op = std::get_if<ProjectSet>(&node->op)) return PruneProjectSet(*node, *op);
  if (const auto* op = std::get_if<Filter>(&node->op)) {
    AddRefs(op->predicate, needed);
    return PruneThrough(*node, *op, std::move(needed),
                        [](Filter& copy, const std::vector<size_t>& place) { copy.predicate = Remap(copy.predicate, place); });
  }
  if (const auto* op = std::get_if<Limit>(&node->op)) {
    return PruneThrough(*node, *op, std::move(needed), [](Limit&, const std::vector<size_t>&) {});
  }
  return PruneNothing(node);
}

}  // namespace

NodePtr PruneColumns(const NodePtr& root) {
  Pruned pruned = Prune(root, Needed(root->output.size(), true));
  for (size_t i = 0; i < pruned.place.size(); ++i) Check(pruned.place[i] == i, "pruning moved a column of the root");
  return std::move(pruned.node);
}

}  // namespace mayfly::plan
