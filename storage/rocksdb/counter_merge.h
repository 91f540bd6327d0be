// Counters: 8 bytes little-endian, added up by RocksDB, so that adding needs no lock and no read.
#pragma once

#include <rocksdb/merge_operator.h>

#include <memory>
#include <string>

namespace mayfly::storage {

std::shared_ptr<rocksdb::MergeOperator> NewCounterMerge();

std::string EncodeCounter(int64_t value);
// 0 for bytes that no counter wrote.
int64_t DecodeCounter(const rocksdb::Slice& bytes);

}  // namespace mayfly::storage
