// What every local engine keeps besides its rows: clock, live views, locks, the memory of recent commits.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "storage/live_views.h"
#include "storage/lock_table.h"
#include "storage/recent_commits.h"
#include "storage/serial_log.h"
#include "storage/ttl_clock.h"

namespace mayfly::storage {

struct LocalState {
  LocalState(const Clock& system_clock, int64_t mark_ms, TtlClock::Persist persist)
      : clock(system_clock, mark_ms, std::move(persist)) {}

  TtlClock clock;
  LiveViews views{clock};
  LockTable locks;
  RecentCommits recent{views};
  SerialLog serial;
  Limits limits;
  std::atomic<uint64_t> transaction_ids{1};
  std::atomic<uint64_t> damaged_values{0};
  std::atomic<uint64_t> commits{0};
};

// The row that `stored` holds, where it is not expired at `ttl_now_ms`. `row.key` is left as it is. XX001 for a damaged value.
inline bool IsVisible(const TableOptions& table, int64_t ttl_now_ms, std::string_view stored, StoredRow& row, bool& damaged) {
  DecodedValue decoded;
  if (!TryDecodeValue(table.layout, stored, decoded)) [[unlikely]] {
    damaged = true;
    return false;
  }
  if (table.layout == ValueLayout::kTagged && IsExpired(decoded.tag, table.ttl_ms, ttl_now_ms)) return false;
  row.tag = decoded.tag;
  row.payload = decoded.payload;
  return true;
}

// Counts the damage, and reports it.
inline SqlError DamagedValue(LocalState& state, const TableOptions& table, std::string_view stored) {
  state.damaged_values.fetch_add(1, std::memory_order_relaxed);
  return DecodeValue(table.layout, stored).error();
}

}  // namespace mayfly::storage
