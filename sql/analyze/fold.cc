// Constant folding: immutable calls over constants are computed once, through the very kernels that would run.
//
// What fails is left as it is, so that the error comes only if the expression is really evaluated: CASE WHEN false THEN 1/0 END.
#include <array>

#include "sql/analyze/clauses.h"
#include "sql/analyze/known_types.h"
#include "sql/analyze/walk.h"

namespace mayfly::analyze {
namespace {

bool IsConst(const ExprPtr& expr) { return expr->As<Const>() != nullptr; }

bool IsFoldable(const Call& call) {
  if (call.proc->kernel == nullptr || call.proc->returns_set || call.proc->volatility != catalog::Volatility::kImmutable)
    return false;
  for (const ExprPtr& arg : call.args) {
    if (!IsConst(arg)) return false;
  }
  return true;
}

// One row through the kernel; null where it throws or is not possible.
ExprPtr Evaluate(Scope& scope, const ExprPtr& expr, const Call& call) {
  if (expr->type->ops == nullptr) return nullptr;
  std::vector<types::Vector> vectors;
  std::vector<const types::Vector*> args;
  std::vector<func::TypeUse> uses;
  vectors.reserve(call.args.size());
  for (const ExprPtr& arg : call.args) {
    const types::Datum& value = arg->As<Const>()->value.get();
    if (value.is_null() && call.proc->strict) return MakeConst(expr->type, types::Datum::Null(), expr->typmod, expr->pos);
    if (arg->type->ops == nullptr) return nullptr;
    types::Vector& vector = vectors.emplace_back(arg->type->physical(), 1);
    vector.SetDatum(0, value, true);
    args.push_back(&vector);
    uses.push_back({arg->type, arg->typmod});
  }
  types::Vector result(expr->type->physical(), 1);
  func::CallContext context{.io = scope.context().io};
  try {
    call.proc->kernel({context, args, {nullptr, 1}, result, uses, {expr->type, expr->typmod}});
  } catch (const SqlException&) {
    return nullptr;
  }
  return MakeConst(expr->type, result.Get(0), expr->typmod, expr->pos);
}

ExprPtr Fold(Scope& scope, const ExprPtr& expr) {
  ExprPtr mapped = MapChildren(expr, [&](const ExprPtr& child) { return Fold(scope, child); });
  if (const auto* call = mapped->As<Call>(); call != nullptr && IsFoldable(*call)) {
    if (ExprPtr value = Evaluate(scope, mapped, *call)) return value;
  } else if (const auto* relabel = mapped->As<Relabel>();
             relabel != nullptr && IsConst(relabel->arg) && mapped->type->ops != nullptr) {
    const types::Datum& value = relabel->arg->As<Const>()->value.get();
    if (value.is_null() || relabel->arg->type->physical() == mapped->type->physical()) {
      return MakeConst(mapped->type, value, mapped->typmod, mapped->pos);
    }
  }
  return mapped;
}

}  // namespace

void FoldQuery(Scope& scope, Query& query) {
  ForEachSlot(query, [&](ExprPtr& expr) {
    if (!IsConst(expr) && expr->As<Var>() == nullptr && expr->As<Param>() == nullptr) expr = Fold(scope, expr);
  });
}

}  // namespace mayfly::analyze
