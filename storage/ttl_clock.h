// ttl_now: the clock's milliseconds, made monotone over the engine's life and, by a persisted high-water mark, over restarts.
//
// The mark is written ahead in steps, so that reading the time writes nothing: a time is handed out only below a mark that is
// already durable. A clean end writes the last time handed out; after a crash ttl_now starts at the mark, at most one step too
// late.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/clock.h"
#include "base/result.h"

namespace mayfly::storage {

// Thread-safe.
class TtlClock {
 public:
  static constexpr int64_t kStepMs = 1000;

  // `persist` makes a mark durable; an empty one means that nothing is persisted. `mark_ms` is the mark found at start.
  using Persist = std::function<Status(int64_t mark_ms)>;
  TtlClock(const Clock& clock, int64_t mark_ms, Persist persist);

  // Where the mark cannot be moved, time stands still at the mark: it is late, but never goes backwards.
  int64_t NowMs() {
    const int64_t now = FloorMs(clock_.NowMicros());
    int64_t last = last_ms_.load(std::memory_order_acquire);
    if (now <= last) return last;
    const int64_t mark = mark_ms_.load(std::memory_order_acquire);
    const int64_t next = now <= mark ? now : Extend(now);
    while (last < next && !last_ms_.compare_exchange_weak(last, next, std::memory_order_acq_rel)) {
    }
    return last < next ? next : last;
  }
  int64_t NowMicros() const { return clock_.NowMicros(); }

  // Moves the mark ahead before a reader has to wait for it; called by a timer.
  void ExtendAhead();
  // Persists the last time handed out. Nothing may be read afterwards.
  Status Close();

  static int64_t FloorMs(int64_t micros) { return micros >= 0 ? micros / 1000 : -((-micros + 999) / 1000); }

 private:
  int64_t Extend(int64_t now_ms);

  const Clock& clock_;
  const Persist persist_;
  std::mutex mutex_;
  std::atomic<int64_t> last_ms_;
  std::atomic<int64_t> mark_ms_;
};

}  // namespace mayfly::storage
