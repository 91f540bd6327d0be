// Column names in DDL: which are taken by the system, and how a missing column is reported.
#pragma once

#include <string_view>

#include "catalog/descriptor.h"

namespace mayfly::command {

// tableoid, ctid, xmin, xmax, cmin, cmax; on a table with TTL also row_ttl_timestamp and row_expires_at (TTL.md section 3).
bool IsSystemColumn(const catalog::TableDescriptor& table, std::string_view name);
// 42701 `column name "ctid" conflicts with a system column name`.
void CheckNotSystemColumn(const catalog::TableDescriptor& table, std::string_view name);

// The column's index in table.columns. 42703 `column "x" of relation "t" does not exist`; 0A000 `cannot {verb} system column "ctid"`.
size_t RequireColumn(const catalog::TableDescriptor& table, std::string_view name, std::string_view verb);

bool InPrimaryKey(const catalog::TableDescriptor& table, ColumnId column);

}  // namespace mayfly::command
