// From analyzed to planned expressions: Vars become input columns, outer Vars become parameters, SubLinks become subplans.
//
// A Scope is one query while it is planned. Scopes nest as queries do; a scope is either the root of a (sub)plan, which runs with
// outer parameters of its own, or a subquery in FROM, which is part of its parent's plan.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "sql/plan/plan.h"

namespace mayfly::plan {

// Where the columns of a query's range table entries stand in a node's output: index[entry][column], nullopt where absent.
class Layout {
 public:
  void Set(size_t entry, size_t column, size_t index);
  std::optional<size_t> Find(size_t entry, size_t column) const;
  // The entries of `other` are appended after `width` columns (a join's right side).
  void Append(const Layout& other, size_t width);
  bool HasEntry(size_t entry) const { return entry < index_.size() && !index_[entry].empty(); }

 private:
  std::vector<std::vector<std::optional<size_t>>> index_;
};

// The outer parameters of one subplan while it is planned. args[i] is over the scope around the subplan (not lowered yet); null
// where a join inside the subplan sets parameter i.
struct SubplanParams {
  std::vector<ExprPtr> args;
};

class Builder;

struct Scope {
  Builder* builder = nullptr;
  const analyze::Query* query = nullptr;
  Scope* parent = nullptr;          // the query around this one; null for the outermost
  bool subplan_root = true;         // false: a subquery in FROM
  SubplanParams* params = nullptr;  // of the (sub)plan this scope belongs to
  // LATERAL: while the right side of a join of this query is planned, parameters that it takes from columns of the left side.
  std::vector<std::pair<size_t, ExprPtr>>* lateral = nullptr;
};

// Expressions that a node below has computed already (GROUP BY expressions, aggregates): they become its output columns.
struct Computed {
  ExprPtr expr;
  size_t column = 0;
};

struct LowerContext {
  Scope& scope;
  const Layout& layout;
  const std::vector<Computed>* computed = nullptr;
};

// `expr` over the columns that `context.layout` describes. Null stays null.
ExprPtr Lower(const ExprPtr& expr, const LowerContext& context);

// True where `expr` has a Var of its own query (levels_up = 0, also from inside its SubLinks).
bool UsesColumns(const ExprPtr& expr);
// Calls `fn` with each Var that belongs to the query `expr` stands in; SubLinks' outer references are reported with levels_up 0.
void ForEachColumn(const ExprPtr& expr, FunctionRef<void(const analyze::Var& var, const analyze::Expr& expr)> fn);
bool ContainsSubLink(const ExprPtr& expr);
// The same of a lowered expression.
bool ContainsSubPlan(const ExprPtr& expr);
bool IsVolatile(const ExprPtr& expr);

// Top-level AND terms of `expr` but for TRUE, appended; and back (null for none).
void SplitConjuncts(const ExprPtr& expr, std::vector<ExprPtr>& out);
ExprPtr JoinConjuncts(std::vector<ExprPtr> terms);

}  // namespace mayfly::plan
