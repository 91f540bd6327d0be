#include "sql/store/key_codec.h"

#include "base/bytes.h"
#include "base/check.h"
#include "catalog/facts.h"

namespace mayfly::store {

void AppendKeyPrefix(StorageId table, uint16_t index, std::string& out) {
  AppendBigEndian(out, table.value);
  AppendBigEndian(out, index);
}

std::string PrefixEnd(std::string prefix) {
  while (!prefix.empty()) {
    const auto last = static_cast<uint8_t>(prefix.back());
    if (last != 0xff) {
      prefix.back() = static_cast<char>(last + 1);
      return prefix;
    }
    prefix.pop_back();
  }
  return prefix;
}

storage::KeyRange TableRange(const catalog::TableDescriptor& table) {
  storage::KeyRange range;
  AppendKeyPrefix(table.storage, kPrimaryIndex, range.begin);
  range.end = PrefixEnd(range.begin);
  return range;
}

KeyCodec::KeyCodec(const catalog::TableDescriptor& table) : storage_(table.storage) {
  if (const catalog::IndexDescriptor* primary = table.primary_key()) {
    for (const ColumnId id : primary->columns) {
      columns_.push_back(id);
      types_.push_back(table.FindColumn(id)->type);
    }
  } else {
    types_.push_back(catalog::FindType(catalog::kOidInt8));
  }
}

std::optional<size_t> KeyCodec::PositionOf(ColumnId column) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i] == column) return i;
  }
  return std::nullopt;
}

void KeyCodec::Append(size_t column, const types::Datum& value, std::string& out) const {
  types_[column]->ops->encode_key(*types_[column], value, out);
}

}  // namespace mayfly::store
