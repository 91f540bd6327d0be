// The only source of time. Production reads the system clock; tests move a ManualClock by hand.
#pragma once

#include <atomic>
#include <cstdint>

namespace mayfly {

// Wall-clock time in microseconds since the Unix epoch. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t NowMicros() const = 0;
};

// The system clock; may step backwards. The engine makes ttl_now monotone, not this.
class SystemClock final : public Clock {
 public:
  int64_t NowMicros() const override;
};

// Stands still until it is moved, in either direction.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t micros) : micros_(micros) {}
  int64_t NowMicros() const override { return micros_.load(std::memory_order_acquire); }
  void Set(int64_t micros) { micros_.store(micros, std::memory_order_release); }
  void Advance(int64_t micros) { micros_.fetch_add(micros, std::memory_order_acq_rel); }

 private:
  std::atomic<int64_t> micros_;
};

}  // namespace mayfly
