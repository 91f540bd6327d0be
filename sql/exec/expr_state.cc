#include "sql/exec/expr_state.h"

#include "base/check.h"
#include "sql/exec/expr_states.h"
#include "sql/plan/lower.h"

namespace mayfly::exec {

using types::Batch;
using types::Datum;
using types::Selection;
using types::Vector;

namespace {

class ConstState final : public ExprState {
 public:
  explicit ConstState(const analyze::Expr& expr) : value_(expr.As<analyze::Const>()->value), result_(expr.type->physical(), 1) {
    result_.SetDatum(0, value_.get(), /*borrow=*/true);
    result_.SetConstant();
  }
  const Vector& Eval(ExecContext&, const Batch&, Selection) override { return result_; }

 private:
  types::OwnedDatum value_;
  Vector result_;
};

class ParamState final : public ExprState {
 public:
  ParamState(size_t index, bool outer, types::PhysicalType physical) : index_(index), outer_(outer), result_(physical, 1) {}
  const Vector& Eval(ExecContext& context, const Batch&, Selection) override {
    result_.Reset();
    result_.SetDatum(0, outer_ ? context.outer_params[index_].get() : context.params[index_].get(), /*borrow=*/true);
    result_.SetConstant();
    return result_;
  }

 private:
  size_t index_;
  bool outer_;
  Vector result_;
};

class InputState final : public ExprState {
 public:
  explicit InputState(size_t column) : column_(column) {}
  const Vector& Eval(ExecContext&, const Batch& batch, Selection) override { return *batch.columns[column_]; }

 private:
  size_t column_;
};

class CaseValueState final : public ExprState {
 public:
  explicit CaseValueState(const Vector* const* value) : value_(value) {}
  const Vector& Eval(ExecContext&, const Batch&, Selection) override { return **value_; }

 private:
  const Vector* const* value_;
};

}  // namespace

ExprStatePtr MakeExprState(const analyze::Expr& expr, const BuildContext& build) {
  if (expr.As<analyze::Const>() != nullptr) return std::make_unique<ConstState>(expr);
  if (const auto* param = expr.As<analyze::Param>()) {
    return std::make_unique<ParamState>(static_cast<size_t>(param->number - 1), false, expr.type->physical());
  }
  if (const auto* param = expr.As<analyze::OuterParam>())
    return std::make_unique<ParamState>(param->number, true, expr.type->physical());
  if (const auto* ref = expr.As<analyze::InputRef>()) return std::make_unique<InputState>(ref->column);
  if (expr.As<analyze::CaseTestValue>() != nullptr) return std::make_unique<CaseValueState>(build.case_value);
  if (const auto* relabel = expr.As<analyze::Relabel>()) return MakeExprState(*relabel->arg, build);
  if (ExprStatePtr state = MakeCallState(expr, build)) return state;
  if (ExprStatePtr state = MakeLogicState(expr, build)) return state;
  if (ExprStatePtr state = MakeConditionalState(expr, build)) return state;
  if (ExprStatePtr state = MakeArrayState(expr, build)) return state;
  if (ExprStatePtr state = MakeSqlValueState(expr, build)) return state;
  if (ExprStatePtr state = MakeSubplanState(expr, build)) return state;
  Throw(SqlError::NotSupported("this expression", expr.pos));
}

std::vector<ExprStatePtr> MakeExprStates(const std::vector<analyze::ExprPtr>& exprs, const BuildContext& build) {
  std::vector<ExprStatePtr> states;
  states.reserve(exprs.size());
  for (const analyze::ExprPtr& expr : exprs) states.push_back(MakeExprState(*expr, build));
  return states;
}

Datum EvalScalar(ExprState& state, ExecContext& context) {
  const Batch batch{{}, 1, nullptr, 0};
  return state.Eval(context, batch, Selection{nullptr, 1}).Get(0);
}

Predicate::Predicate(const analyze::ExprPtr& expr, const BuildContext& build) {
  std::vector<analyze::ExprPtr> terms;
  plan::SplitConjuncts(expr, terms);
  for (const analyze::ExprPtr& term : terms) terms_.push_back(MakeExprState(*term, build));
}

void Predicate::Apply(ExecContext& context, Batch& batch) {
  for (const ExprStatePtr& term : terms_) {
    const Selection rows = batch.selection();
    if (rows.count == 0) return;
    const Vector& value = term->Eval(context, batch, rows);
    if (value.is_constant()) {
      if (!value.IsNull(0) && value.data<bool>()[0]) continue;
      rows_.resize(1);  // an empty list may have no address, and null means all rows
      batch.selected = rows_.data();
      batch.selected_count = 0;
      return;
    }
    scratch_.resize(rows.count);
    size_t kept = 0;
    const bool* truth = value.data<bool>();
    if (!value.may_have_nulls()) {
      for (size_t i = 0; i < rows.count; ++i) {
        const size_t row = rows[i];
        scratch_[kept] = static_cast<uint16_t>(row);
        kept += truth[row] ? 1 : 0;
      }
    } else {
      for (size_t i = 0; i < rows.count; ++i) {
        const size_t row = rows[i];
        scratch_[kept] = static_cast<uint16_t>(row);
        kept += !value.IsNull(row) && truth[row] ? 1 : 0;
      }
    }
    rows_.swap(scratch_);
    batch.selected = rows_.data();
    batch.selected_count = kept;
  }
}

}  // namespace mayfly::exec
