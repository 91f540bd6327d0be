// Sort in memory. With a limit, rows that cannot be wanted any more are dropped each time they outnumber the others: memory is
// that of a few limits.
#include <algorithm>
#include <numeric>

#include "sql/exec/executors.h"
#include "sql/exec/row_buffer.h"

namespace mayfly::exec {

namespace {

class SortExecutor final : public Executor {
 public:
  SortExecutor(const plan::Sort& op, const plan::Node& node, const BuildContext& build)
      : input_(MakeExecutor(op.input, build)),
        keys_(op.keys),
        columns_(node.output),
        buffer_(node.output),
        output_(buffer_.MakeVectors()) {
    if (op.limit != nullptr) limit_ = MakeExprState(*op.limit, build);
    if (op.offset != nullptr) offset_ = MakeExprState(*op.offset, build);
    for (const plan::SortKey& key : keys_) {
      types_.push_back(node.output[key.column].type);
      if (types_.back()->ops->compare == nullptr) {
        Throw(SqlError::Make(kUndefinedFunction, "could not identify an ordering operator for type {}", types_.back()->name));
      }
    }
    for (const types::Vector& vector : output_) batch_.columns.push_back(&vector);
  }

  void Open(ExecContext& context) override {
    context_ = &context;
    buffer_.Clear(&context.memory);
    input_->Open(context);
    sorted_ = false;
    next_ = 0;
  }

  const types::Batch* Next() override {
    if (!sorted_) Sort();
    if (next_ == order_.size()) return nullptr;
    batch_.rows = std::min(types::kBatchRows, order_.size() - next_);
    for (types::Vector& vector : output_) vector.Reset();
    buffer_.Gather(order_.data() + next_, batch_.rows, output_);
    next_ += batch_.rows;
    return &batch_;
  }

 private:
  // Rows wanted at most; SIZE_MAX = all.
  size_t RowsWanted() {
    if (limit_ == nullptr) return SIZE_MAX;
    const types::Datum limit = EvalScalar(*limit_, *context_);
    if (limit.is_null()) return SIZE_MAX;
    int64_t wanted = std::max<int64_t>(0, limit.get<int64_t>());
    if (offset_ != nullptr) {
      const types::Datum offset = EvalScalar(*offset_, *context_);
      if (!offset.is_null() && __builtin_add_overflow(wanted, std::max<int64_t>(0, offset.get<int64_t>()), &wanted))
        return SIZE_MAX;
    }
    return static_cast<size_t>(wanted);
  }

  void Sort() {
    constexpr size_t kRowsMin = 8 * types::kBatchRows;
    sorted_ = true;
    const size_t wanted = RowsWanted();
    const size_t rows_max = std::max(kRowsMin, wanted < SIZE_MAX / 4 ? 4 * wanted : SIZE_MAX);
    while (const types::Batch* batch = input_->Next()) {
      context_->CheckForInterrupt();
      buffer_.Append(*batch);
      if (buffer_.size() >= rows_max) KeepFirst(wanted);
    }
    OrderFirst(wanted);
  }

  // Drops all but the first `wanted` rows. They stay in their order of arrival, so that ties do.
  void KeepFirst(size_t wanted) {
    OrderFirst(wanted);
    std::sort(order_.begin(), order_.end());
    RowBuffer kept(columns_);
    kept.Clear(&context_->memory);
    for (size_t first = 0; first < order_.size(); first += types::kBatchRows) {
      batch_.rows = std::min(types::kBatchRows, order_.size() - first);
      for (types::Vector& vector : output_) vector.Reset();
      buffer_.Gather(order_.data() + first, batch_.rows, output_);
      kept.Append(batch_);
    }
    buffer_.Swap(kept);
  }

  // order_: the first `wanted` rows in order.
  void OrderFirst(size_t wanted) {
    order_.resize(buffer_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto less = [this](uint32_t a, uint32_t b) { return Compare(a, b) < 0; };
    if (wanted < order_.size()) {
      std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(wanted), order_.end(), less);
      order_.resize(wanted);
    } else {
      std::sort(order_.begin(), order_.end(), less);
    }
  }

  // Ties keep the input's order, so that results are repeatable.
  int Compare(uint32_t a, uint32_t b) const {
    for (size_t i = 0; i < keys_.size(); ++i) {
      const types::Datum left = buffer_.Get(a, keys_[i].column);
      const types::Datum right = buffer_.Get(b, keys_[i].column);
      if (left.is_null() || right.is_null()) {
        if (left.is_null() == right.is_null()) continue;
        return left.is_null() == keys_[i].nulls_first ? -1 : 1;
      }
      const int order = types_[i]->ops->compare(*types_[i], left, right);
      if (order != 0) return keys_[i].descending ? -order : order;
    }
    return a < b ? -1 : 1;
  }

  ExecutorPtr input_;
  std::vector<plan::SortKey> keys_;
  std::vector<const types::TypeDesc*> types_;
  ExprStatePtr limit_;
  ExprStatePtr offset_;
  std::vector<plan::OutputColumn> columns_;
  RowBuffer buffer_;
  std::vector<types::Vector> output_;
  types::Batch batch_;
  std::vector<uint32_t> order_;
  ExecContext* context_ = nullptr;
  bool sorted_ = false;
  size_t next_ = 0;
};

}  // namespace

ExecutorPtr MakeSort(const plan::Sort& op, const plan::Node& node, const BuildContext& build) {
  return std::make_unique<SortExecutor>(op, node, build);
}

}  // namespace mayfly::exec
