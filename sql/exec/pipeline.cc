// The nodes that pass batches on without keeping rows: Values, Filter, Project, Limit, Append.
#include <algorithm>

#include "sql/exec/executors.h"

namespace mayfly::exec {

using types::Batch;
using types::Selection;
using types::Vector;

namespace {

class ValuesExecutor final : public Executor {
 public:
  ValuesExecutor(const plan::Values& op, const plan::Node& node, const BuildContext& build) {
    BuildContext one_row = build;
    one_row.capacity = 1;
    for (const auto& row : op.rows) rows_.push_back(MakeExprStates(row, one_row));
    for (const plan::OutputColumn& column : node.output)
      vectors_.emplace_back(column.type->physical(), std::min(rows_.size(), types::kBatchRows));
    for (const Vector& vector : vectors_) batch_.columns.push_back(&vector);
  }

  void Open(ExecContext& context) override {
    context_ = &context;
    next_ = 0;
  }

  const Batch* Next() override {
    if (next_ == rows_.size()) return nullptr;
    for (Vector& vector : vectors_) vector.Reset();
    batch_.rows = std::min(rows_.size() - next_, types::kBatchRows);
    for (size_t row = 0; row < batch_.rows; ++row, ++next_) {
      for (size_t column = 0; column < vectors_.size(); ++column)
        vectors_[column].SetDatum(row, EvalScalar(*rows_[next_][column], *context_));
    }
    return &batch_;
  }

 private:
  std::vector<std::vector<ExprStatePtr>> rows_;
  std::vector<Vector> vectors_;
  Batch batch_;
  ExecContext* context_ = nullptr;
  size_t next_ = 0;
};

class FilterExecutor final : public Executor {
 public:
  FilterExecutor(const plan::Filter& op, const BuildContext& build)
      : input_(MakeExecutor(op.input, build)), predicate_(op.predicate, build) {}
  void Open(ExecContext& context) override {
    context_ = &context;
    input_->Open(context);
  }
  const Batch* Next() override {
    while (const Batch* batch = input_->Next()) {
      filtered_ = *batch;
      predicate_.Apply(*context_, filtered_);
      if (filtered_.count() != 0) return &filtered_;
    }
    return nullptr;
  }

 private:
  ExecutorPtr input_;
  Predicate predicate_;
  Batch filtered_;
  ExecContext* context_ = nullptr;
};

class ProjectExecutor final : public Executor {
 public:
  ProjectExecutor(const plan::Project& op, const BuildContext& build)
      : input_(MakeExecutor(op.input, build)), exprs_(MakeExprStates(op.exprs, build)) {
    output_.columns.resize(exprs_.size());
  }
  void Open(ExecContext& context) override {
    context_ = &context;
    input_->Open(context);
  }
  const Batch* Next() override {
    const Batch* batch = input_->Next();
    if (batch == nullptr) return nullptr;
    context_->CheckForInterrupt();
    const Selection rows = batch->selection();
    for (size_t i = 0; i < exprs_.size(); ++i) output_.columns[i] = &exprs_[i]->Eval(*context_, *batch, rows);
    output_.rows = batch->rows;
    output_.selected = batch->selected;
    output_.selected_count = batch->selected_count;
    return &output_;
  }

 private:
  ExecutorPtr input_;
  std::vector<ExprStatePtr> exprs_;
  Batch output_;
  ExecContext* context_ = nullptr;
};

class LimitExecutor final : public Executor {
 public:
  LimitExecutor(const plan::Limit& op, const BuildContext& build) : input_(MakeExecutor(op.input, build)) {
    if (op.limit != nullptr) limit_ = MakeExprState(*op.limit, build);
    if (op.offset != nullptr) offset_ = MakeExprState(*op.offset, build);
  }

  void Open(ExecContext& context) override {
    skip_ = Count(context, offset_, 0, kInvalidRowCountInResultOffsetClause, "OFFSET");
    left_ = Count(context, limit_, UINT64_MAX, kInvalidRowCountInLimitClause, "LIMIT");
    input_->Open(context);
  }

  const Batch* Next() override {
    while (left_ > 0) {
      const Batch* batch = input_->Next();
      if (batch == nullptr) return nullptr;
      const Selection rows = batch->selection();
      const size_t skipped = std::min<uint64_t>(skip_, rows.count);
      const size_t taken = std::min<uint64_t>(left_, rows.count - skipped);
      skip_ -= skipped;
      left_ -= taken;
      if (taken == 0) continue;
      if (taken == rows.count) return batch;
      rows_.clear();
      for (size_t i = 0; i < taken; ++i) rows_.push_back(static_cast<uint16_t>(rows[skipped + i]));
      output_ = *batch;
      output_.selected = rows_.data();
      output_.selected_count = taken;
      return &output_;
    }
    return nullptr;
  }

 private:
  // NULL means no limit and no offset.
  static uint64_t Count(ExecContext& context, const ExprStatePtr& expr, uint64_t absent, SqlState state,
                        std::string_view clause) {
    if (expr == nullptr) return absent;
    const types::Datum value = EvalScalar(*expr, context);
    if (value.is_null()) return absent;
    const auto count = value.get<int64_t>();
    if (count < 0) Throw(SqlError::Make(state, "{} must not be negative", clause));
    return static_cast<uint64_t>(count);
  }

  ExecutorPtr input_;
  ExprStatePtr limit_;
  ExprStatePtr offset_;
  uint64_t skip_ = 0;
  uint64_t left_ = 0;
  std::vector<uint16_t> rows_;
  Batch output_;
};

class AppendExecutor final : public Executor {
 public:
  AppendExecutor(const plan::Append& op, const BuildContext& build) {
    for (const plan::NodePtr& input : op.inputs) inputs_.push_back(MakeExecutor(input, build));
  }
  void Open(ExecContext& context) override {
    for (const ExecutorPtr& input : inputs_) input->Open(context);
    current_ = 0;
  }
  const Batch* Next() override {
    for (; current_ < inputs_.size(); ++current_) {
      if (const Batch* batch = inputs_[current_]->Next()) return batch;
    }
    return nullptr;
  }

 private:
  std::vector<ExecutorPtr> inputs_;
  size_t current_ = 0;
};

}  // namespace

ExecutorPtr MakeValues(const plan::Values& op, const plan::Node& node, const BuildContext& build) {
  return std::make_unique<ValuesExecutor>(op, node, build);
}
ExecutorPtr MakeFilter(const plan::Filter& op, const BuildContext& build) { return std::make_unique<FilterExecutor>(op, build); }
ExecutorPtr MakeProject(const plan::Project& op, const BuildContext& build) {
  return std::make_unique<ProjectExecutor>(op, build);
}
ExecutorPtr MakeLimit(const plan::Limit& op, const BuildContext& build) { return std::make_unique<LimitExecutor>(op, build); }
ExecutorPtr MakeAppend(const plan::Append& op, const BuildContext& build) { return std::make_unique<AppendExecutor>(op, build); }

}  // namespace mayfly::exec
