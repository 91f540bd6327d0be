// UPDATE, DELETE and SELECT … FOR UPDATE: rows are found first, then locked and written one by one.
//
// By primary key: the row is locked, its newest version read and the condition checked on that; no other read happens. By other
// routes: the found rows are kept until the scan is over (so that it never meets its own writes), then each is locked; one that
// another transaction changed since the statement began is read again and the condition checked again (PostgreSQL's READ
// COMMITTED rule, manual 13.2.1).
#include <unordered_set>

#include "sql/exec/modify.h"
#include "sql/plan/lower.h"
#include "sql/store/key_codec.h"

namespace mayfly::exec {

using store::TableWriter;
using types::Batch;
using types::Datum;
using types::Vector;

namespace {

bool HasJoin(const plan::Node& node) {
  bool found = std::holds_alternative<plan::Join>(node.op);
  plan::ForEachInput(node, [&](const plan::NodePtr& input) { found = found || HasJoin(*input); });
  return found;
}

// A found row, locked and in its newest version: the columns of the input's one row. Valid until the next one.
class LockedRows {
 public:
  LockedRows(const plan::NodePtr& input, const catalog::TablePtr& table, const std::vector<ColumnId>& target_columns,
             size_t key_column, const analyze::ExprPtr& recheck, const BuildContext& build)
      : writer(table), target(*table, target_columns), key_column_(key_column), found_(input->output) {
    BuildContext one_row = build;
    one_row.capacity = 1;
    if (const auto* get = std::get_if<plan::PointGet>(&input->op)) {
      keys_.emplace(*table);
      key_exprs_ = MakeExprStates(get->key, one_row);
      recheck_ = std::make_unique<Predicate>(get->filter, one_row);
    } else {
      input_ = MakeExecutor(input, build);
      may_repeat_ = HasJoin(*input);
      recheck_ = std::make_unique<Predicate>(recheck, one_row);
      for (const plan::OutputColumn& column : input->output) row_.emplace_back(column.type->physical(), 1);
    }
    for (size_t i = 0; i < input->output.size(); ++i) batch_.columns.push_back(nullptr);
  }

  void Open(ExecContext& context) {
    context_ = &context;
    done_ = false;
    next_ = 0;
    found_.Clear(&context.memory);
    seen_.clear();
    if (input_ != nullptr) input_->Open(context);
  }

  // The next row as a batch of one; null at the end. key() is its storage key.
  const Batch* Next() { return input_ == nullptr ? NextByKey() : NextFound(); }
  const std::string& key() const { return key_; }

  TableWriter writer;
  TargetRow target;
  bool skip_locked = false;

 private:
  const Batch* NextByKey() {
    if (std::exchange(done_, true)) return nullptr;
    key_.clear();
    keys_->Begin(key_);
    for (size_t i = 0; i < key_exprs_.size(); ++i) {
      const Datum value = EvalScalar(*key_exprs_[i], *context_);
      if (value.is_null()) return nullptr;
      keys_->Append(i, value, key_);
    }
    bool changed = false;
    if (!LockAndRead(&changed)) return nullptr;
    return TakeNewest();
  }

  const Batch* NextFound() {
    if (!std::exchange(done_, true)) {
      while (const Batch* batch = input_->Next()) {
        context_->CheckForInterrupt();
        found_.Append(*batch);
      }
    }
    while (next_ < found_.size()) {
      context_->CheckForInterrupt();
      const size_t row = next_++;
      key_ = found_.Get(row, key_column_).bytes();
      // A join may find a row several times; only the first time counts.
      if (may_repeat_ && !seen_.insert(key_).second) continue;
      bool changed = false;
      if (!LockAndRead(&changed)) continue;
      for (size_t i = 0; i < row_.size(); ++i) {
        row_[i].Reset();
        row_[i].SetDatum(0, found_.Get(row, i), /*borrow=*/true);
        batch_.columns[i] = &row_[i];
      }
      batch_.rows = 1;
      batch_.selected = nullptr;
      if (!changed) return &batch_;
      if (const Batch* batch = TakeNewest()) return batch;
    }
    return nullptr;
  }

  // False where the row is gone, or locked by another transaction and such rows are skipped.
  bool LockAndRead(bool* changed) {
    Result<bool> exists = writer.LockAndRead(MakeWriteContext(*context_), key_, changed);
    if (skip_locked && !exists.ok() && exists.error().state == kLockNotAvailable) return false;
    return std::move(exists).value();
  }

  // Replaces the target's columns by the newest version, and checks the condition on it.
  const Batch* TakeNewest() {
    target.SetStored({key_, writer.existing().payload, writer.existing().tag});
    for (size_t i = 0; i < target.vectors().size(); ++i) batch_.columns[i] = &target.vectors()[i];
    batch_.rows = 1;
    batch_.selected = nullptr;
    recheck_->Apply(*context_, batch_);
    return batch_.count() == 0 ? nullptr : &batch_;
  }

  size_t key_column_;
  std::optional<store::KeyCodec> keys_;
  std::vector<ExprStatePtr> key_exprs_;
  std::unique_ptr<Predicate> recheck_;
  ExecutorPtr input_;
  bool may_repeat_ = false;
  std::unordered_set<std::string> seen_;
  RowBuffer found_;
  std::vector<Vector> row_;
  Batch batch_;
  std::string key_;
  ExecContext* context_ = nullptr;
  size_t next_ = 0;
  bool done_ = true;
};

class UpdateExecutor final : public Executor {
 public:
  UpdateExecutor(const plan::Update& op, const BuildContext& build)
      : rows_(op.input, op.table, op.target_columns, op.key_column, op.recheck, build),
        result_(*op.table, op.target_columns),
        returning_(op.returning, OneRow(build)),
        live_columns_(LiveColumns(op)),
        new_rows_(live_columns_),
        inputs_(op.input->output) {
    for (const auto& [position, value] : op.set) {
      set_.emplace_back(position, MakeExprState(*value, OneRow(build)));
      compute_first_ = compute_first_ || plan::ContainsSubPlan(value);
    }
    compute_first_ = compute_first_ && !std::holds_alternative<plan::PointGet>(op.input->op);
  }

  void Open(ExecContext& context) override {
    context_ = &context;
    rows_.Open(context);
    returning_.Clear(context);
    rows_changed_ = 0;
    done_ = false;
  }

  const Batch* Next() override {
    if (!std::exchange(done_, true)) {
      if (compute_first_) {
        ComputeThenWrite();
      } else {
        while (const Batch* batch = rows_.Next()) {
          ComputeRow(*batch);
          WriteRow(*batch, rows_.key());
        }
      }
      rows_.writer.Flush(MakeWriteContext(*context_)).value();
    }
    return returning_.wanted() ? returning_.Next() : nullptr;
  }

  uint64_t rows_changed() const override { return rows_changed_; }

 private:
  static BuildContext OneRow(const BuildContext& build) {
    BuildContext one_row = build;
    one_row.capacity = 1;
    return one_row;
  }

  static std::vector<plan::OutputColumn> LiveColumns(const plan::Update& op) {
    std::vector<plan::OutputColumn> columns;
    for (size_t i = 0; i < op.target_columns.size() && op.target_columns[i].value > 0; ++i)
      columns.push_back(op.input->output[i]);
    return columns;
  }

  // Subqueries in SET must see the table as it was before the statement: all new rows are computed before the first one is
  // written.
  void ComputeThenWrite() {
    new_rows_.Clear(&context_->memory);
    inputs_.Clear(&context_->memory);
    std::vector<std::string> keys;
    std::vector<Vector> one_row;
    for (const plan::OutputColumn& column : live_columns_) one_row.emplace_back(column.type->physical(), 1);
    Batch values{{}, 1, nullptr, 0};
    for (const Vector& vector : one_row) values.columns.push_back(&vector);
    while (const Batch* batch = rows_.Next()) {
      ComputeRow(*batch);
      for (size_t i = 0; i < one_row.size(); ++i) {
        one_row[i].Reset();
        one_row[i].SetDatum(0, values_[i], /*borrow=*/true);
      }
      new_rows_.Append(values);
      if (returning_.wanted()) inputs_.Append(*batch);
      keys.push_back(rows_.key());
    }
    std::vector<Vector> input = inputs_.MakeVectors();
    Batch batch{{}, 1, nullptr, 0};
    for (const Vector& vector : input) batch.columns.push_back(&vector);
    for (uint32_t row = 0; row < keys.size(); ++row) {
      context_->CheckForInterrupt();
      for (size_t i = 0; i < values_.size(); ++i) values_[i] = new_rows_.Get(row, i);
      for (Vector& vector : input) vector.Reset();
      if (returning_.wanted()) inputs_.Gather(&row, 1, input);
      WriteRow(batch, keys[row]);
    }
  }

  // The new row of the found one, to values_.
  void ComputeRow(const Batch& batch) {
    values_.clear();
    for (size_t i = 0; i < rows_.target.live_count(); ++i) values_.push_back(batch.columns[i]->Get(0));
    for (const auto& [position, value] : set_) values_[position] = value->Eval(*context_, batch, batch.selection()).Get(0);
  }

  void WriteRow(const Batch& batch, std::string_view key) {
    rows_.writer.UpdateRow(MakeWriteContext(*context_), key, values_).value();
    ++rows_changed_;
    if (!returning_.wanted()) return;
    result_.SetValues(values_, store::ComputeTag(rows_.writer.table(), values_, context_->write_time_ms));
    Batch result = batch;
    for (size_t i = 0; i < result_.vectors().size(); ++i) result.columns[i] = &result_.vectors()[i];
    returning_.Add(*context_, result);
  }

  LockedRows rows_;
  TargetRow result_;
  Returning returning_;
  std::vector<std::pair<size_t, ExprStatePtr>> set_;
  bool compute_first_ = false;
  std::vector<plan::OutputColumn> live_columns_;
  RowBuffer new_rows_;
  RowBuffer inputs_;
  std::vector<Datum> values_;
  ExecContext* context_ = nullptr;
  uint64_t rows_changed_ = 0;
  bool done_ = true;
};

class DeleteExecutor final : public Executor {
 public:
  DeleteExecutor(const plan::Delete& op, const BuildContext& build)
      : rows_(op.input, op.table, op.target_columns, op.key_column, op.recheck, build), returning_(op.returning, build) {}

  void Open(ExecContext& context) override {
    context_ = &context;
    rows_.Open(context);
    returning_.Clear(context);
    rows_changed_ = 0;
    done_ = false;
  }

  const Batch* Next() override {
    if (!std::exchange(done_, true)) {
      while (const Batch* batch = rows_.Next()) {
        rows_.writer.DeleteRow(MakeWriteContext(*context_), rows_.key()).value();
        ++rows_changed_;
        returning_.Add(*context_, *batch);
      }
      rows_.writer.Flush(MakeWriteContext(*context_)).value();
    }
    return returning_.wanted() ? returning_.Next() : nullptr;
  }

  uint64_t rows_changed() const override { return rows_changed_; }

 private:
  LockedRows rows_;
  Returning returning_;
  ExecContext* context_ = nullptr;
  uint64_t rows_changed_ = 0;
  bool done_ = true;
};

class LockRowsExecutor final : public Executor {
 public:
  LockRowsExecutor(const plan::LockRows& op, const BuildContext& build)
      : rows_(op.input, op.table, op.target_columns, op.key_column, op.recheck, build), wait_(op.wait) {
    rows_.skip_locked = op.wait == analyze::LockWait::kSkipLocked;
  }

  void Open(ExecContext& context) override {
    saved_timeout_ms_ = context.lock.timeout_ms;
    context_ = &context;
    rows_.Open(context);
  }

  const Batch* Next() override {
    if (wait_ != analyze::LockWait::kBlock) context_->lock.timeout_ms = 0;
    const Batch* batch = rows_.Next();
    context_->lock.timeout_ms = saved_timeout_ms_;
    return batch;
  }

 private:
  LockedRows rows_;
  analyze::LockWait wait_;
  int64_t saved_timeout_ms_ = -1;
  ExecContext* context_ = nullptr;
};

}  // namespace

ExecutorPtr MakeUpdate(const plan::Update& op, const BuildContext& build) { return std::make_unique<UpdateExecutor>(op, build); }
ExecutorPtr MakeDelete(const plan::Delete& op, const BuildContext& build) { return std::make_unique<DeleteExecutor>(op, build); }
ExecutorPtr MakeLockRows(const plan::LockRows& op, const BuildContext& build) {
  return std::make_unique<LockRowsExecutor>(op, build);
}

}  // namespace mayfly::exec
