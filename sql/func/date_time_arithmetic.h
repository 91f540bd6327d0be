// Sums of points of time and intervals, for operators, generate_series, overlaps and window frames.
#pragma once

#include <cstdint>

#include "sql/func/kernel.h"
#include "sql/types/calendar.h"
#include "sql/types/interval.h"
#include "sql/types/timestamp.h"

namespace mayfly::func {

// The session's zone, UTC where none is set.
const types::TimeZone& SessionZone(const CallContext& context);

// 22008 "interval out of range".
[[noreturn]] void ThrowIntervalOutOfRange();

// Months first (the day of month is cut to the month's length), then days, then time; infinities stay. 22008.
int64_t TimestampPlusInterval(int64_t timestamp, const types::Interval& interval);
// The same by the clock of `zone`: a day may have 23 or 25 hours.
int64_t TimestamptzPlusInterval(int64_t timestamptz, const types::Interval& interval, types::ZoneCursor& zone);
// Every part negated. 22008 where a part has no opposite.
types::Interval NegateInterval(const types::Interval& interval);
types::Interval AddIntervals(const types::Interval& a, const types::Interval& b);
types::Interval SubtractIntervals(const types::Interval& a, const types::Interval& b);
// interval / factor; 22012, 22008.
types::Interval DivideInterval(const types::Interval& interval, double factor);
types::Interval MultiplyInterval(const types::Interval& interval, double factor);
// Whole days of the microseconds become days, of one sign.
types::Interval JustifyHours(types::Interval interval);
// a - b of finite timestamps, in days and time.
types::Interval SubtractTimestamps(int64_t a, int64_t b);
// time + microseconds, on the clock.
constexpr int64_t WrapTime(int64_t micros) { return types::FloorModulo(micros, types::kMicrosPerDay); }

}  // namespace mayfly::func
