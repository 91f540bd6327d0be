#include "storage/ttl_clock.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace mayfly::storage {

TtlClock::TtlClock(const Clock& clock, int64_t mark_ms, Persist persist)
    : clock_(clock),
      persist_(std::move(persist)),
      last_ms_(mark_ms),
      mark_ms_(persist_ ? mark_ms : std::numeric_limits<int64_t>::max()) {}

// The newest time at or before `now_ms` that may be handed out.
int64_t TtlClock::Extend(int64_t now_ms) {
  std::lock_guard lock(mutex_);
  const int64_t mark = mark_ms_.load(std::memory_order_acquire);
  if (now_ms <= mark) return now_ms;
  const int64_t next = now_ms + kStepMs;
  if (!persist_(next).ok()) return mark;
  mark_ms_.store(next, std::memory_order_release);
  return now_ms;
}

void TtlClock::ExtendAhead() {
  const int64_t last = last_ms_.load(std::memory_order_acquire);
  const int64_t mark = mark_ms_.load(std::memory_order_acquire);
  // Nobody asked for the time since the mark was set: nothing to do on an idle server.
  if (last + kStepMs / 2 <= mark) return;
  const int64_t now = FloorMs(clock_.NowMicros());
  if (now + kStepMs / 2 > mark) Extend(std::max(now, mark + 1));
}

Status TtlClock::Close() {
  std::lock_guard lock(mutex_);
  if (!persist_) return Ok();
  const int64_t last = last_ms_.load(std::memory_order_acquire);
  mark_ms_.store(last, std::memory_order_release);
  return persist_(last);
}

}  // namespace mayfly::storage
