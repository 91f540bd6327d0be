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

namespace {

// As written, for errors.
std::string ReferenceText(const parse::ColumnRef& ref) {
  const std::string text = NameText(ref.fields);
  return ref.star ? text + ".*" : text;
}

}  // namespace

FoundItem FindQualifiedRelation(Scope& scope, const parse::ColumnRef& ref, SourcePos pos) {
  const std::vector<std::string>& fields = ref.fields;
  const size_t count = ref.star ? fields.size() : fields.size() - 1;
  if (count > 3)
    Throw(SqlError::Make(kSyntaxError, "improper qualified name (too many dotted names): {}", ReferenceText(ref)).At(pos));
  if (count == 3 && fields[0] != scope.context().database_name) {
    Throw(SqlError::Make(kFeatureNotSupported, "cross-database references are not implemented: {}", ReferenceText(ref)).At(pos));
  }
  const std::string_view schema = count > 1 ? std::string_view(fields[count - 2]) : std::string_view();
  const FoundItem found = FindRelation(scope, schema, fields[count - 1], pos);
  if (found.item == nullptr) ThrowMissingRelation(scope, schema, fields[count - 1], pos);
  return found;
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
  if (ref.star) {
    if (ref.fields.empty()) Throw(SqlError::Make(kSyntaxError, "row expansion via \"*\" is not supported here").At(pos));
    return WholeRow(FindQualifiedRelation(scope, ref, pos), pos);
  }
  if (ref.fields.size() == 1) return AnalyzeUnqualified(scope, ref.fields[0], pos);
  const FoundItem found = FindQualifiedRelation(scope, ref, pos);
  if (ExprPtr column = FindItemColumn(*found.scope, *found.item, ref.fields.back(), found.levels_up, pos)) return column;
  ThrowMissingColumn(scope, ref.fields[ref.fields.size() - 2], ref.fields.back(), pos);
}

}  // namespace mayfly::analyze
