// Rows by a list of keys, in the order of the list, each key once.
#include <unordered_set>

#include "sql/exec/executors.h"
#include "sql/exec/row_output.h"
#include "sql/store/key_codec.h"
#include "sql/types/array.h"

namespace mayfly::exec {

namespace {

class MultiGetExecutor final : public Executor {
 public:
  MultiGetExecutor(const plan::MultiGet& op, const BuildContext& build)
      : options_(op.table->storage_options()),
        keys_(*op.table),
        prefix_exprs_(MakeExprStates(op.prefix, build)),
        last_exprs_(MakeExprStates(op.last, build)),
        last_is_array_(op.last_is_array),
        output_(*op.table, op.columns, types::kBatchRows),
        filter_(op.filter, build) {}

  void Open(ExecContext& context) override {
    context_ = &context;
    encoded_.clear();
    next_ = 0;
    MakeKeys();
  }

  const types::Batch* Next() override {
    while (next_ < encoded_.size()) {
      context_->CheckForInterrupt();
      const size_t count = std::min(types::kBatchRows, encoded_.size() - next_);
      std::vector<std::string_view> keys(encoded_.begin() + static_cast<std::ptrdiff_t>(next_),
                                         encoded_.begin() + static_cast<std::ptrdiff_t>(next_ + count));
      next_ += count;
      output_.Clear();
      const auto add = [&](size_t index, const storage::StoredRow& row) { output_.Append({keys[index], row.payload, row.tag}); };
      context_->storage.view().MultiGet(options_, keys, add).value();
      if (output_.rows() == 0) continue;
      types::Batch& batch = output_.batch();
      filter_.Apply(*context_, batch);
      if (batch.count() != 0) return &batch;
    }
    return nullptr;
  }

 private:
  void MakeKeys() {
    std::string prefix;
    keys_.Begin(prefix);
    for (size_t i = 0; i < prefix_exprs_.size(); ++i) {
      const types::Datum value = EvalScalar(*prefix_exprs_[i], *context_);
      if (value.is_null()) return;
      keys_.Append(i, value, prefix);
    }
    std::unordered_set<std::string> seen;
    const auto add = [&](const types::Datum& value) {
      if (value.is_null()) return;
      std::string key = prefix;
      keys_.Append(prefix_exprs_.size(), value, key);
      if (seen.insert(key).second) encoded_.push_back(std::move(key));
    };
    if (!last_is_array_) {
      for (const ExprStatePtr& expr : last_exprs_) add(EvalScalar(*expr, *context_));
      return;
    }
    const types::Datum array = EvalScalar(*last_exprs_[0], *context_);
    if (array.is_null()) return;
    const types::ArrayReader reader(keys_.type(prefix_exprs_.size()), array.bytes());
    for (size_t i = 0; i < reader.count(); ++i) add(reader.Element(i));
  }

  storage::TableOptions options_;
  store::KeyCodec keys_;
  std::vector<ExprStatePtr> prefix_exprs_;
  std::vector<ExprStatePtr> last_exprs_;
  bool last_is_array_;
  RowOutput output_;
  Predicate filter_;
  ExecContext* context_ = nullptr;
  std::vector<std::string> encoded_;
  size_t next_ = 0;
};

}  // namespace

ExecutorPtr MakeMultiGet(const plan::MultiGet& op, const BuildContext& build) {
  return std::make_unique<MultiGetExecutor>(op, build);
}

}  // namespace mayfly::exec
