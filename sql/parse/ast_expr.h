// The abstract syntax tree, part one: expressions, types and table expressions, as the client wrote them. No names are resolved here.
//
// Made by sql/parse from libpg_query's raw tree, and printable (sql/parse/ast_printer.h). Owned by unique_ptr; copies what it keeps.
// Positions are byte offsets into the text the client sent.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/sql_error.h"

namespace mayfly::parse {

struct Expr;
struct SelectStatement;
struct TableExpr;
using ExprPtr = std::unique_ptr<Expr>;
using SelectPtr = std::unique_ptr<SelectStatement>;
using TableExprPtr = std::unique_ptr<TableExpr>;

// A possibly qualified name: {"public", "t"}. Case already folded by the grammar.
using QualifiedName = std::vector<std::string>;

// A type as written: {"pg_catalog", "int4"} for INTEGER (the grammar maps SQL spellings), {"my_type"} otherwise.
struct TypeName {
  QualifiedName name;
  std::vector<ExprPtr> modifiers;  // (10, 2); interval fields arrive as PostgreSQL's integer masks
  int array_dimensions = 0;
  bool set_of = false;
  SourcePos pos;
};

enum class ConstantKind : uint8_t { kNull, kInteger, kFloat, kString, kBoolean, kBitString };
struct Constant {
  ConstantKind kind = ConstantKind::kNull;
  int32_t integer = 0;   // kInteger (fits int4; longer digits are kFloat, as in PostgreSQL), kBoolean 0/1
  std::string text;      // kFloat as written, kString decoded, kBitString with its b/x prefix
};

struct ParameterRef {
  int number = 0;  // $n
};

struct ColumnRef {
  QualifiedName fields;  // a, t.a, s.t.a
  bool star = false;     // t.*, or * where `fields` is empty
};

// Every A_Expr that is a plain operator; prefix operators have no left.
struct OperatorCall {
  QualifiedName name;
  ExprPtr left;
  ExprPtr right;
};

// left op ANY/ALL (array expression).
struct AnyAllArray {
  QualifiedName op;
  bool all = false;
  ExprPtr left;
  ExprPtr array;
};

struct InList {  // left [NOT] IN (items): the operator name is "=" or "<>"
  ExprPtr left;
  std::vector<ExprPtr> items;
  bool negated = false;
};

enum class LikeKind : uint8_t { kLike, kIlike, kSimilar };
struct LikeExpr {  // ESCAPE is already folded into the pattern by the grammar (like_escape / similar_to_escape calls)
  LikeKind kind = LikeKind::kLike;
  bool negated = false;
  ExprPtr left;
  ExprPtr pattern;
};

struct BetweenExpr {
  bool negated = false;
  bool symmetric = false;
  ExprPtr arg;
  ExprPtr low;
  ExprPtr high;
};

struct DistinctFrom {  // left IS [NOT] DISTINCT FROM right
  bool negated = false;
  ExprPtr left;
  ExprPtr right;
};

struct NullIf {
  ExprPtr left;
  ExprPtr right;
};

enum class BoolOp : uint8_t { kAnd, kOr, kNot };
struct BoolExpr {  // AND and OR chains are flat
  BoolOp op = BoolOp::kAnd;
  std::vector<ExprPtr> args;
};

struct NullTest {
  ExprPtr arg;
  bool is_not = false;
};

enum class TruthTest : uint8_t { kTrue, kNotTrue, kFalse, kNotFalse, kUnknown, kNotUnknown };
struct BooleanTest {
  ExprPtr arg;
  TruthTest test = TruthTest::kTrue;
};

struct SortItem {
  ExprPtr expr;
  enum class Direction : uint8_t { kDefault, kAsc, kDesc, kUsing } direction = Direction::kDefault;
  enum class Nulls : uint8_t { kDefault, kFirst, kLast } nulls = Nulls::kDefault;
  QualifiedName using_op;
  SourcePos pos;
};

struct WindowSpec {
  std::string name;        // in a WINDOW clause
  std::string reference;   // OVER (w …) or OVER w
  std::vector<ExprPtr> partition_by;
  std::vector<SortItem> order_by;
  int frame_options = 0;   // PostgreSQL's FRAMEOPTION_ bits
  ExprPtr start_offset;
  ExprPtr end_offset;
  SourcePos pos;
};

struct FunctionCall {
  QualifiedName name;
  std::vector<ExprPtr> args;
  std::vector<std::string> arg_names;  // empty, or one each ("" = positional)
  std::vector<SortItem> order_by;      // inside the parentheses, or WITHIN GROUP
  ExprPtr filter;
  std::unique_ptr<WindowSpec> over;
  bool star = false;
  bool distinct = false;
  bool variadic = false;
  bool within_group = false;
};

struct CastExpr {
  ExprPtr arg;
  TypeName type;
};

struct CollateExpr {
  ExprPtr arg;
  QualifiedName collation;
};

struct CaseWhen {
  ExprPtr when;
  ExprPtr then;
  SourcePos pos;
};
struct CaseExpr {
  ExprPtr arg;  // null for the searched form
  std::vector<CaseWhen> whens;
  ExprPtr otherwise;  // null = NULL
};

struct CoalesceExpr {
  std::vector<ExprPtr> args;
};
struct MinMaxExpr {  // GREATEST, LEAST
  bool greatest = true;
  std::vector<ExprPtr> args;
};

struct RowExpr {
  std::vector<ExprPtr> args;
};
struct ArrayExpr {  // ARRAY[…]
  std::vector<ExprPtr> elements;
};

struct Subscript {
  bool is_slice = false;
  ExprPtr lower;  // slices only; may be null
  ExprPtr upper;  // the index of a plain subscript
};
// arg[1], arg[1:2], (arg).field, (arg).*
struct Indirection {
  ExprPtr arg;
  struct Step {
    std::string field;  // empty for a subscript
    bool star = false;
    std::unique_ptr<Subscript> subscript;
  };
  std::vector<Step> steps;
};

enum class SubqueryKind : uint8_t { kExists, kAny, kAll, kScalar, kArray };
struct SubqueryExpr {
  SubqueryKind kind = SubqueryKind::kScalar;
  ExprPtr test;      // kAny, kAll
  QualifiedName op;  // kAny, kAll; empty means "=" (IN)
  SelectPtr select;
};

// CURRENT_DATE and its kin (SQLValueFunction), by PostgreSQL's names in lower case: "current_date", "current_timestamp", "localtime",
// "current_user", "user", "session_user", "current_role", "current_catalog", "current_schema", ….
struct SqlValueFunction {
  std::string name;
  int32_t typmod = -1;
};

struct DefaultExpr {};  // DEFAULT in VALUES or SET

struct GroupingFunc {
  std::vector<ExprPtr> args;
};

struct CurrentOf {
  std::string cursor;
};

struct Expr {
  using Node = std::variant<Constant, ParameterRef, ColumnRef, OperatorCall, AnyAllArray, InList, LikeExpr, BetweenExpr, DistinctFrom,
                            NullIf, BoolExpr, NullTest, BooleanTest, FunctionCall, CastExpr, CollateExpr, CaseExpr, CoalesceExpr,
                            MinMaxExpr, RowExpr, ArrayExpr, Indirection, SubqueryExpr, SqlValueFunction, DefaultExpr, GroupingFunc,
                            CurrentOf>;
  Node node;
  SourcePos pos;
};

struct Alias {
  std::string name;  // empty = none
  std::vector<std::string> columns;
};

// A table by name, with what may stand around it.
struct TableRef {
  std::string catalog;
  std::string schema;
  std::string name;
  bool only = false;  // ONLY t (nothing inherits yet, so it changes nothing)
  Alias alias;
  SourcePos pos;
};

struct SubqueryRef {
  bool lateral = false;
  SelectPtr select;
  Alias alias;
};

struct FunctionRef {
  bool lateral = false;
  bool with_ordinality = false;
  bool rows_from = false;
  std::vector<ExprPtr> calls;  // FunctionCall (or SqlValueFunction) each
  Alias alias;
  // AS (a int, b text)
  struct ColumnDefinition {
    std::string name;
    TypeName type;
  };
  std::vector<ColumnDefinition> column_definitions;
};

enum class JoinType : uint8_t { kInner, kLeft, kRight, kFull };
struct JoinRef {
  JoinType type = JoinType::kInner;
  bool natural = false;
  TableExprPtr left;
  TableExprPtr right;
  std::vector<std::string> using_columns;
  ExprPtr on;  // null for CROSS, USING, NATURAL
  Alias alias;        // (a JOIN b …) AS x
  Alias using_alias;  // USING (…) AS x
};

struct TableExpr {
  std::variant<TableRef, SubqueryRef, FunctionRef, JoinRef> node;
  SourcePos pos;
};

}  // namespace mayfly::parse
