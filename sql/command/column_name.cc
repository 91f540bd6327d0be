#include "sql/command/column_name.h"

#include <algorithm>
#include <array>

#include "base/sql_error.h"

namespace mayfly::command {

bool IsSystemColumn(const catalog::TableDescriptor& table, std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {"tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"};
  if (std::ranges::count(kNames, name) != 0) return true;
  return table.ttl.has_value() && (name == "row_ttl_timestamp" || name == "row_expires_at");
}

void CheckNotSystemColumn(const catalog::TableDescriptor& table, std::string_view name) {
  if (!IsSystemColumn(table, name)) return;
  Throw(SqlError::Make(kDuplicateColumn, "column name \"{}\" conflicts with a system column name", name));
}

size_t RequireColumn(const catalog::TableDescriptor& table, std::string_view name, std::string_view verb) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (!table.columns[i].dropped && table.columns[i].name == name) return i;
  }
  if (IsSystemColumn(table, name)) Throw(SqlError::Make(kFeatureNotSupported, "cannot {} system column \"{}\"", verb, name));
  Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" of relation \"{}\" does not exist", name, table.name));
}

bool InPrimaryKey(const catalog::TableDescriptor& table, ColumnId column) {
  const catalog::IndexDescriptor* key = table.primary_key();
  return key != nullptr && std::ranges::count(key->columns, column) != 0;
}

}  // namespace mayfly::command
