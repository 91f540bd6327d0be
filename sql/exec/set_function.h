// A set-returning call while it runs, as FROM and target lists use it.
#pragma once

#include <memory>

#include "sql/exec/expr_state.h"

namespace mayfly::exec {

class SetCall {
 public:
  // Requires: a Call; of a function that returns a set, or any other, which then yields one row.
  SetCall(const analyze::Expr& expr, const BuildContext& build);
  // Result columns: one, or those of a function with several OUT columns.
  const std::vector<types::PhysicalType>& columns() const { return columns_; }
  // Starts the call for one row of `batch`.
  void Start(ExecContext& context, const types::Batch& batch, size_t row);
  // Up to `rows_max` next rows into rows 0.. of `out`; 0 at the end.
  size_t Next(size_t rows_max, std::span<types::Vector* const> out);

 private:
  const catalog::ProcRow* proc_ = nullptr;  // null: a plain expression
  std::vector<ExprStatePtr> args_;
  std::vector<func::TypeUse> arg_types_;
  func::TypeUse result_type_;
  std::vector<types::PhysicalType> columns_;
  ExprStatePtr scalar_;
  std::vector<types::OwnedDatum> arg_values_;
  std::vector<types::Datum> arg_datums_;
  std::unique_ptr<func::SetFunction> running_;
  types::OwnedDatum scalar_value_;
  bool scalar_pending_ = false;
};

}  // namespace mayfly::exec
