// Select lists and RETURNING: expansion of *, names and origins of output columns.
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

constexpr size_t kTargetsMax = 1664;

// RowDescription tells the table and column that an output column is.
void MarkOrigin(const Scope& scope, TargetEntry& target) {
  const Var* var = target.expr->As<Var>();
  if (var == nullptr) return;
  const Scope* at = &scope;
  for (int level = 0; level < var->levels_up; ++level) at = at->parent;
  const RangeTableEntry& entry = at->query->range_table[var->entry];
  if (const auto* table = std::get_if<TableEntry>(&entry.source)) {
    target.table = table->table->oid;
    target.attribute = table->column_ids[var->column].value;
    // System columns are not of pg_attribute's numbering, tableoid apart.
    if (target.attribute < catalog::system_column::kTableOid.value) target.attribute = 0;
  } else if (const auto* subquery = std::get_if<SubqueryEntry>(&entry.source)) {
    size_t column = 0;
    for (const TargetEntry& inner : subquery->query->targets) {
      if (inner.hidden) continue;
      if (column++ != var->column) continue;
      target.table = inner.table;
      target.attribute = inner.attribute;
    }
  }
}

void AppendItemColumns(const Scope& scope, const FoundItem& found, std::vector<TargetEntry>& out, SourcePos pos) {
  for (size_t i = 0; i < ItemColumnCount(*found.scope, *found.item); ++i) {
    TargetEntry target{.expr = ItemColumn(*found.scope, *found.item, i, found.levels_up, pos),
                       .name = ItemColumnName(*found.scope, *found.item, i),
                       .hidden = false,
                       .table = {}};
    MarkOrigin(scope, target);
    out.push_back(std::move(target));
  }
}

// t.* and (row).*; false where the target is no such thing.
bool AppendStar(Scope& scope, const parse::Expr& expr, std::vector<TargetEntry>& out) {
  if (const auto* ref = std::get_if<parse::ColumnRef>(&expr.node); ref != nullptr && ref->star) {
    if (ref->fields.empty()) {
      if (scope.names.empty()) Throw(SqlError::Make(kSyntaxError, "SELECT * with no tables specified is not valid").At(expr.pos));
      AppendAllColumns(scope, out, expr.pos);
      return true;
    }
    AppendItemColumns(scope, FindQualifiedRelation(scope, *ref, expr.pos), out, expr.pos);
    return true;
  }
  const auto* indirection = std::get_if<parse::Indirection>(&expr.node);
  if (indirection == nullptr || indirection->steps.size() != 1 || !indirection->steps[0].star) return false;
  const ExprPtr row = AnalyzeExpr(scope, *indirection->arg);
  const Row* fields = row->As<Row>();
  if (fields == nullptr) {
    if (row->type->oid == catalog::kOidRecord) Throw(SqlError::NotSupported("expansion of a record", Location(row)));
    Throw(SqlError::Make(kWrongObjectType, "type {} is not composite", TypeText(row->type)));
  }
  for (size_t i = 0; i < fields->args.size(); ++i) {
    TargetEntry target{.expr = fields->args[i], .name = fields->names[i], .hidden = false, .table = {}};
    MarkOrigin(scope, target);
    out.push_back(std::move(target));
  }
  return true;
}

}  // namespace

void AppendAllColumns(Scope& scope, std::vector<TargetEntry>& out, SourcePos pos) {
  for (const NamespaceItem& item : scope.names) {
    if (item.columns_visible) AppendItemColumns(scope, {&item, &scope, 0}, out, pos);
  }
}

std::vector<TargetEntry> AnalyzeTargets(Scope& scope, const std::vector<parse::Target>& targets, ExprPlace place) {
  const PlaceGuard guard(scope, place);
  std::vector<TargetEntry> result;
  result.reserve(targets.size());
  for (const parse::Target& target : targets) {
    if (AppendStar(scope, *target.expr, result)) continue;
    TargetEntry entry{.expr = AnalyzeExpr(scope, *target.expr),
                      .name = target.name.empty() ? OutputName(*target.expr) : target.name,
                      .hidden = false,
                      .table = {}};
    MarkOrigin(scope, entry);
    result.push_back(std::move(entry));
  }
  if (result.size() > kTargetsMax)
    Throw(SqlError::Make(kTooManyColumns, "target lists can have at most {} entries", kTargetsMax));
  return result;
}

void ResolveUnknownTargets(Scope& scope, std::vector<TargetEntry>& targets) {
  for (TargetEntry& target : targets) {
    if (IsUnknown(target.expr->type)) target.expr = CoerceType(scope, target.expr, TextType(), -1, {});
  }
}

}  // namespace mayfly::analyze
