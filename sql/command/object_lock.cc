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
  Lock(context, store::RelationLockKey(relation), mode);
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
