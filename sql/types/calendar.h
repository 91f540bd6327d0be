// The proleptic Gregorian calendar and the units of date/time values: days and microseconds since 2000-01-01.
//
// Years are astronomical: 1 BC is year 0. PostgreSQL's ranges: dates from Julian day 0 (4714-11-24 BC) to 5874897-12-31, timestamps
// to 294276-12-31; the smallest and greatest integers stand for -infinity and infinity.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace mayfly::types {

inline constexpr int64_t kMicrosPerSecond = 1'000'000;
inline constexpr int64_t kMicrosPerMinute = 60 * kMicrosPerSecond;
inline constexpr int64_t kMicrosPerHour = 60 * kMicrosPerMinute;
inline constexpr int64_t kMicrosPerDay = 24 * kMicrosPerHour;
inline constexpr int64_t kSecondsPerDay = 86'400;
inline constexpr int32_t kMonthsPerYear = 12;
// An interval's month is 30 days wherever months must be compared with days.
inline constexpr int32_t kDaysPerMonth = 30;

// Julian day numbers of 2000-01-01 and 1970-01-01.
inline constexpr int32_t kJulianEpoch = 2'451'545;
inline constexpr int32_t kJulianUnixEpoch = 2'440'588;
// Days and seconds from 1970-01-01 to 2000-01-01.
inline constexpr int32_t kUnixEpochDays = kJulianEpoch - kJulianUnixEpoch;
inline constexpr int64_t kUnixEpochSeconds = int64_t{kUnixEpochDays} * kSecondsPerDay;

inline constexpr int32_t kDateInfinity = std::numeric_limits<int32_t>::max();
inline constexpr int32_t kDateMinusInfinity = std::numeric_limits<int32_t>::min();
inline constexpr int64_t kTimestampInfinity = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kTimestampMinusInfinity = std::numeric_limits<int64_t>::min();

// Inclusive first and exclusive last value of each range.
inline constexpr int32_t kDateBegin = -kJulianEpoch;
inline constexpr int32_t kDateEnd = 2'147'483'494 - kJulianEpoch;
inline constexpr int64_t kTimestampBegin = -211'813'488'000'000'000;
inline constexpr int64_t kTimestampEnd = 9'223'371'331'200'000'000;

constexpr bool IsFiniteDate(int32_t date) { return date != kDateInfinity && date != kDateMinusInfinity; }
constexpr bool IsFiniteTimestamp(int64_t timestamp) {
  return timestamp != kTimestampInfinity && timestamp != kTimestampMinusInfinity;
}
constexpr bool IsDateInRange(int64_t date) { return date >= kDateBegin && date < kDateEnd; }
constexpr bool IsTimestampInRange(int64_t timestamp) { return timestamp >= kTimestampBegin && timestamp < kTimestampEnd; }

constexpr int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
constexpr int64_t FloorModulo(int64_t a, int64_t b) { return a - FloorDivide(a, b) * b; }

// A broken-down point of time, or any part of one.
struct CivilTime {
  int32_t year = 0;
  int32_t month = 1;
  int32_t day = 1;
  int32_t hour = 0;
  int32_t minute = 0;
  int32_t second = 0;
  int32_t micros = 0;
};

constexpr bool IsLeapYear(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
// Requires: month in 1..12.
constexpr int32_t DaysInMonth(int64_t year, int32_t month) {
  constexpr int8_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && IsLeapYear(year) ? 1 : 0);
}

// Days since 2000-01-01. Any int32 year, month in 1..12, any day. No range check.
constexpr int64_t DaysFromCivil(int64_t year, int32_t month, int32_t day) {
  // Years begin in March, so that the leap day is the last; an era is 400 years.
  const int64_t y = year - (month <= 2 ? 1 : 0);
  const int64_t era = (y >= 0 ? y : y - 399) / 400;
  const int64_t year_of_era = y - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468 - kUnixEpochDays;
}

// Fills year, month and day only.
constexpr void CivilFromDays(int64_t days, CivilTime& out) {
  const int64_t z = days + kUnixEpochDays + 719'468;
  const int64_t era = (z >= 0 ? z : z - 146'096) / 146'097;
  const auto day_of_era = static_cast<uint32_t>(z - era * 146'097);
  const uint32_t year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const uint32_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const uint32_t month_from_march = (5 * day_of_year + 2) / 153;
  out.day = static_cast<int32_t>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  out.month = static_cast<int32_t>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  out.year = static_cast<int32_t>(static_cast<int64_t>(year_of_era) + era * 400 + (out.month <= 2 ? 1 : 0));
}

// Fills hour to micros from microseconds since midnight (0 .. 24 hours inclusive).
constexpr void TimeFromMicros(int64_t micros, CivilTime& out) {
  const auto seconds = static_cast<uint32_t>(micros / kMicrosPerSecond);
  out.micros = static_cast<int32_t>(micros - int64_t{seconds} * kMicrosPerSecond);
  out.hour = static_cast<int32_t>(seconds / 3'600);
  out.minute = static_cast<int32_t>(seconds / 60 % 60);
  out.second = static_cast<int32_t>(seconds % 60);
}

// Requires: finite. Of a local timestamp.
constexpr CivilTime CivilFromTimestamp(int64_t timestamp) {
  const int64_t days = FloorDivide(timestamp, kMicrosPerDay);
  CivilTime civil;
  CivilFromDays(days, civil);
  TimeFromMicros(timestamp - days * kMicrosPerDay, civil);
  return civil;
}

constexpr int64_t MicrosOfDay(const CivilTime& civil) {
  return ((int64_t{civil.hour} * 60 + civil.minute) * 60 + civil.second) * kMicrosPerSecond + civil.micros;
}

// True where the year and month alone cannot overflow the day numbers of dates.
constexpr bool IsJulianMonth(int32_t year, int32_t month) {
  return (year > -4713 || (year == -4713 && month >= 11)) && (year < 5'874'898 || (year == 5'874'898 && month < 6));
}

// The timestamp of a civil time whose offset is `offset_seconds` east of UTC (0: a plain timestamp); nullopt out of range.
constexpr std::optional<int64_t> TimestampFromCivil(const CivilTime& civil, int32_t offset_seconds = 0) {
  if (!IsJulianMonth(civil.year, civil.month)) return std::nullopt;
  const __int128 micros = static_cast<__int128>(DaysFromCivil(civil.year, civil.month, civil.day)) * kMicrosPerDay + MicrosOfDay(civil) -
                          static_cast<__int128>(offset_seconds) * kMicrosPerSecond;
  if (micros < kTimestampBegin || micros >= kTimestampEnd) return std::nullopt;
  return static_cast<int64_t>(micros);
}

// 0 = Sunday … 6 = Saturday.
constexpr int32_t DayOfWeek(int64_t days) { return static_cast<int32_t>(FloorModulo(days + 6, 7)); }

// ISO 8601 week and the year that the week belongs to (astronomical), of a day.
struct IsoWeek {
  int32_t year;
  int32_t week;
};
constexpr int64_t IsoYearBegin(int64_t iso_year) {
  const int64_t fourth = DaysFromCivil(iso_year, 1, 4);  // always in week 1
  return fourth - (DayOfWeek(fourth) + 6) % 7;
}
constexpr IsoWeek IsoWeekOf(int64_t days) {
  CivilTime civil;
  CivilFromDays(days, civil);
  int32_t year = civil.year;
  if (days >= IsoYearBegin(year + 1)) {
    ++year;
  } else if (days < IsoYearBegin(year)) {
    --year;
  }
  return {year, static_cast<int32_t>((days - IsoYearBegin(year)) / 7) + 1};
}

}  // namespace mayfly::types
