// LOCK TABLE.
//
// Relations have two lock modes (object_lock.h): writers take the shared one, readers take none, DDL the exclusive one. PostgreSQL's eight
// modes map onto them so that whatever conflicts there conflicts here:
//
//   ACCESS SHARE, ROW SHARE, ROW EXCLUSIVE    shared
//   SHARE UPDATE EXCLUSIVE … ACCESS EXCLUSIVE exclusive
//
// Differs: SHARE conflicts with itself, SHARE UPDATE EXCLUSIVE with writers too, and ACCESS EXCLUSIVE does not hold readers up.
#include "sql/command/commands.h"
#include "sql/command/lookup.h"
#include "sql/command/object_lock.h"

namespace mayfly::command {
namespace {

constexpr int kRowExclusiveLock = 3;

void LockOne(CommandContext& context, const parse::TableRef& ref, storage::LockMode mode) {
  const RelationName name = NameOf(ref);
  const Relation relation = LockNamed(context, name, mode);
  if (!relation) ThrowNoRelation(context, name);
  if (relation.index != nullptr) {
    Throw(SqlError::Make(kWrongObjectType, "cannot lock relation \"{}\"", name.name)
              .Detail("This operation is not supported for indexes."));
  }
}

}  // namespace

std::string_view LockTables(CommandContext& context, const parse::LockTableStatement& statement) {
  if (!context.in_transaction_block) {
    Throw(SqlError::Make(kNoActiveSqlTransaction, "LOCK TABLE can only be used in transaction blocks"));
  }
  const storage::LockMode mode = statement.mode <= kRowExclusiveLock ? storage::LockMode::kShared : storage::LockMode::kExclusive;
  const storage::LockOptions waiting = context.lock;
  if (statement.no_wait) context.lock.timeout_ms = 0;
  for (const parse::TableRef& table : statement.tables) LockOne(context, table, mode);
  context.lock = waiting;
  return "LOCK TABLE";
}

}  // namespace mayfly::command
