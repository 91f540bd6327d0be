// Joins: the right side is kept in memory and looked up by hashed keys, or (nested loop) in whole; LATERAL runs it again for each
// left row.
//
// Pairs are collected into batches of left columns ++ right columns, and the join condition filters those. A preserved left row
// is followed by a pair with the row of NULLs, which stays where none before it did.
#include <algorithm>
#include <numeric>

#include "sql/exec/executors.h"
#include "sql/exec/key_table.h"
#include "sql/exec/row_buffer.h"

namespace mayfly::exec {

using analyze::JoinType;
using types::Batch;
using types::Selection;
using types::Vector;

namespace {

class JoinExecutor final : public Executor {
 public:
  JoinExecutor(const plan::Join& op, const plan::Node& node, const BuildContext& build)
      : type_(op.type),
        left_(MakeExecutor(op.left, build)),
        right_(MakeExecutor(op.right, build)),
        left_keys_(MakeExprStates(op.left_keys, build)),
        right_keys_(MakeExprStates(op.right_keys, build)),
        on_(op.on, build),
        right_rows_(op.right->output),
        left_width_(op.left->output.size()) {
    for (const analyze::ExprPtr& key : op.left_keys) key_types_.push_back(key->type);
    for (const auto& [number, expr] : op.lateral_params)
      lateral_.push_back({number, MakeExprState(*expr, build), expr->type->physical()});
    for (const plan::OutputColumn& column : node.output) output_.emplace_back(column.type->physical());
    for (const Vector& vector : output_) batch_.columns.push_back(&vector);
  }

  void Open(ExecContext& context) override {
    context_ = &context;
    left_->Open(context);
    left_batch_ = nullptr;
    left_done_ = false;
    resume_ = false;
    left_matched_ = false;
    phase_ = Phase::kJoin;
    unmatched_next_ = 0;
    if (lateral_.empty()) ReadRight();
  }

  const Batch* Next() override {
    while (phase_ == Phase::kJoin) {
      context_->CheckForInterrupt();
      if (!FillPairs()) phase_ = keeps_right() ? Phase::kUnmatchedRight : Phase::kDone;
      if (const Batch* batch = EmitPairs()) return batch;
    }
    return phase_ == Phase::kUnmatchedRight ? EmitUnmatchedRight() : nullptr;
  }

 private:
  enum class Phase : uint8_t { kJoin, kUnmatchedRight, kDone };
  struct Lateral {
    size_t number;
    ExprStatePtr value;
    types::PhysicalType physical;
  };
  static constexpr uint32_t kNoRow = RowBuffer::kNullRow;
  bool preserves_left() const { return type_ == JoinType::kLeft || type_ == JoinType::kFull; }

  void ReadRight() {
    right_rows_.Clear(&context_->memory);
    keys_.Clear(&context_->memory);
    first_.clear();
    next_same_.clear();
    right_->Open(*context_);
    while (const Batch* batch = right_->Next()) {
      context_->CheckForInterrupt();
      const size_t base = right_rows_.size();
      right_rows_.Append(*batch);
      if (!right_keys_.empty()) HashRight(*batch, base);
    }
    right_matched_.assign(right_rows_.size(), false);
  }

  void HashRight(const Batch& batch, size_t base) {
    const Selection rows = batch.selection();
    std::vector<const Vector*> values;
    for (const ExprStatePtr& key : right_keys_) values.push_back(&key->Eval(*context_, batch, rows));
    next_same_.resize(right_rows_.size(), kNoRow);
    for (size_t i = 0; i < rows.count; ++i) {
      if (!EncodeKey(values, rows[i])) continue;
      bool is_new = false;
      const uint32_t number = keys_.Insert(key_, &is_new);
      const auto row = static_cast<uint32_t>(base + i);
      if (is_new) {
        first_.push_back({row, row});
      } else {
        next_same_[first_[number].last] = row;
        first_[number].last = row;
      }
    }
  }

  // False where a key is NULL: it matches nothing.
  bool EncodeKey(const std::vector<const Vector*>& values, size_t row) {
    key_.clear();
    bool has_null = false;
    for (size_t i = 0; i < values.size(); ++i) AppendKeyValue(*key_types_[i], values[i]->Get(row), key_, &has_null);
    return !has_null;
  }

  // Advances to the next left row; false at the end. `right_at_` is its first candidate.
  bool NextLeft() {
    if (left_batch_ != nullptr && ++left_position_ >= left_batch_->count()) left_batch_ = nullptr;
    if (left_batch_ == nullptr) {
      if (left_done_) return false;
      left_batch_ = left_->Next();
      left_position_ = 0;
      if (left_batch_ == nullptr) {
        left_done_ = true;
        return false;
      }
      left_key_values_.clear();
      for (const ExprStatePtr& key : left_keys_)
        left_key_values_.push_back(&key->Eval(*context_, *left_batch_, left_batch_->selection()));
    }
    left_row_ = left_batch_->selection()[left_position_];
    if (!lateral_.empty()) RunLateral();
    right_at_ = FirstCandidate();
    return true;
  }

  void RunLateral() {
    const auto row = static_cast<uint16_t>(left_row_);
    const Selection one{&row, 1};
    for (const Lateral& lateral : lateral_) {
      const types::Datum value = lateral.value->Eval(*context_, *left_batch_, one).Get(left_row_);
      context_->outer_params[lateral.number] = types::OwnedDatum(lateral.physical, value);
    }
    ReadRight();
  }

  uint32_t FirstCandidate() {
    if (left_keys_.empty()) return right_rows_.size() == 0 ? kNoRow : 0;
    if (!EncodeKey(left_key_values_, left_row_)) return kNoRow;
    const uint32_t number = keys_.Find(key_);
    return number == KeyTable::kNone ? kNoRow : first_[number].first;
  }

  uint32_t NextCandidate(uint32_t row) const {
    if (!left_keys_.empty()) return next_same_[row];
    return row + 1 < right_rows_.size() ? row + 1 : kNoRow;
  }

  // Collects candidate pairs of left rows of one batch into pairs_; false when there are no more left rows.
  bool FillPairs() {
    pairs_.clear();
    if (!std::exchange(resume_, false) && !NextLeft()) return false;
    while (true) {
      while (right_at_ != kNoRow && pairs_.size() < types::kBatchRows) {
        pairs_.push_back({static_cast<uint32_t>(left_row_), right_at_});
        right_at_ = NextCandidate(right_at_);
      }
      if (pairs_.size() == types::kBatchRows) {
        resume_ = right_at_ != kNoRow || preserves_left();
        return true;
      }
      if (preserves_left()) pairs_.push_back({static_cast<uint32_t>(left_row_), kNoRow});
      // Another left row would run LATERAL's right side again, which these pairs still borrow from.
      if (!lateral_.empty() || pairs_.size() > types::kBatchRows / 2) return true;
      if (left_position_ + 1 >= left_batch_->count()) return true;
      NextLeft();
    }
  }

  // The pairs that satisfy the condition, and preserved left rows without any; null where there are none.
  const Batch* EmitPairs() {
    if (pairs_.empty()) return nullptr;
    for (Vector& vector : output_) vector.Reset();
    CopyPairs();
    batch_.rows = pairs_.size();
    batch_.selected = nullptr;
    if (preserves_left()) SelectCandidates();
    if (batch_.count() != 0) on_.Apply(*context_, batch_);
    if (preserves_left()) KeepUnmatchedLeft();
    if (keeps_right()) {
      const Selection rows = batch_.selection();
      for (size_t i = 0; i < rows.count; ++i) {
        if (pairs_[rows[i]].second != kNoRow) right_matched_[pairs_[rows[i]].second] = true;
      }
    }
    return batch_.count() == 0 ? nullptr : &batch_;
  }

  // All pairs but those with the row of NULLs: the condition is not for them.
  void SelectCandidates() {
    candidates_.resize(pairs_.size());
    size_t count = 0;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      candidates_[count] = static_cast<uint16_t>(i);
      count += pairs_[i].second != kNoRow ? 1 : 0;
    }
    batch_.selected = candidates_.data();
    batch_.selected_count = count;
  }

  // Adds the pairs with the row of NULLs of left rows that nothing matched. A left row's pairs may have begun in the batch
  // before.
  void KeepUnmatchedLeft() {
    const Selection matches = batch_.selection();
    kept_.resize(pairs_.size());
    size_t kept = 0;
    size_t next = 0;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      bool keep = false;
      if (pairs_[i].second == kNoRow) {
        keep = !std::exchange(left_matched_, false);
      } else if (next < matches.count && matches[next] == i) {
        ++next;
        keep = true;
        left_matched_ = true;
      }
      if (keep) kept_[kept++] = static_cast<uint16_t>(i);
    }
    batch_.selected = kept_.data();
    batch_.selected_count = kept;
  }

  bool keeps_right() const { return type_ == JoinType::kRight || type_ == JoinType::kFull; }

  void CopyPairs() {
    ids_.resize(pairs_.size());
    for (size_t i = 0; i < pairs_.size(); ++i) ids_[i] = pairs_[i].second;
    right_rows_.Gather(ids_.data(), ids_.size(), output_, left_width_);
    for (size_t column = 0; column < left_width_; ++column) {
      const Vector& from = *left_batch_->columns[column];
      Vector& to = output_[column];
      const size_t width = PhysicalSize(to.physical());
      for (size_t i = 0; i < pairs_.size(); ++i) {
        const size_t row = pairs_[i].first;
        if (from.IsNull(row)) {
          to.SetNull(i);
        } else {
          std::memcpy(to.data<char>() + i * width, from.data<char>() + from.Index(row) * width, width);
        }
      }
    }
  }

  const Batch* EmitUnmatchedRight() {
    ids_.clear();
    for (; unmatched_next_ < right_matched_.size() && ids_.size() < types::kBatchRows; ++unmatched_next_) {
      if (!right_matched_[unmatched_next_]) ids_.push_back(static_cast<uint32_t>(unmatched_next_));
    }
    if (ids_.empty()) {
      phase_ = Phase::kDone;
      return nullptr;
    }
    for (Vector& vector : output_) vector.Reset();
    right_rows_.Gather(ids_.data(), ids_.size(), output_, left_width_);
    for (size_t row = 0; row < ids_.size(); ++row) {
      for (size_t i = 0; i < left_width_; ++i) output_[i].SetNull(row);
    }
    batch_.rows = ids_.size();
    batch_.selected = nullptr;
    return &batch_;
  }

  JoinType type_;
  ExecutorPtr left_;
  ExecutorPtr right_;
  std::vector<ExprStatePtr> left_keys_;
  std::vector<ExprStatePtr> right_keys_;
  std::vector<const types::TypeDesc*> key_types_;
  Predicate on_;
  std::vector<Lateral> lateral_;
  RowBuffer right_rows_;
  size_t left_width_;

  struct SameKey {
    uint32_t first;
    uint32_t last;
  };
  KeyTable keys_;
  std::vector<SameKey> first_;       // by key number
  std::vector<uint32_t> next_same_;  // by right row
  std::vector<bool> right_matched_;
  std::string key_;

  ExecContext* context_ = nullptr;
  const Batch* left_batch_ = nullptr;
  bool left_done_ = false;
  size_t left_position_ = 0;
  size_t left_row_ = 0;
  bool left_matched_ = false;
  std::vector<const Vector*> left_key_values_;
  uint32_t right_at_ = kNoRow;
  bool resume_ = false;  // the current left row has candidates left
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
  std::vector<uint32_t> ids_;
  std::vector<Vector> output_;
  std::vector<uint16_t> candidates_;
  std::vector<uint16_t> kept_;
  Batch batch_;
  Phase phase_ = Phase::kDone;
  size_t unmatched_next_ = 0;
};

}  // namespace

ExecutorPtr MakeJoin(const plan::Join& op, const plan::Node& node, const BuildContext& build) {
  return std::make_unique<JoinExecutor>(op, node, build);
}

}  // namespace mayfly::exec
