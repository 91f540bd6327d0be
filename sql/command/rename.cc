// ALTER TABLE … RENAME TO, RENAME COLUMN; ALTER TABLE of an index's name renames the index.
#include <string>

#include "sql/command/column_name.h"
#include "sql/command/commands.h"
#include "sql/command/lookup.h"
#include "sql/command/object_lock.h"

namespace mayfly::command {
namespace {

// The new name, locked and free, in the relation's own schema.
void TakeName(CommandContext& context, Oid schema, std::string_view name) {
  LockRelationName(context, schema, name);
  if (FindInSchema(*context.snapshot(), schema, name)) {
    Throw(SqlError::Make(kDuplicateTable, "relation \"{}\" already exists", name));
  }
}

void RenameRelation(CommandContext& context, const Relation& relation, const std::string& new_name) {
  TakeName(context, relation.table->schema, new_name);
  catalog::TableDescriptor table = *relation.table;
  if (relation.index == nullptr) {
    table.name = new_name;
  } else {
    table.indexes[static_cast<size_t>(relation.index - relation.table->indexes.data())].name = new_name;
  }
  context.host.catalog_transaction().PutTable(std::move(table));
}

void RenameColumn(CommandContext& context, const Relation& relation, const parse::RenameStatement& statement) {
  if (relation.index != nullptr) Throw(SqlError::NotSupported("renaming a column of an index", statement.table.pos));
  catalog::TableDescriptor table = *relation.table;
  size_t found = table.columns.size();
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (!table.columns[i].dropped && table.columns[i].name == statement.old_name) found = i;
  }
  if (found == table.columns.size()) {
    if (IsSystemColumn(table, statement.old_name)) {
      Throw(SqlError::Make(kFeatureNotSupported, "cannot rename system column \"{}\"", statement.old_name));
    }
    Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" does not exist", statement.old_name));
  }
  CheckNotSystemColumn(table, statement.new_name);
  if (table.FindColumn(statement.new_name) != nullptr) {
    Throw(SqlError::Make(kDuplicateColumn, "column \"{}\" of relation \"{}\" already exists", statement.new_name, table.name));
  }
  table.columns[found].name = statement.new_name;
  context.host.catalog_transaction().PutTable(std::move(table));
}

}  // namespace

std::string_view Rename(CommandContext& context, const parse::RenameStatement& statement) {
  const RelationName name = NameOf(statement.table);
  const Relation relation = LockNamed(context, name, storage::LockMode::kExclusive);
  if (!relation) {
    if (!statement.if_exists) ThrowNoRelation(context, name);
    context.host.Notice(
        SqlError::Make(kSuccessfulCompletion, "relation \"{}\" does not exist, skipping", name.name).As(Severity::kNotice));
    return "ALTER TABLE";
  }
  if (!IsUserTable(*relation.table)) {
    Throw(SqlError::Make(kInsufficientPrivilege, "permission denied: \"{}\" is a system catalog", name.name));
  }
  if (statement.kind == parse::ObjectKind::kColumn) {
    RenameColumn(context, relation, statement);
  } else {
    RenameRelation(context, relation, statement.new_name);
  }
  return "ALTER TABLE";
}

}  // namespace mayfly::command
