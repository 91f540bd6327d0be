// Operators and the syntax that is made of them: LIKE, BETWEEN, IN, IS DISTINCT FROM, NULLIF, op ANY.
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {

ExprPtr AnalyzeOperatorCall(Scope& scope, const parse::OperatorCall& call, SourcePos pos) {
  if (call.right == nullptr) Throw(SqlError::Make(kSyntaxError, "postfix operators are not supported").At(pos));
  if (call.left != nullptr && std::holds_alternative<parse::RowExpr>(call.left->node)) {
    const auto* left = std::get_if<parse::RowExpr>(&call.left->node);
    if (const auto* right = std::get_if<parse::RowExpr>(&call.right->node)) {
      const std::vector<ExprPtr> left_args = AnalyzeExprs(scope, left->args);
      return CompareRows(scope, {call.name, pos}, left_args, AnalyzeExprs(scope, right->args));
    }
    if (const auto* subquery = std::get_if<parse::SubqueryExpr>(&call.right->node);
        subquery != nullptr && subquery->kind == parse::SubqueryKind::kScalar) {
      Throw(SqlError::NotSupported("row comparison with a subquery", pos));
    }
  }
  ExprPtr left = call.left == nullptr ? nullptr : AnalyzeExpr(scope, *call.left);
  ExprPtr right = AnalyzeExpr(scope, *call.right);
  return MakeOperator(scope, {call.name, pos}, std::move(left), std::move(right));
}

ExprPtr AnalyzeLike(Scope& scope, const parse::LikeExpr& like, SourcePos pos) {
  std::string_view name = like.negated ? "!~~" : "~~";
  if (like.kind == parse::LikeKind::kIlike) name = like.negated ? "!~~*" : "~~*";
  if (like.kind == parse::LikeKind::kSimilar) name = like.negated ? "!~" : "~";
  ExprPtr left = AnalyzeExpr(scope, *like.left);
  ExprPtr pattern = AnalyzeExpr(scope, *like.pattern);
  return MakeOperator(scope, name, std::move(left), std::move(pattern), pos);
}

namespace {

// arg low_op low AND/OR arg high_op high; the argument is analyzed once a use, as PostgreSQL does.
ExprPtr AnalyzeBounds(Scope& scope, const parse::BetweenExpr& between, const parse::Expr& low, const parse::Expr& high,
                      SourcePos pos) {
  const bool negated = between.negated;
  ExprPtr arg = AnalyzeExpr(scope, *between.arg);
  ExprPtr first = MakeOperator(scope, negated ? "<" : ">=", std::move(arg), AnalyzeExpr(scope, low), pos);
  arg = AnalyzeExpr(scope, *between.arg);
  ExprPtr second = MakeOperator(scope, negated ? ">" : "<=", std::move(arg), AnalyzeExpr(scope, high), pos);
  const std::string_view clause = negated ? "OR" : "AND";
  first = CoerceToBoolean(scope, first, clause);
  second = CoerceToBoolean(scope, second, clause);
  return MakeBool(negated ? BoolOp::kOr : BoolOp::kAnd, {std::move(first), std::move(second)}, pos);
}

}  // namespace

ExprPtr AnalyzeBetween(Scope& scope, const parse::BetweenExpr& between, SourcePos pos) {
  ExprPtr straight = AnalyzeBounds(scope, between, *between.low, *between.high, pos);
  if (!between.symmetric) return straight;
  ExprPtr crossed = AnalyzeBounds(scope, between, *between.high, *between.low, pos);
  return MakeBool(between.negated ? BoolOp::kAnd : BoolOp::kOr, {std::move(straight), std::move(crossed)}, pos);
}

namespace {

[[noreturn]] void ThrowAnyAll(std::string_view what, SourcePos pos) {
  Throw(SqlError::Make(kWrongObjectType, "op ANY/ALL (array) requires {}", what).At(pos));
}

// left op ANY/ALL over an array expression, or over elements of type `element`.
struct AnyAllParts {
  ExprPtr left;
  ExprPtr array;                  // or
  std::vector<ExprPtr> elements;  // all of type `element`
  const TypeDesc* element = nullptr;
  bool all = false;
};
ExprPtr MakeAnyAll(Scope& scope, const OperatorName& name, AnyAllParts parts) {
  const catalog::OperatorRow* op = ResolveOperator(scope, name, parts.left->type, parts.element);
  std::vector<const TypeDesc*> actual = {parts.left->type, parts.element};
  std::vector<const TypeDesc*> declared = {catalog::FindType(op->left), catalog::FindType(op->right)};
  const bool polymorphic_right = IsPolymorphic(op->right);
  const TypeDesc* result = ResolvePolymorphic(actual, declared, catalog::FindType(op->result));
  if (result != BoolType()) ThrowAnyAll("operator to yield boolean", name.pos);
  AnyAll node{
      .proc = OperatorFunction(*op, name.pos), .op = op, .all = parts.all, .left = nullptr, .elements = {}, .array = nullptr};
  node.left = CoerceType(scope, parts.left, declared[0], -1, {});
  for (const ExprPtr& element : parts.elements) node.elements.push_back(CoerceType(scope, element, declared[1], -1, {}));
  if (parts.array != nullptr) {
    const TypeDesc* array_type = polymorphic_right && !IsUnknown(parts.array->type) ? parts.array->type : declared[1]->array;
    if (array_type == nullptr) {
      Throw(SqlError::Make(kUndefinedObject, "could not find array type for data type {}", TypeText(declared[1])).At(name.pos));
    }
    node.array = CoerceType(scope, parts.array, array_type, -1, {});
  }
  return MakeExpr(std::move(node), BoolType(), -1, name.pos);
}

}  // namespace

ExprPtr AnalyzeAnyAllArray(Scope& scope, const parse::AnyAllArray& any_all, SourcePos pos) {
  AnyAllParts parts;
  parts.all = any_all.all;
  parts.left = AnalyzeExpr(scope, *any_all.left);
  parts.array = AnalyzeExpr(scope, *any_all.array);
  parts.element = IsUnknown(parts.array->type) ? parts.array->type : parts.array->type->element;
  if (parts.element == nullptr) ThrowAnyAll("array on right side", pos);
  return MakeAnyAll(scope, {any_all.op, pos}, std::move(parts));
}

ExprPtr AnalyzeInList(Scope& scope, const parse::InList& in, SourcePos pos) {
  const parse::QualifiedName equal{in.negated ? "<>" : "="};
  const OperatorName name{equal, pos};
  const ExprPtr left = AnalyzeExpr(scope, *in.left);
  // Items without columns become one ANY over a list, if a common type with an array type exists; the others are compared one by
  // one.
  std::vector<ExprPtr> list;
  std::vector<ExprPtr> single;
  std::vector<ExprPtr> all;
  for (const parse::ExprPtr& item : in.items) {
    ExprPtr expr = AnalyzeExpr(scope, *item);
    all.push_back(expr);
    (ContainsColumn(expr) ? single : list).push_back(std::move(expr));
  }
  ExprPtr result;
  if (list.size() > 1) {
    std::vector<ExprPtr> typed = {left};
    typed.insert(typed.end(), list.begin(), list.end());
    const TypeDesc* common = SelectCommonType(typed, {});
    if (common != nullptr && common->oid != catalog::kOidRecord && common->array != nullptr && CanAllBecome(typed, common)) {
      AnyAllParts parts;
      parts.left = left;
      parts.element = common;
      parts.all = in.negated;
      for (const ExprPtr& item : list) parts.elements.push_back(CoerceToCommon(scope, item, common, "IN"));
      result = MakeAnyAll(scope, name, std::move(parts));
      all = std::move(single);
    }
  }
  std::vector<ExprPtr> terms;
  if (result != nullptr) terms.push_back(std::move(result));
  for (const ExprPtr& item : all) {
    const Row* left_row = left->As<Row>();
    const Row* right_row = item->As<Row>();
    ExprPtr term = left_row != nullptr && right_row != nullptr ? CompareRows(scope, name, left_row->args, right_row->args)
                                                               : MakeOperator(scope, name, left, item);
    terms.push_back(CoerceToBoolean(scope, term, "IN"));
  }
  if (terms.size() == 1) return terms[0];
  return MakeBool(in.negated ? BoolOp::kAnd : BoolOp::kOr, std::move(terms), pos);
}

namespace {

bool IsNullLiteral(const parse::Expr& expr) {
  const auto* constant = std::get_if<parse::Constant>(&expr.node);
  return constant != nullptr && constant->kind == parse::ConstantKind::kNull;
}

ExprPtr MakeDistinct(Scope& scope, const ExprPtr& left, const ExprPtr& right, bool negated, SourcePos pos) {
  const ExprPtr equal = MakeOperator(scope, "=", left, right, pos);
  const Call& call = *equal->As<Call>();
  if (equal->type != BoolType()) {
    Throw(SqlError::Make(kDatatypeMismatch, "IS DISTINCT FROM requires = operator to yield boolean").At(pos));
  }
  return MakeExpr(DistinctFrom{call.proc, call.args[0], call.args[1], negated}, BoolType(), -1, pos);
}

}  // namespace

ExprPtr AnalyzeDistinctFrom(Scope& scope, const parse::DistinctFrom& distinct, SourcePos pos) {
  if (IsNullLiteral(*distinct.right)) return MakeNullTest(AnalyzeExpr(scope, *distinct.left), !distinct.negated, pos);
  if (IsNullLiteral(*distinct.left)) return MakeNullTest(AnalyzeExpr(scope, *distinct.right), !distinct.negated, pos);
  const ExprPtr left = AnalyzeExpr(scope, *distinct.left);
  const ExprPtr right = AnalyzeExpr(scope, *distinct.right);
  const Row* left_row = left->As<Row>();
  const Row* right_row = right->As<Row>();
  if (left_row == nullptr || right_row == nullptr || left_row->args.empty())
    return MakeDistinct(scope, left, right, distinct.negated, pos);
  if (left_row->args.size() != right_row->args.size()) {
    Throw(SqlError::Make(kSyntaxError, "unequal number of entries in row expressions").At(pos));
  }
  std::vector<ExprPtr> terms;
  for (size_t i = 0; i < left_row->args.size(); ++i) {
    terms.push_back(MakeDistinct(scope, left_row->args[i], right_row->args[i], distinct.negated, pos));
  }
  if (terms.size() == 1) return terms[0];
  return MakeBool(distinct.negated ? BoolOp::kAnd : BoolOp::kOr, std::move(terms), pos);
}

ExprPtr AnalyzeNullIf(Scope& scope, const parse::NullIf& null_if, SourcePos pos) {
  ExprPtr left = AnalyzeExpr(scope, *null_if.left);
  ExprPtr right = AnalyzeExpr(scope, *null_if.right);
  const ExprPtr equal = MakeOperator(scope, "=", std::move(left), std::move(right), pos);
  const Call& call = *equal->As<Call>();
  if (equal->type != BoolType()) Throw(SqlError::Make(kDatatypeMismatch, "NULLIF requires = operator to yield boolean").At(pos));
  return MakeExpr(NullIf{call.proc, call.args[0], call.args[1]}, call.args[0]->type, call.args[0]->typmod, pos);
}

}  // namespace mayfly::analyze
