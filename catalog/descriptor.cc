// What a descriptor answers about itself.
#include "catalog/descriptor.h"

#include <algorithm>

#include "base/check.h"

namespace mayfly::catalog {

const ColumnDescriptor* TableDescriptor::FindColumn(std::string_view column_name) const {
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [&](const ColumnDescriptor& c) { return !c.dropped && c.name == column_name; });
  return at == columns.end() ? nullptr : &*at;
}

const ColumnDescriptor* TableDescriptor::FindColumn(ColumnId id) const {
  // Ids are 1, 2, 3 … without gaps, since dropped columns stay.
  const auto guess = static_cast<size_t>(id.value - 1);
  if (id.value >= 1 && guess < columns.size() && columns[guess].id == id) return &columns[guess];
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const ColumnDescriptor& c) { return c.id == id; });
  return at == columns.end() ? nullptr : &*at;
}

storage::TableOptions TableDescriptor::storage_options() const {
  Check(storage.valid(), "a relation without storage was read");
  return {.table = storage,
          .layout = static_cast<storage::ValueLayout>(kv_format_version),
          .ttl_ms = ttl.has_value() ? ttl->ttl_ms : 0};
}

// By storage id, so that TRUNCATE starts a new one.
std::string TableDescriptor::row_counter() const { return fmt::format("rows/{}", storage.value); }

}  // namespace mayfly::catalog
