// Typed expressions: every name resolved, every overload chosen, every coercion explicit. Immutable and shared; printable.
//
// The analyzer makes Var nodes that name a range table entry; the planner replaces them by InputRef (a column of the node's input)
// and OuterParam (a value handed down into a subplan). Nothing else differs between an analyzed and a planned expression.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/function_ref.h"
#include "base/sql_error.h"
#include "catalog/facts.h"
#include "sql/types/owned_datum.h"

namespace mayfly::analyze {

struct Expr;
struct Query;
using ExprPtr = std::shared_ptr<const Expr>;
using QueryPtr = std::shared_ptr<const Query>;

struct Const {
  types::OwnedDatum value;
};
// $n of the client, from 1.
struct Param {
  int number = 0;
};
// A column of a range table entry: index into Query::range_table, column index from 0 (RangeTableEntry::columns).
struct Var {
  size_t entry = 0;
  size_t column = 0;
  int levels_up = 0;  // 0 = this query, 1 = the one around it …
};
// Column of the plan node's input batch.
struct InputRef {
  size_t column = 0;
};
// Value of an outer query, by number in the subplan's parameter list; constant while the subplan runs.
struct OuterParam {
  size_t number = 0;
};
// The value of CASE x / an array element under coercion, inside its own WHENs.
struct CaseTestValue {};

enum class CallForm : uint8_t { kFunction, kOperator, kCast };
// A function, operator or cast function. Set-returning ones stand in target lists and FROM only.
struct Call {
  const catalog::ProcRow* proc = nullptr;
  const catalog::OperatorRow* op = nullptr;  // kOperator
  std::vector<ExprPtr> args;
  CallForm form = CallForm::kFunction;
  bool explicit_cast = false;   // kCast: written by the user
  bool variadic_array = false;  // VARIADIC was given: the last argument is the array itself
};

struct SortKey {
  ExprPtr expr;
  bool descending = false;
  bool nulls_first = false;
};

struct Aggregate {
  const catalog::ProcRow* proc = nullptr;
  std::vector<ExprPtr> args;
  std::vector<SortKey> order_by;
  ExprPtr filter;
  bool star = false;
  bool distinct = false;
  int levels_up = 0;
};

enum class BoolOp : uint8_t { kAnd, kOr, kNot };
struct Bool {
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
struct Case {
  struct When {
    ExprPtr condition;  // boolean; for CASE x it is x = value over CaseTestValue
    ExprPtr result;
  };
  ExprPtr arg;  // null for the searched form
  std::vector<When> whens;
  ExprPtr otherwise;  // never null
};
struct Coalesce {
  std::vector<ExprPtr> args;
};
// GREATEST, LEAST: by the type's btree order, NULLs ignored.
struct MinMax {
  bool greatest = true;
  std::vector<ExprPtr> args;
};
// IS [NOT] DISTINCT FROM: `equal` is the operator's function over two arguments, called where neither is NULL.
struct DistinctFrom {
  const catalog::ProcRow* equal = nullptr;
  ExprPtr left;
  ExprPtr right;
  bool negated = false;
};
// left where not (left = right), else NULL.
struct NullIf {
  const catalog::ProcRow* equal = nullptr;
  ExprPtr left;
  ExprPtr right;
};
// left op ANY/ALL (elements), also IN lists. Either a list of expressions or one array-typed expression.
struct AnyAll {
  const catalog::ProcRow* proc = nullptr;  // over (left, element), boolean
  const catalog::OperatorRow* op = nullptr;
  bool all = false;
  ExprPtr left;
  std::vector<ExprPtr> elements;
  ExprPtr array;  // where `elements` is empty
};
// A cast without effect on the value (binary coercible).
struct Relabel {
  ExprPtr arg;
  bool explicit_cast = false;
};
// A cast through the text forms.
struct CoerceViaIo {
  ExprPtr arg;
  bool explicit_cast = false;
};
// A cast of each element of an array; `element` is over CaseTestValue.
struct ArrayCoerce {
  ExprPtr arg;
  ExprPtr element;
};
struct Row {
  std::vector<ExprPtr> args;
  std::vector<std::string> names;
};
struct ArrayConstructor {
  std::vector<ExprPtr> elements;
  bool multi_dimensional = false;  // the elements are arrays
};
struct ArraySubscript {
  ExprPtr array;
  struct Index {
    ExprPtr lower;  // slices only
    ExprPtr upper;
  };
  std::vector<Index> indexes;
  bool slice = false;
};
enum class SubLinkKind : uint8_t { kExists, kAny, kAll, kScalar, kArray };
struct SubLink {
  SubLinkKind kind = SubLinkKind::kScalar;
  // kAny, kAll: the comparison of each test value with the subquery's column: `comparisons[i]` is over tests[i] and InputRef{i}.
  std::vector<ExprPtr> comparisons;
  QueryPtr query;
};
// A SubLink after planning: made by sql/plan only (index into the plan's subplans; `args[i]` is the value of OuterParam i; null where
// the subplan sets that one itself, for LATERAL).
struct SubPlan {
  SubLinkKind kind = SubLinkKind::kScalar;
  std::vector<ExprPtr> comparisons;
  size_t subplan = 0;
  std::vector<ExprPtr> args;
};
// Column of the subquery's current rows, inside SubPlan::comparisons (what InputRef is inside SubLink::comparisons).
struct SubPlanColumn {
  size_t column = 0;
};
// CURRENT_DATE and kin that are neither plain functions nor constants: by PostgreSQL's name ("current_date", "current_user" …).
struct SqlValue {
  std::string name;
};

struct Expr {
  using Node = std::variant<Const, Param, Var, InputRef, OuterParam, CaseTestValue, Call, Aggregate, Bool, NullTest, BooleanTest, Case, Coalesce,
                            MinMax, DistinctFrom, NullIf, AnyAll, Relabel, CoerceViaIo, ArrayCoerce, Row, ArrayConstructor, ArraySubscript,
                            SubLink, SubPlan, SubPlanColumn, SqlValue>;
  Node node;
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
  SourcePos pos;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

ExprPtr MakeExpr(Expr::Node node, const types::TypeDesc* type, int32_t typmod = -1, SourcePos pos = {});
ExprPtr MakeConst(const types::TypeDesc* type, const types::Datum& value, int32_t typmod = -1, SourcePos pos = {});

// Calls `fn` for each direct child, in evaluation order (not into SubLink queries).
void ForEachChild(const Expr& expr, FunctionRef<void(const ExprPtr&)> fn);
// A copy with each direct child replaced by fn(child); `expr` itself where nothing changed.
ExprPtr MapChildren(const ExprPtr& expr, FunctionRef<ExprPtr(const ExprPtr&)> fn);
// Same tree, ignoring positions.
bool Equal(const Expr& a, const Expr& b);
// Canonical text for golden tests and EXPLAIN's fallback.
std::string Print(const Expr& expr);

}  // namespace mayfly::analyze
