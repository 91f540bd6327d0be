// Casts that the user wrote, and COLLATE.
#include "sql/analyze/analyze.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {

ExprPtr AnalyzeCast(Scope& scope, const parse::CastExpr& cast, SourcePos pos) {
  const ResolvedType target = ResolveType(scope.context(), cast.type);
  // ARRAY[…]::t[] types the elements, so that an empty array has a type.
  if (const auto* array = std::get_if<parse::ArrayExpr>(&cast.arg->node);
      array != nullptr && target.type->element != nullptr && target.type->category == 'A') {
    return AnalyzeArray(scope, *array, target.type, target.typmod, cast.arg->pos);
  }
  const ExprPtr arg = AnalyzeExpr(scope, *cast.arg);
  // CAST(x AS t) has no sign of its own; errors of literals then point at the type.
  const SourcePos at = pos.known() ? pos : cast.type.pos;
  ExprPtr result =
      CoerceToTarget(scope, arg, target.type, target.typmod, {.context = CastContext::kExplicit, .written = true, .pos = at});
  if (result == nullptr) {
    Throw(SqlError::Make(kCannotCoerce, "cannot cast type {} to {}", TypeText(arg->type), TypeText(target.type)).At(at));
  }
  return result;
}

ExprPtr AnalyzeCollate(Scope& scope, const parse::CollateExpr& collate, SourcePos pos) {
  ExprPtr arg = AnalyzeExpr(scope, *collate.arg);
  const catalog::TypeRow* row = catalog::FindTypeRow(arg->type->oid);
  const bool collatable =
      row != nullptr && (row->collation.valid() || (arg->type->element != nullptr && arg->type->element->category == 'S'));
  if (!collatable && !IsUnknown(arg->type)) {
    Throw(SqlError::Make(kDatatypeMismatch, "collations are not supported by type {}", TypeText(arg->type)).At(pos));
  }
  // All text is ordered by code point, which is what these collations say.
  const std::string& name = collate.collation.back();
  if (name == "C" || name == "default" || name == "POSIX" || name == "ucs_basic" || name == "C.utf8" || name == "C.UTF-8") {
    return IsUnknown(arg->type) ? CoerceType(scope, arg, TextType(), -1, {}) : arg;
  }
  if (name.ends_with("-x-icu") || name == "unicode") Throw(SqlError::NotSupported(fmt::format("collation \"{}\"", name), pos));
  Throw(SqlError::Make(kUndefinedObject, "collation \"{}\" for encoding \"UTF8\" does not exist", NameText(collate.collation))
            .At(pos));
}

}  // namespace mayfly::analyze
