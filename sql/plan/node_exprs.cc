// The expressions of each kind of node, listed once.
#include "sql/plan/plan.h"

namespace mayfly::plan {

namespace {

using Fn = FunctionRef<void(const ExprPtr&)>;

void One(const ExprPtr& expr, Fn fn) {
  if (expr != nullptr) fn(expr);
}
void All(const std::vector<ExprPtr>& exprs, Fn fn) {
  for (const ExprPtr& expr : exprs) One(expr, fn);
}
void Bound(const std::optional<KeyBound>& bound, Fn fn) {
  if (bound) fn(bound->value);
}
void Assignments(const std::vector<std::pair<size_t, ExprPtr>>& list, Fn fn) {
  for (const auto& [position, expr] : list) One(expr, fn);
}

void Each(const PointGet& op, Fn fn) {
  All(op.key, fn);
  One(op.filter, fn);
}
void Each(const MultiGet& op, Fn fn) {
  All(op.prefix, fn);
  All(op.last, fn);
  One(op.filter, fn);
}
void Each(const KeyScan& op, Fn fn) {
  All(op.equal, fn);
  Bound(op.lower, fn);
  Bound(op.upper, fn);
  One(op.filter, fn);
}
void Each(const CounterRead&, Fn) {}
void Each(const VirtualScan& op, Fn fn) { One(op.filter, fn); }
void Each(const FunctionScan& op, Fn fn) { All(op.calls, fn); }
void Each(const Values& op, Fn fn) {
  for (const auto& row : op.rows) All(row, fn);
}
void Each(const Filter& op, Fn fn) { One(op.predicate, fn); }
void Each(const Project& op, Fn fn) { All(op.exprs, fn); }
void Each(const ProjectSet& op, Fn fn) { All(op.exprs, fn); }
void Each(const Sort& op, Fn fn) {
  One(op.limit, fn);
  One(op.offset, fn);
}
void Each(const Limit& op, Fn fn) {
  One(op.limit, fn);
  One(op.offset, fn);
}
void Each(const Distinct&, Fn) {}
void Each(const Aggregate& op, Fn fn) {
  All(op.groups, fn);
  for (const AggregateCall& call : op.calls) {
    All(call.args, fn);
    for (const analyze::SortKey& key : call.order_by) fn(key.expr);
    One(call.filter, fn);
  }
}
void Each(const Join& op, Fn fn) {
  One(op.on, fn);
  All(op.left_keys, fn);
  All(op.right_keys, fn);
  Assignments(op.lateral_params, fn);
}
void Each(const Append&, Fn) {}
void Each(const SetOperation&, Fn) {}
void Each(const LockRows& op, Fn fn) { One(op.recheck, fn); }
void Each(const Insert& op, Fn fn) {
  if (op.conflict) {
    Assignments(op.conflict->set, fn);
    One(op.conflict->where, fn);
  }
  All(op.returning, fn);
}
void Each(const Update& op, Fn fn) {
  One(op.recheck, fn);
  Assignments(op.set, fn);
  All(op.returning, fn);
}
void Each(const Delete& op, Fn fn) {
  One(op.recheck, fn);
  All(op.returning, fn);
}

}  // namespace

void ForEachExpr(const Node& node, FunctionRef<void(const ExprPtr&)> fn) {
  std::visit([&](const auto& op) { Each(op, fn); }, node.op);
}

}  // namespace mayfly::plan
