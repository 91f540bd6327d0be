// CASE, COALESCE, GREATEST, LEAST: one result of several, of one common type.
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

// Set-returning functions are refused inside; the innermost construct is named.
class NoSetFunctions {
 public:
  NoSetFunctions(Scope& scope, std::string_view clause)
      : scope_(scope), old_(std::exchange(scope.set_function_refused, clause)) {}
  ~NoSetFunctions() { scope_.set_function_refused = old_; }
  NoSetFunctions(const NoSetFunctions&) = delete;
  NoSetFunctions& operator=(const NoSetFunctions&) = delete;

 private:
  Scope& scope_;
  std::string_view old_;
};

// CASE x WHEN v is x = v over a placeholder for x, which is computed once.
ExprPtr AnalyzeWhen(Scope& scope, const ExprPtr& arg, const parse::CaseWhen& when) {
  ExprPtr condition = AnalyzeExpr(scope, *when.when);
  if (arg != nullptr) {
    ExprPtr placeholder = MakeExpr(CaseTestValue{}, arg->type, arg->typmod);
    condition = MakeOperator(scope, "=", std::move(placeholder), std::move(condition), when.pos);
  }
  return CoerceToBoolean(scope, condition, "CASE/WHEN");
}

}  // namespace

ExprPtr AnalyzeCase(Scope& scope, const parse::CaseExpr& expr, SourcePos pos) {
  const NoSetFunctions guard(scope, "CASE");
  Case node;
  if (expr.arg != nullptr) {
    node.arg = AnalyzeExpr(scope, *expr.arg);
    if (IsUnknown(node.arg->type)) node.arg = CoerceType(scope, node.arg, TextType(), -1, {});
  }
  // The ELSE result leads in the choice of the type.
  std::vector<ExprPtr> results(1);
  for (const parse::CaseWhen& when : expr.whens) {
    node.whens.push_back({AnalyzeWhen(scope, node.arg, when), nullptr});
    results.push_back(AnalyzeExpr(scope, *when.then));
  }
  results[0] = expr.otherwise == nullptr ? MakeConst(UnknownType(), types::Datum::Null()) : AnalyzeExpr(scope, *expr.otherwise);
  const TypeDesc* common = SelectCommonType(results, "CASE");
  node.otherwise = CoerceToCommon(scope, results[0], common, "CASE/ELSE");
  results[0] = node.otherwise;
  for (size_t i = 0; i < node.whens.size(); ++i) {
    node.whens[i].result = CoerceToCommon(scope, results[i + 1], common, "CASE/WHEN");
    results[i + 1] = node.whens[i].result;
  }
  return MakeExpr(std::move(node), common, SelectCommonTypmod(results, common), pos);
}

ExprPtr AnalyzeCoalesce(Scope& scope, const parse::CoalesceExpr& expr, SourcePos pos) {
  const NoSetFunctions guard(scope, "COALESCE");
  Coalesce node{AnalyzeExprs(scope, expr.args)};
  const TypeDesc* common = SelectCommonType(node.args, "COALESCE");
  for (ExprPtr& arg : node.args) arg = CoerceToCommon(scope, arg, common, "COALESCE");
  const int32_t typmod = SelectCommonTypmod(node.args, common);
  return MakeExpr(std::move(node), common, typmod, pos);
}

ExprPtr AnalyzeMinMax(Scope& scope, const parse::MinMaxExpr& expr, SourcePos pos) {
  const std::string_view clause = expr.greatest ? "GREATEST" : "LEAST";
  MinMax node{expr.greatest, AnalyzeExprs(scope, expr.args)};
  const TypeDesc* common = SelectCommonType(node.args, clause);
  for (ExprPtr& arg : node.args) arg = CoerceToCommon(scope, arg, common, clause);
  if (!IsOrderable(*common)) {
    Throw(SqlError::Make(kUndefinedFunction, "could not identify a comparison function for type {}", TypeText(common)));
  }
  const int32_t typmod = SelectCommonTypmod(node.args, common);
  return MakeExpr(std::move(node), common, typmod, pos);
}

}  // namespace mayfly::analyze
