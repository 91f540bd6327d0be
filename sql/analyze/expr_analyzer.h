// From syntax to typed expressions: one function a kind of expression, one file a family.
#pragma once

#include "sql/analyze/resolve.h"
#include "sql/analyze/scope.h"

namespace mayfly::analyze {

ExprPtr AnalyzeExpr(Scope& scope, const parse::Expr& expr);
// The same at a place (WHERE, target list …), with its rules.
ExprPtr AnalyzeExprAt(Scope& scope, const parse::Expr& expr, ExprPlace place);
std::vector<ExprPtr> AnalyzeExprs(Scope& scope, const std::vector<parse::ExprPtr>& exprs);
// Boolean at a place: WHERE, ON, HAVING, FILTER.
ExprPtr AnalyzeCondition(Scope& scope, const parse::Expr& expr, ExprPlace place, std::string_view clause);

// expr_value.cc
ExprPtr AnalyzeConstant(const Scope& scope, const parse::Constant& constant, SourcePos pos);
ExprPtr AnalyzeSqlValue(const parse::SqlValueFunction& function, SourcePos pos);
// expr_column.cc
ExprPtr AnalyzeColumnRef(Scope& scope, const parse::ColumnRef& ref, SourcePos pos);
// The relation that a name such as t or s.t stands for as a whole row; nullopt where it is none.
ExprPtr WholeRow(const FoundItem& found, SourcePos pos);
// The relation that the first fields of a reference name: all for t.*, all but the last for t.a. 42P01 where there is none.
FoundItem FindQualifiedRelation(Scope& scope, const parse::ColumnRef& ref, SourcePos pos);
// expr_operator.cc
ExprPtr AnalyzeOperatorCall(Scope& scope, const parse::OperatorCall& call, SourcePos pos);
ExprPtr AnalyzeAnyAllArray(Scope& scope, const parse::AnyAllArray& any_all, SourcePos pos);
ExprPtr AnalyzeLike(Scope& scope, const parse::LikeExpr& like, SourcePos pos);
ExprPtr AnalyzeBetween(Scope& scope, const parse::BetweenExpr& between, SourcePos pos);
ExprPtr AnalyzeInList(Scope& scope, const parse::InList& in, SourcePos pos);
ExprPtr AnalyzeDistinctFrom(Scope& scope, const parse::DistinctFrom& distinct, SourcePos pos);
ExprPtr AnalyzeNullIf(Scope& scope, const parse::NullIf& null_if, SourcePos pos);
// expr_row.cc
ExprPtr CompareRows(Scope& scope, const OperatorName& name, const std::vector<ExprPtr>& left, const std::vector<ExprPtr>& right);
ExprPtr AnalyzeRow(Scope& scope, const parse::RowExpr& row, SourcePos pos);
// expr_bool.cc
ExprPtr AnalyzeBool(Scope& scope, const parse::BoolExpr& expr, SourcePos pos);
ExprPtr AnalyzeNullTest(Scope& scope, const parse::NullTest& test, SourcePos pos);
ExprPtr AnalyzeBooleanTest(Scope& scope, const parse::BooleanTest& test, SourcePos pos);
ExprPtr MakeBool(BoolOp op, std::vector<ExprPtr> args, SourcePos pos);
ExprPtr MakeNullTest(const ExprPtr& arg, bool is_not, SourcePos pos);
// expr_case.cc
ExprPtr AnalyzeCase(Scope& scope, const parse::CaseExpr& expr, SourcePos pos);
ExprPtr AnalyzeCoalesce(Scope& scope, const parse::CoalesceExpr& expr, SourcePos pos);
ExprPtr AnalyzeMinMax(Scope& scope, const parse::MinMaxExpr& expr, SourcePos pos);
// expr_array.cc
ExprPtr AnalyzeArray(Scope& scope, const parse::ArrayExpr& array, const TypeDesc* array_type, int32_t typmod, SourcePos pos);
ExprPtr AnalyzeIndirection(Scope& scope, const parse::Indirection& indirection, SourcePos pos);
// expr_cast.cc
ExprPtr AnalyzeCast(Scope& scope, const parse::CastExpr& cast, SourcePos pos);
ExprPtr AnalyzeCollate(Scope& scope, const parse::CollateExpr& collate, SourcePos pos);
// expr_subquery.cc
ExprPtr AnalyzeSubquery(Scope& scope, const parse::SubqueryExpr& subquery, SourcePos pos);
// expr_function.cc
ExprPtr AnalyzeFunctionCall(Scope& scope, const parse::FunctionCall& call, SourcePos pos);
// aggregates.cc
struct AggregateCall {
  const parse::FunctionCall& syntax;
  const catalog::ProcRow* proc = nullptr;
  std::vector<ExprPtr> args;
  const TypeDesc* result = nullptr;
  SourcePos pos;
};
ExprPtr MakeAggregate(Scope& scope, AggregateCall call);
// 42803 for columns that are neither grouped nor aggregated, once all clauses of a grouped query are there.
void CheckGrouping(Scope& scope);
bool ContainsAggregate(const ExprPtr& expr);
// Whether the expression has a Var of its own query.
bool ContainsColumn(const ExprPtr& expr);
bool ContainsSetFunction(const ExprPtr& expr);

// syntax_location.cc: leftmost position of an expression as written.
SourcePos Location(const parse::Expr& expr);

// target_name.cc: the name of an output column without AS (FigureColname).
std::string OutputName(const parse::Expr& expr);

}  // namespace mayfly::analyze
