// Values for columns: INSERT's columns, UPDATE's and ON CONFLICT's SET.
#include <algorithm>

#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"
#include "sql/parse/parser.h"

namespace mayfly::analyze {
namespace {

bool IsSystemColumn(std::string_view name) {
  return name == "tableoid" || name == "ctid" || name == "xmin" || name == "xmax" || name == "cmin" || name == "cmax";
}
bool IsTtlColumn(std::string_view name) { return name == "row_ttl_timestamp" || name == "row_expires_at"; }

const catalog::ColumnDescriptor& FindAssigned(const catalog::TableDescriptor& table, const parse::Target& target) {
  if (const catalog::ColumnDescriptor* column = table.FindColumn(target.name)) return *column;
  if (IsSystemColumn(target.name) || (table.ttl && IsTtlColumn(target.name))) {
    Throw(SqlError::Make(kFeatureNotSupported, "cannot assign to system column \"{}\"", target.name).At(target.pos));
  }
  Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" of relation \"{}\" does not exist", target.name, table.name)
            .At(target.pos));
}

// The i-th column of a row that a subquery yields, as a scalar subquery: SELECT column FROM (subquery).
ExprPtr SubqueryColumn(Scope& scope, const parse::SelectStatement& select, const parse::Target& target, SourcePos pos) {
  Scope around{scope.analysis, &scope};
  const std::shared_ptr<Query> inner = AnalyzeSubselect(around, select);
  RangeTableEntry entry;
  entry.columns = OutputColumns(*inner);
  entry.visible_columns = entry.columns.size();
  if (entry.columns.size() != static_cast<size_t>(target.multi_count)) {
    Throw(SqlError::Make(kSyntaxError, "number of columns does not match number of values").At(pos));
  }
  const size_t column = static_cast<size_t>(target.multi_column) - 1;
  entry.alias = "subquery";
  entry.source = SubqueryEntry{inner, false};
  const size_t index = AddEntry(around, std::move(entry));
  around.query->from.push_back({FromNode::Leaf{index}});
  ExprPtr value = MakeVar(around, index, column, 0, {});
  const TypeDesc* type = value->type;
  const int32_t typmod = value->typmod;
  around.query->targets.push_back({.expr = std::move(value), .name = target.name, .hidden = false, .table = {}});
  return MakeExpr(SubLink{SubLinkKind::kScalar, {}, around.query}, type, typmod, pos);
}

// One column of SET (a, b) = source.
ExprPtr AnalyzeMultiColumn(Scope& scope, const AssignmentTarget& to, const parse::Target& target, const parse::Expr& source) {
  if (const auto* subquery = std::get_if<parse::SubqueryExpr>(&source.node);
      subquery != nullptr && subquery->kind == parse::SubqueryKind::kScalar) {
    return CoerceAssigned(scope, to, SubqueryColumn(scope, *subquery->select, target, source.pos));
  }
  const auto* row = std::get_if<parse::RowExpr>(&source.node);
  if (row == nullptr) {
    Throw(
        SqlError::Make(kFeatureNotSupported, "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression")
            .At(source.pos));
  }
  if (row->args.size() != static_cast<size_t>(target.multi_count)) {
    Throw(SqlError::Make(kSyntaxError, "number of columns does not match number of values").At(source.pos));
  }
  return AnalyzeAssigned(scope, to, *row->args[static_cast<size_t>(target.multi_column) - 1]);
}

}  // namespace

ExprPtr CoerceAssigned(Scope& scope, const AssignmentTarget& target, const ExprPtr& expr) {
  const catalog::ColumnDescriptor& column = target.column;
  ExprPtr result = CoerceToTarget(scope, expr, column.type, column.typmod, {.context = CastContext::kAssignment});
  if (result != nullptr) return result;
  Throw(SqlError::Make(kDatatypeMismatch, "column \"{}\" is of type {} but expression is of type {}", column.name,
                       TypeText(column.type), TypeText(expr->type))
            .Hint("You will need to rewrite or cast the expression.")
            .At(Location(expr)));
}

ExprPtr AnalyzeAssigned(Scope& scope, const AssignmentTarget& target, const parse::Expr& expr) {
  if (std::holds_alternative<parse::DefaultExpr>(expr.node)) return ColumnDefault(scope, target.column);
  return CoerceAssigned(scope, target, AnalyzeExprAt(scope, expr, target.place));
}

ExprPtr ColumnDefault(Scope& scope, const catalog::ColumnDescriptor& column) {
  if (column.default_sql.empty()) return MakeConst(column.type, types::Datum::Null(), column.typmod);
  const std::vector<parse::StatementPtr> statements = parse::Parse("SELECT " + column.default_sql).value();
  const auto& select = std::get<parse::SelectStatement>(statements.at(0)->node);
  Analysis analysis{.context = scope.context(), .parameters = {}, .infer_parameters = false};
  Scope empty{analysis};
  const ExprPtr value = AnalyzeExprAt(empty, *select.targets.at(0).expr, ExprPlace::kOther);
  ExprPtr result = CoerceToTarget(empty, value, column.type, column.typmod, {.context = CastContext::kAssignment});
  if (result != nullptr) return result;
  Throw(SqlError::Make(kDatatypeMismatch, "column \"{}\" is of type {} but default expression is of type {}", column.name,
                       TypeText(column.type), TypeText(value->type)));
}

std::vector<Assignment> AnalyzeSetList(Scope& scope, const catalog::TableDescriptor& table,
                                       const std::vector<parse::Target>& set) {
  std::vector<Assignment> result;
  const parse::Expr* source = nullptr;
  for (const parse::Target& target : set) {
    if (target.multi_source != nullptr) source = target.multi_source.get();
    const catalog::ColumnDescriptor& column = FindAssigned(table, target);
    if (!target.indirection.empty()) {
      Throw(SqlError::NotSupported(
          target.indirection[0].subscript != nullptr ? "assignment to an array element" : "assignment to a field", target.pos));
    }
    const AssignmentTarget to{table, column, ExprPlace::kUpdateSource};
    ExprPtr value =
        target.multi_column == 0 ? AnalyzeAssigned(scope, to, *target.expr) : AnalyzeMultiColumn(scope, to, target, *source);
    result.push_back({column.id, std::move(value)});
  }
  for (size_t i = 0; i < result.size(); ++i) {
    const auto same = [&](const Assignment& other) { return other.column == result[i].column; };
    if (std::none_of(result.begin(), result.begin() + static_cast<ptrdiff_t>(i), same)) continue;
    Throw(SqlError::Make(kSyntaxError, "multiple assignments to same column \"{}\"", table.FindColumn(result[i].column)->name));
  }
  return result;
}

}  // namespace mayfly::analyze
