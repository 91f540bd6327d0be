// Names of locks on whole relations in the storage lock table. Statements that write rows hold it shared, DDL exclusively, both
// until the transaction ends. No row key can look like one: those start with a storage id, of which 0xffffffff is never handed
// out.
//
//   | 0xffffffff | 'R' | relation OID: uint32 BE |
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/strong_id.h"

namespace mayfly::store {

inline std::string RelationLockKey(Oid relation) {
  std::string key = "\xff\xff\xff\xffR";
  AppendBigEndian(key, relation.value);
  return key;
}

}  // namespace mayfly::store
