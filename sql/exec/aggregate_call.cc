#include "sql/exec/aggregate_call.h"

#include <algorithm>
#include <numeric>

namespace mayfly::exec {

using types::Batch;
using types::Selection;
using types::Vector;

namespace {

const func::AggregateOps* CheckImplemented(const plan::AggregateCall& call) {
  if (call.proc->aggregate == nullptr) Throw(SqlError::NotSupported(fmt::format("aggregate function {}", call.proc->name)));
  return call.proc->aggregate;
}

}  // namespace

AggregateCallState::AggregateCallState(const plan::AggregateCall& call, const BuildContext& build)
    : ops(*CheckImplemented(call)),
      args_(MakeExprStates(call.args, build)),
      filter_(call.filter, build),
      result_type_{call.type, call.typmod},
      distinct_(call.distinct) {
  for (const analyze::ExprPtr& arg : call.args) arg_types_.push_back({arg->type, arg->typmod});
  values_.resize(args_.size());
  if (!call.distinct && call.order_by.empty()) return;
  for (const analyze::ExprPtr& arg : call.args) kept_columns_.push_back({arg->type, arg->typmod});
  for (const analyze::SortKey& key : call.order_by) {
    order_exprs_.push_back(MakeExprState(*key.expr, build));
    order_by_.push_back({kept_columns_.size(), key.descending, key.nulls_first});
    kept_columns_.push_back({key.expr->type, key.expr->typmod});
  }
  if (distinct_ && order_by_.empty()) {
    for (size_t i = 0; i < args_.size(); ++i) order_by_.push_back({i, false, false});
  }
}

std::unique_ptr<RowBuffer> AggregateCallState::MakeBuffer(MemoryAccount& memory) const {
  auto buffer = std::make_unique<RowBuffer>(kept_columns_);
  buffer->Clear(&memory);
  return buffer;
}

Selection AggregateCallState::Prepare(ExecContext& context, const Batch& batch) {
  filtered_ = batch;
  filter_.Apply(context, filtered_);
  Selection rows = filtered_.selection();
  bool may_have_nulls = false;
  for (size_t i = 0; i < args_.size(); ++i) {
    values_[i] = &args_[i]->Eval(context, batch, rows);
    may_have_nulls = may_have_nulls || values_[i]->may_have_nulls();
  }
  if (!ops.skips_nulls || !may_have_nulls) return rows;
  rows_.clear();
  for (size_t i = 0; i < rows.count; ++i) {
    bool is_null = false;
    for (const Vector* value : values_) is_null = is_null || value->IsNull(rows[i]);
    if (!is_null) rows_.push_back(static_cast<uint16_t>(rows[i]));
  }
  return {rows_.data(), rows_.size()};
}

void AggregateCallState::Keep(ExecContext& context, const Batch& batch, Selection rows, const std::vector<RowBuffer*>& buffers) {
  Batch kept{{values_.begin(), values_.end()}, batch.rows, nullptr, 0};
  for (const ExprStatePtr& expr : order_exprs_) kept.columns.push_back(&expr->Eval(context, batch, rows));
  for (size_t i = 0; i < rows.count; ++i) {
    const auto row = static_cast<uint16_t>(rows[i]);
    kept.selected = &row;
    kept.selected_count = 1;
    buffers[i]->Append(kept);
  }
}

void AggregateCallState::Feed(ExecContext& context, const RowBuffer& buffer, void* state) {
  std::vector<uint32_t> order(buffer.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return Compare(buffer, a, b) < 0; });
  if (distinct_) {
    const auto same = [&](uint32_t a, uint32_t b) { return SameArguments(buffer, a, b); };
    order.erase(std::unique(order.begin(), order.end(), same), order.end());
  }
  std::vector<Vector> vectors = buffer.MakeVectors();
  for (size_t i = 0; i < args_.size(); ++i) values_[i] = &vectors[i];
  for (size_t done = 0; done < order.size(); done += types::kBatchRows) {
    const size_t count = std::min(types::kBatchRows, order.size() - done);
    for (Vector& vector : vectors) vector.Reset();
    buffer.Gather(order.data() + done, count, vectors);
    const std::vector<void*> states(count, state);
    ops.update(Call(context), Selection{nullptr, count}, states.data());
  }
}

int AggregateCallState::Compare(const RowBuffer& buffer, uint32_t a, uint32_t b) const {
  for (const plan::SortKey& key : order_by_) {
    const types::Datum left = buffer.Get(a, key.column);
    const types::Datum right = buffer.Get(b, key.column);
    if (left.is_null() || right.is_null()) {
      if (left.is_null() == right.is_null()) continue;
      return left.is_null() == key.nulls_first ? -1 : 1;
    }
    const types::TypeDesc& type = *kept_columns_[key.column].type;
    const int order = type.ops->compare(type, left, right);
    if (order != 0) return key.descending ? -order : order;
  }
  return 0;
}

bool AggregateCallState::SameArguments(const RowBuffer& buffer, uint32_t a, uint32_t b) const {
  for (size_t i = 0; i < args_.size(); ++i) {
    const types::Datum left = buffer.Get(a, i);
    const types::Datum right = buffer.Get(b, i);
    if (left.is_null() != right.is_null()) return false;
    const types::TypeDesc& type = *kept_columns_[i].type;
    if (!left.is_null() && type.ops->compare(type, left, right) != 0) return false;
  }
  return true;
}

}  // namespace mayfly::exec
