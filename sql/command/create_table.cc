// CREATE TABLE.
#include <algorithm>
#include <string>
#include <vector>

#include "sql/command/column_definition.h"
#include "sql/command/column_name.h"
#include "sql/command/commands.h"
#include "sql/command/lookup.h"
#include "sql/command/object_lock.h"
#include "sql/command/primary_key.h"
#include "sql/command/table_options.h"
#include "sql/store/row_codec.h"

namespace mayfly::command {
namespace {

constexpr size_t kColumnsMax = 1600;

void RefusePersistence(const parse::CreateTableStatement& statement) {
  if (statement.persistence == 't') Throw(SqlError::NotSupported("CREATE TEMPORARY TABLE", statement.table.pos));
  if (statement.persistence == 'u') Throw(SqlError::NotSupported("CREATE UNLOGGED TABLE", statement.table.pos));
}

// All PRIMARY KEYs of the statement are one; a second one is 42P16 at its place.
class KeyCollector {
 public:
  explicit KeyCollector(std::string_view table_name) : table_name_(table_name) {}

  void Add(const parse::Constraint& constraint, std::vector<std::string> columns) {
    RefuseConstraint(constraint);
    if (key_.has_value()) {
      Throw(SqlError::Make(kInvalidTableDefinition, "multiple primary keys for table \"{}\" are not allowed", table_name_).At(constraint.pos));
    }
    key_ = KeyDefinition{.name = constraint.name, .columns = std::move(columns), .pos = constraint.pos};
  }
  const std::optional<KeyDefinition>& key() const { return key_; }

 private:
  std::string_view table_name_;
  std::optional<KeyDefinition> key_;
};

std::optional<KeyDefinition> AddColumns(CommandContext& context, const parse::CreateTableStatement& statement,
                                        catalog::TableDescriptor& table) {
  if (statement.columns.size() > kColumnsMax) {
    Throw(SqlError::Make(kTooManyColumns, "tables can have at most {} columns", kColumnsMax));
  }
  KeyCollector key(table.name);
  for (const parse::ColumnDefinition& definition : statement.columns) {
    NewColumn column = MakeColumn(context, table.name, definition);
    if (column.primary_key != nullptr) key.Add(*column.primary_key, {definition.name});
    column.descriptor.id = ColumnId{static_cast<int16_t>(table.columns.size() + 1)};
    table.columns.push_back(std::move(column.descriptor));
  }
  for (const parse::Constraint& constraint : statement.constraints) {
    RefuseConstraint(constraint);
    key.Add(constraint, constraint.columns);
  }
  return key.key();
}

void CheckColumnNames(const catalog::TableDescriptor& table) {
  for (auto column = table.columns.begin(); column != table.columns.end(); ++column) {
    CheckNotSystemColumn(table, column->name);
    if (std::count_if(table.columns.begin(), column, [&](const auto& other) { return other.name == column->name; }) != 0) {
      Throw(SqlError::Make(kDuplicateColumn, "column \"{}\" specified more than once", column->name));
    }
  }
}

// The schema is locked against being dropped; the name against being taken.
void TakeName(CommandContext& context, const RelationName& name, const catalog::TableDescriptor& table) {
  if (FindInSchema(*context.snapshot(), table.schema, table.name)) {
    Throw(SqlError::Make(kDuplicateTable, "relation \"{}\" already exists", name.name));
  }
}

}  // namespace

std::string_view CreateTable(CommandContext& context, const parse::CreateTableStatement& statement) {
  RefusePersistence(statement);
  const RelationName name = NameOf(statement.table);
  catalog::TableDescriptor table;
  table.name = name.name;
  table.schema = CreationSchema(context, *context.snapshot(), name).oid;
  LockSchema(context, table.schema, storage::LockMode::kShared);
  if (context.snapshot()->FindSchema(table.schema) == nullptr) {
    Throw(SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", name.schema).At(name.pos));
  }
  LockRelationName(context, table.schema, table.name);
  if (statement.if_not_exists && FindInSchema(*context.snapshot(), table.schema, table.name)) {
    context.host.Notice(SqlError::Make(kDuplicateTable, "relation \"{}\" already exists, skipping", name.name).As(Severity::kNotice));
    return "CREATE TABLE";
  }
  table.owner = context.role;
  table.hidden_row_id = true;
  const std::optional<TtlDefinition> ttl = ReadCreateOptions(context, statement.options);
  const std::optional<KeyDefinition> key = AddColumns(context, statement, table);
  CheckColumnNames(table);
  TakeName(context, name, table);
  if (key.has_value()) AddPrimaryKey(context, *key, KeyOf::kNewTable, table);
  if (ttl.has_value()) {
    ApplyTtl(*ttl, table);
    CheckColumnNames(table);  // row_expires_at and row_ttl_timestamp are taken now
  }
  table.layouts.push_back({.version = 1, .columns = store::PayloadColumns(table)});
  catalog::CatalogTransaction& changes = context.host.catalog_transaction();
  table.oid = changes.NewOid();
  table.type_oid = changes.NewOid();
  table.storage = changes.NewStorageId();
  changes.PutTable(std::move(table));
  return "CREATE TABLE";
}

}  // namespace mayfly::command
