// How the database is set up: what was measured, in one place.
#pragma once

#include <rocksdb/db.h>

#include <string>
#include <vector>

#include "storage/rocksdb/rocksdb_engine.h"

namespace mayfly::storage {

struct RocksStore;

rocksdb::DBOptions MakeDbOptions(RocksStore& store);
// In the order of RocksStore::families.
std::vector<rocksdb::ColumnFamilyDescriptor> MakeFamilies(RocksStore& store);

}  // namespace mayfly::storage
