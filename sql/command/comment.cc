// COMMENT ON TABLE, VIEW, INDEX, SEQUENCE, COLUMN, SCHEMA, DATABASE. An empty text removes the comment, as NULL does.
#include <string>

#include "sql/command/column_name.h"
#include "sql/command/commands.h"
#include "sql/command/lookup.h"
#include "sql/command/object_lock.h"

namespace mayfly::command {
namespace {

using parse::ObjectKind;

[[noreturn]] void ThrowWrongKind(std::string_view name, std::string_view article) {
  Throw(SqlError::Make(kWrongObjectType, "\"{}\" is not {}", name, article));
}

Relation RequireRelation(CommandContext& context, const RelationName& name) {
  Relation relation = LockNamed(context, name, storage::LockMode::kExclusive);
  if (!relation) ThrowNoRelation(context, name);
  return relation;
}

void CheckKind(const Relation& relation, ObjectKind kind, std::string_view name) {
  const bool is_index = relation.index != nullptr;
  const bool is_view = !is_index && relation.table->kind == 'v';
  if (kind == ObjectKind::kIndex && !is_index) ThrowWrongKind(name, "an index");
  if (kind == ObjectKind::kView && !is_view) ThrowWrongKind(name, "a view");
  if (kind == ObjectKind::kSequence) ThrowWrongKind(name, "a sequence");
  if (kind == ObjectKind::kTable && (is_index || is_view)) ThrowWrongKind(name, "a table");
}

// Differs: the comments of system relations cannot be changed here; in PostgreSQL a superuser may.
void CheckCommentable(const Relation& relation, std::string_view name) {
  if (IsUserTable(*relation.table)) return;
  Throw(SqlError::Make(kInsufficientPrivilege, "permission denied: \"{}\" is a system catalog", name));
}

void CommentOnRelation(CommandContext& context, ObjectKind kind, const RelationName& name, std::string text) {
  const Relation relation = RequireRelation(context, name);
  CheckKind(relation, kind, name.name);
  CheckCommentable(relation, name.name);
  catalog::TableDescriptor table = *relation.table;
  if (relation.index == nullptr) {
    table.comment = std::move(text);
  } else {
    table.indexes[static_cast<size_t>(relation.index - relation.table->indexes.data())].comment = std::move(text);
  }
  context.host.catalog_transaction().PutTable(std::move(table));
}

void CommentOnColumn(CommandContext& context, const parse::CommentStatement& statement, std::string text) {
  if (statement.name.size() < 2) Throw(SqlError::Make(kSyntaxError, "column name must be qualified"));
  const RelationName name = NameOf(parse::QualifiedName(statement.name.begin(), statement.name.end() - 1));
  const Relation relation = RequireRelation(context, name);
  if (relation.index != nullptr) {
    Throw(SqlError::Make(kWrongObjectType, "cannot set comment on relation \"{}\"", name.name)
              .Detail("This operation is not supported for indexes."));
  }
  CheckCommentable(relation, name.name);
  catalog::TableDescriptor table = *relation.table;
  table.columns[RequireColumn(table, statement.name.back(), "comment on")].comment = std::move(text);
  context.host.catalog_transaction().PutTable(std::move(table));
}

void CommentOnSchema(CommandContext& context, const std::string& name, std::string text) {
  catalog::SnapshotPtr snapshot = context.snapshot();
  const catalog::SchemaDescriptor* found = snapshot->FindSchema(name);
  if (found == nullptr) Throw(SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", name));
  if (IsSystemSchema(found->oid)) Throw(SqlError::Make(kInsufficientPrivilege, "permission denied for schema {}", name));
  LockSchema(context, found->oid, storage::LockMode::kExclusive);
  snapshot = context.snapshot();
  found = snapshot->FindSchema(name);
  if (found == nullptr) Throw(SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", name));
  catalog::SchemaDescriptor schema = *found;
  schema.comment = std::move(text);
  context.host.catalog_transaction().PutSchema(std::move(schema));
}

void CommentOnDatabase(CommandContext& context, const std::string& name, std::string text) {
  const catalog::SnapshotPtr snapshot = context.snapshot();
  const catalog::DatabaseDescriptor* found = snapshot->FindDatabase(name);
  if (found == nullptr) {
    // PostgreSQL only warns here, so that dumps load into databases of other names.
    context.host.Notice(SqlError::Make(kInvalidCatalogName, "database \"{}\" does not exist", name).As(Severity::kWarning));
    return;
  }
  catalog::DatabaseDescriptor database = *found;
  database.comment = std::move(text);
  context.host.catalog_transaction().PutDatabase(std::move(database));
}

}  // namespace

std::string_view Comment(CommandContext& context, const parse::CommentStatement& statement) {
  std::string text = statement.text.value_or("");
  switch (statement.kind) {
    case ObjectKind::kColumn: CommentOnColumn(context, statement, std::move(text)); break;
    case ObjectKind::kSchema: CommentOnSchema(context, statement.name.back(), std::move(text)); break;
    case ObjectKind::kDatabase: CommentOnDatabase(context, statement.name.back(), std::move(text)); break;
    default: CommentOnRelation(context, statement.kind, NameOf(statement.name), std::move(text)); break;
  }
  return "COMMENT";
}

}  // namespace mayfly::command
