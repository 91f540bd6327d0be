// The families of expression states; each factory returns null for expressions of another family.
#pragma once

#include "sql/exec/expr_state.h"

namespace mayfly::exec {

// call_state.cc: functions, operators, casts, IS DISTINCT FROM, NULLIF.
ExprStatePtr MakeCallState(const analyze::Expr& expr, const BuildContext& build);
// logic_state.cc: AND, OR, NOT, IS NULL, IS TRUE ….
ExprStatePtr MakeLogicState(const analyze::Expr& expr, const BuildContext& build);
// conditional_state.cc: CASE, COALESCE, GREATEST, LEAST.
ExprStatePtr MakeConditionalState(const analyze::Expr& expr, const BuildContext& build);
// array_state.cc: ANY/ALL, IN lists, ARRAY[], subscripts, ROW.
ExprStatePtr MakeArrayState(const analyze::Expr& expr, const BuildContext& build);
// sql_value_state.cc: CURRENT_DATE ….
ExprStatePtr MakeSqlValueState(const analyze::Expr& expr, const BuildContext& build);
// subplan_state.cc: subqueries.
ExprStatePtr MakeSubplanState(const analyze::Expr& expr, const BuildContext& build);

// A function over argument vectors, with strictness and constant arguments seen to. Reused for operators inside other states.
class FunctionCaller {
 public:
  // `result`: type of the result. 0A000 naming the function where it has no implementation.
  FunctionCaller(const catalog::ProcRow& proc, std::vector<func::TypeUse> arg_types, func::TypeUse result, size_t capacity,
                 SourcePos pos);
  const types::Vector& Call(ExecContext& context, std::span<const types::Vector* const> args, types::Selection rows);

 private:
  const catalog::ProcRow& proc_;
  std::vector<func::TypeUse> arg_types_;
  func::TypeUse result_type_;
  types::Vector result_;
  std::vector<uint16_t> non_null_;
};

// Copies the selected rows of `from` to `to`, borrowing bytes.
void CopyRows(const types::Vector& from, types::Vector& to, types::Selection rows);

}  // namespace mayfly::exec
