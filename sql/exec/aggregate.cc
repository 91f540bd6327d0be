// Hash aggregation: one row of states a group; without GROUP BY a single group that exists even without input.
//
// DISTINCT and ORDER BY inside an aggregate keep the group's rows and feed them, once they are all there, in order and without repetition.
#include <algorithm>
#include <deque>
#include <numeric>

#include "base/check.h"
#include "sql/exec/executors.h"
#include "sql/exec/key_table.h"
#include "sql/exec/row_buffer.h"

namespace mayfly::exec {

using types::Batch;
using types::Selection;
using types::Vector;

namespace {

constexpr size_t kStateAlignment = 16;
size_t Aligned(size_t bytes) { return (bytes + kStateAlignment - 1) / kStateAlignment * kStateAlignment; }

// One aggregate of the list: its arguments, filter, and what it does with them.
class CallState {
 public:
  CallState(const plan::AggregateCall& call, const BuildContext& build)
      : ops(*CheckImplemented(call)), args_(MakeExprStates(call.args, build)), filter_(call.filter, build), result_type_{call.type, call.typmod},
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

  bool keeps_rows() const { return !kept_columns_.empty() || distinct_; }
  std::unique_ptr<RowBuffer> MakeBuffer(MemoryAccount& memory) const {
    auto buffer = std::make_unique<RowBuffer>(kept_columns_);
    buffer->Clear(&memory);
    return buffer;
  }

  // The rows that count: the filter passes, and no argument is NULL where NULLs are skipped. Arguments are in values().
  Selection Prepare(ExecContext& context, const Batch& batch) {
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

  func::AggregateCall Call(ExecContext& context) const { return {context.call, values_, arg_types_, result_type_}; }

  // Keeps a row for later: arguments and sort keys.
  void Keep(ExecContext& context, const Batch& batch, Selection rows, const std::vector<std::unique_ptr<RowBuffer>*>& buffers) {
    Batch kept{{values_.begin(), values_.end()}, batch.rows, nullptr, 0};
    for (const ExprStatePtr& expr : order_exprs_) kept.columns.push_back(&expr->Eval(context, batch, rows));
    for (size_t i = 0; i < rows.count; ++i) {
      const auto row = static_cast<uint16_t>(rows[i]);
      kept.selected = &row;
      kept.selected_count = 1;
      (*buffers[i])->Append(kept);
    }
  }

  // Feeds the kept rows of one group to its state.
  void Feed(ExecContext& context, const RowBuffer& buffer, void* state) {
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

  const func::AggregateOps& ops;

 private:
  static const func::AggregateOps* CheckImplemented(const plan::AggregateCall& call) {
    if (call.proc->aggregate == nullptr) Throw(SqlError::NotSupported(fmt::format("aggregate function {}", call.proc->name)));
    return call.proc->aggregate;
  }

  int Compare(const RowBuffer& buffer, uint32_t a, uint32_t b) const {
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

  bool SameArguments(const RowBuffer& buffer, uint32_t a, uint32_t b) const {
    for (size_t i = 0; i < args_.size(); ++i) {
      const types::Datum left = buffer.Get(a, i);
      const types::Datum right = buffer.Get(b, i);
      if (left.is_null() != right.is_null()) return false;
      const types::TypeDesc& type = *kept_columns_[i].type;
      if (!left.is_null() && type.ops->compare(type, left, right) != 0) return false;
    }
    return true;
  }

  std::vector<ExprStatePtr> args_;
  Predicate filter_;
  std::vector<func::TypeUse> arg_types_;
  func::TypeUse result_type_;
  bool distinct_;
  std::vector<ExprStatePtr> order_exprs_;
  std::vector<plan::SortKey> order_by_;             // over kept_columns_
  std::vector<plan::OutputColumn> kept_columns_;    // arguments, then sort keys
  std::vector<const Vector*> values_;
  Batch filtered_;
  std::vector<uint16_t> rows_;
};

class AggregateExecutor final : public Executor {
 public:
  AggregateExecutor(const plan::Aggregate& op, const plan::Node& node, const BuildContext& build)
      : input_(MakeExecutor(op.input, build)),
        group_exprs_(MakeExprStates(op.groups, build)),
        grouped_(op.grouped),
        group_columns_(node.output.begin(), node.output.begin() + static_cast<std::ptrdiff_t>(op.groups.size())),
        group_values_(group_columns_) {
    for (const plan::AggregateCall& call : op.calls) {
      calls_.push_back(std::make_unique<CallState>(call, build));
      offsets_.push_back(row_bytes_);
      row_bytes_ += Aligned(calls_.back()->ops.state_bytes);
    }
    for (const plan::OutputColumn& column : node.output) output_.emplace_back(column.type->physical());
    for (const Vector& vector : output_) batch_.columns.push_back(&vector);
  }
  ~AggregateExecutor() override { DestroyStates(); }

  void Open(ExecContext& context) override {
    DestroyStates();
    context_ = &context;
    keys_.Clear(&context.memory);
    group_values_.Clear(&context.memory);
    input_->Open(context);
    next_ = 0;
    done_ = false;
  }

  const Batch* Next() override {
    if (!done_) {
      Consume();
      done_ = true;
    }
    if (next_ == states_.size()) return nullptr;
    batch_.rows = std::min(types::kBatchRows, states_.size() - next_);
    for (Vector& vector : output_) vector.Reset();
    EmitGroups();
    for (size_t call = 0; call < calls_.size(); ++call) {
      for (size_t row = 0; row < batch_.rows; ++row) {
        calls_[call]->ops.finalize(calls_[call]->Call(*context_), StateOf(next_ + row, call), output_[group_columns_.size() + call], row);
      }
    }
    next_ += batch_.rows;
    return &batch_;
  }

 private:
  void Consume() {
    if (!grouped_ && group_exprs_.empty()) NewGroup();
    while (const Batch* batch = input_->Next()) {
      context_->CheckForInterrupt();
      if (group_exprs_.empty()) {
        if (states_.empty()) NewGroup();
        UpdateSingleGroup(*batch);
      } else {
        FindGroups(*batch);
        UpdateGroups(*batch);
      }
    }
    for (size_t call = 0; call < calls_.size(); ++call) {
      if (!calls_[call]->keeps_rows()) continue;
      for (size_t group = 0; group < states_.size(); ++group) {
        calls_[call]->Feed(*context_, *kept_[group * calls_.size() + call], StateOf(group, call));
      }
    }
  }

  void NewGroup() {
    constexpr size_t kGroupOverheadBytes = 64;
    context_->memory.Grow(static_cast<int64_t>(row_bytes_ + kGroupOverheadBytes)).value();
    states_.emplace_back(new (std::align_val_t{kStateAlignment}) char[std::max<size_t>(row_bytes_, 1)]);
    for (size_t call = 0; call < calls_.size(); ++call) {
      calls_[call]->ops.init(StateOf(states_.size() - 1, call));
      kept_.push_back(calls_[call]->keeps_rows() ? calls_[call]->MakeBuffer(context_->memory) : nullptr);
    }
  }

  void* StateOf(size_t group, size_t call) { return states_[group].get() + offsets_[call]; }

  void FindGroups(const Batch& batch) {
    const Selection rows = batch.selection();
    std::vector<const Vector*> values;
    for (const ExprStatePtr& expr : group_exprs_) values.push_back(&expr->Eval(*context_, batch, rows));
    groups_of_rows_.resize(batch.rows);
    for (size_t i = 0; i < rows.count; ++i) {
      key_.clear();
      bool has_null = false;
      for (size_t column = 0; column < values.size(); ++column) {
        AppendKeyValue(*group_columns_[column].type, values[column]->Get(rows[i]), key_, &has_null);
      }
      bool is_new = false;
      const uint32_t group = keys_.Insert(key_, &is_new);
      groups_of_rows_[rows[i]] = group;
      if (!is_new) continue;
      NewGroup();
      const auto row = static_cast<uint16_t>(rows[i]);
      group_values_.Append(Batch{values, batch.rows, &row, 1});
    }
  }

  void UpdateGroups(const Batch& batch) {
    for (size_t call = 0; call < calls_.size(); ++call) {
      const Selection rows = calls_[call]->Prepare(*context_, batch);
      if (rows.count == 0) continue;
      if (calls_[call]->keeps_rows()) {
        std::vector<std::unique_ptr<RowBuffer>*> buffers(rows.count);
        for (size_t i = 0; i < rows.count; ++i) buffers[i] = &kept_[groups_of_rows_[rows[i]] * calls_.size() + call];
        calls_[call]->Keep(*context_, batch, rows, buffers);
        continue;
      }
      row_states_.resize(rows.count);
      for (size_t i = 0; i < rows.count; ++i) row_states_[i] = StateOf(groups_of_rows_[rows[i]], call);
      calls_[call]->ops.update(calls_[call]->Call(*context_), rows, row_states_.data());
    }
  }

  void UpdateSingleGroup(const Batch& batch) {
    for (size_t call = 0; call < calls_.size(); ++call) {
      const Selection rows = calls_[call]->Prepare(*context_, batch);
      if (rows.count == 0) continue;
      const func::AggregateOps& ops = calls_[call]->ops;
      if (calls_[call]->keeps_rows()) {
        calls_[call]->Keep(*context_, batch, rows, std::vector<std::unique_ptr<RowBuffer>*>(rows.count, &kept_[call]));
      } else if (ops.update_one != nullptr) {
        ops.update_one(calls_[call]->Call(*context_), rows, StateOf(0, call));
      } else {
        row_states_.assign(rows.count, StateOf(0, call));
        ops.update(calls_[call]->Call(*context_), rows, row_states_.data());
      }
    }
  }

  void EmitGroups() {
    if (group_columns_.empty()) return;
    ids_.resize(batch_.rows);
    std::iota(ids_.begin(), ids_.end(), static_cast<uint32_t>(next_));
    group_values_.Gather(ids_.data(), ids_.size(), output_);
  }

  void DestroyStates() {
    for (size_t group = 0; group < states_.size(); ++group) {
      for (size_t call = 0; call < calls_.size(); ++call) {
        if (calls_[call]->ops.destroy != nullptr) calls_[call]->ops.destroy(StateOf(group, call));
      }
    }
    states_.clear();
    kept_.clear();
  }

  struct AlignedDelete {
    void operator()(char* bytes) const { ::operator delete[](bytes, std::align_val_t{kStateAlignment}); }
  };

  ExecutorPtr input_;
  std::vector<ExprStatePtr> group_exprs_;
  bool grouped_;
  std::vector<plan::OutputColumn> group_columns_;
  RowBuffer group_values_;
  std::vector<std::unique_ptr<CallState>> calls_;
  std::vector<size_t> offsets_;
  size_t row_bytes_ = 0;
  KeyTable keys_;
  std::deque<std::unique_ptr<char[], AlignedDelete>> states_;   // by group
  std::deque<std::unique_ptr<RowBuffer>> kept_;                 // by group and call; null where rows are not kept
  std::vector<uint32_t> groups_of_rows_;
  std::vector<void*> row_states_;
  std::vector<uint32_t> ids_;
  std::string key_;
  std::vector<Vector> output_;
  Batch batch_;
  ExecContext* context_ = nullptr;
  size_t next_ = 0;
  bool done_ = false;
};

}  // namespace

ExecutorPtr MakeAggregate(const plan::Aggregate& op, const plan::Node& node, const BuildContext& build) {
  return std::make_unique<AggregateExecutor>(op, node, build);
}

}  // namespace mayfly::exec
