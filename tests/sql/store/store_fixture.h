// Tables and values for the tests of the store: descriptors made by hand, datums from their text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/facts.h"
#include "sql/store/row_codec.h"
#include "sql/types/type.h"

namespace mayfly::store {

inline std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// Columns as (name, type), ids from 1; the first `key_columns` are the primary key. One layout with all that the key does not
// keep.
inline catalog::TableDescriptor MakeTable(const std::vector<std::pair<std::string, std::string>>& columns, size_t key_columns) {
  catalog::TableDescriptor table;
  table.oid = Oid{16384};
  table.name = "t";
  table.storage = StorageId{7};
  for (const auto& [name, type] : columns) {
    catalog::ColumnDescriptor& column = table.columns.emplace_back();
    column.id = ColumnId{static_cast<int16_t>(table.columns.size())};
    column.name = name;
    column.type = catalog::FindTypeByName(type);
  }
  if (key_columns > 0) {
    catalog::IndexDescriptor& index = table.indexes.emplace_back();
    index.name = "t_pkey";
    for (size_t i = 0; i < key_columns; ++i) index.columns.push_back(table.columns[i].id);
  }
  table.layouts.push_back({1, PayloadColumns(table)});
  return table;
}

// Values of one row; their bytes live as long as this.
class Row {
 public:
  // nullptr = NULL.
  Row(const catalog::TableDescriptor& table, const std::vector<const char*>& texts) {
    const types::IoSettings settings;
    size_t i = 0;
    for (const catalog::ColumnDescriptor& column : table.columns) {
      if (column.dropped) continue;
      const char* text = texts[i++];
      values_.push_back(text == nullptr ? types::Datum()
                                        : column.type->ops->in(*column.type, text, column.typmod, {settings}, arena_).value());
    }
  }
  const std::vector<types::Datum>& values() const { return values_; }

 private:
  Arena arena_;
  std::vector<types::Datum> values_;
};

}  // namespace mayfly::store
