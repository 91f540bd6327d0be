// The built-in schemas, and the relations in them: virtual tables with PostgreSQL's columns, and views written in SQL. Immutable,
// made once.
#pragma once

#include <span>
#include <string_view>

#include "catalog/descriptor.h"
#include "catalog/virtual_table.h"

namespace mayfly::catalog {

// pg_catalog and information_schema.
std::span<const SchemaDescriptor> SystemSchemas();

// Ascending by OID, all below kFirstUserOid.
std::span<const TablePtr> SystemTables();
// Null where there is none.
TablePtr FindSystemTable(Oid oid);
TablePtr FindSystemTable(Oid schema, std::string_view name);

// pg_class.relkind: pg_settings and its like are views in PostgreSQL, and virtual tables here.
char ShownKind(const TableDescriptor& table);
// Whether the rows of a system table belong to all databases (relisshared).
bool IsSharedCatalog(Oid table);

// The generator of a virtual table; null for a table that has no rows because we do not have its feature
// (catalog/tables/generators.cc).
const VirtualTable* FindGenerator(std::string_view name);

// A view's text, from catalog/views/SCHEMA/NAME.sql; put into the program at build time.
struct ViewSource {
  std::string_view schema;
  std::string_view name;
  std::string_view sql;
};
std::span<const ViewSource> ViewSources();

}  // namespace mayfly::catalog
