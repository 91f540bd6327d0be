// timestamp and timestamptz: microseconds since 2000-01-01, local or UTC; a precision of 0 to 6 digits; and the ways among them and date and time.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "sql/types/calendar.h"
#include "sql/types/time_zone.h"

namespace mayfly::types {

// Digits of a second that a typmod can keep.
inline constexpr int32_t kSecondDigitsMax = 6;

// Rounds half away from zero to `precision` digits of a second. Requires: 0 <= precision <= 6.
int64_t RoundMicros(int64_t micros, int32_t precision);
// RoundMicros of a finite timestamp for a typmod >= 0; 22023 beyond 6 digits.
Status AdjustTimestampForTypmod(int64_t& timestamp, int32_t typmod);

// 22008 "date out of range for timestamp".
Result<int64_t> TimestampFromDate(int32_t date);
int32_t DateFromTimestamp(int64_t timestamp);

// Local time in the zone of a UTC timestamp and back; infinities stay. 22008 "timestamp out of range".
Result<int64_t> LocalFromTimestamptz(int64_t timestamptz, ZoneCursor& zone);
Result<int64_t> TimestamptzFromLocal(int64_t timestamp, const TimeZone& zone);
// Midnight of the date in the zone.
Result<int64_t> TimestamptzFromDate(int32_t date, const TimeZone& zone);

// The one modifier of time, timestamp and their kin: '(3)'. `what` is "TIMESTAMP" or "TIME", `zone` " WITH TIME ZONE" or "". 22023.
Result<int32_t> SecondsTypmodIn(std::span<const int32_t> modifiers, std::string_view what, std::string_view zone);

SqlError TimestampOutOfRange();

}  // namespace mayfly::types
