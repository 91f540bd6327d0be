// Rows: ROW(…), and comparison of rows field by field.
//
// (a, b) < (x, y) becomes a < x OR (a = x AND b < y): the same truth value in every case, NULLs included.
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

ExprPtr CompareField(Scope& scope, const OperatorName& name, const ExprPtr& left, const ExprPtr& right) {
  ExprPtr result = MakeOperator(scope, name, left, right);
  if (result->type != BoolType()) {
    Throw(
        SqlError::Make(kDatatypeMismatch, "row comparison operator must yield type boolean, not type {}", TypeText(result->type))
            .At(name.pos));
  }
  return result;
}

ExprPtr CompareLexically(Scope& scope, const OperatorName& name, const std::vector<ExprPtr>& left,
                         const std::vector<ExprPtr>& right) {
  const std::string& op = name.name.back();
  const parse::QualifiedName strict{op.substr(0, 1)};
  const parse::QualifiedName equal{"="};
  // All fields are compared first, from left to right, so that the first one without an operator is the one reported.
  std::vector<ExprPtr> before;
  for (size_t i = 0; i < left.size(); ++i) before.push_back(CompareField(scope, name, left[i], right[i]));
  ExprPtr result = before.back();
  for (size_t i = left.size() - 1; i-- > 0;) {
    ExprPtr same = CompareField(scope, {equal, name.pos}, left[i], right[i]);
    ExprPtr less = op.size() == 1 ? before[i] : CompareField(scope, {strict, name.pos}, left[i], right[i]);
    ExprPtr rest = MakeBool(BoolOp::kAnd, {std::move(same), std::move(result)}, name.pos);
    result = MakeBool(BoolOp::kOr, {std::move(less), std::move(rest)}, name.pos);
  }
  return result;
}

}  // namespace

ExprPtr CompareRows(Scope& scope, const OperatorName& name, const std::vector<ExprPtr>& left, const std::vector<ExprPtr>& right) {
  if (left.size() != right.size())
    Throw(SqlError::Make(kSyntaxError, "unequal number of entries in row expressions").At(name.pos));
  if (left.empty()) Throw(SqlError::Make(kFeatureNotSupported, "cannot compare rows of zero length").At(name.pos));
  const std::string& op = name.name.back();
  if (left.size() == 1) return CompareField(scope, name, left[0], right[0]);
  if (op == "<" || op == "<=" || op == ">" || op == ">=") return CompareLexically(scope, name, left, right);
  std::vector<ExprPtr> terms;
  for (size_t i = 0; i < left.size(); ++i) terms.push_back(CompareField(scope, name, left[i], right[i]));
  if (op == "=" || op == "<>") return MakeBool(op == "=" ? BoolOp::kAnd : BoolOp::kOr, std::move(terms), name.pos);
  Throw(SqlError::Make(kFeatureNotSupported, "could not determine interpretation of row comparison operator {}", op)
            .Hint("Row comparison operators must be associated with btree operator families.")
            .At(name.pos));
}

ExprPtr AnalyzeRow(Scope& scope, const parse::RowExpr& row, SourcePos pos) {
  constexpr size_t kFieldsMax = 1664;
  Row node;
  for (const parse::ExprPtr& arg : row.args) {
    // ROW(t.*) takes the columns of t.
    const auto* ref = std::get_if<parse::ColumnRef>(&arg->node);
    if (ref != nullptr && ref->star && !ref->fields.empty()) {
      const ExprPtr all = AnalyzeExpr(scope, *arg);
      if (const Row* fields = all->As<Row>()) {
        node.args.insert(node.args.end(), fields->args.begin(), fields->args.end());
        continue;
      }
    }
    node.args.push_back(AnalyzeExpr(scope, *arg));
  }
  if (node.args.size() > kFieldsMax)
    Throw(SqlError::Make(kTooManyColumns, "ROW expressions can have at most {} entries", kFieldsMax).At(pos));
  for (size_t i = 0; i < node.args.size(); ++i) node.names.push_back(fmt::format("f{}", i + 1));
  return MakeExpr(std::move(node), RecordType(), -1, pos);
}

}  // namespace mayfly::analyze
