#include "sql/exec/executor.h"

#include <chrono>

#include "sql/exec/executors.h"

namespace mayfly::exec {

namespace {

ExecutorPtr MakeBare(const plan::NodePtr& node, const BuildContext& build) {
  struct Maker {
    const plan::Node& node;
    const BuildContext& build;
    ExecutorPtr operator()(const plan::PointGet& op) const { return MakePointGet(op, build); }
    ExecutorPtr operator()(const plan::MultiGet& op) const { return MakeMultiGet(op, build); }
    ExecutorPtr operator()(const plan::KeyScan& op) const { return MakeKeyScan(op, build); }
    ExecutorPtr operator()(const plan::CounterRead& op) const { return MakeCounterRead(op, build); }
    ExecutorPtr operator()(const plan::VirtualScan& op) const { return MakeVirtualScan(op, node, build); }
    ExecutorPtr operator()(const plan::FunctionScan& op) const { return MakeFunctionScan(op, node, build); }
    ExecutorPtr operator()(const plan::Values& op) const { return MakeValues(op, node, build); }
    ExecutorPtr operator()(const plan::Filter& op) const { return MakeFilter(op, build); }
    ExecutorPtr operator()(const plan::Project& op) const { return MakeProject(op, build); }
    ExecutorPtr operator()(const plan::ProjectSet& op) const { return MakeProjectSet(op, node, build); }
    ExecutorPtr operator()(const plan::Sort& op) const { return MakeSort(op, node, build); }
    ExecutorPtr operator()(const plan::Limit& op) const { return MakeLimit(op, build); }
    ExecutorPtr operator()(const plan::Distinct& op) const { return MakeDistinct(op, build); }
    ExecutorPtr operator()(const plan::Aggregate& op) const { return MakeAggregate(op, node, build); }
    ExecutorPtr operator()(const plan::Join& op) const { return MakeJoin(op, node, build); }
    ExecutorPtr operator()(const plan::Append& op) const { return MakeAppend(op, build); }
    ExecutorPtr operator()(const plan::SetOperation& op) const { return MakeSetOperation(op, build); }
    ExecutorPtr operator()(const plan::LockRows& op) const { return MakeLockRows(op, build); }
    ExecutorPtr operator()(const plan::Insert& op) const { return MakeInsert(op, build); }
    ExecutorPtr operator()(const plan::Update& op) const { return MakeUpdate(op, build); }
    ExecutorPtr operator()(const plan::Delete& op) const { return MakeDelete(op, build); }
  };
  return std::visit(Maker{*node, build}, node->op);
}

double MillisSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

class InstrumentedExecutor final : public Executor {
 public:
  InstrumentedExecutor(ExecutorPtr inner, plan::NodeTimes* times) : inner_(std::move(inner)), times_(times) {}
  void Open(ExecContext& context) override {
    const auto start = std::chrono::steady_clock::now();
    inner_->Open(context);
    times_->total_ms += MillisSince(start);
    ++times_->loops;
  }
  const types::Batch* Next() override {
    const auto start = std::chrono::steady_clock::now();
    const types::Batch* batch = inner_->Next();
    times_->total_ms += MillisSince(start);
    if (times_->rows == 0) times_->startup_ms = times_->total_ms;
    if (batch != nullptr) times_->rows += batch->count();
    return batch;
  }
  uint64_t rows_changed() const override { return inner_->rows_changed(); }

 private:
  ExecutorPtr inner_;
  plan::NodeTimes* times_;
};

}  // namespace

ExecutorPtr MakeExecutor(const plan::NodePtr& node, const BuildContext& build) {
  ExecutorPtr executor = MakeBare(node, build);
  return build.instrumentation == nullptr ? std::move(executor) : build.instrumentation->Wrap(node.get(), std::move(executor));
}

Execution::Execution(plan::PlanPtr plan, Instrumentation* instrumentation)
    : plan_(std::move(plan)),
      build_{*plan_, plan_->single_row ? 1 : types::kBatchRows, instrumentation},
      root_(MakeExecutor(plan_->root, build_)) {}

ExecutorPtr Instrumentation::Wrap(const plan::Node* node, ExecutorPtr executor) {
  times_.emplace_back(node, std::make_unique<plan::NodeTimes>());
  return std::make_unique<InstrumentedExecutor>(std::move(executor), times_.back().second.get());
}

const plan::NodeTimes* Instrumentation::Find(const plan::Node* node) const {
  for (const auto& [known, times] : times_) {
    if (known == node) return times.get();
  }
  return nullptr;
}

}  // namespace mayfly::exec
