// Coercion of one expression to one type.
#include "sql/analyze/coerce.h"

#include <algorithm>

#include "sql/analyze/analyze.h"
#include "sql/analyze/known_types.h"
#include "sql/types/format_type.h"

namespace mayfly::analyze {

std::string TypeText(const TypeDesc* type, int32_t typmod) { return types::FormatType(*type, typmod); }

Coercion FindCoercion(const TypeDesc& target, const TypeDesc& source, CastContext context) {
  if (&target == &source) return {CoercionPath::kRelabel, {}};
  const auto strength = [](CastContext c) { return c == CastContext::kImplicit ? 0 : c == CastContext::kAssignment ? 1 : 2; };
  if (const catalog::CastRow* cast = catalog::FindCast(source.oid, target.oid)) {
    if (strength(context) < strength(cast->context)) return {};
    switch (cast->method) {
      case catalog::CastMethod::kFunction: return {CoercionPath::kFunction, cast->proc};
      case catalog::CastMethod::kInOut: return {CoercionPath::kIo, {}};
      case catalog::CastMethod::kBinary: return {CoercionPath::kRelabel, {}};
    }
  }
  // Arrays convert as their elements do.
  if (target.element != nullptr && source.element != nullptr && target.oid != catalog::kOidOidVector &&
      target.oid != catalog::kOidInt2Vector) {
    if (FindCoercion(*target.element, *source.element, context).path != CoercionPath::kNone) return {CoercionPath::kArray, {}};
  }
  // Everything can be assigned to a string type, and cast explicitly from one.
  if (strength(context) >= 1 && target.category == 'S') return {CoercionPath::kIo, {}};
  if (strength(context) >= 2 && source.category == 'S') return {CoercionPath::kIo, {}};
  return {};
}

bool CanCoerceAll(std::span<const TypeDesc* const> actual, std::span<const TypeDesc* const> declared, CastContext context) {
  bool polymorphic = false;
  for (size_t i = 0; i < actual.size(); ++i) {
    const TypeDesc* source = actual[i];
    const TypeDesc* target = declared[i];
    if (source == target || target->oid == catalog::kOidAny) continue;
    if (IsPolymorphic(target->oid)) {
      polymorphic = true;
      continue;
    }
    if (IsUnknown(source)) continue;
    if (FindCoercion(*target, *source, context).path == CoercionPath::kNone) return false;
  }
  return !polymorphic || IsPolymorphicMatch(actual, declared);
}

bool CanCoerce(const TypeDesc& source, const TypeDesc& target, CastContext context) {
  const TypeDesc* const actual[] = {&source};
  const TypeDesc* const declared[] = {&target};
  return CanCoerceAll(actual, declared, context);
}

namespace {

const catalog::ProcRow* CastFunction(Oid oid, const TypeDesc& source, const TypeDesc& target, SourcePos pos) {
  const catalog::ProcRow* proc = catalog::FindProc(oid);
  if (proc == nullptr || !proc->implemented()) {
    Throw(SqlError::NotSupported(fmt::format("cast from {} to {}", TypeText(&source), TypeText(&target)), pos));
  }
  return proc;
}

// An unknown literal as a constant of `target`: the input function sees the text now, and its error points at the literal.
ExprPtr ParseLiteral(Scope& scope, const Expr& literal, const TypeDesc* target, int32_t typmod) {
  const SourcePos at = literal.pos;
  // The length rule of a cast is not that of input, so it is applied by a cast function afterwards. interval cannot be read
  // without its typmod ('1' is hours or seconds by it).
  const int32_t input_typmod = target->oid.value == 1186 ? typmod : -1;
  const types::Datum& text = literal.As<Const>()->value.get();
  if (text.is_null()) return MakeConst(target, types::Datum::Null(), input_typmod, at);
  if (target->ops == nullptr || target->ops->in == nullptr) {
    if (target->oid == catalog::kOidRecord) {
      Throw(SqlError::Make(kFeatureNotSupported, "input of anonymous composite types is not implemented").At(literal.pos));
    }
    Throw(SqlError::NotSupported(fmt::format("input of type {}", TypeText(target)), literal.pos));
  }
  Result<types::Datum> value = target->ops->in(*target, text.bytes(), input_typmod, scope.context().io, scope.analysis.arena);
  if (!value.ok()) {
    SqlError error = std::move(value.error());
    if (!error.position.known()) error.position = literal.pos;
    Throw(std::move(error));
  }
  return MakeConst(target, *value, input_typmod, at);
}

ExprPtr ApplyArrayCoercion(Scope& scope, const ExprPtr& expr, const TypeDesc* target, int32_t typmod,
                           const CoerceOptions& options) {
  const ExprPtr element = MakeExpr(CaseTestValue{}, expr->type->element, expr->typmod);
  ExprPtr converted = CoerceToTarget(scope, element, target->element, typmod, options);
  return MakeExpr(ArrayCoerce{expr, std::move(converted)}, target, typmod, options.pos);
}

ExprPtr ApplyCoercion(Scope& scope, const Coercion& coercion, const ExprPtr& expr, const TypeDesc* target, int32_t typmod,
                      const CoerceOptions& options) {
  switch (coercion.path) {
    case CoercionPath::kFunction: {
      const catalog::ProcRow* proc = CastFunction(coercion.function, *expr->type, *target, options.pos);
      Call call{.proc = proc, .op = nullptr, .args = {expr}, .form = CallForm::kCast, .explicit_cast = options.written};
      if (proc->args.size() >= 2) call.args.push_back(MakeConst(Int4Type(), types::Datum(typmod)));
      if (proc->args.size() >= 3)
        call.args.push_back(MakeConst(BoolType(), types::Datum(options.context == CastContext::kExplicit)));
      return MakeExpr(std::move(call), target, proc->args.size() >= 2 ? typmod : -1, options.pos);
    }
    case CoercionPath::kArray: return ApplyArrayCoercion(scope, expr, target, typmod, options);
    case CoercionPath::kIo: return MakeExpr(CoerceViaIo{expr, options.written}, target, -1, options.pos);
    case CoercionPath::kRelabel: return MakeExpr(Relabel{expr, options.written}, target, -1, options.pos);
    case CoercionPath::kNone: break;
  }
  return nullptr;
}

bool KeepsActualType(Oid target) {
  switch (target.value) {
    case 2276:
    case 2283:
    case 2776:
    case 5077:
    case 5079:  // any, anyelement, anynonarray, anycompatible, anycompatiblenonarray
    case 2277:
    case 3500:
    case 5078:  // anyarray, anyenum, anycompatiblearray
      return true;
    default: return false;
  }
}

// The inner step of a conversion followed by a length coercion is not shown: 'x'::varchar(3), not ('x'::varchar)::varchar(3).
ExprPtr HideCast(const ExprPtr& expr) {
  Expr copy = *expr;
  if (auto* call = std::get_if<Call>(&copy.node); call != nullptr && call->form == CallForm::kCast) {
    call->explicit_cast = false;
  } else if (auto* relabel = std::get_if<Relabel>(&copy.node)) {
    relabel->explicit_cast = false;
  } else if (auto* io = std::get_if<CoerceViaIo>(&copy.node)) {
    io->explicit_cast = false;
  } else {
    return expr;
  }
  return std::make_shared<const Expr>(std::move(copy));
}

ExprPtr CoerceTypmod(Scope& scope, const ExprPtr& expr, int32_t typmod, const CoerceOptions& options, bool hide_input) {
  if (typmod == expr->typmod) return expr;
  const TypeDesc* type = expr->type;
  const ExprPtr input = hide_input ? HideCast(expr) : expr;
  if (typmod >= 0) {
    const TypeDesc* base = type->element != nullptr && type->category == 'A' ? type->element : type;
    const catalog::CastRow* length = catalog::FindCast(base->oid, base->oid);
    if (length != nullptr && length->proc.valid()) {
      const CoercionPath path = base == type ? CoercionPath::kFunction : CoercionPath::kArray;
      return ApplyCoercion(scope, {path, length->proc}, input, type, typmod, options);
    }
  }
  return MakeExpr(Relabel{input, options.written}, type, typmod, options.pos);
}

}  // namespace

ExprPtr CoerceType(Scope& scope, const ExprPtr& expr, const TypeDesc* target, int32_t typmod, const CoerceOptions& options) {
  if (expr->type == target) return expr;
  if (KeepsActualType(target->oid)) return expr;
  if (IsUnknown(expr->type)) {
    if (expr->As<Const>() != nullptr) return ParseLiteral(scope, *expr, target, typmod);
    if (expr->As<Param>() != nullptr) return CoerceParameter(scope, *expr, target, options.pos);
  }
  const Coercion coercion = FindCoercion(*target, *expr->type, options.context);
  if (coercion.path == CoercionPath::kNone) {
    // Unknown-typed columns of subqueries convert through their text.
    if (IsUnknown(expr->type)) return MakeExpr(CoerceViaIo{expr, options.written}, target, -1, options.pos);
    Throw(SqlError::NotSupported(fmt::format("conversion from {} to {}", TypeText(expr->type), TypeText(target)), options.pos));
  }
  return ApplyCoercion(scope, coercion, expr, target, typmod, options);
}

ExprPtr CoerceToTarget(Scope& scope, const ExprPtr& expr, const TypeDesc* target, int32_t typmod, const CoerceOptions& options) {
  if (expr->type == target && expr->typmod == typmod) return expr;
  if (!CanCoerce(*expr->type, *target, options.context)) return nullptr;
  const ExprPtr result = CoerceType(scope, expr, target, typmod, options);
  return CoerceTypmod(scope, result, typmod, options, result != expr && result->As<Const>() == nullptr);
}

ExprPtr CoerceToBoolean(Scope& scope, const ExprPtr& expr, std::string_view clause) {
  return CoerceToSpecific(scope, expr, BoolType(), clause);
}

ExprPtr CoerceToSpecific(Scope& scope, const ExprPtr& expr, const TypeDesc* target, std::string_view clause) {
  if (expr->type == target) return expr;
  ExprPtr result = CoerceToTarget(scope, expr, target, -1, {.context = CastContext::kAssignment});
  if (result != nullptr) return result;
  Throw(SqlError::Make(kDatatypeMismatch, "argument of {} must be type {}, not type {}", clause, TypeText(target),
                       TypeText(expr->type))
            .At(Location(expr)));
}

bool IsOrderable(const TypeDesc& type) {
  if (type.oid == catalog::kOidRecord || type.oid == catalog::kOidVarchar) return true;
  if (type.category == 'A' && type.element != nullptr) return IsOrderable(*type.element);
  return catalog::FindBtreeOperators(type.oid).less.valid();
}

bool IsComparable(const TypeDesc& type) { return IsOrderable(type); }

SourcePos Location(const Expr& expr) {
  const bool leftmost = expr.As<Call>() != nullptr || expr.As<Bool>() != nullptr || expr.As<NullTest>() != nullptr ||
                        expr.As<BooleanTest>() != nullptr || expr.As<AnyAll>() != nullptr || expr.As<Relabel>() != nullptr ||
                        expr.As<CoerceViaIo>() != nullptr || expr.As<ArrayCoerce>() != nullptr ||
                        expr.As<DistinctFrom>() != nullptr || expr.As<NullIf>() != nullptr || expr.As<SubLink>() != nullptr ||
                        expr.As<ArraySubscript>() != nullptr;
  if (!leftmost) return expr.pos;
  SourcePos result = expr.pos;
  ForEachChild(expr, [&](const ExprPtr& child) {
    const SourcePos at = Location(*child);
    if (at.known() && (!result.known() || at.offset < result.offset)) result = at;
  });
  return result;
}

SourcePos Location(const ExprPtr& expr) { return expr == nullptr ? SourcePos{} : Location(*expr); }

}  // namespace mayfly::analyze
