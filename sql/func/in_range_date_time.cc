// in_range of date, time, timestamp, timestamptz and interval: is `value` within `offset` of `base`? For RANGE frames of windows.
#include "sql/func/date_time_arithmetic.h"
#include "sql/func/lift.h"

namespace mayfly::func {

namespace {

using types::Interval;

void CheckOffset(const Interval& offset) {
  if (types::CompareIntervals(offset, Interval{}) >= 0) return;
  Throw(SqlError::Make(kInvalidPrecedingOrFollowingSize, "invalid preceding or following size in window function"));
}

bool Compare(int64_t value, int64_t bound, bool less) { return less ? value <= bound : value >= bound; }

bool InRangeOfTimestamp(int64_t value, int64_t base, const Interval& offset, bool subtract, bool less) {
  CheckOffset(offset);
  return Compare(value, TimestampPlusInterval(base, subtract ? NegateInterval(offset) : offset), less);
}

}  // namespace

void InRangeDateInterval(const KernelCall& call) {
  Lift<bool(int32_t, int32_t, Interval, bool, bool)>(call, [](int32_t value, int32_t base, const Interval& offset, bool subtract, bool less) {
    return InRangeOfTimestamp(types::TimestampFromDate(value).value(), types::TimestampFromDate(base).value(), offset, subtract, less);
  });
}
void InRangeTimestampInterval(const KernelCall& call) {
  Lift<bool(int64_t, int64_t, Interval, bool, bool)>(call, InRangeOfTimestamp);
}
void InRangeTimestamptzInterval(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<bool(int64_t, int64_t, Interval, bool, bool)>(call, [&](int64_t value, int64_t base, const Interval& offset, bool subtract, bool less) {
    CheckOffset(offset);
    return Compare(value, TimestamptzPlusInterval(base, subtract ? NegateInterval(offset) : offset, zone), less);
  });
}
void InRangeIntervalInterval(const KernelCall& call) {
  Lift<bool(Interval, Interval, Interval, bool, bool)>(
      call, [](const Interval& value, const Interval& base, const Interval& offset, bool subtract, bool less) {
        CheckOffset(offset);
        const int order = types::CompareIntervals(value, subtract ? SubtractIntervals(base, offset) : AddIntervals(base, offset));
        return less ? order <= 0 : order >= 0;
      });
}
// Unlike time + interval, this does not wrap around at midnight; only the offset's time counts.
void InRangeTimeInterval(const KernelCall& call) {
  Lift<bool(int64_t, int64_t, Interval, bool, bool)>(call, [](int64_t value, int64_t base, const Interval& offset, bool subtract, bool less) {
    if (offset.micros < 0) {
      Throw(SqlError::Make(kInvalidPrecedingOrFollowingSize, "invalid preceding or following size in window function"));
    }
    if (subtract) return Compare(value, base - offset.micros, less);
    int64_t bound = 0;
    if (__builtin_add_overflow(base, offset.micros, &bound)) return less;  // beyond every time
    return Compare(value, bound, less);
  });
}

}  // namespace mayfly::func
