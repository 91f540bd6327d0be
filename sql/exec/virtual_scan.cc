// A system table: its generator's rows, kept and then handed out in batches.
#include "sql/exec/executors.h"
#include "sql/exec/row_buffer.h"

namespace mayfly::exec {

namespace {

class VirtualScanExecutor final : public Executor {
 public:
  VirtualScanExecutor(const plan::VirtualScan& op, const plan::Node& node, const BuildContext& build)
      : table_(op.table),
        columns_(op.columns),
        filter_(op.filter, build),
        rows_(node.output),
        output_(rows_.MakeVectors()),
        pending_(rows_.MakeVectors()) {
    for (const types::Vector& vector : output_) batch_.columns.push_back(&vector);
  }

  void Open(ExecContext& context) override {
    context_ = &context;
    rows_.Clear(&context.memory);
    next_ = 0;
    generated_ = false;
  }

  const types::Batch* Next() override {
    if (!generated_) Generate();
    while (next_ < rows_.size()) {
      context_->CheckForInterrupt();
      const size_t count = std::min(types::kBatchRows, rows_.size() - next_);
      std::vector<uint32_t> ids(count);
      for (size_t i = 0; i < count; ++i) ids[i] = static_cast<uint32_t>(next_ + i);
      next_ += count;
      for (types::Vector& vector : output_) vector.Reset();
      rows_.Gather(ids.data(), count, output_);
      batch_.rows = count;
      batch_.selected = nullptr;
      filter_.Apply(*context_, batch_);
      if (batch_.count() != 0) return &batch_;
    }
    return nullptr;
  }

 private:
  void Generate() {
    generated_ = true;
    types::Batch batch;
    for (const types::Vector& vector : pending_) batch.columns.push_back(&vector);
    const auto flush = [&] {
      if (batch.rows == 0) return;
      rows_.Append(batch);
      batch.rows = 0;
      for (types::Vector& vector : pending_) vector.Reset();
    };
    for (types::Vector& vector : pending_) vector.Reset();
    const auto emit = [&](std::span<const types::Datum> row) {
      for (size_t i = 0; i < columns_.size(); ++i) {
        const bool is_oid = columns_[i] == plan::VirtualScan::kTableOidColumn;
        pending_[i].SetDatum(batch.rows, is_oid ? types::Datum(table_->oid.value) : row[columns_[i]]);
      }
      if (++batch.rows == types::kBatchRows) flush();
    };
    table_->virtual_table->generate({context_->catalog, context_->call, context_->runtime}, emit);
    flush();
  }

  catalog::TablePtr table_;
  std::vector<size_t> columns_;
  Predicate filter_;
  RowBuffer rows_;
  std::vector<types::Vector> output_;
  std::vector<types::Vector> pending_;
  types::Batch batch_;
  ExecContext* context_ = nullptr;
  size_t next_ = 0;
  bool generated_ = false;
};

}  // namespace

ExecutorPtr MakeVirtualScan(const plan::VirtualScan& op, const plan::Node& node, const BuildContext& build) {
  return std::make_unique<VirtualScanExecutor>(op, node, build);
}

}  // namespace mayfly::exec
