// The abstract syntax tree, part two: statements. One struct a statement, named as PostgreSQL's manual names it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sql/parse/ast_expr.h"

namespace mayfly::parse {

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;

// A select-list item, RETURNING item, or SET assignment.
struct Target {
  std::string name;  // AS name; the column in INSERT and SET; empty = none
  std::vector<Indirection::Step> indirection;  // SET a[1] = …
  ExprPtr expr;
  // SET (a, b) = (row or subquery): the assignments of one group share the source: `multi_source` is set on the first, and each has its column number.
  ExprPtr multi_source;
  int multi_column = 0;  // 1-based; 0 = not part of a group
  int multi_count = 0;
  SourcePos pos;
};

struct CommonTableExpr {
  std::string name;
  std::vector<std::string> columns;
  enum class Materialized : uint8_t { kDefault, kAlways, kNever } materialized = Materialized::kDefault;
  StatementPtr query;
  SourcePos pos;
};
struct WithClause {
  bool recursive = false;
  std::vector<CommonTableExpr> ctes;
  SourcePos pos;
};

struct GroupItem;
// GROUPING SETS, ROLLUP, CUBE; kEmpty is ().
struct GroupingSet {
  enum class Kind : uint8_t { kEmpty, kSets, kRollup, kCube } kind = Kind::kEmpty;
  std::vector<GroupItem> items;
  SourcePos pos;
};
struct GroupItem {
  ExprPtr expr;                       // or
  std::unique_ptr<GroupingSet> set;
};

enum class SetOperation : uint8_t { kNone, kUnion, kIntersect, kExcept };
enum class LockStrength : uint8_t { kKeyShare, kShare, kNoKeyUpdate, kUpdate };
enum class LockWait : uint8_t { kBlock, kSkipLocked, kNoWait };
struct LockingClause {
  LockStrength strength = LockStrength::kUpdate;
  LockWait wait = LockWait::kBlock;
  std::vector<TableRef> of;
  SourcePos pos;
};

// SELECT, VALUES, TABLE, or a set operation over two of them.
struct SelectStatement {
  std::unique_ptr<WithClause> with;
  bool distinct = false;
  std::vector<ExprPtr> distinct_on;
  std::vector<Target> targets;
  std::vector<TableExprPtr> from;
  ExprPtr where;
  std::vector<GroupItem> group_by;
  bool group_distinct = false;
  ExprPtr having;
  std::vector<WindowSpec> windows;
  std::vector<std::vector<ExprPtr>> values;  // VALUES lists; then targets and from are empty
  // Set operation: op over left and right; then only the clauses below (and with) apply.
  SetOperation op = SetOperation::kNone;
  bool all = false;
  SelectPtr left;
  SelectPtr right;
  std::vector<SortItem> order_by;
  ExprPtr limit;  // null = none (LIMIT ALL too)
  ExprPtr offset;
  bool with_ties = false;
  std::vector<LockingClause> locking;
  TableRef* into = nullptr;  // SELECT INTO is 0A000 in the converter
  SourcePos pos;
};

struct OnConflict {
  // The arbiter: columns or expressions, or a constraint's name; both empty = any.
  std::vector<ExprPtr> columns;
  ExprPtr index_where;
  std::string constraint;
  bool update = false;  // else DO NOTHING
  std::vector<Target> set;
  ExprPtr where;
  SourcePos pos;
};
struct InsertStatement {
  std::unique_ptr<WithClause> with;
  TableRef table;
  std::vector<Target> columns;  // names only; empty = all
  SelectPtr source;             // null = DEFAULT VALUES
  enum class Overriding : uint8_t { kNone, kUser, kSystem } overriding = Overriding::kNone;
  std::unique_ptr<OnConflict> on_conflict;
  std::vector<Target> returning;
};
struct UpdateStatement {
  std::unique_ptr<WithClause> with;
  TableRef table;
  std::vector<Target> set;
  std::vector<TableExprPtr> from;
  ExprPtr where;
  std::vector<Target> returning;
};
struct DeleteStatement {
  std::unique_ptr<WithClause> with;
  TableRef table;
  std::vector<TableExprPtr> using_list;
  ExprPtr where;
  std::vector<Target> returning;
};

// One "name = value" of a WITH (…) or option list. The value is absent, a constant, a name, or a list.
struct DefinitionItem {
  std::string name_space;  // toast.x
  std::string name;
  std::optional<std::string> value;  // as text
  std::vector<std::string> list;     // FORCE_QUOTE (a, b)
  bool star = false;                 // FORCE_QUOTE *
  bool value_is_string = false;      // written in quotes
  SourcePos pos;
};

struct Constraint {
  enum class Kind : uint8_t { kNull, kNotNull, kDefault, kPrimaryKey, kUnique, kCheck, kForeignKey, kIdentity, kGenerated, kExclusion } kind;
  std::string name;                   // empty = none given
  ExprPtr expr;                       // DEFAULT, CHECK, GENERATED
  std::string expr_text;              // the source text of `expr`, for DEFAULT
  std::vector<std::string> columns;   // of a table constraint
  bool deferrable = false;
  bool initially_deferred = false;
  SourcePos pos;
};
struct ColumnDefinition {
  std::string name;
  TypeName type;
  std::string collation;
  SourcePos collation_pos;
  std::vector<Constraint> constraints;
  SourcePos pos;
};
struct CreateTableStatement {
  TableRef table;
  bool if_not_exists = false;
  char persistence = 'p';  // t temporary, u unlogged
  std::vector<ColumnDefinition> columns;
  std::vector<Constraint> constraints;
  std::vector<DefinitionItem> options;
};
struct CreateSchemaStatement {
  std::string name;  // empty = the owner's
  bool if_not_exists = false;
  std::string owner;  // AUTHORIZATION; empty = current role
  SourcePos pos;
};

enum class ObjectKind : uint8_t { kTable, kView, kIndex, kSequence, kSchema, kColumn, kDatabase, kRole, kType, kFunction, kConstraint, kOther };
struct DropStatement {
  ObjectKind kind = ObjectKind::kTable;
  std::vector<QualifiedName> names;
  bool if_exists = false;
  bool cascade = false;
};

struct AlterTableCommand {
  enum class Kind : uint8_t {
    kAddColumn, kDropColumn, kSetDefault, kDropDefault, kSetNotNull, kDropNotNull, kAlterType, kSetOptions, kResetOptions,
    kAddConstraint, kOther
  } kind = Kind::kOther;
  std::string column;
  std::unique_ptr<ColumnDefinition> definition;   // kAddColumn, kAlterType
  ExprPtr expr;                                   // kSetDefault, USING of kAlterType
  std::string expr_text;
  std::vector<DefinitionItem> options;            // kSetOptions, kResetOptions
  std::unique_ptr<Constraint> constraint;         // kAddConstraint
  bool if_exists = false;                         // DROP COLUMN IF EXISTS / ADD COLUMN IF NOT EXISTS
  bool cascade = false;
  std::string feature;                            // kOther: the name for 0A000 ("ALTER TABLE ... OWNER TO")
  SourcePos pos;
};
struct AlterTableStatement {
  TableRef table;
  bool if_exists = false;
  std::vector<AlterTableCommand> commands;
};
struct RenameStatement {  // ALTER TABLE t RENAME TO / RENAME COLUMN a TO b, ALTER SCHEMA s RENAME TO
  ObjectKind kind = ObjectKind::kTable;
  TableRef table;
  std::string old_name;  // column or schema
  std::string new_name;
  bool if_exists = false;
};
struct TruncateStatement {
  std::vector<TableRef> tables;
  bool restart_identity = false;
  bool cascade = false;
};
struct CommentStatement {
  ObjectKind kind = ObjectKind::kTable;
  QualifiedName name;  // for a column: [schema, table, column] parts
  std::optional<std::string> text;  // nullopt = NULL, removes it
  SourcePos pos;
};

struct TransactionModes {
  std::optional<std::string> isolation;  // "read committed", …
  std::optional<bool> read_only;
  std::optional<bool> deferrable;
};
struct TransactionStatement {
  enum class Kind : uint8_t { kBegin, kStart, kCommit, kRollback, kSavepoint, kRelease, kRollbackTo, kPrepare, kCommitPrepared, kRollbackPrepared } kind;
  TransactionModes modes;
  std::string name;  // savepoint
  bool chain = false;
};

struct PrepareStatement {
  std::string name;
  std::vector<TypeName> types;
  StatementPtr query;
};
struct ExecuteStatement {
  std::string name;
  std::vector<ExprPtr> args;
};
struct DeallocateStatement {
  std::string name;  // empty = ALL
};

struct SetStatement {
  enum class Kind : uint8_t { kValue, kDefault, kCurrent, kReset, kResetAll, kTransaction, kSessionCharacteristics } kind = Kind::kValue;
  std::string name;
  bool is_local = false;
  std::vector<std::string> values;  // a list joins with ", "
  // SET TIME ZONE INTERVAL '…' arrives as values {"…"} with this set.
  bool interval_value = false;
  TransactionModes modes;
};
struct ShowStatement {
  std::string name;  // "all" for SHOW ALL
};
struct DiscardStatement {
  enum class Target : uint8_t { kAll, kPlans, kSequences, kTemp } target = Target::kAll;
};
struct ExplainStatement {
  StatementPtr query;
  std::vector<DefinitionItem> options;  // analyze, verbose, costs, timing, summary, buffers, format
};
struct CopyStatement {
  TableRef table;
  std::vector<std::string> columns;
  StatementPtr query;  // COPY (query) TO
  bool is_from = false;
  bool is_program = false;
  std::string filename;  // empty = STDIN / STDOUT
  std::vector<DefinitionItem> options;
  ExprPtr where;
};
struct CheckpointStatement {};
struct VacuumStatement {  // VACUUM and ANALYZE
  bool analyze_only = false;
  std::vector<DefinitionItem> options;
  std::vector<TableRef> tables;
};
struct LockTableStatement {
  std::vector<TableRef> tables;
  int mode = 8;  // PostgreSQL's lock mode number
  bool no_wait = false;
};

struct Statement {
  using Node = std::variant<SelectStatement, InsertStatement, UpdateStatement, DeleteStatement, CreateTableStatement, CreateSchemaStatement,
                            DropStatement, AlterTableStatement, RenameStatement, TruncateStatement, CommentStatement, TransactionStatement,
                            PrepareStatement, ExecuteStatement, DeallocateStatement, SetStatement, ShowStatement, DiscardStatement,
                            ExplainStatement, CopyStatement, CheckpointStatement, VacuumStatement, LockTableStatement>;
  Node node;
  // Where the statement stands in the text (of several).
  size_t text_begin = 0;
  size_t text_end = 0;
};

}  // namespace mayfly::parse
