// Hash aggregation: one row of states a group; without GROUP BY a single group that exists even without input.
//
// A parallel one splits its input's key range into parts, aggregates each part on some thread, and combines the results in key
// order, so that sums of floating-point numbers are the same each time.
#include <algorithm>

#include "sql/exec/aggregate_table.h"
#include "sql/exec/executors.h"
#include "sql/exec/key_scan.h"
#include "sql/exec/worker_pool.h"

namespace mayfly::exec {

using types::Batch;
using types::Vector;

namespace {

class AggregateExecutor final : public Executor {
 public:
  AggregateExecutor(const plan::Aggregate& op, const plan::Node& node, const BuildContext& build)
      : op_(op), output_columns_(node.output), build_(build), table_(op, node.output, build) {
    // EXPLAIN ANALYZE counts what the input does, so it runs on one thread.
    if (op.parallel && build.instrumentation == nullptr) range_.emplace(std::get<plan::KeyScan>(op.input->op), build);
    input_ = MakeExecutor(op.input, build);
    for (const plan::OutputColumn& column : node.output) output_.emplace_back(column.type->physical());
    for (const Vector& vector : output_) batch_.columns.push_back(&vector);
  }

  void Open(ExecContext& context) override {
    context_ = &context;
    table_.Clear(context);
    next_ = 0;
    done_ = false;
  }

  const Batch* Next() override {
    if (!done_) {
      done_ = true;
      if (!range_ || !ConsumeParallel()) ConsumeInput();
      table_.FeedKept();
    }
    if (next_ == table_.size()) return nullptr;
    batch_.rows = std::min(types::kBatchRows, table_.size() - next_);
    for (Vector& vector : output_) vector.Reset();
    table_.Emit(next_, batch_.rows, output_);
    next_ += batch_.rows;
    return &batch_;
  }

 private:
  void ConsumeInput() {
    input_->Open(*context_);
    while (const Batch* batch = input_->Next()) {
      context_->CheckForInterrupt();
      table_.Consume(*batch);
    }
  }

  // A part of the key range, with executors and states of its own.
  struct Part {
    Part(const ExecContext& context, const plan::Aggregate& op, const std::vector<plan::OutputColumn>& output,
         const BuildContext& build)
        : context(context), scan(std::get<plan::KeyScan>(op.input->op), build), table(op, output, build) {}
    ExecContext context;
    KeyRangeScan scan;
    AggregateTable table;
  };

  // False where the range is too small to be worth it.
  bool ConsumeParallel() {
    constexpr size_t kPartsPerWorker = 4;
    const auto& scan = std::get<plan::KeyScan>(op_.input->op);
    std::optional<storage::KeyRange> range = range_->Evaluate(*context_);
    if (!range) return true;
    const storage::ReadView& view = context_->storage.view();
    std::vector<std::string> cuts = view.SplitRange(scan.table->storage_options(), *range, WorkerCount() * kPartsPerWorker);
    if (cuts.empty()) return false;
    cuts.push_back(std::move(range->end));
    std::vector<std::unique_ptr<Part>> parts;
    for (std::string& end : cuts) {
      parts.push_back(std::make_unique<Part>(*context_, op_, output_columns_, build_));
      parts.back()->scan.Open(parts.back()->context, storage::KeyRange{range->begin, end});
      range->begin = std::move(end);
    }
    RunParts(parts.size(), [&](size_t i) {
      Part& part = *parts[i];
      part.table.Clear(part.context);
      while (const Batch* batch = part.scan.Next()) part.table.Consume(*batch);
    });
    for (const auto& part : parts) table_.Combine(part->table);
    return true;
  }

  const plan::Aggregate& op_;
  const std::vector<plan::OutputColumn>& output_columns_;
  const BuildContext build_;
  ExecutorPtr input_;
  std::optional<KeyRangeState> range_;  // of a parallel scan
  AggregateTable table_;
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
