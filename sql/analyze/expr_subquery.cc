// Subqueries in expressions: EXISTS, scalar, ARRAY, and comparison with ANY or ALL of a subquery's rows.
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

size_t VisibleTargets(const Query& query) {
  size_t count = 0;
  for (const TargetEntry& target : query.targets) count += target.hidden ? 0 : 1;
  return count;
}

const TargetEntry& FirstTarget(const Query& query) {
  for (const TargetEntry& target : query.targets) {
    if (!target.hidden) return target;
  }
  return query.targets.front();
}

// The left side as a list: a row of several columns, or one value.
std::vector<ExprPtr> TestValues(const ExprPtr& test) {
  if (const Row* row = test->As<Row>()) return row->args;
  return {test};
}

void AnalyzeComparison(Scope& scope, const parse::SubqueryExpr& subquery, SubLink& node, SourcePos pos) {
  const parse::QualifiedName equal{"="};
  const OperatorName name{subquery.op.empty() ? equal : subquery.op, pos};
  const std::vector<ExprPtr> tests = TestValues(AnalyzeExpr(scope, *subquery.test));
  std::vector<ExprPtr> columns;
  size_t index = 0;
  for (const TargetEntry& target : node.query->targets) {
    if (!target.hidden) columns.push_back(MakeExpr(InputRef{index++}, target.expr->type, target.expr->typmod));
  }
  if (tests.size() < columns.size()) Throw(SqlError::Make(kSyntaxError, "subquery has too many columns").At(pos));
  if (tests.size() > columns.size()) Throw(SqlError::Make(kSyntaxError, "subquery has too few columns").At(pos));
  const std::string& op = name.name.back();
  if (tests.size() > 1 && op != "=" && op != "<>") Throw(SqlError::NotSupported("row comparison with a subquery", pos));
  if (tests.size() > 1 && op == "<>") {
    // (a, b) <> ALL is a row-wise OR, so it is one comparison.
    node.comparisons.push_back(CompareRows(scope, name, tests, columns));
    return;
  }
  for (size_t i = 0; i < tests.size(); ++i) {
    ExprPtr comparison = MakeOperator(scope, name, tests[i], columns[i]);
    if (comparison->type != BoolType()) {
      Throw(SqlError::Make(kDatatypeMismatch, "row comparison operator must yield type boolean, not type {}",
                           TypeText(comparison->type))
                .At(pos));
    }
    node.comparisons.push_back(std::move(comparison));
  }
}

}  // namespace

ExprPtr AnalyzeSubquery(Scope& scope, const parse::SubqueryExpr& subquery, SourcePos pos) {
  if (scope.place == ExprPlace::kScalarClause) {
    std::string_view clause = scope.analysis.scalar_clause;
    if (clause.ends_with("s")) clause.remove_suffix(1);
    Throw(SqlError::Make(kFeatureNotSupported, "cannot use subquery in {}", clause).At(pos));
  }
  SubLink node;
  node.kind = static_cast<SubLinkKind>(subquery.kind);
  node.query = AnalyzeSubselect(scope, *subquery.select);
  if (node.kind == SubLinkKind::kExists) return MakeExpr(std::move(node), BoolType(), -1, pos);
  if (node.kind == SubLinkKind::kAny || node.kind == SubLinkKind::kAll) {
    AnalyzeComparison(scope, subquery, node, pos);
    return MakeExpr(std::move(node), BoolType(), -1, pos);
  }
  if (VisibleTargets(*node.query) != 1) Throw(SqlError::Make(kSyntaxError, "subquery must return only one column").At(pos));
  const Expr& target = *FirstTarget(*node.query).expr;
  const TypeDesc* type = target.type;
  if (node.kind == SubLinkKind::kArray) {
    type = type->category == 'A' ? type : type->array;
    if (type == nullptr) {
      Throw(SqlError::Make(kUndefinedObject, "could not find array type for data type {}", TypeText(target.type)).At(pos));
    }
  }
  const int32_t typmod = target.typmod;
  return MakeExpr(std::move(node), type, typmod, pos);
}

}  // namespace mayfly::analyze
