// CREATE, DROP and ALTER SCHEMA … RENAME.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sql/command/commands.h"
#include "sql/command/dependents.h"
#include "sql/command/lookup.h"
#include "sql/command/object_lock.h"
#include "sql/command/role.h"

namespace mayfly::command {
namespace {

void CheckSchemaName(std::string_view name) {
  if (!name.starts_with("pg_")) return;
  Throw(SqlError::Make(kReservedName, "unacceptable schema name \"{}\"", name).Detail("The prefix \"pg_\" is reserved for system schemas."));
}

SqlError NoSchema(std::string_view name) { return SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", name); }
SqlError SchemaExists(std::string_view name) { return SqlError::Make(kDuplicateSchema, "schema \"{}\" already exists", name); }

std::optional<catalog::SchemaDescriptor> FindSchema(const CommandContext& context, std::string_view name) {
  const catalog::SnapshotPtr snapshot = context.snapshot();
  const catalog::SchemaDescriptor* schema = snapshot->FindSchema(name);
  return schema == nullptr ? std::nullopt : std::optional(*schema);
}

// The schema, locked exclusively; nullopt where there is none.
std::optional<catalog::SchemaDescriptor> LockSchemaByName(CommandContext& context, const std::string& name) {
  std::optional<catalog::SchemaDescriptor> schema = FindSchema(context, name);
  while (schema.has_value()) {
    const Oid locked = schema->oid;
    LockSchema(context, locked, storage::LockMode::kExclusive);
    schema = FindSchema(context, name);
    if (schema.has_value() && schema->oid == locked) break;
  }
  return schema;
}

// The tables of a schema, in OID order, each locked exclusively.
std::vector<catalog::TablePtr> LockTablesOf(CommandContext& context, Oid schema) {
  std::vector<catalog::TablePtr> tables;
  const catalog::SnapshotPtr snapshot = context.snapshot();
  for (const catalog::TablePtr& table : snapshot->Tables()) {
    if (table->schema != schema) continue;
    LockRelation(context, table->oid, storage::LockMode::kExclusive);
    tables.push_back(table);
  }
  return tables;
}

}  // namespace

std::string_view CreateSchema(CommandContext& context, const parse::CreateSchemaStatement& statement) {
  catalog::SchemaDescriptor schema;
  schema.name = statement.name;
  schema.owner = context.role;
  if (!statement.owner.empty()) {
    const catalog::RoleDescriptor owner = FindRole(context, statement.owner);
    if (schema.name.empty()) schema.name = owner.name;
    schema.owner = owner.oid;
  }
  CheckSchemaName(schema.name);
  LockSchemaName(context, schema.name);
  if (FindSchema(context, schema.name).has_value()) {
    if (!statement.if_not_exists) Throw(SchemaExists(schema.name));
    context.host.Notice(SqlError::Make(kDuplicateSchema, "schema \"{}\" already exists, skipping", schema.name).As(Severity::kNotice));
    return "CREATE SCHEMA";
  }
  schema.oid = context.host.catalog_transaction().NewOid();
  context.host.catalog_transaction().PutSchema(std::move(schema));
  return "CREATE SCHEMA";
}

std::string_view DropSchema(CommandContext& context, const parse::DropStatement& statement) {
  std::vector<catalog::SchemaDescriptor> schemas;
  Dependents dependents;
  for (const parse::QualifiedName& name : statement.names) {
    const std::optional<catalog::SchemaDescriptor> schema = LockSchemaByName(context, name.back());
    if (!schema.has_value()) {
      if (!statement.if_exists) Throw(NoSchema(name.back()));
      context.host.Notice(
          SqlError::Make(kSuccessfulCompletion, "schema \"{}\" does not exist, skipping", name.back()).As(Severity::kNotice));
      continue;
    }
    if (IsSystemSchema(schema->oid)) {
      Throw(SqlError::Make(kDependentObjectsStillExist, "cannot drop schema {} because it is required by the database system", schema->name));
    }
    if (std::ranges::count(schemas, schema->oid, &catalog::SchemaDescriptor::oid) != 0) continue;
    schemas.push_back(*schema);
    for (const catalog::TablePtr& table : LockTablesOf(context, schema->oid)) {
      dependents.Add(table->oid, DescribeTable(context, *table), fmt::format("schema {}", schema->name));
    }
  }
  const std::string dropped = schemas.size() == 1 ? fmt::format("schema {}", schemas[0].name) : "desired object(s)";
  dependents.Resolve(context, dropped, schemas.size() != 1, statement.cascade);
  catalog::CatalogTransaction& changes = context.host.catalog_transaction();
  for (const Oid table : dependents.oids()) changes.DropTable(table);
  for (const catalog::SchemaDescriptor& schema : schemas) changes.DropSchema(schema.oid);
  return "DROP SCHEMA";
}

std::string_view RenameSchema(CommandContext& context, const parse::RenameStatement& statement) {
  std::optional<catalog::SchemaDescriptor> found = LockSchemaByName(context, statement.old_name);
  if (!found.has_value()) Throw(NoSchema(statement.old_name));
  catalog::SchemaDescriptor& schema = *found;
  LockSchemaName(context, statement.new_name);
  if (FindSchema(context, statement.new_name).has_value()) Throw(SchemaExists(statement.new_name));
  if (IsSystemSchema(schema.oid)) Throw(SqlError::Make(kInsufficientPrivilege, "permission denied for schema {}", schema.name));
  CheckSchemaName(statement.new_name);
  schema.name = statement.new_name;
  context.host.catalog_transaction().PutSchema(std::move(schema));
  return "ALTER SCHEMA";
}

}  // namespace mayfly::command
