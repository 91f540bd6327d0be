#include "sql/exec/modify.h"

#include <algorithm>

namespace mayfly::exec {

store::WriteContext MakeWriteContext(ExecContext& context) {
  return {context.storage.txn(), context.lock, context.write_time_ms, context.call.io};
}

Returning::Returning(const std::vector<analyze::ExprPtr>& exprs, const BuildContext& build)
    : exprs_(MakeExprStates(exprs, build)), rows_(Columns(exprs)), output_(rows_.MakeVectors()) {
  for (const types::Vector& vector : output_) batch_.columns.push_back(&vector);
}

std::vector<plan::OutputColumn> Returning::Columns(const std::vector<analyze::ExprPtr>& exprs) {
  std::vector<plan::OutputColumn> columns;
  for (const analyze::ExprPtr& expr : exprs) columns.push_back({expr->type, expr->typmod});
  return columns;
}

void Returning::Clear(ExecContext& context) {
  rows_.Clear(&context.memory);
  next_ = 0;
}

void Returning::Add(ExecContext& context, const types::Batch& batch) {
  if (exprs_.empty()) return;
  types::Batch values{{}, batch.rows, batch.selected, batch.selected_count};
  for (const ExprStatePtr& expr : exprs_) values.columns.push_back(&expr->Eval(context, batch, batch.selection()));
  rows_.Append(values);
}

const types::Batch* Returning::Next() {
  if (next_ == rows_.size()) return nullptr;
  batch_.rows = std::min(types::kBatchRows, rows_.size() - next_);
  std::vector<uint32_t> ids(batch_.rows);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<uint32_t>(next_ + i);
  next_ += batch_.rows;
  for (types::Vector& vector : output_) vector.Reset();
  rows_.Gather(ids.data(), ids.size(), output_);
  return &batch_;
}

TargetRow::TargetRow(const catalog::TableDescriptor& table, std::vector<ColumnId> columns)
    : table_(table), columns_(std::move(columns)), decoder_(table, columns_) {
  live_count_ = static_cast<size_t>(std::count_if(columns_.begin(), columns_.end(), [](ColumnId id) { return id.value > 0; }));
  for (const types::PhysicalType physical : decoder_.physical_types()) vectors_.emplace_back(physical, 1);
  for (types::Vector& vector : vectors_) pointers_.push_back(&vector);
}

void TargetRow::SetValues(std::span<const types::Datum> values, storage::Tag tag) {
  for (types::Vector& vector : vectors_) vector.Reset();
  for (size_t i = 0; i < live_count_; ++i) vectors_[i].SetDatum(0, values[i], /*borrow=*/true);
  decoder_.DecodeTag(tag, 0, pointers_);
}

void TargetRow::SetStored(const storage::StoredRow& row) {
  for (types::Vector& vector : vectors_) vector.Reset();
  decoder_.Decode(row, 0, pointers_).value();
}

}  // namespace mayfly::exec
