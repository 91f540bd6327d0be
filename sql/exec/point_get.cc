// One row by its primary key: encode the key, one engine call, decode the columns asked for.
#include "sql/exec/executors.h"
#include "sql/exec/row_output.h"
#include "sql/store/key_codec.h"

namespace mayfly::exec {

namespace {

class PointGetExecutor final : public Executor {
 public:
  PointGetExecutor(const plan::PointGet& op, const BuildContext& build)
      : options_(op.table->storage_options()),
        keys_(*op.table),
        key_exprs_(MakeExprStates(op.key, build)),
        output_(*op.table, op.columns, 1),
        filter_(op.filter, build) {}

  void Open(ExecContext& context) override {
    context_ = &context;
    done_ = false;
  }

  const types::Batch* Next() override {
    if (done_) return nullptr;
    done_ = true;
    key_.clear();
    keys_.Begin(key_);
    for (size_t i = 0; i < key_exprs_.size(); ++i) {
      const types::Datum value = EvalScalar(*key_exprs_[i], *context_);
      if (value.is_null()) return nullptr;
      keys_.Append(i, value, key_);
    }
    if (!context_->storage.Get(options_, key_, buffer_).value()) return nullptr;
    output_.Clear();
    output_.Append({key_, buffer_.row().payload, buffer_.row().tag});
    types::Batch& batch = output_.batch();
    filter_.Apply(*context_, batch);
    return batch.count() == 0 ? nullptr : &batch;
  }

 private:
  storage::TableOptions options_;
  store::KeyCodec keys_;
  std::vector<ExprStatePtr> key_exprs_;
  RowOutput output_;
  Predicate filter_;
  ExecContext* context_ = nullptr;
  std::string key_;
  storage::GetBuffer buffer_;
  bool done_ = true;
};

class CounterReadExecutor final : public Executor {
 public:
  explicit CounterReadExecutor(const plan::CounterRead& op)
      : counter_(op.table->row_counter()), count_(types::PhysicalType::kInt64, 1) {
    batch_.columns.push_back(&count_);
    batch_.rows = 1;
  }
  void Open(ExecContext& context) override {
    context_ = &context;
    done_ = false;
  }
  const types::Batch* Next() override {
    if (done_) return nullptr;
    done_ = true;
    count_.Set(0, context_->storage.view().ReadCounter(counter_).value());
    return &batch_;
  }

 private:
  std::string counter_;
  types::Vector count_;
  types::Batch batch_;
  ExecContext* context_ = nullptr;
  bool done_ = true;
};

}  // namespace

ExecutorPtr MakePointGet(const plan::PointGet& op, const BuildContext& build) {
  return std::make_unique<PointGetExecutor>(op, build);
}
ExecutorPtr MakeCounterRead(const plan::CounterRead& op, const BuildContext&) {
  return std::make_unique<CounterReadExecutor>(op);
}

}  // namespace mayfly::exec
