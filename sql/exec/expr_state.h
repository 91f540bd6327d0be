// Expression evaluation: a planned expression compiled to a tree of states, each of which computes a vector for the selected rows
// of a batch.
//
// Three-valued logic, the order in which errors can appear, and strictness live here: a branch of CASE, an operand of AND or OR,
// is evaluated only for the rows that reach it.
#pragma once

#include <memory>
#include <vector>

#include "sql/exec/context.h"
#include "sql/plan/plan.h"

namespace mayfly::exec {

// What states are built with; outlives them.
struct BuildContext {
  const plan::Plan& plan;
  // Rows that vectors hold: kBatchRows, or 1 for a plan of a single row.
  size_t capacity = types::kBatchRows;
  // EXPLAIN ANALYZE: wraps executors. Null otherwise.
  class Instrumentation* instrumentation = nullptr;
  // Where CaseTestValue and SubPlanColumn find their values: in the state around them.
  const types::Vector* const* case_value = nullptr;
  const types::Batch* const* subplan_rows = nullptr;
};

class ExprState {
 public:
  virtual ~ExprState() = default;
  // The values of `rows` of `batch`; rows not selected are undefined. Valid until the next Eval of this state, or of the batch's
  // producer. May be a constant vector. Throws SqlException.
  virtual const types::Vector& Eval(ExecContext& context, const types::Batch& batch, types::Selection rows) = 0;
};
using ExprStatePtr = std::unique_ptr<ExprState>;

// Requires: a lowered expression (no Var, SubLink, Aggregate).
ExprStatePtr MakeExprState(const analyze::Expr& expr, const BuildContext& build);
std::vector<ExprStatePtr> MakeExprStates(const std::vector<analyze::ExprPtr>& exprs, const BuildContext& build);

// One value of an expression without input columns: keys, bounds, LIMIT.
types::Datum EvalScalar(ExprState& state, ExecContext& context);

// A condition: keeps the rows where it is true.
class Predicate {
 public:
  // Null expression: everything passes.
  Predicate(const analyze::ExprPtr& expr, const BuildContext& build);
  bool always_true() const { return terms_.empty(); }
  // Narrows the batch's selection; the batch then borrows this object's list of rows.
  void Apply(ExecContext& context, types::Batch& batch);

 private:
  std::vector<ExprStatePtr> terms_;  // AND terms, in order
  std::vector<uint16_t> rows_;
  std::vector<uint16_t> scratch_;
};

}  // namespace mayfly::exec
