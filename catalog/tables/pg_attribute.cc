// pg_attribute: the columns of tables, views and indexes, and the system columns of tables. pg_attrdef: their defaults.
#include "catalog/system_columns.h"
#include "catalog/tables/generators.h"
#include "catalog/tables/row_writer.h"

namespace mayfly::catalog {

namespace {

struct Attribute {
  Oid relation;
  std::string_view name;
  const types::TypeDesc* type;
  int number;
  int32_t typmod = -1;
  bool not_null = false;
  bool has_default = false;
  bool has_missing = false;
  bool dropped = false;
  // Of a missing value: as PostgreSQL shows an anyarray.
  std::string_view missing_value = {};
};

void Write(const Attribute& attribute, RowWriter& row) {
  const TypeRow& type = *FindTypeRow(attribute.type->oid);
  row.Id(attribute.relation).Text(attribute.name).Id(attribute.dropped ? Oid{} : attribute.type->oid);
  row.Int4(attribute.dropped || attribute.number < 0 ? 0 : -1).Int2(attribute.type->length).Int2(attribute.number);
  row.Int4(attribute.type->element != nullptr && attribute.type->length == -1 && attribute.number > 0 ? 1 : 0)
      .Int4(-1)
      .Int4(attribute.typmod);
  row.Bool(type.by_value).Char(type.alignment).Char(type.storage).Char('\0');
  row.Bool(attribute.not_null).Bool(attribute.has_default).Bool(attribute.has_missing).Char('\0').Char('\0');
  row.Bool(attribute.dropped).Bool(true).Int4(0).Id(attribute.dropped ? Oid{} : type.collation).Null(3);
  row.TextOrNull(attribute.missing_value).Emit();
}

// The value as TypeOps::out shows it, in braces.
std::string MissingValue(const GenerateContext& context, const ColumnDescriptor& column) {
  if (!column.missing_value.has_value() || column.type->ops == nullptr || column.type->array == nullptr) return {};
  Arena arena;
  const types::TypeDesc& type = *column.type;
  const Result<types::Datum> value = type.ops->recv(type, *column.missing_value, column.typmod, context.call.io, arena);
  if (!value.ok()) return {};
  types::ArrayBuilder builder(type);
  builder.Append(*value);
  std::string bytes;
  builder.Finish(bytes);
  std::string text;
  types::FormatArray(types::ArrayReader(type, bytes), context.call.io, text);
  return text;
}

void WriteColumns(const GenerateContext& context, const TableDescriptor& table, RowWriter& row) {
  for (const ColumnDescriptor& column : table.columns) {
    const std::string dropped_name =
        column.dropped ? fmt::format("........pg.dropped.{}........", column.id.value) : std::string();
    const std::string missing = MissingValue(context, column);
    Write({.relation = table.oid,
           .name = column.dropped ? std::string_view(dropped_name) : std::string_view(column.name),
           .type = column.type,
           .number = column.id.value,
           .typmod = column.typmod,
           .not_null = column.not_null && !column.dropped,
           .has_default = !column.default_sql.empty() && !column.dropped,
           .has_missing = column.missing_value.has_value() && !column.dropped,
           .dropped = column.dropped,
           .missing_value = missing},
          row);
  }
  if (table.kind == 'v') return;
  const auto system = [&](ColumnId id, std::string_view name, Oid type, bool not_null) {
    Write({.relation = table.oid, .name = name, .type = FindType(type), .number = id.value, .not_null = not_null}, row);
  };
  system(system_column::kTableOid, "tableoid", kOidOid, true);
  if (!table.ttl.has_value()) return;
  system(system_column::kRowTtlTimestamp, "row_ttl_timestamp", kOidTimestamptz, false);
  system(system_column::kRowExpiresAt, "row_expires_at", kOidTimestamptz, false);
}

void WriteIndexColumns(const TableDescriptor& table, const IndexDescriptor& index, RowWriter& row) {
  int number = 0;
  for (const ColumnId id : index.columns) {
    const ColumnDescriptor& column = *table.FindColumn(id);
    Write({.relation = index.oid, .name = column.name, .type = column.type, .number = ++number, .typmod = column.typmod}, row);
  }
}

}  // namespace

void GeneratePgAttribute(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const TablePtr& table : context.snapshot.Tables()) {
    WriteColumns(context, *table, row);
    for (const IndexDescriptor& index : table->indexes) WriteIndexColumns(*table, index, row);
  }
}

void GeneratePgAttrdef(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const TablePtr& table : context.snapshot.Tables()) {
    for (const ColumnDescriptor& column : table->columns) {
      if (column.dropped || column.default_sql.empty()) continue;
      row.Id(DefaultOid(*table, column.id)).Id(table->oid).Int2(column.id.value).Text(column.default_sql).Emit();
    }
  }
}

// Far from the OIDs that are handed out, which count up from 16384; unique as long as those stay below 2^20.
Oid DefaultOid(const TableDescriptor& table, ColumnId column) {
  return Oid{0x80000000u | ((table.oid.value & 0xfffffu) << 11) | (static_cast<uint32_t>(column.value) & 0x7ffu)};
}

}  // namespace mayfly::catalog
