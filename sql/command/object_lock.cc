#include "sql/command/object_lock.h"

#include <string>

#include "base/bytes.h"
#include "sql/store/relation_lock.h"

namespace mayfly::command {
namespace {

// Object locks are on keys that nothing writes, so "changed since the view was taken" cannot be the answer.
void Lock(CommandContext& context, const std::string& key, storage::LockMode mode) {
  const bool unchanged = context.host.storage_transaction().Lock(key, mode, context.lock).value();
  (void)unchanged;
}

std::string Key(char kind) { return std::string("\xff\xff\xff\xff") + kind; }

}  // namespace

void LockRelation(CommandContext& context, Oid relation, storage::LockMode mode) {
  Result<bool> locked = context.host.storage_transaction().Lock(store::RelationLockKey(relation), mode, context.lock);
  if (locked.ok()) return;
  SqlError error = std::move(locked.error());
  // NOWAIT: storage does not know what the key stands for.
  const catalog::TablePtr table = context.snapshot()->FindTable(relation);
  if (error.state == kLockNotAvailable && context.lock.timeout_ms == 0 && table != nullptr) {
    error.message = fmt::format("could not obtain lock on relation \"{}\"", table->name);
  }
  Throw(std::move(error));
}

void LockRelationName(CommandContext& context, Oid schema, std::string_view name) {
  std::string key = Key('N');
  AppendBigEndian(key, schema.value);
  Lock(context, key.append(name), storage::LockMode::kExclusive);
}

void LockSchema(CommandContext& context, Oid schema, storage::LockMode mode) {
  std::string key = Key('H');
  AppendBigEndian(key, schema.value);
  Lock(context, key, mode);
}

void LockSchemaName(CommandContext& context, std::string_view name) {
  Lock(context, Key('S').append(name), storage::LockMode::kExclusive);
}

}  // namespace mayfly::command
