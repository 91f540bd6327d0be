// The catalogs of few rows: schemas, roles, databases, tablespaces, languages, collations, access methods, comments, settings.
#include "catalog/system_tables.h"
#include "catalog/tables/generators.h"
#include "catalog/tables/row_writer.h"

namespace mayfly::catalog {

namespace {

constexpr uint32_t kDefaultTablespace = 1663, kGlobalTablespace = 1664;
constexpr int32_t kUtf8 = 6;
constexpr std::string_view kLocale = "C.UTF-8";

void WriteDescription(RowWriter& row, Oid object, Oid catalog, int32_t column, std::string_view text) {
  if (!text.empty()) row.Id(object).Id(catalog).Int4(column).Text(text).Emit();
}

}  // namespace

void GeneratePgNamespace(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const SchemaDescriptor* schema : context.snapshot.Schemas())
    row.Id(schema->oid).Text(schema->name).Id(schema->owner).Null().Emit();
}

void GeneratePgAuthid(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const RoleDescriptor* role : context.snapshot.Roles()) {
    const bool super = role->superuser;
    row.Id(role->oid)
        .Text(role->name)
        .Bool(super)
        .Bool(true)
        .Bool(super)
        .Bool(super)
        .Bool(role->can_login)
        .Bool(super)
        .Bool(super);
    row.Int4(-1).TextOrNull(role->password_verifier).Null().Emit();
  }
}

void GeneratePgDatabase(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const DatabaseDescriptor* database : context.snapshot.Databases()) {
    row.Id(database->oid)
        .Text(database->name)
        .Id(database->owner)
        .Int4(kUtf8)
        .Char('c')
        .Bool(false)
        .Bool(true)
        .Int4(-1)
        .Id(0u)
        .Id(0u);
    row.Id(kDefaultTablespace).Text(kLocale).Text(kLocale).Null(3).Emit();
  }
}

void GeneratePgTablespace(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  row.Id(kDefaultTablespace).Text("pg_default").Id(kBootstrapRole).Null(2).Emit();
  row.Id(kGlobalTablespace).Text("pg_global").Id(kBootstrapRole).Null(2).Emit();
}

// All functions are built in.
void GeneratePgLanguage(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  row.Id(12u).Text("internal").Id(kBootstrapRole).Bool(false).Bool(false).Id(0u).Id(0u).Id(2246u).Null().Emit();
}

void GeneratePgCollation(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  const auto write = [&](uint32_t oid, std::string_view name, char provider, std::string_view locale) {
    row.Id(oid).Text(name).Id(kPgCatalogSchema).Id(kBootstrapRole).Char(provider).Bool(true).Int4(-1);
    row.TextOrNull(locale).TextOrNull(locale).Null(2).Emit();
  };
  write(100, "default", 'd', {});
  write(950, "C", 'c', "C");
  write(951, "POSIX", 'c', "POSIX");
}

// What tables and indexes call themselves; both are the storage engine.
void GeneratePgAm(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  row.Id(kHeapAm).Text("heap").Id(3u).Char('t').Emit();
  row.Id(kBtreeAm).Text("btree").Id(330u).Char('i').Emit();
}

void GeneratePgDescription(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const TypeRow& type : AllTypes()) WriteDescription(row, type.desc->oid, kTypeCatalog, 0, type.description);
  for (const ProcRow& proc : AllProcs()) WriteDescription(row, proc.oid, kProcCatalog, 0, proc.description);
  for (const OperatorRow& op : AllOperators()) WriteDescription(row, op.oid, kOperatorCatalog, 0, op.description);
  for (const SchemaDescriptor* schema : context.snapshot.Schemas())
    WriteDescription(row, schema->oid, kNamespaceCatalog, 0, schema->comment);
  for (const TablePtr& table : context.snapshot.Tables()) {
    WriteDescription(row, table->oid, kClassCatalog, 0, table->comment);
    for (const ColumnDescriptor& column : table->columns) {
      if (!column.dropped) WriteDescription(row, table->oid, kClassCatalog, column.id.value, column.comment);
    }
    for (const IndexDescriptor& index : table->indexes) WriteDescription(row, index.oid, kClassCatalog, 0, index.comment);
  }
}

void GeneratePgShdescription(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const DatabaseDescriptor* database : context.snapshot.Databases()) {
    if (!database->comment.empty()) row.Id(database->oid).Id(kDatabaseCatalog).Text(database->comment).Emit();
  }
}

void GeneratePgSettings(const GenerateContext& context, VirtualRowFn emit) {
  if (context.runtime == nullptr) return;
  RowWriter row(emit);
  context.runtime->ForEachSetting([&](const RuntimeInfo::SettingRow& setting) {
    row.Text(setting.name).Text(setting.value).TextOrNull(setting.unit).Text(setting.category).Text(setting.description).Null();
    row.Text(setting.context).Text(setting.type).Text(setting.value == setting.boot_value ? "default" : "session");
    row.TextOrNull(setting.min_value).TextOrNull(setting.max_value);
    if (setting.enum_values.empty()) {
      row.Null();
    } else {
      row.TextArray(setting.enum_values);
    }
    row.Text(setting.boot_value).Text(setting.reset_value).Null(2).Bool(false).Emit();
  });
}

}  // namespace mayfly::catalog
