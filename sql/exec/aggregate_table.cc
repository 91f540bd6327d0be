#include "sql/exec/aggregate_table.h"

#include <algorithm>
#include <numeric>

namespace mayfly::exec {

using types::Batch;
using types::Selection;
using types::Vector;

AggregateTable::AggregateTable(const plan::Aggregate& op, const std::vector<plan::OutputColumn>& output,
                               const BuildContext& build)
    : group_exprs_(MakeExprStates(op.groups, build)),
      grouped_(op.grouped),
      group_columns_(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(op.groups.size())),
      keys_(group_columns_),
      group_values_(group_columns_) {
  for (const plan::AggregateCall& call : op.calls) {
    calls_.push_back(std::make_unique<AggregateCallState>(call, build));
    offsets_.push_back(row_bytes_);
    row_bytes_ += (calls_.back()->ops.state_bytes + kStateAlignment - 1) / kStateAlignment * kStateAlignment;
  }
}

void AggregateTable::Clear(ExecContext& context) {
  DestroyStates();
  context_ = &context;
  account_ = &context.memory;
  keys_.Clear(&context.memory);
  group_values_.Clear(&context.memory);
  if (!grouped_ && group_exprs_.empty()) NewGroup();
}

void AggregateTable::Consume(const Batch& batch) {
  if (group_exprs_.empty()) {
    if (states_.empty()) NewGroup();
    UpdateSingleGroup(batch);
    return;
  }
  FindGroups(batch);
  UpdateGroups(batch);
}

void AggregateTable::Combine(AggregateTable& other) {
  const auto combine = [&](size_t group, size_t other_group) {
    for (size_t call = 0; call < calls_.size(); ++call) {
      calls_[call]->ops.combine(calls_[call]->Call(*context_), StateOf(group, call), other.StateOf(other_group, call));
    }
  };
  if (group_exprs_.empty()) {
    if (other.states_.empty()) return;
    if (states_.empty()) NewGroup();
    combine(0, 0);
    return;
  }
  std::vector<Vector> values = other.group_values_.MakeVectors();
  group_vectors_.clear();
  for (const Vector& vector : values) group_vectors_.push_back(&vector);
  for (size_t first = 0; first < other.size(); first += types::kBatchRows) {
    context_->CheckForInterrupt();
    const size_t count = std::min(types::kBatchRows, other.size() - first);
    ids_.resize(count);
    std::iota(ids_.begin(), ids_.end(), static_cast<uint32_t>(first));
    for (Vector& vector : values) vector.Reset();
    other.group_values_.Gather(ids_.data(), count, values);
    keys_.Find(group_vectors_, {nullptr, count}, groups_of_rows_, new_rows_);
    for (size_t i = 0; i < new_rows_.size(); ++i) NewGroup();
    if (!new_rows_.empty()) group_values_.Append(Batch{group_vectors_, count, new_rows_.data(), new_rows_.size()});
    for (size_t row = 0; row < count; ++row) combine(groups_of_rows_[row], first + row);
  }
}

void AggregateTable::FeedKept() {
  for (size_t call = 0; call < calls_.size(); ++call) {
    if (!calls_[call]->keeps_rows()) continue;
    for (size_t group = 0; group < states_.size(); ++group) {
      context_->CheckForInterrupt();
      calls_[call]->Feed(*context_, *kept_[group * calls_.size() + call], StateOf(group, call));
    }
  }
}

void AggregateTable::Emit(size_t first, size_t count, std::vector<Vector>& out) {
  if (!group_columns_.empty()) {
    ids_.resize(count);
    std::iota(ids_.begin(), ids_.end(), static_cast<uint32_t>(first));
    group_values_.Gather(ids_.data(), count, out);
  }
  for (size_t call = 0; call < calls_.size(); ++call) {
    const func::AggregateCall arguments = calls_[call]->Call(*context_);
    for (size_t row = 0; row < count; ++row) {
      calls_[call]->ops.finalize(arguments, StateOf(first + row, call), out[group_columns_.size() + call], row);
    }
  }
}

void AggregateTable::NewGroup() {
  constexpr int64_t kGroupOverheadBytes = 64;
  const int64_t bytes = static_cast<int64_t>(row_bytes_) + kGroupOverheadBytes;
  account_->Grow(bytes).value();
  accounted_bytes_ += bytes;
  states_.emplace_back(new (std::align_val_t{kStateAlignment}) char[std::max<size_t>(row_bytes_, 1)]);
  for (size_t call = 0; call < calls_.size(); ++call) {
    calls_[call]->ops.init(StateOf(states_.size() - 1, call));
    if (calls_[call]->keeps_rows()) {
      kept_.resize(states_.size() * calls_.size());
      kept_[(states_.size() - 1) * calls_.size() + call] = calls_[call]->MakeBuffer(context_->memory);
    }
  }
}

void AggregateTable::FindGroups(const Batch& batch) {
  const Selection rows = batch.selection();
  group_vectors_.clear();
  for (const ExprStatePtr& expr : group_exprs_) group_vectors_.push_back(&expr->Eval(*context_, batch, rows));
  keys_.Find(group_vectors_, rows, groups_of_rows_, new_rows_);
  for (size_t i = 0; i < new_rows_.size(); ++i) NewGroup();
  if (!new_rows_.empty()) group_values_.Append(Batch{group_vectors_, batch.rows, new_rows_.data(), new_rows_.size()});
}

void AggregateTable::UpdateGroups(const Batch& batch) {
  for (size_t call = 0; call < calls_.size(); ++call) {
    const Selection rows = calls_[call]->Prepare(*context_, batch);
    if (rows.count == 0) continue;
    if (calls_[call]->keeps_rows()) {
      std::vector<RowBuffer*> buffers(rows.count);
      for (size_t i = 0; i < rows.count; ++i) buffers[i] = kept_[groups_of_rows_[rows[i]] * calls_.size() + call].get();
      calls_[call]->Keep(*context_, batch, rows, buffers);
      continue;
    }
    row_states_.resize(rows.count);
    for (size_t i = 0; i < rows.count; ++i) row_states_[i] = StateOf(groups_of_rows_[rows[i]], call);
    calls_[call]->ops.update(calls_[call]->Call(*context_), rows, row_states_.data());
  }
}

void AggregateTable::UpdateSingleGroup(const Batch& batch) {
  for (size_t call = 0; call < calls_.size(); ++call) {
    const Selection rows = calls_[call]->Prepare(*context_, batch);
    if (rows.count == 0) continue;
    const func::AggregateOps& ops = calls_[call]->ops;
    if (calls_[call]->keeps_rows()) {
      calls_[call]->Keep(*context_, batch, rows, std::vector<RowBuffer*>(rows.count, kept_[call].get()));
    } else if (ops.update_one != nullptr) {
      ops.update_one(calls_[call]->Call(*context_), rows, StateOf(0, call));
    } else {
      row_states_.assign(rows.count, StateOf(0, call));
      ops.update(calls_[call]->Call(*context_), rows, row_states_.data());
    }
  }
}

void AggregateTable::DestroyStates() {
  for (size_t group = 0; group < states_.size(); ++group) {
    for (size_t call = 0; call < calls_.size(); ++call) {
      if (calls_[call]->ops.destroy != nullptr) calls_[call]->ops.destroy(StateOf(group, call));
    }
  }
  if (account_ != nullptr) account_->Shrink(accounted_bytes_);
  accounted_bytes_ = 0;
  states_.clear();
  kept_.clear();
}

}  // namespace mayfly::exec
