// One aggregate of an Aggregate node while it runs: its arguments, filter, and what it does with rows.
//
// DISTINCT and ORDER BY inside an aggregate keep the group's rows and feed them, once they are all there, in order and without
// repetition.
#pragma once

#include <memory>
#include <vector>

#include "sql/exec/expr_state.h"
#include "sql/exec/row_buffer.h"

namespace mayfly::exec {

class AggregateCallState {
 public:
  AggregateCallState(const plan::AggregateCall& call, const BuildContext& build);

  // DISTINCT or ORDER BY: rows are kept in a buffer for each group, and fed at the end.
  bool keeps_rows() const { return !kept_columns_.empty() || distinct_; }
  std::unique_ptr<RowBuffer> MakeBuffer(MemoryAccount& memory) const;

  // The rows that count: the filter passes, and no argument is NULL where NULLs are skipped. Their arguments are evaluated.
  types::Selection Prepare(ExecContext& context, const types::Batch& batch);
  // What the functions of `ops` are called with, after Prepare.
  func::AggregateCall Call(ExecContext& context) const { return {context.call, values_, arg_types_, result_type_}; }
  // Keeps prepared rows for later, row i in buffers[i]: arguments and sort keys.
  void Keep(ExecContext& context, const types::Batch& batch, types::Selection rows, const std::vector<RowBuffer*>& buffers);
  // Feeds the kept rows of one group to its state.
  void Feed(ExecContext& context, const RowBuffer& buffer, void* state);

  const func::AggregateOps& ops;

 private:
  int Compare(const RowBuffer& buffer, uint32_t a, uint32_t b) const;
  bool SameArguments(const RowBuffer& buffer, uint32_t a, uint32_t b) const;

  std::vector<ExprStatePtr> args_;
  Predicate filter_;
  std::vector<func::TypeUse> arg_types_;
  func::TypeUse result_type_;
  bool distinct_;
  std::vector<ExprStatePtr> order_exprs_;
  std::vector<plan::SortKey> order_by_;           // over kept_columns_
  std::vector<plan::OutputColumn> kept_columns_;  // arguments, then sort keys
  std::vector<const types::Vector*> values_;
  types::Batch filtered_;
  std::vector<uint16_t> rows_;
};

}  // namespace mayfly::exec
