// The dispatch over kinds of syntax.
#include "sql/analyze/expr_analyzer.h"

#include "sql/analyze/parameters.h"

namespace mayfly::analyze {
namespace {

struct Dispatch {
  Scope& scope;
  SourcePos pos;

  ExprPtr operator()(const parse::Constant& n) const { return AnalyzeConstant(scope, n, pos); }
  ExprPtr operator()(const parse::ParameterRef& n) const { return AnalyzeParameter(scope, n, pos); }
  ExprPtr operator()(const parse::ColumnRef& n) const { return AnalyzeColumnRef(scope, n, pos); }
  ExprPtr operator()(const parse::OperatorCall& n) const { return AnalyzeOperatorCall(scope, n, pos); }
  ExprPtr operator()(const parse::AnyAllArray& n) const { return AnalyzeAnyAllArray(scope, n, pos); }
  ExprPtr operator()(const parse::InList& n) const { return AnalyzeInList(scope, n, pos); }
  ExprPtr operator()(const parse::LikeExpr& n) const { return AnalyzeLike(scope, n, pos); }
  ExprPtr operator()(const parse::BetweenExpr& n) const { return AnalyzeBetween(scope, n, pos); }
  ExprPtr operator()(const parse::DistinctFrom& n) const { return AnalyzeDistinctFrom(scope, n, pos); }
  ExprPtr operator()(const parse::NullIf& n) const { return AnalyzeNullIf(scope, n, pos); }
  ExprPtr operator()(const parse::BoolExpr& n) const { return AnalyzeBool(scope, n, pos); }
  ExprPtr operator()(const parse::NullTest& n) const { return AnalyzeNullTest(scope, n, pos); }
  ExprPtr operator()(const parse::BooleanTest& n) const { return AnalyzeBooleanTest(scope, n, pos); }
  ExprPtr operator()(const parse::FunctionCall& n) const { return AnalyzeFunctionCall(scope, n, pos); }
  ExprPtr operator()(const parse::CastExpr& n) const { return AnalyzeCast(scope, n, pos); }
  ExprPtr operator()(const parse::CollateExpr& n) const { return AnalyzeCollate(scope, n, pos); }
  ExprPtr operator()(const parse::CaseExpr& n) const { return AnalyzeCase(scope, n, pos); }
  ExprPtr operator()(const parse::CoalesceExpr& n) const { return AnalyzeCoalesce(scope, n, pos); }
  ExprPtr operator()(const parse::MinMaxExpr& n) const { return AnalyzeMinMax(scope, n, pos); }
  ExprPtr operator()(const parse::RowExpr& n) const { return AnalyzeRow(scope, n, pos); }
  ExprPtr operator()(const parse::ArrayExpr& n) const { return AnalyzeArray(scope, n, nullptr, -1, pos); }
  ExprPtr operator()(const parse::Indirection& n) const { return AnalyzeIndirection(scope, n, pos); }
  ExprPtr operator()(const parse::SubqueryExpr& n) const { return AnalyzeSubquery(scope, n, pos); }
  ExprPtr operator()(const parse::SqlValueFunction& n) const { return AnalyzeSqlValue(n, pos); }
  ExprPtr operator()(const parse::DefaultExpr&) const {
    Throw(SqlError::Make(kSyntaxError, "DEFAULT is not allowed in this context").At(pos));
  }
  ExprPtr operator()(const parse::GroupingFunc&) const { Throw(SqlError::NotSupported("GROUPING", pos)); }
  ExprPtr operator()(const parse::CurrentOf&) const { Throw(SqlError::NotSupported("WHERE CURRENT OF", pos)); }
};

}  // namespace

ExprPtr AnalyzeExpr(Scope& scope, const parse::Expr& expr) { return std::visit(Dispatch{scope, expr.pos}, expr.node); }

ExprPtr AnalyzeExprAt(Scope& scope, const parse::Expr& expr, ExprPlace place) {
  const PlaceGuard guard(scope, place);
  return AnalyzeExpr(scope, expr);
}

std::vector<ExprPtr> AnalyzeExprs(Scope& scope, const std::vector<parse::ExprPtr>& exprs) {
  std::vector<ExprPtr> result;
  result.reserve(exprs.size());
  for (const parse::ExprPtr& expr : exprs) result.push_back(AnalyzeExpr(scope, *expr));
  return result;
}

ExprPtr AnalyzeCondition(Scope& scope, const parse::Expr& expr, ExprPlace place, std::string_view clause) {
  const PlaceGuard guard(scope, place);
  return CoerceToBoolean(scope, AnalyzeExpr(scope, expr), clause);
}

}  // namespace mayfly::analyze
