// What every file of the expiring family knows of its rows' tags, written beside them as a property of the file.
//
//   property "mayfly.tags"   | version: u8 = 1 | pinned: u8 | expires_max: i64 | rows: varint | samples: varint | expires_at: i64
//   ... |
//
// A file is pinned where it holds anything that must not vanish with its expired rows: rows of unknown tables, rows that never
// expire, damaged values, range tombstones. expires_max is the latest expiry of the other rows; the samples are the expiries of
// some of them, evenly spread, from which the share of expired rows at a later time is estimated.
#pragma once

#include <rocksdb/table_properties.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "storage/rocksdb/ttl_filter.h"

namespace mayfly::storage {

struct TagSummary {
  bool pinned = false;
  int64_t expires_max = INT64_MIN;
  uint64_t rows = 0;
  std::vector<int64_t> samples;

  // Every row of the file is expired at `watermark_ms`, and nothing else is in it.
  bool AllExpired(int64_t watermark_ms) const { return !pinned && expires_max <= watermark_ms; }
  // The estimated share of expired rows, 0 to 1.
  double ExpiredShare(int64_t watermark_ms) const;
};

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewTagCollectorFactory(TtlFilterContext& context);
// nullopt where the file has no readable summary: nothing is known of it.
std::optional<TagSummary> ReadTagSummary(const rocksdb::TableProperties& properties);

}  // namespace mayfly::storage
