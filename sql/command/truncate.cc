// TRUNCATE: the table gets a new, empty storage id; the old rows are dropped once the transaction has committed.
#include <algorithm>
#include <vector>

#include "sql/command/commands.h"
#include "sql/command/lookup.h"

namespace mayfly::command {
namespace {

catalog::TablePtr LockForTruncate(CommandContext& context, const parse::TableRef& ref) {
  const RelationName name = NameOf(ref);
  const Relation relation = LockNamed(context, name, storage::LockMode::kExclusive);
  if (!relation) ThrowNoRelation(context, name);
  if (relation.index != nullptr || relation.table->kind == 'v') Throw(SqlError::Make(kWrongObjectType, "\"{}\" is not a table", name.name));
  CheckNotSystemTable(*relation.table);
  return relation.table;
}

void Empty(CommandContext& context, catalog::TableDescriptor table) {
  table.storage = context.host.catalog_transaction().NewStorageId();  // the row counter goes by it, so it starts at 0
  context.host.catalog_transaction().PutTable(std::move(table));
}

}  // namespace

// RESTART IDENTITY and CASCADE reach sequences and referencing tables, of which there are none yet.
std::string_view Truncate(CommandContext& context, const parse::TruncateStatement& statement) {
  std::vector<catalog::TablePtr> tables;
  for (const parse::TableRef& ref : statement.tables) {
    catalog::TablePtr table = LockForTruncate(context, ref);
    if (std::ranges::none_of(tables, [&](const catalog::TablePtr& other) { return other->oid == table->oid; })) {
      tables.push_back(std::move(table));
    }
  }
  for (const catalog::TablePtr& table : tables) Empty(context, *table);
  return "TRUNCATE TABLE";
}

}  // namespace mayfly::command
