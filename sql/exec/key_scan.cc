#include "sql/exec/key_scan.h"

#include "sql/exec/executors.h"

namespace mayfly::exec {

KeyRangeState::KeyRangeState(const plan::KeyScan& op, const BuildContext& build)
    : keys_(*op.table), equal_(MakeExprStates(op.equal, build)) {
  if (op.lower) lower_ = Bound{MakeExprState(*op.lower->value, build), op.lower->inclusive};
  if (op.upper) upper_ = Bound{MakeExprState(*op.upper->value, build), op.upper->inclusive};
}

std::optional<storage::KeyRange> KeyRangeState::Evaluate(ExecContext& context) {
  std::string prefix;
  keys_.Begin(prefix);
  for (size_t i = 0; i < equal_.size(); ++i) {
    const types::Datum value = EvalScalar(*equal_[i], context);
    if (value.is_null()) return std::nullopt;
    keys_.Append(i, value, prefix);
  }
  storage::KeyRange range{prefix, store::PrefixEnd(prefix)};
  // No encoded value is a prefix of another one, so "after this value" is the end of its prefix.
  if (lower_) {
    const types::Datum value = EvalScalar(*lower_->value, context);
    if (value.is_null()) return std::nullopt;
    range.begin = prefix;
    keys_.Append(equal_.size(), value, range.begin);
    if (!lower_->inclusive) range.begin = store::PrefixEnd(range.begin);
  }
  if (upper_) {
    const types::Datum value = EvalScalar(*upper_->value, context);
    if (value.is_null()) return std::nullopt;
    range.end = prefix;
    keys_.Append(equal_.size(), value, range.end);
    if (upper_->inclusive) range.end = store::PrefixEnd(range.end);
  }
  if (!range.end.empty() && range.begin >= range.end) return std::nullopt;
  return range;
}

KeyRangeScan::KeyRangeScan(const plan::KeyScan& op, const BuildContext& build)
    : options_(op.table->storage_options()),
      scan_options_{.reverse = op.reverse, .keys_only = false, .bulk = op.full()},
      output_(*op.table, op.columns, types::kBatchRows),
      filter_(op.filter, build) {}

void KeyRangeScan::Open(ExecContext& context, storage::KeyRange range) {
  context_ = &context;
  scan_ = context.storage.view().NewScan(options_, std::move(range), scan_options_);
}

types::Batch* KeyRangeScan::Next() {
  while (scan_ != nullptr) {
    context_->CheckForInterrupt();
    output_.Clear();
    const size_t rows = scan_->NextPage(types::kBatchRows, [&](const storage::StoredRow& row) { output_.Append(row); }).value();
    if (rows < types::kBatchRows) scan_.reset();
    if (rows == 0) break;
    types::Batch& batch = output_.batch();
    filter_.Apply(*context_, batch);
    if (batch.count() != 0) return &batch;
  }
  return nullptr;
}

namespace {

class KeyScanExecutor final : public Executor {
 public:
  KeyScanExecutor(const plan::KeyScan& op, const BuildContext& build) : range_(op, build), scan_(op, build) {}

  void Open(ExecContext& context) override {
    context_ = &context;
    scan_.Close();
    started_ = false;
  }

  const types::Batch* Next() override {
    if (!started_) {
      started_ = true;
      if (auto range = range_.Evaluate(*context_)) scan_.Open(*context_, std::move(*range));
    }
    return scan_.Next();
  }

 private:
  KeyRangeState range_;
  KeyRangeScan scan_;
  ExecContext* context_ = nullptr;
  bool started_ = false;
};

}  // namespace

ExecutorPtr MakeKeyScan(const plan::KeyScan& op, const BuildContext& build) {
  return std::make_unique<KeyScanExecutor>(op, build);
}

}  // namespace mayfly::exec
