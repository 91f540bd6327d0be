// The analyzed query: what a SELECT, INSERT, UPDATE or DELETE means, before it is decided how it runs. Immutable after analysis.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/system_columns.h"
#include "sql/analyze/expr.h"

namespace mayfly::analyze {

struct RteColumn {
  std::string name;
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
};

// A stored or virtual table. RTE columns are the table's live columns in order, then its system columns (hidden from *).
struct TableEntry {
  catalog::TablePtr table;
  std::vector<ColumnId> column_ids;   // for each RTE column; see catalog/system_columns.h for the negative ones
};
struct SubqueryEntry {
  QueryPtr query;
  bool lateral = false;
};
struct FunctionEntry {
  std::vector<ExprPtr> calls;  // several: ROWS FROM
  bool lateral = false;
  bool with_ordinality = false;
};
struct ValuesEntry {
  std::vector<std::vector<ExprPtr>> rows;
};
// The pseudo table of ON CONFLICT: the row that was proposed. Columns as the target table's.
struct ExcludedEntry {};

struct RangeTableEntry {
  std::variant<TableEntry, SubqueryEntry, FunctionEntry, ValuesEntry, ExcludedEntry> source;
  std::string alias;
  std::vector<RteColumn> columns;
  size_t visible_columns = 0;  // the first so many belong to *
};

enum class JoinType : uint8_t { kInner, kLeft, kRight, kFull };
// The FROM clause as a tree: a leaf names a range table entry.
struct FromNode {
  struct Leaf {
    size_t entry = 0;
  };
  struct Join {
    JoinType type = JoinType::kInner;
    std::unique_ptr<FromNode> left;
    std::unique_ptr<FromNode> right;
    ExprPtr on;  // null = true
  };
  std::variant<Leaf, Join> node;
};

struct TargetEntry {
  ExprPtr expr;
  std::string name;
  bool hidden = false;  // ORDER BY / GROUP BY expressions that are not output
  // Where the value comes from, for RowDescription.
  Oid table;
  int16_t attribute = 0;
};

// ORDER BY / DISTINCT / GROUP BY refer to target entries by index.
struct SortClause {
  size_t target = 0;
  bool descending = false;
  bool nulls_first = false;
};

enum class SetOperation : uint8_t { kNone, kUnion, kIntersect, kExcept };
enum class RowLock : uint8_t { kNone, kKeyShare, kShare, kNoKeyUpdate, kUpdate };
enum class LockWait : uint8_t { kBlock, kSkipLocked, kNoWait };

// One column of a modified table and where its new value comes from.
struct Assignment {
  ColumnId column;
  ExprPtr value;  // coerced to the column's type; over the source row
};

struct OnConflictAction {
  bool update = false;                // else DO NOTHING
  bool any_arbiter = true;            // no conflict target given (DO NOTHING only)
  Oid arbiter_index;                  // where one was inferred
  // Over the target table's entry (the existing row) and the excluded entry (both in Query::range_table).
  std::vector<Assignment> set;
  ExprPtr where;
};

// INSERT, UPDATE, DELETE. The rows to modify are what the query's from/where/targets produce.
struct Modification {
  size_t target_entry = 0;
  // INSERT: one for each live column of the table, in order; value over the source's targets as InputRef-free Vars of `source_entry`, or
  // constants and defaults. UPDATE: the assigned columns only, over the range table.
  std::vector<Assignment> assignments;
  // INSERT … SELECT / VALUES with several rows: the entry that yields the rows. nullopt: one row of expressions.
  std::optional<size_t> source_entry;
  std::optional<OnConflictAction> on_conflict;
  std::optional<size_t> excluded_entry;
  std::vector<TargetEntry> returning;
};

enum class Command : uint8_t { kSelect, kInsert, kUpdate, kDelete };

struct Query {
  Command command = Command::kSelect;
  std::vector<RangeTableEntry> range_table;
  std::vector<FromNode> from;  // cross product of these
  ExprPtr where;
  std::vector<TargetEntry> targets;
  bool has_aggregates = false;
  bool has_target_set_functions = false;
  // Grouping is on (even by nothing) where has_aggregates, having, or group_by.
  std::vector<size_t> group_by;  // indexes into targets
  ExprPtr having;
  bool distinct = false;
  std::vector<size_t> distinct_on;  // targets; empty with `distinct` = all visible
  std::vector<SortClause> order_by;
  ExprPtr limit;   // int8; null = none
  ExprPtr offset;  // int8
  RowLock lock = RowLock::kNone;
  LockWait lock_wait = LockWait::kBlock;

  // op(left, right): then range_table is empty, and targets are typed placeholders: Var{0, i} stands for column i of the result.
  SetOperation set_operation = SetOperation::kNone;
  bool set_all = false;
  QueryPtr set_left;
  QueryPtr set_right;

  std::optional<Modification> modification;

  // The outermost query only: types of $1 …, as given or inferred.
  std::vector<const types::TypeDesc*> parameter_types;
};

// What analysis may look up. Borrowed for the call.
struct AnalyzeContext {
  const catalog::Snapshot& snapshot;
  // search_path as schema names that exist or not, without the implicit pg_catalog (which is searched first unless listed).
  const std::vector<std::string>& search_path;
  types::IoContext io;  // for literals
  std::string_view database_name;
};

}  // namespace mayfly::analyze
