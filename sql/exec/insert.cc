// INSERT, with ON CONFLICT on the primary key.
#include <unordered_set>

#include "sql/exec/modify.h"

namespace mayfly::exec {

using store::TableWriter;
using types::Batch;
using types::Datum;
using types::Selection;

namespace {

class InsertExecutor final : public Executor {
 public:
  InsertExecutor(const plan::Insert& op, const BuildContext& build)
      : input_(MakeExecutor(op.input, build)),
        drain_first_(op.source_reads_table),
        source_rows_(op.input->output),
        writer_(op.table),
        existing_(*op.table, op.target_columns),
        result_(*op.table, op.target_columns),
        returning_(op.returning, build),
        single_row_(build.plan.single_row) {
    if (!op.conflict) return;
    on_conflict_ = true;
    update_ = op.conflict->update;
    blind_ = op.conflict->blind;
    BuildContext one_row = build;
    one_row.capacity = 1;
    for (const auto& [position, value] : op.conflict->set) set_.emplace_back(position, MakeExprState(*value, one_row));
    where_ = std::make_unique<Predicate>(op.conflict->where, one_row);
    for (const plan::OutputColumn& column : op.input->output) proposed_.emplace_back(column.type->physical(), 1);
  }

  void Open(ExecContext& context) override {
    context_ = &context;
    input_->Open(context);
    source_rows_.Clear(&context.memory);
    returning_.Clear(context);
    touched_.clear();
    rows_changed_ = 0;
    done_ = false;
  }

  const Batch* Next() override {
    if (!done_) {
      done_ = true;
      drain_first_ ? InsertDrained() : InsertStreaming();
      writer_.Flush(MakeWriteContext(*context_)).value();
    }
    return returning_.wanted() ? returning_.Next() : nullptr;
  }

  uint64_t rows_changed() const override { return rows_changed_; }

 private:
  void InsertStreaming() {
    while (const Batch* batch = input_->Next()) {
      context_->CheckForInterrupt();
      const Selection rows = batch->selection();
      values_.resize(batch->columns.size());
      for (size_t i = 0; i < rows.count; ++i) {
        for (size_t column = 0; column < values_.size(); ++column) values_[column] = batch->columns[column]->Get(rows[i]);
        InsertRow();
      }
    }
  }

  void InsertDrained() {
    while (const Batch* batch = input_->Next()) {
      context_->CheckForInterrupt();
      source_rows_.Append(*batch);
    }
    values_.resize(existing_.live_count());
    for (size_t row = 0; row < source_rows_.size(); ++row) {
      for (size_t column = 0; column < values_.size(); ++column) values_[column] = source_rows_.Get(row, column);
      InsertRow();
    }
  }

  // Inserts `values_`.
  void InsertRow() {
    const store::WriteContext write = MakeWriteContext(*context_);
    if (update_ && !single_row_) RefuseSecondTouch();
    const auto mode = blind_         ? TableWriter::Insert::kBlind
                      : on_conflict_ ? TableWriter::Insert::kSkip
                                     : TableWriter::Insert::kUnique;
    if (!writer_.InsertRow(write, values_, mode).value()) {
      if (update_) UpdateExisting(write);
      return;
    }
    ++rows_changed_;
    Return(values_);
  }

  // PostgreSQL: one command may not affect a row twice.
  void RefuseSecondTouch() {
    if (touched_.emplace(writer_.KeyOf(values_).value()).second) return;
    Throw(SqlError::Make(kCardinalityViolation, "ON CONFLICT DO UPDATE command cannot affect row a second time")
              .Hint("Ensure that no rows proposed for insertion within the same command have duplicate constrained values."));
  }

  void UpdateExisting(const store::WriteContext& write) {
    const std::string key(writer_.KeyOf(values_).value());
    existing_.SetStored({key, writer_.existing().payload, writer_.existing().tag});
    Batch batch{{}, 1, nullptr, 0};
    for (const types::Vector& vector : existing_.vectors()) batch.columns.push_back(&vector);
    for (size_t i = 0; i < proposed_.size(); ++i) {
      proposed_[i].Reset();
      proposed_[i].SetDatum(0, values_[i], /*borrow=*/true);
      batch.columns.push_back(&proposed_[i]);
    }
    where_->Apply(*context_, batch);
    if (batch.count() == 0) return;
    std::vector<Datum> row;
    for (size_t i = 0; i < existing_.live_count(); ++i) row.push_back(existing_.vectors()[i].Get(0));
    for (const auto& [position, value] : set_) row[position] = value->Eval(*context_, batch, batch.selection()).Get(0);
    writer_.UpdateRow(write, key, row).value();
    ++rows_changed_;
    Return(row);
  }

  void Return(std::span<const Datum> row) {
    if (!returning_.wanted()) return;
    result_.SetValues(row, store::ComputeTag(writer_.table(), row, context_->write_time_ms));
    Batch batch{{}, 1, nullptr, 0};
    for (const types::Vector& vector : result_.vectors()) batch.columns.push_back(&vector);
    returning_.Add(*context_, batch);
  }

  ExecutorPtr input_;
  bool drain_first_;
  RowBuffer source_rows_;
  TableWriter writer_;
  TargetRow existing_;
  TargetRow result_;
  Returning returning_;
  bool single_row_;
  bool on_conflict_ = false;
  bool update_ = false;
  bool blind_ = false;
  std::vector<std::pair<size_t, ExprStatePtr>> set_;
  std::unique_ptr<Predicate> where_;
  std::vector<types::Vector> proposed_;
  std::vector<Datum> values_;
  std::unordered_set<std::string> touched_;
  ExecContext* context_ = nullptr;
  uint64_t rows_changed_ = 0;
  bool done_ = false;
};

}  // namespace

ExecutorPtr MakeInsert(const plan::Insert& op, const BuildContext& build) { return std::make_unique<InsertExecutor>(op, build); }

}  // namespace mayfly::exec
