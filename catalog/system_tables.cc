// Builds the descriptors of the system tables and views from catalog/data/system_columns.def.
#include "catalog/system_tables.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <vector>

#include "base/check.h"
#include "catalog/catalog.h"
#include "catalog/facts.h"
#include "catalog/type_oid.h"

namespace mayfly::catalog {

namespace {

using namespace type_oid;

struct SystemTableRow {
  uint32_t oid;
  std::string_view schema;
  std::string_view name;
  char kind;
  uint32_t row_type;
};
struct SystemColumnRow {
  uint32_t table;
  std::string_view name;
  uint32_t type;
  int32_t typmod;
  bool not_null;
};

#define SYSTEM_COLUMN(...)
constexpr SystemTableRow kTables[] = {
#define SYSTEM_TABLE(oid, schema, name, kind, row_type) {oid, schema, name, kind, row_type},
#include "catalog/data/system_columns.def"
#undef SYSTEM_TABLE
};
#undef SYSTEM_COLUMN

#define SYSTEM_TABLE(...)
constexpr SystemColumnRow kColumns[] = {
#define SYSTEM_COLUMN(table, name, type, typmod, not_null, collation) {table, name, type, typmod, not_null},
#include "catalog/data/system_columns.def"
#undef SYSTEM_COLUMN
};
#undef SYSTEM_TABLE

// A feature that we do not have: its catalog exists, and is empty.
constexpr VirtualTable kNoRows{[](const GenerateContext&, VirtualRowFn) {}};

std::string_view ViewSql(const SystemTableRow& row) {
  for (const ViewSource& view : ViewSources()) {
    if (view.schema == row.schema && view.name == row.name) return view.sql;
  }
  return {};
}

// Null where a column has a type that we do not have, or the view is not written.
TablePtr MakeTable(const SystemTableRow& row, std::span<const SystemColumnRow> columns) {
  auto table = std::make_shared<TableDescriptor>();
  table->oid = Oid{row.oid};
  table->type_oid = Oid{row.row_type};
  table->name = row.name;
  table->schema = row.schema == "pg_catalog" ? kPgCatalogSchema : kInformationSchema;
  table->owner = kBootstrapRole;
  const VirtualTable* generator = FindGenerator(row.name);
  table->kind = generator != nullptr ? 'r' : row.kind;
  if (table->kind == 'v') {
    table->view_sql = ViewSql(row);
    if (table->view_sql.empty()) return nullptr;
  } else {
    if (table->schema == kInformationSchema) return nullptr;
    table->virtual_table = generator == nullptr ? &kNoRows : generator;
  }
  for (const SystemColumnRow& column : columns) {
    const types::TypeDesc* type = FindType(Oid{column.type});
    if (type == nullptr || type->ops == nullptr) return nullptr;
    ColumnDescriptor& added = table->columns.emplace_back();
    added.id = ColumnId{static_cast<int16_t>(table->columns.size())};
    added.name = column.name;
    added.type = type;
    added.typmod = column.typmod;
    added.not_null = column.not_null;
  }
  return table;
}

struct Registry {
  Registry() {
    const SystemColumnRow* columns = std::begin(kColumns);
    for (const SystemTableRow& row : kTables) {
      const SystemColumnRow* end =
          std::find_if(columns, std::end(kColumns), [&](const SystemColumnRow& c) { return c.table != row.oid; });
      TablePtr table = MakeTable(row, {columns, end});
      columns = end;
      if (table == nullptr) continue;
      by_name.emplace(std::pair{table->schema.value, std::string_view(table->name)}, table);
      by_oid.emplace(table->oid, table);
      all.push_back(std::move(table));
    }
    Check(columns == std::end(kColumns), "system_columns.def lists columns out of order");
  }

  std::vector<TablePtr> all;
  boost::unordered_flat_map<std::pair<uint32_t, std::string_view>, TablePtr> by_name;
  boost::unordered_flat_map<Oid, TablePtr, std::hash<Oid>> by_oid;
};

// Never destroyed: sessions may still read while the program ends.
const Registry& GetRegistry() {
  static const Registry* const registry = new Registry;
  return *registry;
}

// pg_authid, pg_database and the others in the global tablespace.
constexpr uint32_t kSharedCatalogs[] = {1213, 1214, 1260, 1261, 1262, 2396, 2964, 3592, 6000, 6100, 6243};

}  // namespace

char ShownKind(const TableDescriptor& table) {
  if (table.oid.value >= kFirstUserOid) return table.kind;
  const auto* at =
      std::find_if(std::begin(kTables), std::end(kTables), [&](const SystemTableRow& row) { return row.oid == table.oid.value; });
  return at == std::end(kTables) ? table.kind : at->kind;
}

bool IsSharedCatalog(Oid table) {
  return std::binary_search(std::begin(kSharedCatalogs), std::end(kSharedCatalogs), table.value);
}

std::span<const SchemaDescriptor> SystemSchemas() {
  static const std::vector<SchemaDescriptor> schemas = {
      {.oid = kPgCatalogSchema, .name = "pg_catalog", .owner = kBootstrapRole, .comment = "system catalog schema"},
      {.oid = kInformationSchema, .name = "information_schema", .owner = kBootstrapRole, .comment = {}},
  };
  return schemas;
}

std::span<const TablePtr> SystemTables() { return GetRegistry().all; }

TablePtr FindSystemTable(Oid oid) {
  const auto at = GetRegistry().by_oid.find(oid);
  return at == GetRegistry().by_oid.end() ? nullptr : at->second;
}

TablePtr FindSystemTable(Oid schema, std::string_view name) {
  const auto at = GetRegistry().by_name.find(std::pair{schema.value, name});
  return at == GetRegistry().by_name.end() ? nullptr : at->second;
}

}  // namespace mayfly::catalog
