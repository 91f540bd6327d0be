// AND, OR, NOT and the tests for NULL and truth.
#include <array>

#include "sql/exec/expr_states.h"

namespace mayfly::exec {

using analyze::TruthTest;
using types::Batch;
using types::PhysicalType;
using types::Selection;
using types::Vector;

namespace {

// AND and OR: an operand is evaluated only for rows that the ones before did not decide. `decisive` is false for AND, true for
// OR.
class AndOrState final : public ExprState {
 public:
  AndOrState(const analyze::Bool& expr, const BuildContext& build)
      : args_(MakeExprStates(expr.args, build)),
        decisive_(expr.op == analyze::BoolOp::kOr),
        result_(PhysicalType::kBool, build.capacity) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    result_.Reset();
    open_.resize(rows.count);
    for (size_t i = 0; i < rows.count; ++i) {
      open_[i] = static_cast<uint16_t>(rows[i]);
      result_.Set(rows[i], !decisive_);
    }
    for (const ExprStatePtr& arg : args_) {
      if (open_.empty()) break;
      const Vector& value = arg->Eval(context, batch, Selection{open_.data(), open_.size()});
      size_t kept = 0;
      for (const uint16_t row : open_) {
        if (value.IsNull(row)) {
          result_.SetNull(row);
        } else if (value.data<bool>()[value.Index(row)] == decisive_) {
          result_.null_words()[row >> 6] &= ~(uint64_t{1} << (row & 63));
          result_.Set(row, decisive_);
          continue;
        }
        open_[kept++] = row;
      }
      open_.resize(kept);
    }
    return result_;
  }

 private:
  std::vector<ExprStatePtr> args_;
  bool decisive_;
  Vector result_;
  std::vector<uint16_t> open_;
};

class NotState final : public ExprState {
 public:
  NotState(const analyze::Expr& arg, const BuildContext& build)
      : arg_(MakeExprState(arg, build)), result_(PhysicalType::kBool, build.capacity) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const Vector& value = arg_->Eval(context, batch, rows);
    result_.Reset();
    for (size_t i = 0; i < rows.count; ++i) {
      const size_t row = rows[i];
      if (value.IsNull(row)) {
        result_.SetNull(row);
      } else {
        result_.Set(row, !value.data<bool>()[value.Index(row)]);
      }
    }
    return result_;
  }

 private:
  ExprStatePtr arg_;
  Vector result_;
};

// x IS [NOT] NULL. A row value is null where all its fields are, and not null where none is.
class NullTestState final : public ExprState {
 public:
  NullTestState(const analyze::NullTest& test, const BuildContext& build)
      : is_not_(test.is_not), result_(PhysicalType::kBool, build.capacity) {
    if (const auto* row = test.arg->As<analyze::Row>()) {
      args_ = MakeExprStates(row->args, build);
    } else {
      args_.push_back(MakeExprState(*test.arg, build));
    }
  }

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    result_.Reset();
    for (size_t i = 0; i < rows.count; ++i) result_.Set(rows[i], true);
    for (const ExprStatePtr& arg : args_) {
      const Vector& value = arg->Eval(context, batch, rows);
      for (size_t i = 0; i < rows.count; ++i) {
        if (value.IsNull(rows[i]) == is_not_) result_.Set(rows[i], false);
      }
    }
    return result_;
  }

 private:
  std::vector<ExprStatePtr> args_;
  bool is_not_;
  Vector result_;
};

class BooleanTestState final : public ExprState {
 public:
  BooleanTestState(const analyze::BooleanTest& test, const BuildContext& build)
      : arg_(MakeExprState(*test.arg, build)), result_(PhysicalType::kBool, build.capacity) {
    const auto [if_true, if_false, if_null] = [&]() -> std::array<bool, 3> {
      switch (test.test) {
        case TruthTest::kTrue: return {true, false, false};
        case TruthTest::kNotTrue: return {false, true, true};
        case TruthTest::kFalse: return {false, true, false};
        case TruthTest::kNotFalse: return {true, false, true};
        case TruthTest::kUnknown: return {false, false, true};
        case TruthTest::kNotUnknown: return {true, true, false};
      }
      return {};
    }();
    if_true_ = if_true;
    if_false_ = if_false;
    if_null_ = if_null;
  }

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const Vector& value = arg_->Eval(context, batch, rows);
    result_.Reset();
    for (size_t i = 0; i < rows.count; ++i) {
      const size_t row = rows[i];
      result_.Set(row, value.IsNull(row) ? if_null_ : value.data<bool>()[value.Index(row)] ? if_true_ : if_false_);
    }
    return result_;
  }

 private:
  ExprStatePtr arg_;
  bool if_true_ = false;
  bool if_false_ = false;
  bool if_null_ = false;
  Vector result_;
};

}  // namespace

ExprStatePtr MakeLogicState(const analyze::Expr& expr, const BuildContext& build) {
  if (const auto* logic = expr.As<analyze::Bool>()) {
    if (logic->op == analyze::BoolOp::kNot) return std::make_unique<NotState>(*logic->args[0], build);
    return std::make_unique<AndOrState>(*logic, build);
  }
  if (const auto* test = expr.As<analyze::NullTest>()) return std::make_unique<NullTestState>(*test, build);
  if (const auto* test = expr.As<analyze::BooleanTest>()) return std::make_unique<BooleanTestState>(*test, build);
  return nullptr;
}

}  // namespace mayfly::exec
