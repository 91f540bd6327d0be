// The common type of several expressions: UNION, CASE, COALESCE, ARRAY, VALUES, IN (PostgreSQL manual, 10.5).
#include "sql/analyze/analyze.h"
#include "sql/analyze/coerce.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {

const TypeDesc* SelectCommonType(std::span<const ExprPtr> exprs, std::string_view clause) {
  const TypeDesc* common = exprs[0]->type;
  bool same = !IsUnknown(common);
  for (size_t i = 1; i < exprs.size() && same; ++i) same = exprs[i]->type == common;
  if (same) return common;

  for (size_t i = 1; i < exprs.size(); ++i) {
    const TypeDesc* next = exprs[i]->type;
    if (IsUnknown(next) || next == common) continue;
    if (IsUnknown(common)) {
      common = next;
    } else if (next->category != common->category) {
      if (clause.empty()) return nullptr;
      Throw(SqlError::Make(kDatatypeMismatch, "{} types {} and {} cannot be matched", clause, TypeText(common), TypeText(next))
                .At(Location(exprs[i])));
    } else if (!common->preferred && CanCoerce(*common, *next, CastContext::kImplicit) &&
               !CanCoerce(*next, *common, CastContext::kImplicit)) {
      common = next;
    }
  }
  return IsUnknown(common) ? TextType() : common;
}

int32_t SelectCommonTypmod(std::span<const ExprPtr> exprs, const TypeDesc* common) {
  const int32_t typmod = exprs[0]->typmod;
  for (const ExprPtr& expr : exprs) {
    if (expr->type != common || expr->typmod != typmod) return -1;
  }
  return typmod;
}

bool CanAllBecome(std::span<const ExprPtr> exprs, const TypeDesc* common) {
  for (const ExprPtr& expr : exprs) {
    if (!CanCoerce(*expr->type, *common, CastContext::kImplicit)) return false;
  }
  return true;
}

ExprPtr CoerceToCommon(Scope& scope, const ExprPtr& expr, const TypeDesc* target, std::string_view clause) {
  if (expr->type == target) return expr;
  if (!CanCoerce(*expr->type, *target, CastContext::kImplicit)) {
    Throw(SqlError::Make(kCannotCoerce, "{} could not convert type {} to {}", clause, TypeText(expr->type), TypeText(target))
              .At(Location(expr)));
  }
  return CoerceType(scope, expr, target, -1, {});
}

}  // namespace mayfly::analyze
