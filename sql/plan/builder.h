// Builds the plan of a query, clause by clause: FROM with access paths, grouping, target list, DISTINCT, ORDER BY, LIMIT,
// modification.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sql/plan/lower.h"
#include "sql/plan/plan.h"

namespace mayfly::plan {

// A node and where the query's columns stand in its output.
struct Source {
  NodePtr node;
  Layout layout;
};

class Builder {
 public:
  explicit Builder(const catalog::Snapshot& snapshot) : snapshot_(snapshot) {}

  PlanPtr Build(const analyze::Query& query);

  // Plans a SubLink's query as a subplan; fills `params.args` with what it takes from `around`.
  size_t AddSubplan(const analyze::Query& query, Scope& around, SubplanParams& params);

  // A query that returns rows: SELECT, VALUES, set operations. Output: its visible targets.
  NodePtr BuildSelect(const analyze::Query& query, Scope& scope);

 private:
  NodePtr BuildSetOperation(const analyze::Query& query, Scope& scope);
  NodePtr BuildPlainSelect(const analyze::Query& query, Scope& scope);
  NodePtr FinishSelect(const analyze::Query& query, Scope& scope, NodePtr node);
  Source BuildAggregate(const analyze::Query& query, Scope& scope, Source source, std::vector<Computed>& computed);

  // from.cc: the joined tables with WHERE pushed down. Terms that could not be pushed stay in `terms`. The first entries' columns
  // come first. `modified`: that entry yields all columns and the row key.
  Source BuildFrom(const analyze::Query& query, Scope& scope, std::vector<ExprPtr>& terms, std::optional<size_t> modified);
  Source BuildFromNode(const analyze::Query& query, Scope& scope, const analyze::FromNode& from, std::vector<ExprPtr>& terms,
                       std::optional<size_t> modified);
  Source BuildEntry(const analyze::Query& query, Scope& scope, size_t entry, std::vector<ExprPtr>& terms,
                    std::optional<size_t> modified);
  Source BuildJoin(const analyze::Query& query, Scope& scope, analyze::JoinType type, Source left, const analyze::FromNode& right,
                   const ExprPtr& on, std::vector<ExprPtr>& terms);

  // modify.cc
  NodePtr BuildInsert(const analyze::Query& query, Scope& scope);
  NodePtr BuildUpdate(const analyze::Query& query, Scope& scope);
  NodePtr BuildDelete(const analyze::Query& query, Scope& scope);

  const catalog::Snapshot& snapshot_;
  std::vector<Plan::SubPlan> subplans_;
  std::vector<catalog::TablePtr> written_tables_;
};

// ---- nodes with their output columns and estimates ----
NodePtr MakeNode(Node::Op op, std::vector<OutputColumn> output, double rows, double startup_cost, double total_cost);
NodePtr MakeFilter(NodePtr input, ExprPtr predicate);
NodePtr MakeProject(NodePtr input, std::vector<ExprPtr> exprs);
std::vector<OutputColumn> OutputOf(const std::vector<ExprPtr>& exprs);

// ---- target_set.cc: `exprs` over `input`, some of which have set-returning calls in them ----
NodePtr MakeTargetSets(NodePtr input, std::vector<ExprPtr> exprs);

// ---- route.cc: how one table is read ----
struct TableAccess {
  catalog::TablePtr table;
  std::vector<ColumnId> columns;  // wanted, in order
  std::string alias;
};
// Chooses the route for `access` under the conditions `terms`, which are lowered to its output columns (terms over nothing else).
NodePtr ChooseRoute(const TableAccess& access, std::vector<ExprPtr> terms);

// ---- rules.cc: rewrites of the finished tree, in the order of the list ----
struct Rule {
  std::string_view name;
  NodePtr (*apply)(const NodePtr& node);  // of one node, children are done
};
std::span<const Rule> Rules();
NodePtr ApplyRules(const NodePtr& root);
// prune.cc: every node yields only the columns that something above looks at; the root keeps all of its own.
NodePtr PruneColumns(const NodePtr& root);
// A copy of `node` with each child replaced by fn(child).
NodePtr MapInputs(const NodePtr& node, FunctionRef<NodePtr(const NodePtr&)> fn);

}  // namespace mayfly::plan
