// CASE, COALESCE, GREATEST and LEAST: each branch is evaluated only for the rows that reach it.
#include "sql/exec/expr_states.h"

namespace mayfly::exec {

using types::Batch;
using types::Selection;
using types::Vector;

namespace {

// The rows that no branch has taken yet.
class OpenRows {
 public:
  void Start(Selection rows) {
    rows_.resize(rows.count);
    for (size_t i = 0; i < rows.count; ++i) rows_[i] = static_cast<uint16_t>(rows[i]);
  }
  Selection selection() const { return {rows_.data(), rows_.size()}; }
  bool empty() const { return rows_.empty(); }
  // Moves the rows where `takes(row)` to `taken`.
  template <typename Takes>
  void Split(std::vector<uint16_t>& taken, Takes takes) {
    taken.clear();
    size_t kept = 0;
    for (const uint16_t row : rows_) {
      if (takes(row)) {
        taken.push_back(row);
      } else {
        rows_[kept++] = row;
      }
    }
    rows_.resize(kept);
  }

 private:
  std::vector<uint16_t> rows_;
};

class CaseState final : public ExprState {
 public:
  CaseState(const analyze::Expr& expr, const analyze::Case& node, const BuildContext& build)
      : result_(expr.type->physical(), build.capacity) {
    if (node.arg != nullptr) arg_ = MakeExprState(*node.arg, build);
    BuildContext inner = build;
    if (node.arg != nullptr) inner.case_value = &value_;
    for (const analyze::Case::When& when : node.whens) {
      whens_.push_back({MakeExprState(*when.condition, inner), MakeExprState(*when.result, build)});
    }
    otherwise_ = MakeExprState(*node.otherwise, build);
  }

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    if (arg_ != nullptr) value_ = &arg_->Eval(context, batch, rows);
    result_.Reset();
    open_.Start(rows);
    for (const When& when : whens_) {
      if (open_.empty()) return result_;
      const Vector& condition = when.condition->Eval(context, batch, open_.selection());
      open_.Split(taken_, [&](size_t row) { return !condition.IsNull(row) && condition.data<bool>()[condition.Index(row)]; });
      if (taken_.empty()) continue;
      const Selection taken{taken_.data(), taken_.size()};
      CopyRows(when.result->Eval(context, batch, taken), result_, taken);
    }
    if (!open_.empty()) CopyRows(otherwise_->Eval(context, batch, open_.selection()), result_, open_.selection());
    return result_;
  }

 private:
  struct When {
    ExprStatePtr condition;
    ExprStatePtr result;
  };
  ExprStatePtr arg_;
  const Vector* value_ = nullptr;
  std::vector<When> whens_;
  ExprStatePtr otherwise_;
  OpenRows open_;
  std::vector<uint16_t> taken_;
  Vector result_;
};

class CoalesceState final : public ExprState {
 public:
  CoalesceState(const analyze::Expr& expr, const analyze::Coalesce& node, const BuildContext& build)
      : args_(MakeExprStates(node.args, build)), result_(expr.type->physical(), build.capacity) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    result_.Reset();
    open_.Start(rows);
    for (const ExprStatePtr& arg : args_) {
      if (open_.empty()) return result_;
      const Vector& value = arg->Eval(context, batch, open_.selection());
      open_.Split(taken_, [&](size_t row) { return !value.IsNull(row); });
      CopyRows(value, result_, {taken_.data(), taken_.size()});
    }
    for (size_t i = 0; i < open_.selection().count; ++i) result_.SetNull(open_.selection()[i]);
    return result_;
  }

 private:
  std::vector<ExprStatePtr> args_;
  OpenRows open_;
  std::vector<uint16_t> taken_;
  Vector result_;
};

// GREATEST and LEAST: NULLs are ignored; NULL only where all are.
class MinMaxState final : public ExprState {
 public:
  MinMaxState(const analyze::Expr& expr, const analyze::MinMax& node, const BuildContext& build)
      : args_(MakeExprStates(node.args, build)),
        type_(*expr.type),
        sign_(node.greatest ? 1 : -1),
        result_(expr.type->physical(), build.capacity) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    result_.Reset();
    for (size_t i = 0; i < rows.count; ++i) result_.SetNull(rows[i]);
    for (const ExprStatePtr& arg : args_) {
      const Vector& value = arg->Eval(context, batch, rows);
      for (size_t i = 0; i < rows.count; ++i) {
        const size_t row = rows[i];
        if (value.IsNull(row)) continue;
        if (result_.IsNull(row) || sign_ * type_.ops->compare(type_, value.Get(row), result_.Get(row)) > 0) {
          result_.null_words()[row >> 6] &= ~(uint64_t{1} << (row & 63));
          result_.SetDatum(row, value.Get(row));
        }
      }
    }
    return result_;
  }

 private:
  std::vector<ExprStatePtr> args_;
  const types::TypeDesc& type_;
  int sign_;
  Vector result_;
};

}  // namespace

ExprStatePtr MakeConditionalState(const analyze::Expr& expr, const BuildContext& build) {
  if (const auto* node = expr.As<analyze::Case>()) return std::make_unique<CaseState>(expr, *node, build);
  if (const auto* node = expr.As<analyze::Coalesce>()) return std::make_unique<CoalesceState>(expr, *node, build);
  if (const auto* node = expr.As<analyze::MinMax>()) return std::make_unique<MinMaxState>(expr, *node, build);
  return nullptr;
}

}  // namespace mayfly::exec
