// Tables by name under the search path, and their range table entries.
#include "sql/analyze/analyze.h"
#include "sql/analyze/clauses.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

[[noreturn]] void ThrowNoTable(const parse::TableRef& ref) {
  const std::string name = ref.schema.empty() ? ref.name : ref.schema + "." + ref.name;
  Throw(SqlError::Make(kUndefinedTable, "relation \"{}\" does not exist", name).At(ref.pos));
}

catalog::TablePtr FindInPath(const AnalyzeContext& context, std::string_view name) {
  bool listed = false;
  for (const std::string& schema : context.search_path) listed = listed || schema == "pg_catalog";
  if (!listed) {
    if (catalog::TablePtr table = context.snapshot.FindTable(catalog::kPgCatalogSchema, name)) return table;
  }
  for (const std::string& schema : context.search_path) {
    const catalog::SchemaDescriptor* descriptor = context.snapshot.FindSchema(schema);
    if (descriptor == nullptr) continue;
    if (catalog::TablePtr table = context.snapshot.FindTable(descriptor->oid, name)) return table;
  }
  return nullptr;
}

}  // namespace

catalog::TablePtr ResolveTable(const AnalyzeContext& context, const parse::TableRef& ref) {
  if (!ref.catalog.empty() && ref.catalog != context.database_name) {
    Throw(SqlError::Make(kFeatureNotSupported, "cross-database references are not implemented: \"{}.{}.{}\"", ref.catalog,
                         ref.schema, ref.name)
              .At(ref.pos));
  }
  if (ref.schema.empty()) {
    catalog::TablePtr table = FindInPath(context, ref.name);
    if (table == nullptr) ThrowNoTable(ref);
    return table;
  }
  const catalog::SchemaDescriptor* schema = context.snapshot.FindSchema(ref.schema);
  // A query that reads a table of a missing schema hears of the table, as in PostgreSQL.
  if (schema == nullptr) ThrowNoTable(ref);
  catalog::TablePtr table = context.snapshot.FindTable(schema->oid, ref.name);
  if (table == nullptr) ThrowNoTable(ref);
  return table;
}

RangeTableEntry MakeTableEntry(catalog::TablePtr table, const parse::TableRef& ref) {
  RangeTableEntry entry;
  TableEntry source;
  entry.alias = ref.alias.name.empty() ? ref.name : ref.alias.name;
  entry.columns.reserve(table->columns.size() + 3);
  source.column_ids.reserve(table->columns.size() + 3);
  for (const catalog::ColumnDescriptor& column : table->columns) {
    if (column.dropped) continue;
    entry.columns.push_back({column.name, column.type, column.typmod});
    source.column_ids.push_back(column.id);
  }
  entry.visible_columns = entry.columns.size();
  ApplyColumnAliases(entry.columns, entry.visible_columns, ref.alias, entry.alias);
  entry.columns.push_back({"tableoid", OidType(), -1});
  source.column_ids.push_back(catalog::system_column::kTableOid);
  if (table->ttl) {
    entry.columns.push_back({"row_ttl_timestamp", TimestamptzType(), -1});
    source.column_ids.push_back(catalog::system_column::kRowTtlTimestamp);
    entry.columns.push_back({"row_expires_at", TimestamptzType(), -1});
    source.column_ids.push_back(catalog::system_column::kRowExpiresAt);
  }
  source.table = std::move(table);
  entry.source = std::move(source);
  return entry;
}

}  // namespace mayfly::analyze
