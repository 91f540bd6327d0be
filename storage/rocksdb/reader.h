// Reading committed rows, at a snapshot or the newest.
#pragma once

#include <rocksdb/db.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rocksdb/store.h"

namespace mayfly::storage {

// Fills in `buffer` where the row of `key` is visible at `ttl_now_ms`. No snapshot: the newest version.
Result<bool> GetRow(RocksStore& store, const rocksdb::ReadOptions& read, const TableOptions& table, std::string_view key,
                    int64_t ttl_now_ms, GetBuffer& buffer);
// `fn` may be called for any index, in any order.
Status MultiGetRows(RocksStore& store, const rocksdb::ReadOptions& read, const TableOptions& table,
                    std::span<const std::string_view> keys, int64_t ttl_now_ms, MultiGetFn fn);
Result<int64_t> GetCounter(RocksStore& store, const rocksdb::ReadOptions& read, std::string_view counter);

std::vector<std::string> SplitRange(RocksStore& store, const TableOptions& table, const KeyRange& range, size_t parts);
ReadView::Size EstimateSize(RocksStore& store, const TableOptions& table, const KeyRange& range);

}  // namespace mayfly::storage
