// Removes expired rows while RocksDB compacts.
//
// What is removed is decided when a filter is made, for a whole compaction: rows of the tables known by then, expired at the
// watermark of that moment. A removed row becomes a tombstone where older versions of it may lie deeper, so none of them comes
// back. Damaged values stay.
#pragma once

#include <rocksdb/compaction_filter.h>

#include <atomic>
#include <memory>

#include "storage/live_views.h"
#include "storage/rocksdb/table_registry.h"

namespace mayfly::storage {

// What the filter is told and what it counts. Outlives the database.
struct TtlFilterContext {
  const LiveViews& views;
  TableRegistry tables;
  std::atomic<uint64_t> rows_removed{0};
  std::atomic<uint64_t> damaged_values{0};
};

std::shared_ptr<rocksdb::CompactionFilterFactory> NewTtlFilterFactory(TtlFilterContext& context);

}  // namespace mayfly::storage
