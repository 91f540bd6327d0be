#include "sql/command/primary_key.h"

#include <algorithm>

#include "catalog/facts.h"
#include "sql/command/lookup.h"
#include "sql/command/object_lock.h"
#include "sql/types/format_type.h"
#include "sql/types/utf8.h"

namespace mayfly::command {
namespace {

constexpr size_t kIdentifierBytesMax = 63;
constexpr size_t kKeyColumnsMax = 32;

catalog::ColumnDescriptor& KeyColumn(const KeyDefinition& key, KeyOf key_of, const std::string& name, catalog::TableDescriptor& table) {
  for (catalog::ColumnDescriptor& column : table.columns) {
    if (!column.dropped && column.name == name) return column;
  }
  if (key_of == KeyOf::kExistingTable) {
    Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" of relation \"{}\" does not exist", name, table.name).At(key.pos));
  }
  Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" named in key does not exist", name).At(key.pos));
}

void CheckKeyType(const catalog::ColumnDescriptor& column, SourcePos pos) {
  const types::TypeOps& ops = *column.type->ops;
  if (!catalog::FindBtreeOperators(column.type->oid).equal.valid() && column.type->element == nullptr) {
    Throw(SqlError::Make(kUndefinedObject, "data type {} has no default operator class for access method \"btree\"",
                         types::FormatType(*column.type))
              .Hint("You must specify an operator class for the index or define a default operator class for the data type."));
  }
  if (ops.encode_key == nullptr || ops.decode_key == nullptr) {
    Throw(SqlError::NotSupported(fmt::format("a primary key of type {}", types::FormatType(*column.type)), pos));
  }
}

bool IsTaken(const catalog::Snapshot& snapshot, const catalog::TableDescriptor& table, std::string_view name) {
  return name == table.name || FindInSchema(snapshot, table.schema, name);
}

// A free name, locked: {table}_pkey, {table}_pkey1, ….
std::string ChooseIndexName(CommandContext& context, const catalog::TableDescriptor& table) {
  for (int number = 0;; ++number) {
    std::string name = MakeObjectName(table.name, number == 0 ? "pkey" : fmt::format("pkey{}", number));
    if (IsTaken(*context.snapshot(), table, name)) continue;
    LockRelationName(context, table.schema, name);
    if (!IsTaken(*context.snapshot(), table, name)) return name;
  }
}

std::string TakeIndexName(CommandContext& context, const catalog::TableDescriptor& table, const std::string& name) {
  LockRelationName(context, table.schema, name);
  if (IsTaken(*context.snapshot(), table, name)) Throw(SqlError::Make(kDuplicateTable, "relation \"{}\" already exists", name));
  return name;
}

}  // namespace

void AddPrimaryKey(CommandContext& context, const KeyDefinition& key, KeyOf key_of, catalog::TableDescriptor& table) {
  if (key.columns.size() > kKeyColumnsMax) {
    Throw(SqlError::Make(kTooManyColumns, "cannot use more than {} columns in an index", kKeyColumnsMax));
  }
  catalog::IndexDescriptor index;
  for (const std::string& name : key.columns) {
    catalog::ColumnDescriptor& column = KeyColumn(key, key_of, name, table);
    if (std::ranges::count(index.columns, column.id) != 0) {
      Throw(SqlError::Make(kDuplicateColumn, "column \"{}\" appears twice in primary key constraint", name).At(key.pos));
    }
    CheckKeyType(column, key.pos);
    column.not_null = true;
    index.columns.push_back(column.id);
  }
  index.name = key.name.empty() ? ChooseIndexName(context, table) : TakeIndexName(context, table, key.name);
  index.oid = context.host.catalog_transaction().NewOid();
  index.constraint_oid = context.host.catalog_transaction().NewOid();
  table.indexes.insert(table.indexes.begin(), std::move(index));
  table.hidden_row_id = false;
}

std::string MakeObjectName(std::string_view table, std::string_view suffix) {
  const std::string_view clipped = types::Utf8Clip(table, kIdentifierBytesMax - 1 - suffix.size());
  return fmt::format("{}_{}", clipped, suffix);
}

}  // namespace mayfly::command
