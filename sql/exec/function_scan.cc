// Functions in FROM, and set-returning calls in a target list: several run in step, shorter ones padded with NULL.
#include <algorithm>

#include "sql/exec/executors.h"
#include "sql/exec/set_function.h"

namespace mayfly::exec {

using types::Batch;
using types::Vector;

namespace {

// Columns of several calls side by side, advanced together.
class SetCalls {
 public:
  SetCalls(const std::vector<const analyze::Expr*>& exprs, size_t capacity, const BuildContext& build) {
    for (const analyze::Expr* expr : exprs) {
      Call call{SetCall(*expr, build), {}, {}};
      for (const types::PhysicalType physical : call.call.columns())
        call.vectors.push_back(std::make_unique<Vector>(physical, capacity));
      for (const auto& vector : call.vectors) {
        call.pointers.push_back(vector.get());
        columns_.push_back(vector.get());
      }
      calls_.push_back(std::move(call));
    }
  }
  const std::vector<const Vector*>& columns() const { return columns_; }

  void Start(ExecContext& context, const Batch& batch, size_t row) {
    for (Call& call : calls_) call.call.Start(context, batch, row);
  }
  // Rows that the longest of the calls had; 0 at the end of all.
  size_t Next(size_t rows_max) {
    std::vector<size_t> counts;
    for (Call& call : calls_) {
      for (const auto& vector : call.vectors) vector->Reset();
      counts.push_back(call.call.Next(rows_max, call.pointers));
    }
    const size_t rows = *std::max_element(counts.begin(), counts.end());
    for (size_t i = 0; i < calls_.size(); ++i) {
      for (size_t row = counts[i]; row < rows; ++row) {
        for (const auto& vector : calls_[i].vectors) vector->SetNull(row);
      }
    }
    return rows;
  }

 private:
  struct Call {
    SetCall call;
    std::vector<std::unique_ptr<Vector>> vectors;
    std::vector<Vector*> pointers;
  };
  std::vector<Call> calls_;
  std::vector<const Vector*> columns_;
};

std::vector<const analyze::Expr*> Pointers(const std::vector<analyze::ExprPtr>& exprs) {
  std::vector<const analyze::Expr*> pointers;
  for (const analyze::ExprPtr& expr : exprs) pointers.push_back(expr.get());
  return pointers;
}

class FunctionScanExecutor final : public Executor {
 public:
  FunctionScanExecutor(const plan::FunctionScan& op, const BuildContext& build)
      : calls_(Pointers(op.calls), types::kBatchRows, build),
        with_ordinality_(op.with_ordinality),
        ordinality_(types::PhysicalType::kInt64) {
    batch_.columns = calls_.columns();
    if (with_ordinality_) batch_.columns.push_back(&ordinality_);
  }
  void Open(ExecContext& context) override {
    context_ = &context;
    started_ = false;
    row_number_ = 0;
  }
  const Batch* Next() override {
    context_->CheckForInterrupt();
    if (!started_) {
      started_ = true;
      calls_.Start(*context_, Batch{{}, 1, nullptr, 0}, 0);
    }
    batch_.rows = calls_.Next(types::kBatchRows);
    for (size_t row = 0; with_ordinality_ && row < batch_.rows; ++row) ordinality_.Set(row, ++row_number_);
    return batch_.rows == 0 ? nullptr : &batch_;
  }

 private:
  SetCalls calls_;
  bool with_ordinality_;
  Vector ordinality_;
  Batch batch_;
  ExecContext* context_ = nullptr;
  bool started_ = false;
  int64_t row_number_ = 0;
};

class ProjectSetExecutor final : public Executor {
 public:
  ProjectSetExecutor(const plan::ProjectSet& op, const plan::Node& node, const BuildContext& build)
      : input_(MakeExecutor(op.input, build)), calls_(SetExprs(op), types::kBatchRows, build) {
    size_t set_column = 0;
    for (size_t i = 0; i < op.exprs.size(); ++i) {
      if (ReturnsSet(*op.exprs[i])) {
        batch_.columns.push_back(calls_.columns()[set_column++]);
        continue;
      }
      scalars_.push_back({i, MakeExprState(*op.exprs[i], build), std::make_unique<Vector>(node.output[i].type->physical(), 1)});
      batch_.columns.push_back(scalars_.back().value.get());
    }
  }
  void Open(ExecContext& context) override {
    context_ = &context;
    input_->Open(context);
    source_ = nullptr;
  }
  const Batch* Next() override {
    while (true) {
      context_->CheckForInterrupt();
      if (source_ != nullptr) {
        batch_.rows = calls_.Next(types::kBatchRows);
        if (batch_.rows != 0) return &batch_;
        if (++position_ >= source_->count()) source_ = nullptr;
      }
      if (source_ == nullptr) {
        source_ = input_->Next();
        position_ = 0;
        if (source_ == nullptr) return nullptr;
      }
      StartRow();
    }
  }

 private:
  static bool ReturnsSet(const analyze::Expr& expr) {
    const auto* call = expr.As<analyze::Call>();
    return call != nullptr && call->proc->returns_set;
  }
  static std::vector<const analyze::Expr*> SetExprs(const plan::ProjectSet& op) {
    std::vector<const analyze::Expr*> exprs;
    for (const analyze::ExprPtr& expr : op.exprs) {
      if (ReturnsSet(*expr)) exprs.push_back(expr.get());
    }
    return exprs;
  }
  void StartRow() {
    const auto row = static_cast<uint16_t>(source_->selection()[position_]);
    for (Scalar& scalar : scalars_) {
      scalar.value->Reset();
      scalar.value->SetDatum(0, scalar.state->Eval(*context_, *source_, {&row, 1}).Get(row));
      scalar.value->SetConstant();
    }
    calls_.Start(*context_, *source_, row);
  }

  struct Scalar {
    size_t column;
    ExprStatePtr state;
    std::unique_ptr<Vector> value;
  };
  ExecutorPtr input_;
  SetCalls calls_;
  std::vector<Scalar> scalars_;
  Batch batch_;
  ExecContext* context_ = nullptr;
  const Batch* source_ = nullptr;
  size_t position_ = 0;
};

}  // namespace

ExecutorPtr MakeFunctionScan(const plan::FunctionScan& op, const plan::Node&, const BuildContext& build) {
  return std::make_unique<FunctionScanExecutor>(op, build);
}
ExecutorPtr MakeProjectSet(const plan::ProjectSet& op, const plan::Node& node, const BuildContext& build) {
  return std::make_unique<ProjectSetExecutor>(op, node, build);
}

}  // namespace mayfly::exec
