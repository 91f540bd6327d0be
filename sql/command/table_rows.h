// The rows of a table, as ALTER TABLE looks at them and moves them. The table is locked exclusively by the caller.
#pragma once

#include <optional>

#include "base/function_ref.h"
#include "catalog/descriptor.h"
#include "sql/command/command.h"
#include "sql/types/datum.h"
#include "sql/types/vector.h"

namespace mayfly::command {

// A table as it is now: in READ COMMITTED the transaction's view is taken anew, since rows may have come while the lock was waited for. In the
// other isolation levels the view is older than the lock; 0A000 naming `feature`.
void TakeNewestView(CommandContext& context, std::string_view feature);

// Requires: TakeNewestView.
bool HasRows(CommandContext& context, const catalog::TableDescriptor& table);
// 23502 `column "b" of relation "t" contains null values`.
void CheckNoNulls(CommandContext& context, const catalog::TableDescriptor& table, const catalog::ColumnDescriptor& column);

// Writes all rows of `from` as rows of `to`, which has the same live columns, a storage id of its own, and another key. 23502 where a key column
// is NULL, 23505 where a key comes twice.
void CopyRows(CommandContext& context, const catalog::TableDescriptor& from, const catalog::TableDescriptor& to);

}  // namespace mayfly::command
