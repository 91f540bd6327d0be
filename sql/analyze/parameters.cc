// Types of $1, $2 …: as declared by the client, or from the first place that tells.
#include "sql/analyze/parameters.h"

#include "sql/analyze/known_types.h"
#include "sql/analyze/walk.h"

namespace mayfly::analyze {
namespace {

// As many as a Bind message can carry.
constexpr int kParametersMax = 65535;

}  // namespace

ExprPtr AnalyzeParameter(Scope& scope, const parse::ParameterRef& ref, SourcePos pos) {
  Analysis& analysis = scope.analysis;
  const auto number = static_cast<size_t>(ref.number);
  const bool known = ref.number > 0 && number <= analysis.parameters.size();
  if (ref.number <= 0 || ref.number > kParametersMax || (!known && !analysis.infer_parameters)) {
    Throw(SqlError::Make(kUndefinedParameter, "there is no parameter ${}", ref.number).At(pos));
  }
  if (!known) analysis.parameters.resize(number);
  const TypeDesc*& type = analysis.parameters[number - 1];
  if (type == nullptr) type = UnknownType();
  return MakeExpr(Param{ref.number}, type, -1, pos);
}

ExprPtr CoerceParameter(Scope& scope, const Expr& expr, const TypeDesc* target, SourcePos pos) {
  const int number = expr.As<Param>()->number;
  const TypeDesc*& type = scope.analysis.parameters[static_cast<size_t>(number) - 1];
  if (type == nullptr || IsUnknown(type)) {
    type = target;
  } else if (type != target) {
    Throw(SqlError::Make(kAmbiguousParameter, "inconsistent types deduced for parameter ${}", number)
              .Detail(fmt::format("{} versus {}", TypeText(type), TypeText(target)))
              .At(expr.pos));
  }
  SourcePos at = expr.pos;
  if (pos.known() && (!at.known() || pos.offset < at.offset)) at = pos;
  return MakeExpr(Param{number}, target, -1, at);
}

void CheckParametersKnown(const Analysis& analysis, const Query& query) {
  if (analysis.parameters.empty()) return;
  WalkDeep(query, 0, [&](const Expr& expr, int) {
    const Param* param = expr.As<Param>();
    if (param == nullptr || !IsUnknown(expr.type)) return true;
    if (IsUnknown(analysis.parameters[static_cast<size_t>(param->number) - 1])) return true;
    Throw(SqlError::Make(kAmbiguousParameter, "could not determine data type of parameter ${}", param->number).At(expr.pos));
  });
  for (size_t i = 0; i < analysis.parameters.size(); ++i) {
    const TypeDesc* type = analysis.parameters[i];
    if (type != nullptr && !IsUnknown(type)) continue;
    Throw(SqlError::Make(kIndeterminateDatatype, "could not determine data type of parameter ${}", i + 1));
  }
}

}  // namespace mayfly::analyze
