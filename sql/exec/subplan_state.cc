// Subqueries in expressions. A subplan that takes nothing from the row around it runs once an execution, others once a row.
#include <optional>

#include "sql/exec/executor.h"
#include "sql/exec/expr_states.h"
#include "sql/exec/hashed_subquery.h"
#include "sql/exec/row_buffer.h"
#include "sql/types/array.h"

namespace mayfly::exec {

using analyze::SubLinkKind;
using types::Batch;
using types::Datum;
using types::Selection;
using types::Vector;

namespace {

class SubPlanColumnState final : public ExprState {
 public:
  SubPlanColumnState(const Batch* const* rows, size_t column) : rows_(rows), column_(column) {}
  const Vector& Eval(ExecContext&, const Batch&, Selection) override { return *(*rows_)->columns[column_]; }

 private:
  const Batch* const* rows_;
  size_t column_;
};

// The outer row's columns as constants, so that comparisons can run over the subquery's rows. Only those that are looked at are
// filled.
class OuterRow {
 public:
  explicit OuterRow(const std::vector<analyze::ExprPtr>& exprs) {
    for (const analyze::ExprPtr& expr : exprs) Collect(*expr);
  }
  void Set(const Batch& batch, size_t row) {
    for (Column& column : columns_) {
      column.value.Reset();
      column.value.SetDatum(0, batch.columns[column.number]->Get(row), /*borrow=*/true);
      column.value.SetConstant();
    }
  }
  // A batch of `rows` rows whose columns are the outer row's.
  Batch MakeBatch(const Batch& inner) {
    Batch batch{std::vector<const Vector*>(width_, nullptr), inner.rows, inner.selected, inner.selected_count};
    for (const Column& column : columns_) batch.columns[column.number] = &column.value;
    return batch;
  }

 private:
  struct Column {
    size_t number;
    Vector value;
  };
  void Collect(const analyze::Expr& expr) {
    if (const auto* ref = expr.As<analyze::InputRef>()) {
      width_ = std::max(width_, ref->column + 1);
      columns_.push_back({ref->column, Vector(expr.type->physical(), 1)});
    }
    analyze::ForEachChild(expr, [&](const analyze::ExprPtr& child) { Collect(*child); });
  }
  std::vector<Column> columns_;
  size_t width_ = 0;
};

class SubplanState final : public ExprState {
 public:
  SubplanState(const analyze::Expr& expr, const analyze::SubPlan& node, const BuildContext& build)
      : type_(*expr.type),
        kind_(node.kind),
        plan_(build.plan.subplans[node.subplan]),
        outer_row_(node.comparisons),
        result_(expr.type->physical(), build.capacity) {
    for (const analyze::ExprPtr& arg : node.args) {
      args_.push_back(arg == nullptr ? nullptr : MakeExprState(*arg, build));
      arg_physical_.push_back(arg == nullptr ? types::PhysicalType::kBool : arg->type->physical());
      correlated_ = correlated_ || arg != nullptr;
    }
    BuildContext inner = build;
    inner.capacity = types::kBatchRows;
    inner.case_value = nullptr;
    executor_ = MakeExecutor(plan_.root, inner);
    inner.subplan_rows = &rows_;
    comparisons_ = MakeExprStates(node.comparisons, inner);
    if (!comparisons_.empty()) hashed_ = HashedSubquery::Make(node, build, &rows_);
  }

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const bool once = !correlated_ && comparisons_.empty();
    if (once && context.execution != 0 && done_for_ == context.execution) return result_;
    for (size_t i = 0; i < args_.size(); ++i) {
      if (args_[i] != nullptr) values_.emplace_back(i, &args_[i]->Eval(context, batch, rows));
    }
    result_.Reset();
    // A copy of the execution's context, with the subplan's own outer parameters.
    ExecContext inner = context;
    inner.outer_params.assign(plan_.outer_param_count, {});
    if (hashed_ != nullptr && rows.count != 0) {
      if (context.execution == 0 || done_for_ != context.execution) FillHashed(inner);
      done_for_ = context.execution;
      hashed_->Evaluate(context, batch, rows);
    }
    for (size_t i = 0; i < rows.count; ++i) {
      const size_t row = rows[i];
      if (hashed_ != nullptr && SetFromHashed(row)) continue;
      for (const auto& [number, value] : values_)
        inner.outer_params[number] = types::OwnedDatum(arg_physical_[number], value->Get(row));
      if (!comparisons_.empty()) outer_row_.Set(batch, row);
      const Datum value = Run(inner);
      result_.SetDatum(once ? 0 : row, value, /*borrow=*/true);
      if (once) {
        result_.SetConstant();
        done_for_ = context.execution;
        break;
      }
    }
    values_.clear();
    return result_;
  }

 private:
  void FillHashed(ExecContext& context) {
    hashed_->Clear(context);
    executor_->Open(context);
    while (const Batch* batch = executor_->Next()) {
      context.CheckForInterrupt();
      rows_ = batch;
      hashed_->Add(context, *batch);
    }
  }

  // False where the hash table does not know.
  bool SetFromHashed(size_t row) {
    switch (hashed_->Find(row)) {
      case HashedSubquery::Answer::kFalse: result_.Set(row, false); return true;
      case HashedSubquery::Answer::kTrue: result_.Set(row, true); return true;
      case HashedSubquery::Answer::kNull: result_.SetNull(row); return true;
      case HashedSubquery::Answer::kUnknown: return false;
    }
    return false;
  }

  Datum Run(ExecContext& context) {
    executor_->Open(context);
    switch (kind_) {
      case SubLinkKind::kExists: return Datum(executor_->Next() != nullptr);
      case SubLinkKind::kScalar: return RunScalar();
      case SubLinkKind::kArray: return RunArray();
      case SubLinkKind::kAny: return RunAnyAll(context, true);
      case SubLinkKind::kAll: return RunAnyAll(context, false);
    }
    return Datum::Null();
  }

  Datum RunScalar() {
    const Batch* batch = executor_->Next();
    if (batch == nullptr) return Datum::Null();
    if (batch->count() > 1) ThrowTooManyRows();
    const Datum value = Keep(batch->columns[0]->Get(batch->selection()[0]));
    if (executor_->Next() != nullptr) ThrowTooManyRows();
    return value;
  }

  [[noreturn]] static void ThrowTooManyRows() {
    Throw(SqlError::Make(kCardinalityViolation, "more than one row returned by a subquery used as an expression"));
  }

  Datum RunArray() {
    types::ArrayBuilder builder(*type_.element);
    while (const Batch* batch = executor_->Next()) {
      const Selection rows = batch->selection();
      for (size_t i = 0; i < rows.count; ++i) builder.Append(batch->columns[0]->Get(rows[i]));
    }
    return builder.Finish(result_.heap());
  }

  // ANY is the OR, ALL the AND, over the subquery's rows, of the AND of the comparisons.
  Datum RunAnyAll(ExecContext& context, bool decisive) {
    bool saw_null = false;
    while (const Batch* batch = executor_->Next()) {
      rows_ = batch;
      const Batch outer = outer_row_.MakeBatch(*batch);
      const Selection rows = batch->selection();
      std::vector<const Vector*> values;
      for (const ExprStatePtr& comparison : comparisons_) values.push_back(&comparison->Eval(context, outer, rows));
      for (size_t i = 0; i < rows.count; ++i) {
        bool any_false = false;
        bool any_null = false;
        for (const Vector* value : values) {
          if (value->IsNull(rows[i])) {
            any_null = true;
          } else {
            any_false = any_false || !value->data<bool>()[value->Index(rows[i])];
          }
        }
        if (!any_false && any_null) {
          saw_null = true;
        } else if (!any_false == decisive) {
          return Datum(decisive);
        }
      }
    }
    return saw_null ? Datum::Null() : Datum(!decisive);
  }

  // A copy that outlives the subplan's batch.
  Datum Keep(const Datum& value) {
    if (value.is_null() || type_.physical() != types::PhysicalType::kBytes) return value;
    const std::string_view bytes = value.bytes();
    return bytes.size() <= types::StringRef::kInlineBytes ? value : Datum(result_.heap().Copy(bytes));
  }

  const types::TypeDesc& type_;
  SubLinkKind kind_;
  const plan::Plan::SubPlan& plan_;
  OuterRow outer_row_;
  std::vector<ExprStatePtr> args_;
  std::vector<types::PhysicalType> arg_physical_;
  bool correlated_ = false;
  ExecutorPtr executor_;
  std::vector<ExprStatePtr> comparisons_;
  std::vector<std::pair<size_t, const Vector*>> values_;
  const Batch* rows_ = nullptr;
  Vector result_;
  std::unique_ptr<HashedSubquery> hashed_;
  uint64_t done_for_ = 0;  // the execution that result_, or the hash table, was made in
};

}  // namespace

ExprStatePtr MakeSubplanState(const analyze::Expr& expr, const BuildContext& build) {
  if (const auto* node = expr.As<analyze::SubPlan>()) return std::make_unique<SubplanState>(expr, *node, build);
  if (const auto* column = expr.As<analyze::SubPlanColumn>())
    return std::make_unique<SubPlanColumnState>(build.subplan_rows, column->column);
  return nullptr;
}

}  // namespace mayfly::exec
