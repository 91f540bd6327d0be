#include "sql/analyze/walk.h"

#include "sql/analyze/scope.h"

namespace mayfly::analyze {
namespace {

void FromSlots(FromNode& from, FunctionRef<void(ExprPtr&)> fn) {
  auto* join = std::get_if<FromNode::Join>(&from.node);
  if (join == nullptr) return;
  FromSlots(*join->left, fn);
  FromSlots(*join->right, fn);
  if (join->on != nullptr) fn(join->on);
}

}  // namespace

void ForEachSlot(Query& query, FunctionRef<void(ExprPtr&)> fn) {
  const auto one = [&](ExprPtr& expr) {
    if (expr != nullptr) fn(expr);
  };
  for (RangeTableEntry& entry : query.range_table) {
    if (auto* function = std::get_if<FunctionEntry>(&entry.source)) {
      for (ExprPtr& call : function->calls) one(call);
    } else if (auto* values = std::get_if<ValuesEntry>(&entry.source)) {
      for (auto& row : values->rows) {
        for (ExprPtr& value : row) one(value);
      }
    }
  }
  for (FromNode& from : query.from) FromSlots(from, fn);
  one(query.where);
  for (TargetEntry& target : query.targets) one(target.expr);
  one(query.having);
  one(query.limit);
  one(query.offset);
  if (!query.modification) return;
  for (Assignment& assignment : query.modification->assignments) one(assignment.value);
  if (query.modification->on_conflict) {
    for (Assignment& assignment : query.modification->on_conflict->set) one(assignment.value);
    one(query.modification->on_conflict->where);
  }
  for (TargetEntry& target : query.modification->returning) one(target.expr);
}

void ForEachSlot(const Query& query, FunctionRef<void(const ExprPtr&)> fn) {
  ForEachSlot(const_cast<Query&>(query), [&](ExprPtr& expr) { fn(expr); });
}

void ForEachSubquery(const Query& query, FunctionRef<void(const QueryPtr&)> fn) {
  for (const RangeTableEntry& entry : query.range_table) {
    if (const auto* subquery = std::get_if<SubqueryEntry>(&entry.source)) fn(subquery->query);
  }
  if (query.set_left != nullptr) fn(query.set_left);
  if (query.set_right != nullptr) fn(query.set_right);
}

void WalkDeep(const Expr& expr, int depth, FunctionRef<bool(const Expr&, int)> fn) {
  if (!fn(expr, depth)) return;
  ForEachChild(expr, [&](const ExprPtr& child) { WalkDeep(*child, depth, fn); });
  if (const auto* link = expr.As<SubLink>()) WalkDeep(*link->query, depth + 1, fn);
}

void WalkDeep(const Query& query, int depth, FunctionRef<bool(const Expr&, int)> fn) {
  ForEachSlot(query, [&](const ExprPtr& expr) { WalkDeep(*expr, depth, fn); });
  ForEachSubquery(query, [&](const QueryPtr& subquery) { WalkDeep(*subquery, depth + 1, fn); });
}

ExprPtr ShiftLevels(const ExprPtr& expr, int delta, int depth) {
  if (const Var* var = expr->As<Var>()) {
    if (var->levels_up < depth) return expr;
    return MakeExpr(Var{var->entry, var->column, var->levels_up + delta}, expr->type, expr->typmod, expr->pos);
  }
  ExprPtr mapped = MapChildren(expr, [&](const ExprPtr& child) { return ShiftLevels(child, delta, depth); });
  if (const auto* link = mapped->As<SubLink>()) {
    QueryPtr query = ShiftLevels(link->query, delta, depth + 1);
    if (query == link->query) return mapped;
    return MakeExpr(SubLink{link->kind, link->comparisons, std::move(query)}, mapped->type, mapped->typmod, mapped->pos);
  }
  return mapped;
}

namespace {

// A deep copy, since a FromNode owns its sides.
FromNode CopyFrom(const FromNode& from) {
  if (const auto* leaf = std::get_if<FromNode::Leaf>(&from.node)) return {*leaf};
  const auto& join = std::get<FromNode::Join>(from.node);
  return {FromNode::Join{join.type, std::make_unique<FromNode>(CopyFrom(*join.left)),
                         std::make_unique<FromNode>(CopyFrom(*join.right)), join.on}};
}

std::shared_ptr<Query> CopyQuery(const Query& query) {
  auto copy = std::make_shared<Query>();
  copy->command = query.command;
  copy->range_table = query.range_table;
  for (const FromNode& from : query.from) copy->from.push_back(CopyFrom(from));
  copy->where = query.where;
  copy->targets = query.targets;
  copy->has_aggregates = query.has_aggregates;
  copy->has_target_set_functions = query.has_target_set_functions;
  copy->group_by = query.group_by;
  copy->having = query.having;
  copy->distinct = query.distinct;
  copy->distinct_on = query.distinct_on;
  copy->order_by = query.order_by;
  copy->limit = query.limit;
  copy->offset = query.offset;
  copy->lock = query.lock;
  copy->lock_wait = query.lock_wait;
  copy->set_operation = query.set_operation;
  copy->set_all = query.set_all;
  copy->set_left = query.set_left;
  copy->set_right = query.set_right;
  copy->modification = query.modification;
  copy->parameter_types = query.parameter_types;
  return copy;
}

}  // namespace

QueryPtr ShiftLevels(const QueryPtr& query, int delta, int depth) {
  bool outer = false;
  WalkDeep(*query, 0, [&](const Expr& expr, int at) {
    const Var* var = expr.As<Var>();
    outer = outer || (var != nullptr && var->levels_up >= depth + at);
    return !outer;
  });
  if (!outer) return query;
  std::shared_ptr<Query> copy = CopyQuery(*query);
  ForEachSlot(*copy, [&](ExprPtr& expr) { expr = ShiftLevels(expr, delta, depth); });
  for (RangeTableEntry& entry : copy->range_table) {
    if (auto* subquery = std::get_if<SubqueryEntry>(&entry.source))
      subquery->query = ShiftLevels(subquery->query, delta, depth + 1);
  }
  if (copy->set_left != nullptr) copy->set_left = ShiftLevels(copy->set_left, delta, depth + 1);
  if (copy->set_right != nullptr) copy->set_right = ShiftLevels(copy->set_right, delta, depth + 1);
  return copy;
}

}  // namespace mayfly::analyze
