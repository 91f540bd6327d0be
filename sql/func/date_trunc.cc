// date_trunc and date_bin.
#include <limits>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/date_time_unit.h"
#include "sql/func/lift.h"
#include "sql/func/time_zone_argument.h"

namespace mayfly::func {

namespace {

using enum types::DateTimePart;
using types::CivilTime;
using types::DateTimePart;
using types::Interval;

constexpr std::string_view kTimestampName = "timestamp without time zone";
constexpr std::string_view kTimestamptzName = "timestamp with time zone";

// The first year of the stretch of `length` years that `year` lies in, counted from year 1 (and from 1 BC backwards).
int32_t FirstYear(int32_t year, int32_t length) {
  return year > 0 ? (year + length - 1) / length * length - (length - 1) : -((length - 1 - (year - 1)) / length) * length + 1;
}
int32_t FirstYearOfDecade(int32_t year) { return year > 0 ? year / 10 * 10 : -((8 - (year - 1)) / 10) * 10; }

// Truncates to a day or something longer; the time becomes midnight. False where the unit is none of them.
bool TruncateDay(DateTimePart unit, CivilTime& civil) {
  switch (unit) {
    case kMillennium: civil.year = FirstYear(civil.year, 1'000); break;
    case kCentury: civil.year = FirstYear(civil.year, 100); break;
    case kDecade: civil.year = FirstYearOfDecade(civil.year); break;
    case kYear: break;
    case kQuarter: civil.month = (civil.month - 1) / 3 * 3 + 1; break;
    case kMonth: break;
    case kWeek: {
      const int64_t days = types::DaysFromCivil(civil.year, civil.month, civil.day);
      types::CivilFromDays(days - (types::DayOfWeek(days) + 6) % 7, civil);
      break;
    }
    case kDay: break;
    default: return false;
  }
  const bool keeps_month = unit == kQuarter || unit == kMonth || unit == kWeek || unit == kDay;
  if (!keeps_month) civil.month = 1;
  if (unit != kWeek && unit != kDay) civil.day = 1;
  civil.hour = civil.minute = civil.second = civil.micros = 0;
  return true;
}

// Microseconds of a unit shorter than a day, 0 for others.
int64_t UnitMicros(DateTimePart unit) {
  switch (unit) {
    case kHour: return types::kMicrosPerHour;
    case kMinute: return types::kMicrosPerMinute;
    case kSecond: return types::kMicrosPerSecond;
    case kMillisecond: return 1'000;
    case kMicrosecond: return 1;
    default: return 0;
  }
}

// A local timestamp cut to a unit.
int64_t TruncateLocal(const DateTimeUnit& unit, int64_t local, std::string_view type_name) {
  if (unit.part == kDay && unit.is_unit()) {
    return types::FloorDivide(local, types::kMicrosPerDay) * types::kMicrosPerDay;
  }
  if (const int64_t micros = unit.is_unit() ? UnitMicros(unit.part) : 0; micros != 0) {
    return types::FloorDivide(local, micros) * micros;
  }
  CivilTime civil = types::CivilFromTimestamp(local);
  if (!unit.is_unit() || !TruncateDay(unit.part, civil)) Throw(UnsupportedUnit(unit, unit.is_unit(), type_name));
  const auto truncated = types::TimestampFromCivil(civil);
  if (!truncated) Throw(types::TimestampOutOfRange());
  return *truncated;
}

// By the clock of `zone`. From days on the zone's offset at the result counts; below, the offset stays.
int64_t TruncateZoned(const DateTimeUnit& unit, int64_t timestamptz, types::ZoneCursor& zone) {
  if (!types::IsFiniteTimestamp(timestamptz)) return timestamptz;
  const int64_t local = types::LocalFromTimestamptz(timestamptz, zone).value();
  const int64_t truncated = TruncateLocal(unit, local, kTimestamptzName);
  if (UnitMicros(unit.part) == 0) return types::TimestamptzFromLocal(truncated, zone.zone()).value();
  const int64_t result = timestamptz - (local - truncated);
  if (!types::IsTimestampInRange(result)) Throw(types::TimestampOutOfRange());
  return result;
}

Interval TruncateInterval(const DateTimeUnit& unit, Interval interval) {
  if (!unit.is_unit()) Throw(UnsupportedUnit(unit, false, "interval"));
  if (const int64_t micros = UnitMicros(unit.part); micros != 0) {
    interval.micros = interval.micros / micros * micros;
    return interval;
  }
  interval.micros = 0;
  const auto to_months = [&](int32_t months) { return Interval{.micros = 0, .days = 0, .months = interval.months / months * months}; };
  switch (unit.part) {
    case kMillennium: return to_months(12'000);
    case kCentury: return to_months(1'200);
    case kDecade: return to_months(120);
    case kYear: return to_months(12);
    case kQuarter: return to_months(3);
    case kMonth: return to_months(1);
    case kDay: return interval;
    case kWeek: Throw(UnsupportedUnit(unit, true, "interval").Detail("Months usually have fractional weeks."));
    default: Throw(UnsupportedUnit(unit, true, "interval"));
  }
}

// The start of the bin of length `stride` (a multiple of it from `origin`) that holds `timestamp`.
int64_t Bin(const Interval& stride, int64_t timestamp, int64_t origin) {
  if (!types::IsFiniteTimestamp(timestamp)) return timestamp;
  if (!types::IsFiniteTimestamp(origin)) Throw(SqlError::Make(kDatetimeFieldOverflow, "origin out of range"));
  if (stride.months != 0) {
    Throw(SqlError::Make(kFeatureNotSupported, "timestamps cannot be binned into intervals containing months or years"));
  }
  int64_t micros = 0;
  int64_t distance = 0;
  if (__builtin_mul_overflow(int64_t{stride.days}, types::kMicrosPerDay, &micros) ||
      __builtin_add_overflow(micros, stride.micros, &micros)) {
    ThrowIntervalOutOfRange();
  }
  if (micros <= 0) Throw(SqlError::Make(kDatetimeFieldOverflow, "stride must be greater than zero"));
  if (__builtin_sub_overflow(timestamp, origin, &distance)) ThrowIntervalOutOfRange();
  const int64_t into_bin = types::FloorModulo(distance, micros);
  const __int128 start = static_cast<__int128>(timestamp) - into_bin;
  if (start < types::kTimestampBegin || start >= types::kTimestampEnd) Throw(types::TimestampOutOfRange());
  return static_cast<int64_t>(start);
}

int64_t ArgumentAt(const KernelCall& call, size_t argument, size_t row) {
  return call.args[argument]->data<int64_t>()[call.args[argument]->Index(row)];
}

}  // namespace

void TimestampTrunc(const KernelCall& call) {
  ForEachUnit(call, false, [&](const DateTimeUnit& unit, size_t row) {
    const int64_t timestamp = ArgumentAt(call, 1, row);
    call.result.Set(row, types::IsFiniteTimestamp(timestamp) ? TruncateLocal(unit, timestamp, kTimestampName) : timestamp);
  });
}

void TimestamptzTrunc(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  ForEachUnit(call, false, [&](const DateTimeUnit& unit, size_t row) {
    call.result.Set(row, TruncateZoned(unit, ArgumentAt(call, 1, row), zone));
  });
}

void TimestamptzTruncZone(const KernelCall& call) {
  TimeZoneArgument zones(*call.args[2]);
  types::ZoneCursor zone(nullptr);
  ForEachUnit(call, false, [&](const DateTimeUnit& unit, size_t row) {
    const int64_t timestamptz = ArgumentAt(call, 1, row);
    const ZoneMeaning& meaning = zones.At(row);
    if (meaning.zone != nullptr && meaning.zone != &zone.zone()) zone = types::ZoneCursor(meaning.zone);
    if (meaning.zone != nullptr || !types::IsFiniteTimestamp(timestamptz)) {
      call.result.Set(row, TruncateZoned(unit, timestamptz, zone));
      return;
    }
    const int64_t offset = meaning.offset_seconds * types::kMicrosPerSecond;
    call.result.Set(row, TruncateLocal(unit, timestamptz + offset, kTimestamptzName) - offset);
  });
}

void IntervalTrunc(const KernelCall& call) {
  ForEachUnit(call, false, [&](const DateTimeUnit& unit, size_t row) {
    const types::Vector& intervals = *call.args[1];
    call.result.Set(row, TruncateInterval(unit, intervals.data<Interval>()[intervals.Index(row)]));
  });
}

void TimestampBin(const KernelCall& call) {
  Lift<int64_t(Interval, int64_t, int64_t)>(call, Bin);
}
void TimestamptzBin(const KernelCall& call) {
  Lift<int64_t(Interval, int64_t, int64_t)>(call, Bin);
}

}  // namespace mayfly::func
