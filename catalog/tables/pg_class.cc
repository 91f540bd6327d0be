// pg_class: tables, views, and the indexes of tables.
#include "catalog/system_tables.h"
#include "catalog/tables/generators.h"
#include "catalog/tables/row_writer.h"

namespace mayfly::catalog {

namespace {

void WriteTable(const TableDescriptor& table, RowWriter& row) {
  const char kind = ShownKind(table);
  const bool is_view = kind == 'v';
  const std::vector<std::string> options = TableOptionTexts(table);
  const std::vector<std::string_view> option_views(options.begin(), options.end());
  row.Id(table.oid).Text(table.name).Id(table.schema).Id(table.type_oid).Id(0u).Id(table.owner);
  row.Id(is_view ? Oid{} : kHeapAm).Id(is_view ? 0 : table.storage.valid() ? table.storage.value : table.oid.value).Id(0u);
  row.Int4(0).Float4(-1).Int4(0).Id(0u);  // pages, tuples, all visible, toast table
  row.Bool(!table.indexes.empty()).Bool(IsSharedCatalog(table.oid)).Char('p').Char(kind);
  row.Int2(static_cast<int>(table.columns.size())).Int2(0);
  row.Bool(is_view).Bool(false).Bool(false).Bool(false).Bool(false).Bool(
      true);  // rules, triggers, subclass, row security, forced, populated
  row.Char(is_view || table.oid.value < kFirstUserOid ? 'n' : 'd').Bool(false).Id(0u).Id(0u).Id(0u).Null();
  if (options.empty()) {
    row.Null();
  } else {
    row.TextArray(option_views);
  }
  row.Null().Emit();
}

void WriteIndex(const TableDescriptor& table, const IndexDescriptor& index, RowWriter& row) {
  row.Id(index.oid).Text(index.name).Id(table.schema).Id(0u).Id(0u).Id(table.owner);
  row.Id(kBtreeAm).Id(index.oid).Id(0u).Int4(0).Float4(0).Int4(0).Id(0u);
  row.Bool(false).Bool(false).Char('p').Char('i').Int2(static_cast<int>(index.columns.size())).Int2(0);
  row.Bool(false).Bool(false).Bool(false).Bool(false).Bool(false).Bool(true);
  row.Char('n').Bool(false).Id(0u).Id(0u).Id(0u).Null(3).Emit();
}

}  // namespace

void GeneratePgClass(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const TablePtr& table : context.snapshot.Tables()) {
    WriteTable(*table, row);
    for (const IndexDescriptor& index : table->indexes) WriteIndex(*table, index, row);
  }
}

std::vector<std::string> TableOptionTexts(const TableDescriptor& table) {
  std::vector<std::string> options;
  if (!table.ttl.has_value()) return options;
  options.push_back("table.kv.row.ttl=" + table.ttl->ttl_text);
  if (table.ttl->time_column.has_value())
    options.push_back("table.kv.row.ttl.time-column=" + table.FindColumn(*table.ttl->time_column)->name);
  return options;
}

}  // namespace mayfly::catalog
