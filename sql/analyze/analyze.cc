// The entry points.
#include "sql/analyze/analyze.h"

#include "base/check.h"
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"
#include "sql/analyze/parameters.h"

namespace mayfly::analyze {

QueryPtr Analyze(const AnalyzeContext& context, const parse::Statement& statement,
                 std::span<const TypeDesc* const> parameter_types, bool infer_parameters) {
  Analysis analysis{.context = context, .parameters = {}, .infer_parameters = infer_parameters};
  for (const TypeDesc* type : parameter_types) analysis.parameters.push_back(type == nullptr ? UnknownType() : type);
  Scope scope{analysis};
  if (const auto* select = std::get_if<parse::SelectStatement>(&statement.node)) {
    AnalyzeSelect(scope, *select);
  } else if (const auto* insert = std::get_if<parse::InsertStatement>(&statement.node)) {
    AnalyzeInsert(scope, *insert);
  } else if (const auto* update = std::get_if<parse::UpdateStatement>(&statement.node)) {
    AnalyzeUpdate(scope, *update);
  } else if (const auto* remove = std::get_if<parse::DeleteStatement>(&statement.node)) {
    AnalyzeDelete(scope, *remove);
  } else {
    Unreachable();
  }
  CheckParametersKnown(analysis, *scope.query);
  scope.query->parameter_types = std::move(analysis.parameters);
  return scope.query;
}

ExprPtr AnalyzeScalar(const AnalyzeContext& context, const parse::Expr& expr, const TypeDesc* target, int32_t typmod,
                      std::string_view clause) {
  Analysis analysis{.context = context, .parameters = {}, .infer_parameters = false};
  analysis.scalar_clause = clause;
  Scope scope{analysis};
  ExprPtr result = AnalyzeExprAt(scope, expr, ExprPlace::kScalarClause);
  if (target == nullptr) return IsUnknown(result->type) ? CoerceType(scope, result, TextType(), -1, {}) : result;
  ExprPtr coerced = CoerceToTarget(scope, result, target, typmod, {.context = CastContext::kAssignment});
  if (coerced == nullptr) {
    Throw(SqlError::Make(kDatatypeMismatch, "cannot convert type {} to {}", TypeText(result->type), TypeText(target))
              .Hint("You will need to rewrite or cast the expression.")
              .At(Location(result)));
  }
  return coerced;
}

}  // namespace mayfly::analyze
