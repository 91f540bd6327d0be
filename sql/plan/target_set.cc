// Set-returning calls in a target list (PostgreSQL manual 38.5.8): those of one level run in step; a call inside another's
// arguments, or below any other expression, runs one level further down.
//
//   SELECT f(g(a)) + 1        Project: $2 + 1
//                               └─ ProjectSet: a, $1, f($1)        level 2
//                                    └─ ProjectSet: a, g(a)        level 1
#include <algorithm>

#include "sql/plan/builder.h"

namespace mayfly::plan {

namespace {

using analyze::InputRef;

bool ReturnsSet(const ExprPtr& expr) {
  const auto* call = expr->As<analyze::Call>();
  return call != nullptr && call->proc->returns_set;
}

// How many levels of set-returning calls are needed to compute `expr`.
size_t Levels(const ExprPtr& expr) {
  size_t levels = 0;
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { levels = std::max(levels, Levels(child)); });
  return levels + (ReturnsSet(expr) ? 1 : 0);
}

// The set-returning calls of one level, each once.
void CollectCalls(const ExprPtr& expr, size_t level, std::vector<ExprPtr>& calls) {
  if (ReturnsSet(expr) && Levels(expr) == level) {
    const auto same = [&](const ExprPtr& other) { return analyze::Equal(*other, *expr); };
    if (std::none_of(calls.begin(), calls.end(), same)) calls.push_back(expr);
    return;
  }
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { CollectCalls(child, level, calls); });
}

// `expr` with the calls that have been computed replaced by their columns.
ExprPtr Replace(const ExprPtr& expr, const std::vector<Computed>& computed) {
  for (const Computed& item : computed) {
    if (analyze::Equal(*item.expr, *expr)) return analyze::MakeExpr(InputRef{item.column}, expr->type, expr->typmod, expr->pos);
  }
  return analyze::MapChildren(expr, [&](const ExprPtr& child) { return Replace(child, computed); });
}

NodePtr MakeProjectSet(NodePtr input, std::vector<ExprPtr> exprs) {
  constexpr double kRowsPerCall = 10;
  const double rows = input->rows * kRowsPerCall;
  const double cost = input->total_cost + rows * 0.01;
  std::vector<OutputColumn> output = OutputOf(exprs);
  return MakeNode(ProjectSet{std::move(input), std::move(exprs)}, std::move(output), rows, 0, cost);
}

}  // namespace

NodePtr MakeTargetSets(NodePtr input, std::vector<ExprPtr> exprs) {
  const auto simple = [](const ExprPtr& expr) { return Levels(expr) == (ReturnsSet(expr) ? 1U : 0U); };
  if (std::all_of(exprs.begin(), exprs.end(), simple)) return MakeProjectSet(std::move(input), std::move(exprs));
  size_t levels = 0;
  for (const ExprPtr& expr : exprs) levels = std::max(levels, Levels(expr));
  std::vector<Computed> computed;
  for (size_t level = 1; level <= levels; ++level) {
    std::vector<ExprPtr> columns;
    for (size_t i = 0; i < input->output.size(); ++i) {
      columns.push_back(analyze::MakeExpr(InputRef{i}, input->output[i].type, input->output[i].typmod));
    }
    std::vector<ExprPtr> calls;
    for (const ExprPtr& expr : exprs) CollectCalls(expr, level, calls);
    for (const ExprPtr& call : calls) {
      const ExprPtr replaced = Replace(call, computed);
      computed.push_back({call, columns.size()});
      columns.push_back(replaced);
    }
    input = MakeProjectSet(std::move(input), std::move(columns));
  }
  for (ExprPtr& expr : exprs) expr = Replace(expr, computed);
  return MakeProject(std::move(input), std::move(exprs));
}

}  // namespace mayfly::plan
