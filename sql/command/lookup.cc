#include "sql/command/lookup.h"

#include <algorithm>

#include "sql/command/object_lock.h"

namespace mayfly::command {
namespace {

// The schemas that an unqualified name is looked for in: pg_catalog first, unless search_path names it.
std::vector<const catalog::SchemaDescriptor*> SearchSchemas(const CommandContext& context, const catalog::Snapshot& snapshot) {
  std::vector<const catalog::SchemaDescriptor*> schemas;
  if (!std::ranges::count(context.search_path, "pg_catalog")) schemas.push_back(snapshot.FindSchema(catalog::kPgCatalogSchema));
  for (const std::string& name : context.search_path) schemas.push_back(snapshot.FindSchema(name));
  std::erase(schemas, nullptr);
  return schemas;
}

}  // namespace

RelationName NameOf(const parse::TableRef& ref) { return {.catalog = ref.catalog, .schema = ref.schema, .name = ref.name, .pos = ref.pos}; }

RelationName NameOf(const parse::QualifiedName& parts) {
  switch (parts.size()) {
    case 1: return {.catalog = {}, .schema = {}, .name = parts[0], .pos = {}};
    case 2: return {.catalog = {}, .schema = parts[0], .name = parts[1], .pos = {}};
    case 3: return {.catalog = parts[0], .schema = parts[1], .name = parts[2], .pos = {}};
    default: break;
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ".") + part;
  Throw(SqlError::Make(kSyntaxError, "improper relation name (too many dotted names): {}", text));
}

std::string ToText(const RelationName& name) {
  std::string text;
  if (!name.catalog.empty()) text += name.catalog + ".";
  if (!name.schema.empty()) text += name.schema + ".";
  return text + name.name;
}

void CheckCatalog(const CommandContext& context, const RelationName& name) {
  if (name.catalog.empty() || name.catalog == context.database_name) return;
  Throw(SqlError::Make(kFeatureNotSupported, "cross-database references are not implemented: \"{}\"", ToText(name)).At(name.pos));
}

Relation FindRelation(const CommandContext& context, const catalog::Snapshot& snapshot, const RelationName& name) {
  if (!name.schema.empty()) {
    const catalog::SchemaDescriptor* schema = snapshot.FindSchema(name.schema);
    return schema == nullptr ? Relation{} : FindInSchema(snapshot, schema->oid, name.name);
  }
  for (const catalog::SchemaDescriptor* schema : SearchSchemas(context, snapshot)) {
    if (Relation relation = FindInSchema(snapshot, schema->oid, name.name)) return relation;
  }
  return {};
}

Relation FindInSchema(const catalog::Snapshot& snapshot, Oid schema, std::string_view name) {
  if (catalog::TablePtr table = snapshot.FindTable(schema, name)) return {.table = std::move(table)};
  for (catalog::TablePtr& table : snapshot.Tables()) {
    if (table->schema != schema) continue;
    const auto index = std::ranges::find(table->indexes, name, &catalog::IndexDescriptor::name);
    if (index != table->indexes.end()) return {.table = table, .index = &*index};
  }
  return {};
}

Relation LockNamed(CommandContext& context, const RelationName& name, storage::LockMode mode) {
  CheckCatalog(context, name);
  Relation relation = FindRelation(context, *context.snapshot(), name);
  // The name may come to mean another relation while this waits for the lock.
  while (relation && IsUserTable(*relation.table)) {
    const Oid locked = relation.table->oid;
    LockRelation(context, locked, mode);
    relation = FindRelation(context, *context.snapshot(), name);
    if (relation && relation.table->oid == locked) break;
  }
  return relation;
}

void ThrowNoRelation(const CommandContext& context, const RelationName& name) {
  if (!name.schema.empty() && context.snapshot()->FindSchema(name.schema) == nullptr) {
    Throw(SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", name.schema));
  }
  Throw(SqlError::Make(kUndefinedTable, "relation \"{}\" does not exist", ToText(name)));
}

void CheckNotSystemTable(const catalog::TableDescriptor& table) {
  if (IsUserTable(table) || table.kind == 'v') return;
  Throw(SqlError::Make(kInsufficientPrivilege, "permission denied: \"{}\" is a system catalog", table.name));
}

const catalog::SchemaDescriptor& CreationSchema(const CommandContext& context, const catalog::Snapshot& snapshot, const RelationName& name) {
  CheckCatalog(context, name);
  const catalog::SchemaDescriptor* schema = nullptr;
  if (!name.schema.empty()) {
    schema = snapshot.FindSchema(name.schema);
    if (schema == nullptr) Throw(SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", name.schema).At(name.pos));
  } else {
    for (const std::string& candidate : context.search_path) {
      if ((schema = snapshot.FindSchema(candidate)) != nullptr) break;
    }
    if (schema == nullptr) Throw(SqlError::Make(kInvalidSchemaName, "no schema has been selected to create in").At(name.pos));
  }
  if (IsSystemSchema(schema->oid)) {
    Throw(SqlError::Make(kInsufficientPrivilege, "permission denied to create \"{}.{}\"", schema->name, name.name)
              .Detail("System catalog modifications are currently disallowed."));
  }
  return *schema;
}

bool IsSystemSchema(Oid schema) { return schema == catalog::kPgCatalogSchema || schema == catalog::kInformationSchema; }

bool IsUserTable(const catalog::TableDescriptor& table) { return table.kind == 'r' && table.virtual_table == nullptr; }

}  // namespace mayfly::command
