// Looking for columns and relations by name, from the inside out (PostgreSQL manual, 7.2.1.2 and 7.2.1.5).
#include "sql/analyze/scope.h"

#include "base/check.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {

std::string_view PlaceName(ExprPlace place) {
  switch (place) {
    case ExprPlace::kOther: return "expression";
    case ExprPlace::kJoinOn: return "JOIN/ON";
    case ExprPlace::kJoinUsing: return "JOIN/USING";
    case ExprPlace::kFromFunction: return "function in FROM";
    case ExprPlace::kWhere: return "WHERE";
    case ExprPlace::kHaving: return "HAVING";
    case ExprPlace::kFilter: return "FILTER";
    case ExprPlace::kSelectTarget: return "SELECT";
    case ExprPlace::kUpdateSource: return "UPDATE";
    case ExprPlace::kGroupBy: return "GROUP BY";
    case ExprPlace::kOrderBy: return "ORDER BY";
    case ExprPlace::kDistinctOn: return "DISTINCT ON";
    case ExprPlace::kLimit: return "LIMIT";
    case ExprPlace::kOffset: return "OFFSET";
    case ExprPlace::kReturning: return "RETURNING";
    case ExprPlace::kValues: return "VALUES";
    case ExprPlace::kScalarClause: return "expression";
    case ExprPlace::kIndexExpression: return "index expression";
  }
  Unreachable();
}

ExprPtr MakeVar(const Scope& scope, size_t entry, size_t column, int levels_up, SourcePos pos) {
  const RteColumn& source = scope.query->range_table[entry].columns[column];
  return MakeExpr(Var{entry, column, levels_up}, source.type, source.typmod, pos);
}

ExprPtr ItemColumn(const Scope& scope, const NamespaceItem& item, size_t column, int levels_up, SourcePos pos) {
  if (!item.is_join) return MakeVar(scope, item.entry, column, levels_up, pos);
  const JoinColumn& source = item.columns[column];
  if (source.merged == nullptr) return MakeVar(scope, source.entry, source.column, levels_up, pos);
  ExprPtr merged = levels_up == 0 ? source.merged : ShiftLevels(source.merged, levels_up);
  Expr copy = *merged;
  copy.pos = pos;
  return std::make_shared<const Expr>(std::move(copy));
}

size_t ItemColumnCount(const Scope& scope, const NamespaceItem& item) {
  return item.is_join ? item.columns.size() : scope.query->range_table[item.entry].visible_columns;
}

const std::string& ItemColumnName(const Scope& scope, const NamespaceItem& item, size_t column) {
  return item.is_join ? item.columns[column].name : scope.query->range_table[item.entry].columns[column].name;
}

std::string_view ItemName(const Scope& scope, const NamespaceItem& item) {
  return item.is_join ? std::string_view(item.alias) : std::string_view(scope.query->range_table[item.entry].alias);
}

namespace {

[[noreturn]] void ThrowAmbiguous(std::string_view name, SourcePos pos) {
  Throw(SqlError::Make(kAmbiguousColumn, "column reference \"{}\" is ambiguous", name).At(pos));
}

// PostgreSQL's system columns that rows of ours do not have.
bool IsForeignSystemColumn(std::string_view name) {
  return name == "ctid" || name == "xmin" || name == "xmax" || name == "cmin" || name == "cmax";
}

// Names that stand left of a join may be looked at from its right side only where every row of the right side has a left row.
void CheckLateralRef(const Scope& scope, const NamespaceItem& item, SourcePos pos) {
  if (!item.lateral_only || item.lateral_ok) return;
  Throw(SqlError::Make(kInvalidColumnReference, "invalid reference to FROM-clause entry for table \"{}\"", ItemName(scope, item))
            .Detail("The combining JOIN type must be INNER or LEFT for a LATERAL reference.")
            .At(pos));
}

}  // namespace

ExprPtr FindItemColumn(Scope& item_scope, const NamespaceItem& item, std::string_view name, int levels_up, SourcePos pos) {
  const size_t visible = ItemColumnCount(item_scope, item);
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < visible; ++i) {
    if (ItemColumnName(item_scope, item, i) != name) continue;
    if (found != SIZE_MAX) ThrowAmbiguous(name, pos);
    found = i;
  }
  if (found == SIZE_MAX && !item.is_join) {
    const RangeTableEntry& entry = item_scope.query->range_table[item.entry];
    for (size_t i = visible; i < entry.columns.size() && found == SIZE_MAX; ++i) {
      if (entry.columns[i].name == name) found = i;
    }
    if (found == SIZE_MAX && std::holds_alternative<TableEntry>(entry.source) && IsForeignSystemColumn(name)) {
      Throw(SqlError::NotSupported(fmt::format("system column \"{}\"", name), pos));
    }
  }
  return found == SIZE_MAX ? nullptr : ItemColumn(item_scope, item, found, levels_up, pos);
}

ExprPtr FindColumn(Scope& scope, std::string_view name, SourcePos pos) {
  int levels_up = 0;
  bool lateral_active = scope.lateral_active;
  for (Scope* at = &scope; at != nullptr; at = at->parent, ++levels_up) {
    lateral_active = at->lateral_active;
    ExprPtr result;
    for (const NamespaceItem& item : at->names) {
      if (!item.columns_visible || (item.lateral_only && !lateral_active)) continue;
      ExprPtr found = FindItemColumn(*at, item, name, levels_up, pos);
      if (found == nullptr) continue;
      if (result != nullptr) ThrowAmbiguous(name, pos);
      CheckLateralRef(*at, item, pos);
      result = std::move(found);
    }
    if (result != nullptr) return result;
  }
  return nullptr;
}

FoundItem FindRelation(Scope& scope, std::string_view schema, std::string_view name, SourcePos pos) {
  int levels_up = 0;
  for (Scope* at = &scope; at != nullptr; at = at->parent, ++levels_up) {
    FoundItem result;
    for (const NamespaceItem& item : at->names) {
      if (!item.relation_visible || (item.lateral_only && !at->lateral_active)) continue;
      if (ItemName(*at, item) != name) continue;
      if (!schema.empty()) {
        // A schema can only be meant for a table under its own name.
        if (item.is_join) continue;
        const auto* table = std::get_if<TableEntry>(&at->query->range_table[item.entry].source);
        const catalog::SchemaDescriptor* descriptor = scope.context().snapshot.FindSchema(schema);
        if (table == nullptr || descriptor == nullptr || table->table->schema != descriptor->oid || table->table->name != name)
          continue;
      }
      if (result.item != nullptr) {
        Throw(SqlError::Make(kAmbiguousAlias, "table reference \"{}\" is ambiguous", name).At(pos));
      }
      CheckLateralRef(*at, item, pos);
      result = {&item, at, levels_up};
    }
    if (result.item != nullptr) return result;
  }
  return {};
}

void CheckNameConflicts(const Scope& scope, std::span<const NamespaceItem> present, std::span<const NamespaceItem> added) {
  for (const NamespaceItem& a : present) {
    if (!a.relation_visible) continue;
    const std::string_view name = ItemName(scope, a);
    for (const NamespaceItem& b : added) {
      if (!b.relation_visible || ItemName(scope, b) != name) continue;
      Throw(SqlError::Make(kDuplicateAlias, "table name \"{}\" specified more than once", name));
    }
  }
}

size_t AddEntry(Scope& scope, RangeTableEntry entry) {
  scope.query->range_table.push_back(std::move(entry));
  return scope.query->range_table.size() - 1;
}

}  // namespace mayfly::analyze
