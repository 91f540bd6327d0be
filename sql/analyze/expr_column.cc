// Column references: a, t.a, s.t.a, db.s.t.a; a relation's name alone is its whole row.
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {

ExprPtr WholeRow(const FoundItem& found, SourcePos pos) {
  Row row;
  const size_t count = ItemColumnCount(*found.scope, *found.item);
  // A function that returns one column of a scalar type: its alias means the value.
  if (!found.item->is_join && count == 1) {
    const RangeTableEntry& entry = found.scope->query->range_table[found.item->entry];
    if (const auto* function = std::get_if<FunctionEntry>(&entry.source); function != nullptr && !function->with_ordinality) {
      return ItemColumn(*found.scope, *found.item, 0, found.levels_up, pos);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    row.args.push_back(ItemColumn(*found.scope, *found.item, i, found.levels_up, pos));
    row.names.push_back(ItemColumnName(*found.scope, *found.item, i));
  }
  return MakeExpr(std::move(row), RecordType(), -1, pos);
}

FoundItem FindQualifiedRelation(Scope& scope, std::span<const std::string> name, SourcePos pos) {
  switch (name.size()) {
    case 1: return FindRelation(scope, {}, name[0], pos);
    case 2: return FindRelation(scope, name[0], name[1], pos);
    case 3: {
      if (name[0] == scope.context().database_name) return FindRelation(scope, name[1], name[2], pos);
      parse::QualifiedName all(name.begin(), name.end());
      Throw(SqlError::Make(kFeatureNotSupported, "cross-database references are not implemented: {}", NameText(all)).At(pos));
    }
    default: {
      parse::QualifiedName all(name.begin(), name.end());
      Throw(SqlError::Make(kSyntaxError, "improper qualified name (too many dotted names): {}", NameText(all)).At(pos));
    }
  }
}

namespace {

ExprPtr AnalyzeUnqualified(Scope& scope, const std::string& name, SourcePos pos) {
  if (ExprPtr column = FindColumn(scope, name, pos)) return column;
  const FoundItem found = FindRelation(scope, {}, name, pos);
  if (found.item != nullptr) return WholeRow(found, pos);
  ThrowMissingColumn(scope, {}, name, pos);
}

}  // namespace

ExprPtr AnalyzeColumnRef(Scope& scope, const parse::ColumnRef& ref, SourcePos pos) {
  if (scope.place == ExprPlace::kScalarClause && scope.analysis.scalar_clause.starts_with("DEFAULT")) {
    Throw(SqlError::Make(kFeatureNotSupported, "cannot use column reference in DEFAULT expression").At(pos));
  }
  const std::span<const std::string> fields(ref.fields);
  if (ref.star) {
    if (fields.empty()) Throw(SqlError::Make(kSyntaxError, "row expansion via \"*\" is not supported here").At(pos));
    const FoundItem found = FindQualifiedRelation(scope, fields, pos);
    if (found.item == nullptr) ThrowMissingRelation(scope, fields.size() > 1 ? fields[fields.size() - 2] : "", fields.back(), pos);
    return WholeRow(found, pos);
  }
  if (fields.size() == 1) return AnalyzeUnqualified(scope, fields[0], pos);
  const std::span<const std::string> relation = fields.first(fields.size() - 1);
  const FoundItem found = FindQualifiedRelation(scope, relation, pos);
  if (found.item == nullptr) {
    ThrowMissingRelation(scope, relation.size() > 1 ? relation[relation.size() - 2] : std::string_view(), relation.back(), pos);
  }
  if (ExprPtr column = FindItemColumn(*found.scope, *found.item, fields.back(), found.levels_up, pos)) return column;
  ThrowMissingColumn(scope, relation.back(), fields.back(), pos);
}

}  // namespace mayfly::analyze
