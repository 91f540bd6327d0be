// pg_type: the built-in types, and the row types of relations.
#include "catalog/tables/generators.h"
#include "catalog/tables/row_writer.h"

namespace mayfly::catalog {

namespace {

// pg_proc's OIDs of what every row type uses.
constexpr uint32_t kRecordIn = 2290, kRecordOut = 2291, kRecordRecv = 2402, kRecordSend = 2403;
constexpr uint32_t kArraySubscript = 6179, kRawArraySubscript = 6180, kJsonbSubscript = 6098, kArrayTypanalyze = 3816,
                   kArrayIn = 750;

uint32_t SubscriptHandler(const TypeRow& type) {
  if (type.desc->oid == kOidJsonb) return kJsonbSubscript;
  if (!type.element.valid()) return 0;
  return type.desc->length == -1 ? kArraySubscript : kRawArraySubscript;
}

void WriteBuiltin(const TypeRow& type, RowWriter& row) {
  const types::TypeDesc& desc = *type.desc;
  row.Id(desc.oid).Text(desc.name).Id(kPgCatalogSchema).Id(kBootstrapRole).Int2(desc.length).Bool(type.by_value).Char(type.kind);
  row.Char(desc.category)
      .Bool(desc.preferred)
      .Bool(true)
      .Char(desc.delimiter)
      .Id(0u)
      .Id(SubscriptHandler(type))
      .Id(type.element)
      .Id(type.array);
  row.Id(type.input).Id(type.output).Id(type.receive).Id(type.send).Id(type.typmod_in).Id(type.typmod_out);
  row.Id(type.input.value == kArrayIn && type.kind == 'b' ? kArrayTypanalyze : 0).Char(type.alignment).Char(type.storage);
  row.Bool(false).Id(0u).Int4(-1).Int4(0).Id(type.collation).Null(3).Emit();
}

void WriteRowType(const TableDescriptor& table, RowWriter& row) {
  row.Id(table.type_oid)
      .Text(table.name)
      .Id(table.schema)
      .Id(table.owner)
      .Int2(-1)
      .Bool(false)
      .Char('c')
      .Char('C')
      .Bool(false)
      .Bool(true)
      .Char(',');
  row.Id(table.oid).Id(0u).Id(0u).Id(0u).Id(kRecordIn).Id(kRecordOut).Id(kRecordRecv).Id(kRecordSend).Id(0u).Id(0u).Id(0u);
  row.Char('d').Char('x').Bool(false).Id(0u).Int4(-1).Int4(0).Id(0u).Null(3).Emit();
}

}  // namespace

void GeneratePgType(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const TypeRow& type : AllTypes()) WriteBuiltin(type, row);
  for (const TablePtr& table : context.snapshot.Tables()) {
    if (table->type_oid.valid()) WriteRowType(*table, row);
  }
}

}  // namespace mayfly::catalog
