// make_date and its kin, and to_timestamp(float8).
#include <cmath>
#include <limits>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/lift.h"
#include "sql/func/time_zone_argument.h"
#include "sql/types/date_time_parse.h"

namespace mayfly::func {

namespace {

using types::CivilTime;
using types::Interval;

template <typename... Args>
[[noreturn]] void ThrowOverflow(fmt::format_string<Args...> format, Args&&... args) {
  Throw(SqlError::MakeText(kDatetimeFieldOverflow, fmt::vformat(format, fmt::make_format_args(args...))));
}

// Days of a date as given; negative years are BC. Errors show `shown_year`.
int64_t MakeDay(int32_t year, int32_t month, int32_t day, int32_t shown_year) {
  const bool is_valid = year != 0 && year != std::numeric_limits<int32_t>::min() && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  const int32_t astronomical = year < 0 ? year + 1 : year;
  if (!is_valid || day > types::DaysInMonth(astronomical, month)) {
    ThrowOverflow("date field value out of range: {}-{:02}-{:02}", shown_year, month, day);
  }
  const int64_t days = types::DaysFromCivil(astronomical, month, day);
  if (!types::IsJulianMonth(astronomical, month) || !types::IsDateInRange(days)) {
    ThrowOverflow("date out of range: {}-{:02}-{:02}", shown_year, month, day);
  }
  return days;
}

int64_t MakeTimeOfDay(int32_t hour, int32_t minute, double second) {
  const bool is_valid = hour >= 0 && hour <= 24 && minute >= 0 && minute <= 59 && !std::isnan(second) && second >= 0 && second <= 60;
  int64_t micros = 0;
  if (is_valid) micros = (int64_t{hour} * 60 + minute) * types::kMicrosPerMinute + static_cast<int64_t>(std::rint(second * 1e6));
  if (!is_valid || micros > types::kMicrosPerDay) ThrowOverflow("time field value out of range: {}:{:02}:{:02g}", hour, minute, second);
  return micros;
}

int64_t MakeLocal(int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, double second) {
  const int64_t days = MakeDay(year, month, day, year);
  const __int128 local = static_cast<__int128>(days) * types::kMicrosPerDay + MakeTimeOfDay(hour, minute, second);
  if (local < types::kTimestampBegin || local >= types::kTimestampEnd) {
    ThrowOverflow("timestamp out of range: {}-{:02}-{:02} {}:{:02}:{:02g}", year, month, day, hour, minute, second);
  }
  return static_cast<int64_t>(local);
}

// The offset that `zone` says, which may be digits with a sign.
int32_t OffsetOfZoneText(std::string_view zone, int64_t local) {
  if (!zone.empty() && types::IsDigit(zone[0])) {
    Throw(SqlError::Make(kInvalidParameterValue, "invalid input syntax for type {}: \"{}\"", "numeric time zone", zone)
              .Hint("Numeric time zones must have \"-\" or \"+\" as first character."));
  }
  int32_t offset = 0;
  switch (types::ParseZoneOffset(zone, offset)) {
    case types::DecodeStatus::kOk: return offset;
    case types::DecodeStatus::kZoneOverflow: Throw(SqlError::Make(kInvalidParameterValue, "numeric time zone \"{}\" out of range", zone));
    default: return OffsetOfLocal(FindZoneMeaning(zone), local);
  }
}

int64_t FromUnixSeconds(double seconds) {
  if (std::isnan(seconds)) ThrowOverflow("timestamp cannot be {}", "NaN");
  if (std::isinf(seconds)) return seconds < 0 ? types::kTimestampMinusInfinity : types::kTimestampInfinity;
  const double micros = std::rint((seconds - static_cast<double>(types::kUnixEpochSeconds)) * 1e6);
  if (!(micros >= static_cast<double>(types::kTimestampBegin) && micros < static_cast<double>(types::kTimestampEnd))) {
    ThrowOverflow("timestamp out of range: \"{:g}\"", seconds);
  }
  return static_cast<int64_t>(micros);
}

// Differs: PostgreSQL 15 wraps where years or weeks are too many.
Interval MakeIntervalOf(int32_t years, int32_t months, int32_t weeks, int32_t days, int32_t hours, int32_t minutes, double seconds) {
  Interval interval;
  int32_t part = 0;
  if (!std::isfinite(seconds) || std::abs(seconds) >= 9.2e12) ThrowIntervalOutOfRange();
  if (__builtin_mul_overflow(years, 12, &part) || __builtin_add_overflow(part, months, &interval.months)) ThrowIntervalOutOfRange();
  if (__builtin_mul_overflow(weeks, 7, &part) || __builtin_add_overflow(part, days, &interval.days)) ThrowIntervalOutOfRange();
  const int64_t clock = hours * types::kMicrosPerHour + minutes * types::kMicrosPerMinute;
  if (__builtin_add_overflow(clock, static_cast<int64_t>(std::rint(seconds * 1e6)), &interval.micros)) ThrowIntervalOutOfRange();
  return interval;
}

}  // namespace

void MakeDate(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t, int32_t)>(
      call, [](int32_t year, int32_t month, int32_t day) {
        return static_cast<int32_t>(MakeDay(year, month, day, year < 0 ? year + 1 : year));  // a BC year is shown as it is counted
      });
}
void MakeTime(const KernelCall& call) {
  Lift<int64_t(int32_t, int32_t, double)>(call, MakeTimeOfDay);
}
void MakeTimestamp(const KernelCall& call) {
  Lift<int64_t(int32_t, int32_t, int32_t, int32_t, int32_t, double)>(call, MakeLocal);
}
void MakeTimestamptz(const KernelCall& call) {
  const types::TimeZone& zone = SessionZone(call.context);
  Lift<int64_t(int32_t, int32_t, int32_t, int32_t, int32_t, double)>(
      call, [&](int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, double second) {
        return types::TimestamptzFromLocal(MakeLocal(year, month, day, hour, minute, second), zone).value();
      });
}
void MakeTimestamptzAtTimezone(const KernelCall& call) {
  Lift<int64_t(int32_t, int32_t, int32_t, int32_t, int32_t, double, std::string_view)>(
      call, [](int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, double second, std::string_view zone) {
        const int64_t local = MakeLocal(year, month, day, hour, minute, second);
        int64_t utc = 0;
        if (__builtin_sub_overflow(local, OffsetOfZoneText(zone, local) * types::kMicrosPerSecond, &utc) || !types::IsTimestampInRange(utc)) {
          Throw(types::TimestampOutOfRange());
        }
        return utc;
      });
}
void MakeInterval(const KernelCall& call) {
  Lift<Interval(int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, double)>(call, MakeIntervalOf);
}
void Float8Timestamptz(const KernelCall& call) {
  Lift<int64_t(double)>(call, FromUnixSeconds);
}

}  // namespace mayfly::func
