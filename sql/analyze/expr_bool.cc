// AND, OR, NOT, IS NULL, IS TRUE and kin.
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {

ExprPtr MakeBool(BoolOp op, std::vector<ExprPtr> args, SourcePos pos) {
  return MakeExpr(Bool{op, std::move(args)}, BoolType(), -1, pos);
}

ExprPtr AnalyzeBool(Scope& scope, const parse::BoolExpr& expr, SourcePos pos) {
  const BoolOp op = expr.op == parse::BoolOp::kAnd ? BoolOp::kAnd : expr.op == parse::BoolOp::kOr ? BoolOp::kOr : BoolOp::kNot;
  const std::string_view clause = op == BoolOp::kAnd ? "AND" : op == BoolOp::kOr ? "OR" : "NOT";
  std::vector<ExprPtr> args;
  args.reserve(expr.args.size());
  for (const parse::ExprPtr& arg : expr.args) args.push_back(CoerceToBoolean(scope, AnalyzeExpr(scope, *arg), clause));
  return MakeBool(op, std::move(args), pos);
}

ExprPtr MakeNullTest(const ExprPtr& arg, bool is_not, SourcePos pos) {
  // A row is (not) null where each of its fields is (not) null; fields that are rows themselves are only looked at as a whole.
  if (const Row* row = arg->As<Row>(); row != nullptr && !row->args.empty()) {
    std::vector<ExprPtr> terms;
    for (const ExprPtr& field : row->args) terms.push_back(MakeExpr(NullTest{field, is_not}, BoolType(), -1, pos));
    return terms.size() == 1 ? terms[0] : MakeBool(BoolOp::kAnd, std::move(terms), pos);
  }
  return MakeExpr(NullTest{arg, is_not}, BoolType(), -1, pos);
}

ExprPtr AnalyzeNullTest(Scope& scope, const parse::NullTest& test, SourcePos pos) {
  return MakeNullTest(AnalyzeExpr(scope, *test.arg), test.is_not, pos);
}

ExprPtr AnalyzeBooleanTest(Scope& scope, const parse::BooleanTest& test, SourcePos pos) {
  static constexpr std::string_view kClauses[] = {"IS TRUE",      "IS NOT TRUE", "IS FALSE",
                                                  "IS NOT FALSE", "IS UNKNOWN",  "IS NOT UNKNOWN"};
  const auto kind = static_cast<TruthTest>(test.test);
  ExprPtr arg = CoerceToBoolean(scope, AnalyzeExpr(scope, *test.arg), kClauses[static_cast<size_t>(kind)]);
  return MakeExpr(BooleanTest{std::move(arg), kind}, BoolType(), -1, pos);
}

}  // namespace mayfly::analyze
