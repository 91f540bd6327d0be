// Keys of rows and index entries.
//
//   | table storage id: uint32 BE | index number: uint16 BE | column values, each by its type's encode_key |
//
// Index number 1 is the primary key. A table without primary key has its rows under index 1 with a hidden int64 row id as the
// only column. Memcmp order of keys is the btree order of the columns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/descriptor.h"
#include "sql/types/vector.h"
#include "storage/engine.h"

namespace mayfly::store {

inline constexpr uint16_t kPrimaryIndex = 1;
inline constexpr size_t kKeyPrefixBytes = 6;

void AppendKeyPrefix(StorageId table, uint16_t index, std::string& out);
// All rows of a table.
storage::KeyRange TableRange(const catalog::TableDescriptor& table);
// The smallest string greater than every string that starts with `prefix`; empty = none.
std::string PrefixEnd(std::string prefix);

// The columns that make up a primary key, ready for encoding; made once per plan. Borrows the descriptor.
class KeyCodec {
 public:
  explicit KeyCodec(const catalog::TableDescriptor& table);

  size_t column_count() const { return types_.size(); }
  const types::TypeDesc& type(size_t column) const { return *types_[column]; }
  // Position of a column in the key; nullopt where it is not part of it.
  std::optional<size_t> PositionOf(ColumnId column) const;

  // Prefix only.
  void Begin(std::string& out) const { AppendKeyPrefix(storage_, kPrimaryIndex, out); }
  // Requires: not NULL, of the column's type.
  void Append(size_t column, const types::Datum& value, std::string& out) const;

 private:
  StorageId storage_;
  std::vector<const types::TypeDesc*> types_;
  std::vector<ColumnId> columns_;
};

}  // namespace mayfly::store
