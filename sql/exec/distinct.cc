// DISTINCT, INTERSECT and EXCEPT: by hashed keys, the first row of each kept, in the input's order.
#include "sql/exec/executors.h"
#include "sql/exec/key_table.h"
#include "sql/exec/row_buffer.h"

namespace mayfly::exec {

using types::Batch;
using types::Selection;

namespace {

void EncodeRow(const Batch& batch, size_t row, const std::vector<size_t>& columns,
               const std::vector<const types::TypeDesc*>& types, std::string& key) {
  key.clear();
  bool has_null = false;
  for (size_t i = 0; i < columns.size(); ++i) AppendKeyValue(*types[i], batch.columns[columns[i]]->Get(row), key, &has_null);
}

class DistinctExecutor final : public Executor {
 public:
  DistinctExecutor(const plan::Distinct& op, const BuildContext& build)
      : input_(MakeExecutor(op.input, build)), columns_(op.columns) {
    for (const size_t column : columns_) types_.push_back(op.input->output[column].type);
  }
  void Open(ExecContext& context) override {
    context_ = &context;
    seen_.Clear(&context.memory);
    input_->Open(context);
  }
  const Batch* Next() override {
    while (const Batch* batch = input_->Next()) {
      context_->CheckForInterrupt();
      const Selection rows = batch->selection();
      kept_.clear();
      for (size_t i = 0; i < rows.count; ++i) {
        bool is_new = false;
        EncodeRow(*batch, rows[i], columns_, types_, key_);
        seen_.Insert(key_, &is_new);
        if (is_new) kept_.push_back(static_cast<uint16_t>(rows[i]));
      }
      if (kept_.empty()) continue;
      output_ = *batch;
      output_.selected = kept_.data();
      output_.selected_count = kept_.size();
      return &output_;
    }
    return nullptr;
  }

 private:
  ExecutorPtr input_;
  std::vector<size_t> columns_;
  std::vector<const types::TypeDesc*> types_;
  KeyTable seen_;
  std::string key_;
  std::vector<uint16_t> kept_;
  Batch output_;
  ExecContext* context_ = nullptr;
};

// Counts each distinct row of the right side; then the left side's rows are kept or dropped by those counts.
class SetOperationExecutor final : public Executor {
 public:
  SetOperationExecutor(const plan::SetOperation& op, const BuildContext& build)
      : left_(MakeExecutor(op.left, build)), right_(MakeExecutor(op.right, build)), op_(op.op), all_(op.all) {
    for (size_t i = 0; i < op.left->output.size(); ++i) {
      columns_.push_back(i);
      types_.push_back(op.left->output[i].type);
    }
  }
  void Open(ExecContext& context) override {
    context_ = &context;
    table_.Clear(&context.memory);
    right_count_.clear();
    left_->Open(context);
    right_->Open(context);
    counted_ = false;
  }
  const Batch* Next() override {
    if (!counted_) CountRight();
    while (const Batch* batch = left_->Next()) {
      context_->CheckForInterrupt();
      const Selection rows = batch->selection();
      kept_.clear();
      for (size_t i = 0; i < rows.count; ++i) {
        if (Keep(*batch, rows[i])) kept_.push_back(static_cast<uint16_t>(rows[i]));
      }
      if (kept_.empty()) continue;
      output_ = *batch;
      output_.selected = kept_.data();
      output_.selected_count = kept_.size();
      return &output_;
    }
    return nullptr;
  }

 private:
  struct Count {
    uint64_t right = 0;
    bool emitted = false;
  };

  void CountRight() {
    counted_ = true;
    while (const Batch* batch = right_->Next()) {
      context_->CheckForInterrupt();
      const Selection rows = batch->selection();
      for (size_t i = 0; i < rows.count; ++i) ++CountOf(*batch, rows[i]).right;
    }
  }

  Count& CountOf(const Batch& batch, size_t row) {
    bool is_new = false;
    EncodeRow(batch, row, columns_, types_, key_);
    const uint32_t number = table_.Insert(key_, &is_new);
    if (is_new) right_count_.emplace_back();
    return right_count_[number];
  }

  // Without ALL each row comes once; with ALL, min(left, right) times for INTERSECT and left - right times for EXCEPT.
  bool Keep(const Batch& batch, size_t row) {
    Count& count = CountOf(batch, row);
    const bool in_right = count.right > 0;
    const bool intersect = op_ == analyze::SetOperation::kIntersect;
    if (!all_) return in_right == intersect && !std::exchange(count.emitted, true);
    if (in_right) --count.right;
    return in_right == intersect;
  }

  ExecutorPtr left_;
  ExecutorPtr right_;
  analyze::SetOperation op_;
  bool all_;
  std::vector<size_t> columns_;
  std::vector<const types::TypeDesc*> types_;
  KeyTable table_;
  std::vector<Count> right_count_;
  std::string key_;
  std::vector<uint16_t> kept_;
  Batch output_;
  ExecContext* context_ = nullptr;
  bool counted_ = false;
};

}  // namespace

ExecutorPtr MakeDistinct(const plan::Distinct& op, const BuildContext& build) {
  return std::make_unique<DistinctExecutor>(op, build);
}
ExecutorPtr MakeSetOperation(const plan::SetOperation& op, const BuildContext& build) {
  return std::make_unique<SetOperationExecutor>(op, build);
}

}  // namespace mayfly::exec
