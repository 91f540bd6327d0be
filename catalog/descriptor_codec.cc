// The bytes of a table descriptor (catalog/object_codec.h says where they stand). v = varint, z = signed as zigzag varint, s =
// string with length, [x] = count as varint, then as many x.
//
//   format v | name s | oid v | row type v | schema v | owner v | relkind v | storage id v | KV format version v | flags v
//   | comment s | view text s
//   | [column]   id v | name s | type v | typmod z | flags v (1 not null, 2 dropped, 4 missing value) | default s | missing value
//   s, where flagged | comment s | [layout]   version v | [column id v] | [index]    oid v | name s | constraint v | number v |
//   [column id v] | flags v (1 unique, 2 primary) | comment s | TTL, where flags & 2:  milliseconds z | time column v (0 =
//   processing time) | text s
//
// Flags of the table: 1 hidden row id, 2 TTL. Column ids are positive.
#include <algorithm>

#include "catalog/descriptor.h"
#include "catalog/facts.h"
#include "catalog/object_codec.h"

namespace mayfly::catalog {

namespace {

constexpr uint64_t kHiddenRowId = 1, kHasTtl = 2;
constexpr uint64_t kNotNull = 1, kDropped = 2, kHasMissing = 4;
constexpr uint64_t kUnique = 1, kPrimary = 2;

void AppendSigned(std::string& out, int64_t value) {
  AppendVarint(out, (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}
int64_t ReadSigned(ByteReader& in) {
  const uint64_t bits = in.Varint();
  return static_cast<int64_t>(bits >> 1) ^ -static_cast<int64_t>(bits & 1);
}
uint32_t ReadNumber(ByteReader& in) { return static_cast<uint32_t>(in.Varint()); }
ColumnId ReadColumnId(ByteReader& in) { return ColumnId{static_cast<int16_t>(in.Varint())}; }

void AppendColumnIds(std::string& out, const std::vector<ColumnId>& ids) {
  AppendVarint(out, ids.size());
  for (const ColumnId id : ids) AppendVarint(out, static_cast<uint64_t>(id.value));
}
std::vector<ColumnId> ReadColumnIds(ByteReader& in) {
  std::vector<ColumnId> ids;
  for (uint64_t count = in.Varint(); count > 0 && in.ok(); --count) ids.push_back(ReadColumnId(in));
  return ids;
}

void AppendColumn(std::string& out, const ColumnDescriptor& column) {
  AppendVarint(out, static_cast<uint64_t>(column.id.value));
  AppendLengthPrefixed(out, column.name);
  AppendVarint(out, column.type == nullptr ? 0 : column.type->oid.value);
  AppendSigned(out, column.typmod);
  AppendVarint(out, (column.not_null ? kNotNull : 0) | (column.dropped ? kDropped : 0) |
                        (column.missing_value.has_value() ? kHasMissing : 0));
  AppendLengthPrefixed(out, column.default_sql);
  if (column.missing_value.has_value()) AppendLengthPrefixed(out, *column.missing_value);
  AppendLengthPrefixed(out, column.comment);
}

// False where the type is not known.
bool ReadColumn(ByteReader& in, ColumnDescriptor& column) {
  column.id = ReadColumnId(in);
  column.name = in.LengthPrefixed();
  const Oid type{ReadNumber(in)};
  column.type = FindType(type);
  column.typmod = static_cast<int32_t>(ReadSigned(in));
  const uint64_t flags = in.Varint();
  column.not_null = (flags & kNotNull) != 0;
  column.dropped = (flags & kDropped) != 0;
  column.default_sql = in.LengthPrefixed();
  if ((flags & kHasMissing) != 0) column.missing_value = std::string(in.LengthPrefixed());
  column.comment = in.LengthPrefixed();
  return column.type != nullptr;
}

void AppendIndex(std::string& out, const IndexDescriptor& index) {
  AppendVarint(out, index.oid.value);
  AppendLengthPrefixed(out, index.name);
  AppendVarint(out, index.constraint_oid.value);
  AppendVarint(out, index.number);
  AppendColumnIds(out, index.columns);
  AppendVarint(out, (index.unique ? kUnique : 0) | (index.primary ? kPrimary : 0));
  AppendLengthPrefixed(out, index.comment);
}

IndexDescriptor ReadIndex(ByteReader& in) {
  IndexDescriptor index;
  index.oid = Oid{ReadNumber(in)};
  index.name = in.LengthPrefixed();
  index.constraint_oid = Oid{ReadNumber(in)};
  index.number = ReadNumber(in);
  index.columns = ReadColumnIds(in);
  const uint64_t flags = in.Varint();
  index.unique = (flags & kUnique) != 0;
  index.primary = (flags & kPrimary) != 0;
  index.comment = in.LengthPrefixed();
  return index;
}

// Everything that a column id names must exist: whoever holds a descriptor may rely on it.
bool ColumnsExist(const TableDescriptor& table) {
  const auto exist = [&](const std::vector<ColumnId>& ids) {
    return std::all_of(ids.begin(), ids.end(), [&](ColumnId id) { return table.FindColumn(id) != nullptr; });
  };
  for (const RowLayout& layout : table.layouts) {
    if (!exist(layout.columns)) return false;
  }
  for (const IndexDescriptor& index : table.indexes) {
    if (!exist(index.columns)) return false;
  }
  return !table.ttl.has_value() || !table.ttl->time_column.has_value() || table.FindColumn(*table.ttl->time_column) != nullptr;
}

uint64_t ReadBody(ByteReader& in, TableDescriptor& table, bool& types_known) {
  table.oid = Oid{ReadNumber(in)};
  table.type_oid = Oid{ReadNumber(in)};
  table.schema = Oid{ReadNumber(in)};
  table.owner = Oid{ReadNumber(in)};
  table.kind = static_cast<char>(in.Varint());
  table.storage = StorageId{ReadNumber(in)};
  table.kv_format_version = static_cast<int>(in.Varint());
  const uint64_t flags = in.Varint();
  table.hidden_row_id = (flags & kHiddenRowId) != 0;
  table.comment = in.LengthPrefixed();
  table.view_sql = in.LengthPrefixed();
  for (uint64_t count = in.Varint(); count > 0 && in.ok(); --count) types_known &= ReadColumn(in, table.columns.emplace_back());
  for (uint64_t count = in.Varint(); count > 0 && in.ok(); --count) {
    RowLayout& layout = table.layouts.emplace_back();
    layout.version = ReadNumber(in);
    layout.columns = ReadColumnIds(in);
  }
  for (uint64_t count = in.Varint(); count > 0 && in.ok(); --count) table.indexes.push_back(ReadIndex(in));
  return flags;
}

}  // namespace

std::string EncodeTable(const TableDescriptor& table) {
  std::string out;
  AppendObjectHead(out, table.name);
  for (const Oid oid : {table.oid, table.type_oid, table.schema, table.owner}) AppendVarint(out, oid.value);
  AppendVarint(out, static_cast<uint8_t>(table.kind));
  AppendVarint(out, table.storage.value);
  AppendVarint(out, static_cast<uint64_t>(table.kv_format_version));
  AppendVarint(out, (table.hidden_row_id ? kHiddenRowId : 0) | (table.ttl.has_value() ? kHasTtl : 0));
  AppendLengthPrefixed(out, table.comment);
  AppendLengthPrefixed(out, table.view_sql);
  AppendVarint(out, table.columns.size());
  for (const ColumnDescriptor& column : table.columns) AppendColumn(out, column);
  AppendVarint(out, table.layouts.size());
  for (const RowLayout& layout : table.layouts) {
    AppendVarint(out, layout.version);
    AppendColumnIds(out, layout.columns);
  }
  AppendVarint(out, table.indexes.size());
  for (const IndexDescriptor& index : table.indexes) AppendIndex(out, index);
  if (table.ttl.has_value()) {
    AppendSigned(out, table.ttl->ttl_ms);
    AppendVarint(out, static_cast<uint64_t>(table.ttl->time_column.value_or(ColumnId{0}).value));
    AppendLengthPrefixed(out, table.ttl->ttl_text);
  }
  return out;
}

Result<TableDescriptor> DecodeTable(std::string_view bytes) {
  ByteReader in(bytes);
  TRY(std::string, name, ReadObjectHead(in, "table"));
  TableDescriptor table;
  table.name = std::move(name);
  bool types_known = true;
  const uint64_t flags = ReadBody(in, table, types_known);
  if ((flags & kHasTtl) != 0) {
    TtlOptions& ttl = table.ttl.emplace();
    ttl.ttl_ms = ReadSigned(in);
    if (const ColumnId column = ReadColumnId(in); column.valid()) ttl.time_column = column;
    ttl.ttl_text = in.LengthPrefixed();
  }
  if (!in.ok() || !in.AtEnd() || !types_known || !ColumnsExist(table)) {
    return SqlError::Make(kDataCorrupted, "the catalog's entry of table \"{}\" is damaged", table.name);
  }
  return table;
}

}  // namespace mayfly::catalog
