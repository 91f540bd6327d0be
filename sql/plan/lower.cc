#include "sql/plan/lower.h"

#include "base/check.h"
#include "sql/plan/builder.h"

namespace mayfly::plan {

using analyze::Expr;
using analyze::InputRef;
using analyze::OuterParam;
using analyze::SubLink;
using analyze::Var;

void Layout::Set(size_t entry, size_t column, size_t index) {
  if (index_.size() <= entry) index_.resize(entry + 1);
  if (index_[entry].size() <= column) index_[entry].resize(column + 1);
  index_[entry][column] = index;
}

std::optional<size_t> Layout::Find(size_t entry, size_t column) const {
  if (entry >= index_.size() || column >= index_[entry].size()) return std::nullopt;
  return index_[entry][column];
}

void Layout::Append(const Layout& other, size_t width) {
  for (size_t entry = 0; entry < other.index_.size(); ++entry) {
    for (size_t column = 0; column < other.index_[entry].size(); ++column) {
      if (const auto index = other.index_[entry][column]) Set(entry, column, *index + width);
    }
  }
}

namespace {

ExprPtr MakeVar(const Expr& like, size_t entry, size_t column, int levels_up) {
  return analyze::MakeExpr(Var{entry, column, levels_up}, like.type, like.typmod, like.pos);
}

// The parameter number of `arg` in `params`, added where it is new.
size_t ParamFor(SubplanParams& params, const ExprPtr& arg) {
  for (size_t i = 0; i < params.args.size(); ++i) {
    if (params.args[i] != nullptr && analyze::Equal(*params.args[i], *arg)) return i;
  }
  params.args.push_back(arg);
  return params.args.size() - 1;
}

// A Var of a query `levels` >= 1 above `scope`, as an OuterParam of the subplan that `scope` belongs to.
ExprPtr LowerOuter(const Expr& var, int levels, Scope& scope) {
  const Var& column = *var.As<Var>();
  Scope* at = &scope;
  while (!at->subplan_root && levels > 1) {
    at = at->parent;
    --levels;
  }
  if (!at->subplan_root) {
    // LATERAL: the left side of a join of the parent query.
    Check(at->parent->lateral != nullptr, "outer column reference without LATERAL");
    const ExprPtr source = MakeVar(var, column.entry, column.column, 0);
    for (const auto& [number, known] : *at->parent->lateral) {
      if (analyze::Equal(*known, *source)) return analyze::MakeExpr(OuterParam{number}, var.type, var.typmod, var.pos);
    }
    scope.params->args.push_back(nullptr);
    at->parent->lateral->emplace_back(scope.params->args.size() - 1, source);
    return analyze::MakeExpr(OuterParam{scope.params->args.size() - 1}, var.type, var.typmod, var.pos);
  }
  const ExprPtr source = MakeVar(var, column.entry, column.column, levels - 1);
  return analyze::MakeExpr(OuterParam{ParamFor(*at->params, source)}, var.type, var.typmod, var.pos);
}

// InputRef stands for the subquery's columns in a comparison; once lowered it would mean this query's.
ExprPtr NameSubqueryColumns(const ExprPtr& expr) {
  if (const InputRef* ref = expr->As<InputRef>()) {
    return analyze::MakeExpr(analyze::SubPlanColumn{ref->column}, expr->type, expr->typmod, expr->pos);
  }
  return analyze::MapChildren(expr, [](const ExprPtr& child) { return NameSubqueryColumns(child); });
}

ExprPtr LowerSubLink(const ExprPtr& expr, const SubLink& link, const LowerContext& context) {
  analyze::SubPlan node;
  node.kind = link.kind;
  for (const ExprPtr& comparison : link.comparisons) node.comparisons.push_back(Lower(NameSubqueryColumns(comparison), context));
  SubplanParams params;
  node.subplan = context.scope.builder->AddSubplan(*link.query, context.scope, params);
  for (const ExprPtr& arg : params.args) node.args.push_back(Lower(arg, context));
  return analyze::MakeExpr(std::move(node), expr->type, expr->typmod, expr->pos);
}

}  // namespace

ExprPtr Lower(const ExprPtr& expr, const LowerContext& context) {
  if (expr == nullptr) return nullptr;
  if (context.computed != nullptr) {
    for (const Computed& computed : *context.computed) {
      if (analyze::Equal(*computed.expr, *expr)) {
        return analyze::MakeExpr(InputRef{computed.column}, expr->type, expr->typmod, expr->pos);
      }
    }
  }
  if (const Var* var = expr->As<Var>()) {
    if (var->levels_up > 0) return LowerOuter(*expr, var->levels_up, context.scope);
    if (const auto index = context.layout.Find(var->entry, var->column)) {
      return analyze::MakeExpr(InputRef{*index}, expr->type, expr->typmod, expr->pos);
    }
    // The right side of a join that may look at its left side (LATERAL, or a function in FROM).
    if (context.scope.lateral != nullptr) {
      for (const auto& [number, known] : *context.scope.lateral) {
        if (analyze::Equal(*known, *expr)) return analyze::MakeExpr(OuterParam{number}, expr->type, expr->typmod, expr->pos);
      }
      context.scope.params->args.push_back(nullptr);
      context.scope.lateral->emplace_back(context.scope.params->args.size() - 1, expr);
      return analyze::MakeExpr(OuterParam{context.scope.params->args.size() - 1}, expr->type, expr->typmod, expr->pos);
    }
    Check(false, "a column is not available where it is used");
  }
  if (const SubLink* link = expr->As<SubLink>()) return LowerSubLink(expr, *link, context);
  return analyze::MapChildren(expr, [&](const ExprPtr& child) { return Lower(child, context); });
}

namespace {

void ForEachColumnOfQuery(const analyze::Query& query, int level, FunctionRef<void(const Var&, const Expr&)> fn);

void ForEachColumnAt(const ExprPtr& expr, int level, FunctionRef<void(const Var&, const Expr&)> fn) {
  if (expr == nullptr) return;
  if (const Var* var = expr->As<Var>()) {
    if (var->levels_up == level) fn(Var{var->entry, var->column, 0}, *expr);
    return;
  }
  if (const SubLink* link = expr->As<SubLink>()) ForEachColumnOfQuery(*link->query, level + 1, fn);
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { ForEachColumnAt(child, level, fn); });
}

void ForEachColumnOfFrom(const analyze::FromNode& node, int level, FunctionRef<void(const Var&, const Expr&)> fn) {
  if (const auto* join = std::get_if<analyze::FromNode::Join>(&node.node)) {
    ForEachColumnOfFrom(*join->left, level, fn);
    ForEachColumnOfFrom(*join->right, level, fn);
    ForEachColumnAt(join->on, level, fn);
  }
}

void ForEachColumnOfEntry(const analyze::RangeTableEntry& entry, int level, FunctionRef<void(const Var&, const Expr&)> fn) {
  if (const auto* subquery = std::get_if<analyze::SubqueryEntry>(&entry.source)) {
    ForEachColumnOfQuery(*subquery->query, level + 1, fn);
  } else if (const auto* function = std::get_if<analyze::FunctionEntry>(&entry.source)) {
    for (const ExprPtr& call : function->calls) ForEachColumnAt(call, level, fn);
  } else if (const auto* values = std::get_if<analyze::ValuesEntry>(&entry.source)) {
    for (const auto& row : values->rows) {
      for (const ExprPtr& value : row) ForEachColumnAt(value, level, fn);
    }
  }
}

void ForEachColumnOfQuery(const analyze::Query& query, int level, FunctionRef<void(const Var&, const Expr&)> fn) {
  if (query.set_operation != analyze::SetOperation::kNone) {
    ForEachColumnOfQuery(*query.set_left, level + 1, fn);
    ForEachColumnOfQuery(*query.set_right, level + 1, fn);
  }
  for (const analyze::RangeTableEntry& entry : query.range_table) ForEachColumnOfEntry(entry, level, fn);
  for (const analyze::FromNode& node : query.from) ForEachColumnOfFrom(node, level, fn);
  for (const analyze::TargetEntry& target : query.targets) ForEachColumnAt(target.expr, level, fn);
  ForEachColumnAt(query.where, level, fn);
  ForEachColumnAt(query.having, level, fn);
  ForEachColumnAt(query.limit, level, fn);
  ForEachColumnAt(query.offset, level, fn);
}

}  // namespace

void ForEachColumn(const ExprPtr& expr, FunctionRef<void(const Var&, const Expr&)> fn) { ForEachColumnAt(expr, 0, fn); }

bool UsesColumns(const ExprPtr& expr) {
  bool uses = false;
  ForEachColumn(expr, [&](const Var&, const Expr&) { uses = true; });
  return uses;
}

namespace {

template <typename Node>
bool Contains(const ExprPtr& expr) {
  if (expr == nullptr) return false;
  if (expr->As<Node>() != nullptr) return true;
  bool found = false;
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { found = found || Contains<Node>(child); });
  return found;
}

}  // namespace

bool ContainsSubLink(const ExprPtr& expr) { return Contains<SubLink>(expr); }
bool ContainsSubPlan(const ExprPtr& expr) { return Contains<analyze::SubPlan>(expr); }

bool IsVolatile(const ExprPtr& expr) {
  if (expr == nullptr) return false;
  if (const auto* call = expr->As<analyze::Call>(); call != nullptr && call->proc->volatility == catalog::Volatility::kVolatile)
    return true;
  bool found = false;
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { found = found || IsVolatile(child); });
  return found;
}

void SplitConjuncts(const ExprPtr& expr, std::vector<ExprPtr>& out) {
  if (expr == nullptr) return;
  if (const auto* both = expr->As<analyze::Bool>(); both != nullptr && both->op == analyze::BoolOp::kAnd) {
    for (const ExprPtr& term : both->args) SplitConjuncts(term, out);
    return;
  }
  const auto* constant = expr->As<analyze::Const>();
  if (constant != nullptr && !constant->value.is_null() && constant->value.get().get<bool>()) return;
  out.push_back(expr);
}

ExprPtr JoinConjuncts(std::vector<ExprPtr> terms) {
  if (terms.empty()) return nullptr;
  if (terms.size() == 1) return terms[0];
  const types::TypeDesc* boolean = terms[0]->type;
  return analyze::MakeExpr(analyze::Bool{analyze::BoolOp::kAnd, std::move(terms)}, boolean);
}

}  // namespace mayfly::plan
