// interval: months, days and microseconds, each with its own sign. Order and equality count a month as 30 days and a day as 24 hours, so
// '1 mon' = '30 days'. https://www.postgresql.org/docs/15/datatype-datetime.html#DATATYPE-INTERVAL-INPUT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "sql/types/calendar.h"
#include "sql/types/date_time_token.h"
#include "sql/types/type.h"

namespace mayfly::types {

// An interval's parts as they are printed: years and hours split off, all parts of one group with the group's sign.
struct IntervalParts {
  int32_t year = 0;
  int32_t month = 0;
  int32_t day = 0;
  int64_t hour = 0;
  int32_t minute = 0;
  int32_t second = 0;
  int32_t micros = 0;
};
constexpr IntervalParts SplitInterval(const Interval& interval) {
  IntervalParts parts;
  parts.year = interval.months / kMonthsPerYear;
  parts.month = interval.months % kMonthsPerYear;
  parts.day = interval.days;
  parts.hour = interval.micros / kMicrosPerHour;
  parts.minute = static_cast<int32_t>(interval.micros / kMicrosPerMinute % 60);
  parts.second = static_cast<int32_t>(interval.micros / kMicrosPerSecond % 60);
  parts.micros = static_cast<int32_t>(interval.micros % kMicrosPerSecond);
  return parts;
}

// The whole span in microseconds.
constexpr __int128 IntervalSpan(const Interval& interval) {
  const int64_t days = int64_t{interval.months} * kDaysPerMonth + interval.days;
  return static_cast<__int128>(days) * kMicrosPerDay + interval.micros;
}
constexpr int CompareIntervals(const Interval& a, const Interval& b) {
  const __int128 x = IntervalSpan(a);
  const __int128 y = IntervalSpan(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

// ---- typmods: which fields an interval keeps, and the digits of its seconds

inline constexpr int32_t kIntervalMonth = 1 << 1;
inline constexpr int32_t kIntervalYear = 1 << 2;
inline constexpr int32_t kIntervalDay = 1 << 3;
inline constexpr int32_t kIntervalHour = 1 << 10;
inline constexpr int32_t kIntervalMinute = 1 << 11;
inline constexpr int32_t kIntervalSecond = 1 << 12;
inline constexpr int32_t kIntervalFullRange = 0x7FFF;
inline constexpr int32_t kIntervalFullPrecision = 0xFFFF;
constexpr int32_t IntervalTypmod(int32_t range, int32_t precision) { return (range << 16) | (precision & 0xFFFF); }
constexpr int32_t IntervalRange(int32_t typmod) { return typmod < 0 ? kIntervalFullRange : (typmod >> 16) & 0x7FFF; }
constexpr int32_t IntervalPrecision(int32_t typmod) { return typmod < 0 ? kIntervalFullPrecision : typmod & 0xFFFF; }

// Cuts off the fields below the range and rounds the seconds. 22023 for a typmod of none of the known ranges.
Status AdjustIntervalForTypmod(Interval& interval, int32_t typmod);

// Any form of interval literal; `range` decides what a number without unit is. 22007, 22008, 22015.
Result<Interval> ParseInterval(std::string_view text, int32_t range, IntervalStyle style);

// The sum of the parts as they are found; each part overflows by itself. (sql/types/interval_parse.cc)
struct IntervalSum {
  int64_t micros = 0;
  int32_t days = 0;
  int32_t months = 0;
  int32_t years = 0;

  // value + fraction units of `unit_micros` microseconds; false on overflow, here and below.
  bool AddMicros(int64_t value, double fraction, int64_t unit_micros);
  bool AddFractionOfMicros(double fraction, int64_t unit_micros);
  bool AddDays(int64_t value, int32_t scale);
  bool AddFractionOfDays(double fraction, int32_t scale);
  bool AddMonths(int64_t value);
  bool AddYears(int64_t value, int32_t scale);
  bool AddFractionOfYears(double fraction, int32_t scale);
};
// Forms of ISO 8601: P1Y2M3DT4H5M6S, P0001-02-03T04:05:06. `text` as the client wrote it. (sql/types/interval_iso8601.cc)
DecodeStatus ParseIso8601Interval(std::string_view text, IntervalSum& sum);

}  // namespace mayfly::types
