// Executors pull batches: each is built once from a plan node, opened for an execution, and asked for batches until there are
// none.
//
// An executor may be opened again, for another execution or a rescan with other parameters; it starts over. The batch it returns,
// and everything the batch borrows, lives until the next call of Next or Open.
#pragma once

#include <memory>
#include <string>

#include "sql/exec/context.h"
#include "sql/exec/expr_state.h"
#include "sql/plan/plan.h"

namespace mayfly::exec {

class Executor {
 public:
  virtual ~Executor() = default;
  // Starts (over). `context` outlives all calls of Next until the next Open.
  virtual void Open(ExecContext& context) = 0;
  // The next non-empty batch; null at the end, and ever after.
  virtual const types::Batch* Next() = 0;
  // Rows that the statement changed so far (INSERT, UPDATE, DELETE); for command tags.
  virtual uint64_t rows_changed() const { return 0; }
};
using ExecutorPtr = std::unique_ptr<Executor>;

// The executor of `node`, with those of its inputs.
ExecutorPtr MakeExecutor(const plan::NodePtr& node, const BuildContext& build);

// A statement ready to run, many times if need be: plan, executors, expression states. One execution at a time.
class Execution {
 public:
  explicit Execution(plan::PlanPtr plan, class Instrumentation* instrumentation = nullptr);
  const plan::Plan& plan() const { return *plan_; }
  void Open(ExecContext& context) {
    context.outer_params.resize(plan_->outer_param_count);
    context.execution = ++executions_;
    root_->Open(context);
  }
  const types::Batch* Next() { return root_->Next(); }
  uint64_t rows_changed() const { return root_->rows_changed(); }

 private:
  plan::PlanPtr plan_;
  BuildContext build_;
  ExecutorPtr root_;
  uint64_t executions_ = 0;
};

// EXPLAIN ANALYZE: what each node did.
class Instrumentation {
 public:
  ExecutorPtr Wrap(const plan::Node* node, ExecutorPtr executor);
  const plan::NodeTimes* Find(const plan::Node* node) const;

 private:
  std::vector<std::pair<const plan::Node*, std::unique_ptr<plan::NodeTimes>>> times_;
};

}  // namespace mayfly::exec
