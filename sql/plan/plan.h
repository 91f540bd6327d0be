// The plan: how a query runs. Immutable after build and shared between executions; executor state is apart (sql/exec).
//
//   Aggregate                          one struct a node, children first, InputRef{i} = column i of the (joined) child output
//     └─ KeyScan on t                  nodes that read tables carry the route that the planner chose
//
// Subqueries in expressions are SubPlan nodes: index into Plan::subplans, run with their own OuterParams.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "catalog/catalog.h"
#include "sql/analyze/query.h"

namespace mayfly::plan {

using analyze::ExprPtr;

struct Node;
using NodePtr = std::shared_ptr<const Node>;

// One bound of a key range on the first key column that is not fixed by `equal`.
struct KeyBound {
  ExprPtr value;  // no columns in it: constants, parameters, OuterParams
  bool inclusive = true;
};

// Exactly one row of the primary key, or none.
struct PointGet {
  catalog::TablePtr table;
  std::vector<ExprPtr> key;       // one for each key column
  std::vector<ColumnId> columns;  // output
  ExprPtr filter;                 // over the output; null = none
  std::string alias;
};
// Rows of the primary key for each of several values of its only or last column (IN list).
struct MultiGet {
  catalog::TablePtr table;
  std::vector<ExprPtr> prefix;  // all key columns but the last
  std::vector<ExprPtr> last;    // values, or one array-typed expression where `last_is_array`
  bool last_is_array = false;
  std::vector<ColumnId> columns;
  ExprPtr filter;
  std::string alias;
};
// A range of the primary key, or all of it.
struct KeyScan {
  catalog::TablePtr table;
  std::vector<ExprPtr> equal;  // leading key columns fixed by equality
  std::optional<KeyBound> lower;
  std::optional<KeyBound> upper;
  bool reverse = false;
  std::vector<ColumnId> columns;
  ExprPtr filter;
  std::string alias;
  bool full() const { return equal.empty() && !lower && !upper; }
};
// count(*) of a table without TTL, from its row counter.
struct CounterRead {
  catalog::TablePtr table;
};
struct VirtualScan {
  static constexpr size_t kTableOidColumn = SIZE_MAX;
  catalog::TablePtr table;
  std::vector<size_t> columns;  // of the virtual table, by position, or kTableOidColumn
  ExprPtr filter;
  std::string alias;
};
struct FunctionScan {
  std::vector<ExprPtr> calls;
  bool with_ordinality = false;
  std::string alias;
};
// Rows of expressions without input columns. One row of no columns is PostgreSQL's Result.
struct Values {
  std::vector<std::vector<ExprPtr>> rows;
};
struct Filter {
  NodePtr input;
  ExprPtr predicate;
};
struct Project {
  NodePtr input;
  std::vector<ExprPtr> exprs;
};
// Project with set-returning calls at the top of some expressions (PostgreSQL's ProjectSet).
struct ProjectSet {
  NodePtr input;
  std::vector<ExprPtr> exprs;
};
struct SortKey {
  size_t column = 0;
  bool descending = false;
  bool nulls_first = false;
};
struct Sort {
  NodePtr input;
  std::vector<SortKey> keys;
  ExprPtr limit;  // top-N: no more rows than limit + offset are wanted; null = all
  ExprPtr offset;
};
struct Limit {
  NodePtr input;
  ExprPtr limit;  // null = none
  ExprPtr offset;
};
// Rows that differ in `columns` from all before (DISTINCT); hashed, first row of each kept.
struct Distinct {
  NodePtr input;
  std::vector<size_t> columns;
};
struct AggregateCall {
  const catalog::ProcRow* proc = nullptr;
  std::vector<ExprPtr> args;  // over the input
  std::vector<analyze::SortKey> order_by;
  ExprPtr filter;
  bool distinct = false;
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
};
// Output: the group expressions, then the aggregates.
struct Aggregate {
  NodePtr input;
  std::vector<ExprPtr> groups;
  std::vector<AggregateCall> calls;
  bool grouped = false;  // GROUP BY was written: no input rows, no output rows
  // The input is a KeyScan whose range may be split: parts are aggregated on several threads, and combined.
  bool parallel = false;
};
// Output: left columns, then right columns.
struct Join {
  analyze::JoinType type = analyze::JoinType::kInner;
  NodePtr left;
  NodePtr right;
  ExprPtr on;  // over left ++ right; null = true
  // Hash join keys: left_keys[i] = right_keys[i] by the types' equality; empty = nested loop.
  std::vector<ExprPtr> left_keys;
  std::vector<ExprPtr> right_keys;
  // LATERAL: parameters of the right side, set from the left row before each rescan.
  std::vector<std::pair<size_t, ExprPtr>> lateral_params;
};
struct Append {
  std::vector<NodePtr> inputs;
};
struct SetOperation {
  analyze::SetOperation op = analyze::SetOperation::kIntersect;
  bool all = false;
  NodePtr left;
  NodePtr right;
};
// SELECT … FOR UPDATE on one table: locks each row of the input, and checks those again that changed since the statement began.
// The input is as that of Update.
struct LockRows {
  catalog::TablePtr table;
  std::vector<ColumnId> target_columns;
  NodePtr input;
  size_t key_column = 0;
  ExprPtr recheck;
  analyze::RowLock strength = analyze::RowLock::kUpdate;
  analyze::LockWait wait = analyze::LockWait::kBlock;
};

// What a modified or returned row looks like: expressions over (source columns ++ …) as each statement says.
struct Insert {
  catalog::TablePtr table;
  std::vector<ColumnId>
      target_columns;  // what "existing row" and "resulting row" below consist of: live columns in order, then system columns
  NodePtr input;       // yields one column for each live column of the table, in order
  bool source_reads_table = false;  // then the source is drained before the first write
  struct Conflict {
    bool update = false;
    bool blind = false;  // a full-row upsert into a table without counter or index: no read
    // Over existing row (live columns, then system columns) ++ proposed row (live columns).
    std::vector<std::pair<size_t, ExprPtr>> set;  // live column position, value
    ExprPtr where;
  };
  std::optional<Conflict> conflict;
  std::vector<ExprPtr> returning;  // over the resulting row: live columns, then system columns
};
// The input yields the target table's live columns in order, then its system columns, then the row's storage key
// (system_column::kRowKey), then (UPDATE … FROM, DELETE … USING) the other tables' columns. A PointGet under it locks the row and
// reads its newest version itself; rows of other routes are locked one by one, and those that changed since the statement began
// are read and checked again.
struct Update {
  catalog::TablePtr table;
  std::vector<ColumnId> target_columns;
  NodePtr input;
  size_t key_column = 0;  // where the storage key stands in the input; the target's own columns are 0..key_column-1
  ExprPtr recheck;        // the WHERE over the input's columns; null = none
  std::vector<std::pair<size_t, ExprPtr>> set;  // live column position, value over the input's columns
  std::vector<ExprPtr> returning;               // over the input's columns, the target's replaced by the resulting row
};
struct Delete {
  catalog::TablePtr table;
  std::vector<ColumnId> target_columns;
  NodePtr input;
  size_t key_column = 0;
  ExprPtr recheck;
  std::vector<ExprPtr> returning;  // over the input's columns
};

struct OutputColumn {
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
};

struct Node {
  using Op =
      std::variant<PointGet, MultiGet, KeyScan, CounterRead, VirtualScan, FunctionScan, Values, Filter, Project, ProjectSet, Sort,
                   Limit, Distinct, Aggregate, Join, Append, SetOperation, LockRows, Insert, Update, Delete>;
  Op op;
  std::vector<OutputColumn> output;
  // Estimates, in PostgreSQL's cost units; for EXPLAIN and choices.
  double startup_cost = 0;
  double total_cost = 0;
  double rows = 1;
  // EXPLAIN adds these lines: why a pushdown was not used, …
  std::vector<std::string> notes;
};

struct ResultField {
  std::string name;
  Oid table;
  int16_t attribute = 0;
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
};

struct Plan {
  NodePtr root;
  // Subplans of SubPlan expressions; each may use OuterParams 0..outer_param_count-1 of its own.
  struct SubPlan {
    NodePtr root;
    size_t outer_param_count = 0;
  };
  std::vector<SubPlan> subplans;
  // OuterParams that LATERAL joins of the root set.
  size_t outer_param_count = 0;
  analyze::Command command = analyze::Command::kSelect;
  std::vector<ResultField> fields;  // empty: returns no rows
  std::vector<const types::TypeDesc*> parameter_types;
  // At most one row, by one key, without waiting for anything: may run where the request arrived, in vectors of one row.
  bool single_row = false;
  bool never_blocks = false;
  bool writes = false;
  // Tables that are written: their relation locks are taken before the plan runs.
  std::vector<catalog::TablePtr> written_tables;
  // Stable for the catalog version it was made at only.
  CatalogVersion catalog_version;
};
using PlanPtr = std::shared_ptr<const Plan>;

// Chooses routes and builds the plan.
PlanPtr BuildPlan(const catalog::Snapshot& snapshot, const analyze::Query& query);

// Calls `fn` for each direct child node.
void ForEachInput(const Node& node, FunctionRef<void(const NodePtr&)> fn);
// Calls `fn` for each expression of the node itself; absent ones (filters, bounds) are left out.
void ForEachExpr(const Node& node, FunctionRef<void(const ExprPtr&)> fn);

// The plan as PostgreSQL's EXPLAIN prints it, one line each. `actual` gives EXPLAIN ANALYZE's figures of a node; null = not run.
struct NodeTimes {
  double startup_ms = 0;
  double total_ms = 0;
  uint64_t rows = 0;
  uint64_t loops = 0;
  uint64_t rows_removed_by_filter = 0;
};
struct ExplainOptions {
  bool costs = true;
  bool verbose = false;
  bool timing = true;
  const NodeTimes* (*actual)(const void* state, const Node* node) = nullptr;
  const void* actual_state = nullptr;
};
std::vector<std::string> Explain(const Plan& plan, const ExplainOptions& options);

}  // namespace mayfly::plan
