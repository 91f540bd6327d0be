// Type conversion: which one exists, and the expression that does it (PostgreSQL manual, chapter 10; pg_cast).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sql/analyze/scope.h"

namespace mayfly::analyze {

using catalog::CastContext;
using types::TypeDesc;

enum class CoercionPath : uint8_t { kNone, kFunction, kRelabel, kArray, kIo };
struct Coercion {
  CoercionPath path = CoercionPath::kNone;
  Oid function;
};
// How a value of `source` becomes one of `target`. Unknown, polymorphic and pseudo types are not this function's business.
Coercion FindCoercion(const TypeDesc& target, const TypeDesc& source, CastContext context);

// Whether arguments of types `actual` can be passed where `declared` types are wanted, polymorphic ones included.
bool CanCoerceAll(std::span<const TypeDesc* const> actual, std::span<const TypeDesc* const> declared, CastContext context);

struct CoerceOptions {
  CastContext context = CastContext::kImplicit;
  bool written = false;  // by the user: shown as a cast
  SourcePos pos = {};
};
// Requires: CanCoerce. Unknown literals are parsed by the type's input function (errors stand at the literal), parameters of
// unknown type get the type. The typmod is not applied.
ExprPtr CoerceType(Scope& scope, const ExprPtr& expr, const TypeDesc* target, int32_t typmod, const CoerceOptions& options);
// Type and typmod. Null where there is no such conversion.
ExprPtr CoerceToTarget(Scope& scope, const ExprPtr& expr, const TypeDesc* target, int32_t typmod, const CoerceOptions& options);

// 42804 `argument of WHERE must be type boolean, not type integer`.
ExprPtr CoerceToBoolean(Scope& scope, const ExprPtr& expr, std::string_view clause);
ExprPtr CoerceToSpecific(Scope& scope, const ExprPtr& expr, const TypeDesc* target, std::string_view clause);

// The type that all of `exprs` can become (UNION, CASE and related constructs: manual, 10.5). With an empty `clause` null instead
// of the error 42804 `CASE types integer and text cannot be matched`.
const TypeDesc* SelectCommonType(std::span<const ExprPtr> exprs, std::string_view clause);
int32_t SelectCommonTypmod(std::span<const ExprPtr> exprs, const TypeDesc* common);
bool CanAllBecome(std::span<const ExprPtr> exprs, const TypeDesc* common);
ExprPtr CoerceToCommon(Scope& scope, const ExprPtr& expr, const TypeDesc* target, std::string_view clause);

// Replaces polymorphic types in `declared` by what the arguments make of them; returns what `result` becomes. 42804 where the
// arguments do not tell. (polymorphic.cc)
const TypeDesc* ResolvePolymorphic(std::span<const TypeDesc* const> actual, std::vector<const TypeDesc*>& declared,
                                   const TypeDesc* result);
bool IsPolymorphicMatch(std::span<const TypeDesc* const> actual, std::span<const TypeDesc* const> declared);
bool IsPolymorphic(Oid type);

// Values of the type can be compared for equality / ordered by its default classes.
bool IsComparable(const TypeDesc& type);
bool IsOrderable(const TypeDesc& type);

// Leftmost position of the expression, where PostgreSQL's errors point.
SourcePos Location(const Expr& expr);
SourcePos Location(const ExprPtr& expr);

// A parameter of unknown type becomes `target` (parameters.cc); 42P08 where it was deduced otherwise before.
ExprPtr CoerceParameter(Scope& scope, const Expr& expr, const TypeDesc* target, SourcePos pos);

std::string TypeText(const TypeDesc* type, int32_t typmod = -1);

}  // namespace mayfly::analyze
