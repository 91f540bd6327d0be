// Locks on objects, in the storage lock table, held to the end of the transaction.
//
//   relation   sql/store/relation_lock.h               writers shared, DDL exclusively
//   name       | 0xffffffff | 'N' | schema OID | name |   exclusively by whoever gives a relation this name, or takes it away
//   schema     | 0xffffffff | 'H' | schema OID |          shared by whoever puts a relation into it, exclusively by DROP and RENAME
//   schema's   | 0xffffffff | 'S' | name |                exclusively by CREATE and RENAME SCHEMA
//   name
//
// No row key can look like these: storage id 0xffffffff is never handed out.
#pragma once

#include <string_view>

#include "sql/command/command.h"

namespace mayfly::command {

// All of these wait as context.lock says: 55P03, 57014, 40P01.
void LockRelation(CommandContext& context, Oid relation, storage::LockMode mode);
void LockRelationName(CommandContext& context, Oid schema, std::string_view name);
void LockSchema(CommandContext& context, Oid schema, storage::LockMode mode);
void LockSchemaName(CommandContext& context, std::string_view name);

}  // namespace mayfly::command
