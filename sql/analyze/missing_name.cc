// Errors for names that are not there, with the nearest names as hints, found by PostgreSQL's own rules (edit distance at most 3,
// and at most half of the name).
#include <algorithm>
#include <vector>

#include "sql/analyze/analyze.h"
#include "sql/analyze/scope.h"

namespace mayfly::analyze {
namespace {

constexpr size_t kDistanceMax = 3;

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

struct Match {
  const RangeTableEntry* entry = nullptr;
  const std::string* column = nullptr;
};
// The best matches so far; `exact`: the very name, in an entry that cannot be referenced from here.
struct Nearest {
  size_t distance = kDistanceMax + 1;
  Match first;
  Match second;
  bool exact = false;
};

void Consider(const RangeTableEntry& entry, const std::string& column, std::string_view wanted, size_t penalty,
              Nearest& nearest) {
  if (penalty > nearest.distance) return;
  size_t distance = EditDistance(column, wanted);
  if (distance > wanted.size() / 2) return;
  distance += penalty;
  if (distance < nearest.distance) {
    nearest = {distance, {&entry, &column}, {}, false};
  } else if (distance == nearest.distance) {
    if (nearest.second.entry != nullptr) {
      // Too many: this distance tells nothing.
      nearest = {distance == 0 ? 0 : distance - 1, {}, {}, false};
    } else if (nearest.first.entry != nullptr) {
      nearest.second = {&entry, &column};
    } else if (nearest.distance <= kDistanceMax) {
      nearest.first = {&entry, &column};
    }
  }
}

Nearest FindNearest(const Scope& scope, std::string_view relation, std::string_view column) {
  Nearest nearest;
  for (const Scope* at = &scope; at != nullptr; at = at->parent) {
    for (const RangeTableEntry& entry : at->query->range_table) {
      const size_t penalty = relation.empty() ? 0 : std::min(EditDistance(relation, entry.alias), kDistanceMax + 2);
      bool exact = false;
      for (size_t i = 0; i < entry.visible_columns; ++i) {
        exact = exact || entry.columns[i].name == column;
        Consider(entry, entry.columns[i].name, column, penalty, nearest);
      }
      if (exact && penalty == 0) return {0, {&entry, nullptr}, {}, true};
    }
  }
  return nearest;
}

std::string QualifiedColumn(const Match& match) { return match.entry->alias + "." + *match.column; }

// The entry that the name may have meant: the table itself under another alias, or an alias that is not visible here.
const RangeTableEntry* FindAnywhere(const Scope& scope, std::string_view schema, std::string_view name) {
  for (const Scope* at = &scope; at != nullptr; at = at->parent) {
    for (const RangeTableEntry& entry : at->query->range_table) {
      const auto* table = std::get_if<TableEntry>(&entry.source);
      if (table != nullptr && table->table->name == name) {
        const catalog::SchemaDescriptor* descriptor = schema.empty() ? nullptr : scope.context().snapshot.FindSchema(schema);
        if (schema.empty() || (descriptor != nullptr && descriptor->oid == table->table->schema)) return &entry;
      }
      if (entry.alias == name) return &entry;
    }
  }
  return nullptr;
}

}  // namespace

void ThrowMissingColumn(Scope& scope, std::string_view relation, std::string_view column, SourcePos pos) {
  const Nearest nearest = FindNearest(scope, relation, column);
  SqlError error = relation.empty() ? SqlError::Make(kUndefinedColumn, "column \"{}\" does not exist", column)
                                    : SqlError::Make(kUndefinedColumn, "column {}.{} does not exist", relation, column);
  error.position = pos;
  if (nearest.second.entry != nullptr) {
    error.hint = fmt::format("Perhaps you meant to reference the column \"{}\" or the column \"{}\".",
                             QualifiedColumn(nearest.first), QualifiedColumn(nearest.second));
  } else if (nearest.exact) {
    error.hint =
        fmt::format("There is a column named \"{}\" in table \"{}\", but it cannot be referenced from this part of the query.",
                    column, nearest.first.entry->alias);
  } else if (nearest.first.entry != nullptr) {
    error.hint = fmt::format("Perhaps you meant to reference the column \"{}\".", QualifiedColumn(nearest.first));
  }
  Throw(std::move(error));
}

void ThrowMissingRelation(Scope& scope, std::string_view schema, std::string_view name, SourcePos pos) {
  const RangeTableEntry* entry = FindAnywhere(scope, schema, name);
  if (entry == nullptr) Throw(SqlError::Make(kUndefinedTable, "missing FROM-clause entry for table \"{}\"", name).At(pos));
  SqlError error = SqlError::Make(kUndefinedTable, "invalid reference to FROM-clause entry for table \"{}\"", name);
  error.position = pos;
  const bool alias_meant = entry->alias != name && FindRelation(scope, {}, entry->alias, pos).item != nullptr;
  error.hint = alias_meant
                   ? fmt::format("Perhaps you meant to reference the table alias \"{}\".", entry->alias)
                   : fmt::format("There is an entry for table \"{}\", but it cannot be referenced from this part of the query.",
                                 entry->alias);
  Throw(std::move(error));
}

}  // namespace mayfly::analyze
