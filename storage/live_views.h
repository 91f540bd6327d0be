// The views that are alive: what compaction and the memory of recent commits must not overtake.
//
// A view is entered before it takes its version, and reads ttl_now under its shard's mutex. So whoever reads the clock first and
// asks for the oldest view afterwards knows that every view entered later has a ttl_now, and a version, that is not older.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>

#include "storage/ttl_clock.h"

namespace mayfly::storage {

// A place in the list of live views; part of the view. Used by one thread at a time, except `version`.
struct LiveView {
  static constexpr uint64_t kNoVersion = std::numeric_limits<uint64_t>::max();

  int64_t ttl_now_ms = 0;
  // The version the view reads at: 0 while it is being taken, kNoVersion where the view has none (yet).
  std::atomic<uint64_t> version{kNoVersion};

  LiveView* previous = nullptr;
  LiveView* next = nullptr;
  size_t shard = 0;
  bool entered = false;
};

// Thread-safe.
class LiveViews {
 public:
  explicit LiveViews(TtlClock& clock) : clock_(clock) {}

  // Gives `view` its ttl_now. A no-op for a view that is in the list.
  void Enter(LiveView& view);
  void Leave(LiveView& view);

  // Announces that the view takes a version now; `version` must be set right afterwards. Requires: entered.
  void AnnounceVersion(LiveView& view);
  void DropVersion(LiveView& view);
  // True where any view has a version. False is certain for every version taken before the call began.
  bool any_version() const { return versions_.load(std::memory_order_seq_cst) > 0; }
  // The oldest version of all views; nullopt without any. 0 where one is being taken.
  std::optional<uint64_t> OldestVersion() const;

  // Everything whose expiry is at or before this is expired for every view that lives or will ever live.
  int64_t Watermark() const;

 private:
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    LiveView* first = nullptr;
  };
  TtlClock& clock_;
  std::array<Shard, 8> shards_;
  std::atomic<uint64_t> versions_{0};
};

}  // namespace mayfly::storage
