// Constant folding: immutable calls over constants are computed once, through the very kernels that would run.
//
// What fails is left as it is: parsing a statement must not fail for it. Planning must, as in PostgreSQL, unless a constant condition says
// that it is never evaluated: SELECT 1/0 and CASE WHEN a THEN 1/0 END fail, CASE WHEN false THEN 1/0 END does not (FindConstantError).
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

// One row through the kernel; null where that is not possible. Throws what the kernel throws.
ExprPtr Compute(const types::IoContext& io, const ExprPtr& expr, const Call& call) {
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
  func::CallContext context{.io = io};
  call.proc->kernel({context, args, {nullptr, 1}, result, uses, {expr->type, expr->typmod}});
  return MakeConst(expr->type, result.Get(0), expr->typmod, expr->pos);
}

// Null where it fails.
ExprPtr Evaluate(Scope& scope, const ExprPtr& expr, const Call& call) {
  try {
    return Compute(scope.context().io, expr, call);
  } catch (const SqlException&) {
    return nullptr;
  }
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

// nullopt: not a constant, or NULL.
std::optional<bool> ConstantTruth(const ExprPtr& expr) {
  const auto* constant = expr->As<Const>();
  if (constant == nullptr || constant->value.get().is_null()) return std::nullopt;
  return constant->value.get().get<bool>();
}

// Looks for constant calls that were left because they fail, in PostgreSQL's order of simplification.
class ConstantErrors {
 public:
  explicit ConstantErrors(const types::IoContext& io) : io_(io) {}

  void Visit(const Query& query) {
    ForEachSlot(query, [this](const ExprPtr& expr) { Visit(expr); });
    ForEachSubquery(query, [this](const QueryPtr& subquery) { Visit(*subquery); });
  }

 private:
  void Visit(const ExprPtr& expr) {
    if (expr == nullptr || IsConst(expr)) return;
    if (const auto* bool_expr = expr->As<Bool>()) return VisitBool(*bool_expr);
    if (const auto* case_expr = expr->As<Case>()) return VisitCase(*case_expr);
    if (const auto* coalesce = expr->As<Coalesce>()) return VisitCoalesce(*coalesce);
    ForEachChild(*expr, [this](const ExprPtr& child) { Visit(child); });
    if (const auto* link = expr->As<SubLink>()) return Visit(*link->query);
    if (const auto* call = expr->As<Call>(); call != nullptr && IsFoldable(*call)) Compute(io_, expr, *call);
  }

  void VisitBool(const Bool& expr) {
    for (const ExprPtr& arg : expr.args) {
      Visit(arg);
      // AND ends with the first false, OR with the first true.
      if (expr.op != BoolOp::kNot && ConstantTruth(arg) == (expr.op == BoolOp::kOr)) return;
    }
  }

  void VisitCase(const Case& expr) {
    Visit(expr.arg);
    for (const Case::When& when : expr.whens) {
      Visit(when.condition);
      if (IsConst(when.condition) && ConstantTruth(when.condition) != true) continue;
      Visit(when.result);
      if (ConstantTruth(when.condition) == true) return;
    }
    Visit(expr.otherwise);
  }

  void VisitCoalesce(const Coalesce& expr) {
    for (const ExprPtr& arg : expr.args) {
      Visit(arg);
      if (IsConst(arg) && !arg->As<Const>()->value.get().is_null()) return;
    }
  }

  const types::IoContext& io_;
};

}  // namespace

std::optional<SqlError> FindConstantError(const AnalyzeContext& context, const Query& query) {
  try {
    ConstantErrors(context.io).Visit(query);
  } catch (SqlException& exception) {
    return std::move(exception.error());
  }
  return std::nullopt;
}

void FoldQuery(Scope& scope, Query& query) {
  ForEachSlot(query, [&](ExprPtr& expr) {
    if (!IsConst(expr) && expr->As<Var>() == nullptr && expr->As<Param>() == nullptr) expr = Fold(scope, expr);
  });
}

}  // namespace mayfly::analyze
