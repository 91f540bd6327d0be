// extract (numeric, with the scale of the field) and date_part (float8) of date, time, timestamp, timestamptz and interval.
// https://www.postgresql.org/docs/15/functions-datetime.html#FUNCTIONS-DATETIME-EXTRACT
#include <limits>
#include <optional>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/date_time_unit.h"
#include "sql/func/lift.h"
#include "sql/types/numeric.h"

namespace mayfly::func {

namespace {

using enum types::DateTimePart;
using types::CivilTime;
using types::Interval;
using types::Numeric;

constexpr std::string_view kDateName = "date";
constexpr std::string_view kTimeName = "time without time zone";
constexpr std::string_view kTimestampName = "timestamp without time zone";
constexpr std::string_view kTimestamptzName = "timestamp with time zone";
constexpr int64_t kMicros = types::kMicrosPerSecond;

// The value of one field.
struct Part {
  enum class Kind : uint8_t { kNone, kExact, kWide, kJulian, kInfinity, kMinusInfinity };
  Kind kind = Kind::kNone;  // kNone: NULL
  int8_t scale = 0;         // of kExact and kWide: the value is exact / 10^scale
  int64_t exact = 0;        // of kJulian: the day
  double real = 0;          // the same as float8
  __int128 wide = 0;        // of kWide: as exact; of kJulian: microseconds of the day
};

Part Whole(int64_t value) { return {.kind = Part::Kind::kExact, .exact = value, .real = static_cast<double>(value)}; }
Part Scaled(int64_t value, int8_t scale, double real) { return {.kind = Part::Kind::kExact, .scale = scale, .exact = value, .real = real}; }
Part Infinite(bool is_negative) {
  Part part;
  part.kind = is_negative ? Part::Kind::kMinusInfinity : Part::Kind::kInfinity;
  part.real = is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  return part;
}

[[noreturn]] void ThrowUnsupported(const DateTimeUnit& unit, std::string_view type_name) {
  const bool is_known = unit.is_unit() || unit.kind == kReserved;
  Throw(UnsupportedUnit(unit, is_known, type_name));
}
// Of time and interval, which know no reserved word but 'epoch'.
[[noreturn]] void ThrowUnsupportedUnit(const DateTimeUnit& unit, std::string_view type_name) {
  Throw(UnsupportedUnit(unit, unit.is_unit(), type_name));
}

// ---- fields that several types have

std::optional<Part> ClockPart(types::DateTimePart part, int64_t hour, int32_t minute, int32_t second, int32_t micros) {
  const int64_t all = second * kMicros + micros;
  switch (part) {
    case kMicrosecond: return Whole(all);
    case kMillisecond: return Scaled(all, 3, second * 1e3 + micros / 1e3);
    case kSecond: return Scaled(all, 6, second + micros / 1e6);
    case kMinute: return Whole(minute);
    case kHour: return Whole(hour);
    default: return std::nullopt;
  }
}

// There is no year 0 to be shown, nor a century or millennium 0.
int32_t YearGroup(int32_t year, int32_t length) {
  return year > 0 ? (year + length - 1) / length : -((length - 1 - (year - 1)) / length);
}

std::optional<Part> DayPart(types::DateTimePart part, int64_t days) {
  CivilTime civil;
  types::CivilFromDays(days, civil);
  const int32_t year = civil.year;
  switch (part) {
    case kDay: return Whole(civil.day);
    case kMonth: return Whole(civil.month);
    case kQuarter: return Whole((civil.month - 1) / 3 + 1);
    case kWeek: return Whole(types::IsoWeekOf(days).week);
    case kYear: return Whole(year > 0 ? year : year - 1);
    case kDecade: return Whole(year >= 0 ? year / 10 : -((8 - (year - 1)) / 10));
    case kCentury: return Whole(YearGroup(year, 100));
    case kMillennium: return Whole(YearGroup(year, 1'000));
    case kIsoYear: {
      const int32_t iso_year = types::IsoWeekOf(days).year;
      return Whole(iso_year > 0 ? iso_year : iso_year - 1);
    }
    case kDayOfWeek: return Whole(types::DayOfWeek(days));
    case kIsoDayOfWeek: return Whole((types::DayOfWeek(days) + 6) % 7 + 1);
    case kDayOfYear: return Whole(days - types::DaysFromCivil(year, 1, 1) + 1);
    default: return std::nullopt;
  }
}

// Fields of infinity: those that only grow are infinite, those that go round are NULL.
Part InfinitePart(const DateTimeUnit& unit, bool is_negative, bool has_time, bool has_zone, std::string_view type_name) {
  if (!unit.is_unit() && unit.kind != kReserved) ThrowUnsupported(unit, type_name);
  switch (unit.part) {
    case kMicrosecond:
    case kMillisecond:
    case kSecond:
    case kMinute:
    case kHour:
      if (has_time) return {};
      break;
    case kTimezone:
    case kTimezoneHour:
    case kTimezoneMinute:
      if (has_zone) return {};
      break;
    case kDay:
    case kMonth:
    case kQuarter:
    case kWeek:
    case kDayOfWeek:
    case kIsoDayOfWeek:
    case kDayOfYear: return {};
    case kYear:
    case kDecade:
    case kCentury:
    case kMillennium:
    case kJulian:
    case kIsoYear:
    case kEpoch: return Infinite(is_negative);
    default: break;
  }
  ThrowUnsupported(unit, type_name);
}

// ---- one function a type

Part OfDate(const DateTimeUnit& unit, int32_t date) {
  if (!types::IsFiniteDate(date) && (unit.is_unit() || unit.is_epoch())) {
    return InfinitePart(unit, date < 0, false, false, kDateName);
  }
  if (unit.is_epoch()) return Whole((int64_t{date} + types::kUnixEpochDays) * types::kSecondsPerDay);
  if (unit.is_unit()) {
    if (unit.part == kJulian) return Whole(int64_t{date} + types::kJulianEpoch);
    if (const auto part = DayPart(unit.part, date)) return *part;
  }
  ThrowUnsupported(unit, kDateName);
}

Part OfTime(const DateTimeUnit& unit, int64_t time) {
  if (unit.is_epoch()) return Scaled(time, 6, static_cast<double>(time) / 1e6);
  if (unit.is_unit()) {
    CivilTime civil;
    types::TimeFromMicros(time, civil);
    if (const auto part = ClockPart(unit.part, civil.hour, civil.minute, civil.second, civil.micros)) return *part;
  }
  ThrowUnsupportedUnit(unit, kTimeName);
}

// Seconds since 1970 of microseconds since 2000, which may need more than 64 bits.
Part Epoch(int64_t timestamp) {
  constexpr int64_t kShift = types::kUnixEpochSeconds * kMicros;
  int64_t micros = 0;
  if (!__builtin_add_overflow(timestamp, kShift, &micros)) return Scaled(micros, 6, static_cast<double>(micros) / 1e6);
  Part part;
  part.kind = Part::Kind::kWide;
  part.scale = 6;
  part.wide = static_cast<__int128>(timestamp) + kShift;
  part.real = (static_cast<double>(timestamp) + static_cast<double>(kShift)) / 1e6;
  return part;
}

Part Julian(int64_t local) {
  const int64_t days = types::FloorDivide(local, types::kMicrosPerDay);
  Part part;
  part.kind = Part::Kind::kJulian;
  part.exact = days + types::kJulianEpoch;
  const int64_t micros = local - days * types::kMicrosPerDay;
  part.wide = micros;
  part.real = static_cast<double>(part.exact) +
              (static_cast<double>(micros / kMicros) + static_cast<double>(micros % kMicros) / 1e6) / static_cast<double>(types::kSecondsPerDay);
  return part;
}

// A finite timestamp's fields but the epoch; `local` is its local time.
std::optional<Part> LocalPart(const DateTimeUnit& unit, int64_t local) {
  if (!unit.is_unit()) return std::nullopt;
  if (unit.part == kJulian) return Julian(local);
  const int64_t days = types::FloorDivide(local, types::kMicrosPerDay);
  CivilTime civil;
  types::TimeFromMicros(local - days * types::kMicrosPerDay, civil);
  if (const auto part = ClockPart(unit.part, civil.hour, civil.minute, civil.second, civil.micros)) return part;
  return DayPart(unit.part, days);
}

Part OfTimestamp(const DateTimeUnit& unit, int64_t timestamp) {
  if (!types::IsFiniteTimestamp(timestamp)) return InfinitePart(unit, timestamp < 0, true, true, kTimestampName);
  if (unit.is_epoch()) return Epoch(timestamp);
  if (const auto part = LocalPart(unit, timestamp)) return *part;
  ThrowUnsupported(unit, kTimestampName);
}

Part OfTimestamptz(const DateTimeUnit& unit, int64_t timestamptz, types::ZoneCursor& zone) {
  if (!types::IsFiniteTimestamp(timestamptz)) return InfinitePart(unit, timestamptz < 0, true, true, kTimestamptzName);
  if (unit.is_epoch()) return Epoch(timestamptz);
  if (unit.is_unit()) {
    const int32_t offset = zone.At(types::FloorDivide(timestamptz, kMicros) + types::kUnixEpochSeconds).offset_seconds;
    if (unit.part == kTimezone) return Whole(offset);
    if (unit.part == kTimezoneHour) return Whole(offset / 3'600);
    if (unit.part == kTimezoneMinute) return Whole(offset / 60 % 60);
    if (const auto part = LocalPart(unit, timestamptz + offset * kMicros)) return *part;
  }
  ThrowUnsupported(unit, kTimestamptzName);
}

// A year of an interval has 365.25 days here, a month 30.
Part IntervalEpoch(const Interval& interval) {
  const int64_t quarter_days = int64_t{1'461} * (interval.months / 12) + int64_t{120} * (interval.months % 12) + int64_t{4} * interval.days;
  const int64_t seconds = quarter_days * (types::kSecondsPerDay / 4);
  double real = static_cast<double>(interval.micros) / 1e6;
  real += 365.25 * static_cast<double>(types::kSecondsPerDay) * (interval.months / 12);
  real += 30.0 * static_cast<double>(types::kSecondsPerDay) * (interval.months % 12);
  real += static_cast<double>(types::kSecondsPerDay) * interval.days;
  const __int128 micros = static_cast<__int128>(seconds) * kMicros + interval.micros;
  if (micros == static_cast<int64_t>(micros)) return Scaled(static_cast<int64_t>(micros), 6, real);
  Part part;
  part.kind = Part::Kind::kWide;
  part.scale = 6;
  part.wide = micros;
  part.real = real;
  return part;
}

Part OfInterval(const DateTimeUnit& unit, const Interval& interval) {
  if (unit.is_epoch()) return IntervalEpoch(interval);
  if (unit.is_unit()) {
    const types::IntervalParts parts = types::SplitInterval(interval);
    if (const auto part = ClockPart(unit.part, parts.hour, parts.minute, parts.second, parts.micros)) return *part;
    switch (unit.part) {
      case kDay: return Whole(parts.day);
      case kMonth: return Whole(parts.month);
      case kQuarter: return Whole(parts.month / 3 + 1);
      case kYear: return Whole(parts.year);
      case kDecade: return Whole(parts.year / 10);
      case kCentury: return Whole(parts.year / 100);
      case kMillennium: return Whole(parts.year / 1'000);
      default: break;
    }
  }
  ThrowUnsupportedUnit(unit, "interval");
}

// ---- results

Numeric DividedBy(const Numeric& value, int64_t divisor, int scale) {
  return types::QuotientNumeric(value, Numeric::FromInt64(divisor), scale, true);
}

types::StringRef ToNumeric(const Part& part, Arena& arena) {
  switch (part.kind) {
    case Part::Kind::kExact:
      return part.scale == 0 ? types::NumericFromInt64(part.exact, arena) : types::NumericFromScaledInt64(part.exact, part.scale, arena);
    case Part::Kind::kWide: return types::EncodeNumeric(DividedBy(Numeric::FromInt128(part.wide), kMicros, part.scale), arena);
    case Part::Kind::kJulian: {
      const Numeric fraction =
          types::DivideNumeric(Numeric::FromInt64(static_cast<int64_t>(part.wide)), Numeric::FromInt64(types::kMicrosPerDay));
      return types::EncodeNumeric(types::AddNumeric(Numeric::FromInt64(part.exact), fraction), arena);
    }
    case Part::Kind::kMinusInfinity: return types::EncodeNumeric(Numeric::Special(types::NumericKind::kMinusInfinity), arena);
    default: return types::EncodeNumeric(Numeric::Special(types::NumericKind::kInfinity), arena);
  }
}

// body(unit, value of args[1]) gives the Part of each row.
template <typename T, typename Body>
void ExtractEach(const KernelCall& call, Body&& body) {
  const types::Vector& values = *call.args[1];
  ForEachUnit(call, true, [&](const DateTimeUnit& unit, size_t row) {
    const Part part = body(unit, values.data<T>()[values.Index(row)]);
    if (part.kind == Part::Kind::kNone) return call.result.SetNull(row);
    call.result.Set(row, ToNumeric(part, call.result.heap()));
  });
}
template <typename T, typename Body>
void DatePartEach(const KernelCall& call, Body&& body) {
  const types::Vector& values = *call.args[1];
  ForEachUnit(call, true, [&](const DateTimeUnit& unit, size_t row) {
    const Part part = body(unit, values.data<T>()[values.Index(row)]);
    if (part.kind == Part::Kind::kNone) return call.result.SetNull(row);
    call.result.Set(row, part.real);
  });
}

}  // namespace

void ExtractDate(const KernelCall& call) {
  ExtractEach<int32_t>(call, OfDate);
}
void ExtractTime(const KernelCall& call) {
  ExtractEach<int64_t>(call, OfTime);
}
void ExtractTimestamp(const KernelCall& call) {
  ExtractEach<int64_t>(call, OfTimestamp);
}
void ExtractTimestamptz(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  ExtractEach<int64_t>(call, [&](const DateTimeUnit& unit, int64_t t) { return OfTimestamptz(unit, t, zone); });
}
void ExtractInterval(const KernelCall& call) {
  ExtractEach<Interval>(call, OfInterval);
}

// date_part(text, date) is that of the date's timestamp.
void DatePart1384(const KernelCall& call) {
  DatePartEach<int32_t>(call, [](const DateTimeUnit& unit, int32_t date) { return OfTimestamp(unit, types::TimestampFromDate(date).value()); });
}
void TimePart(const KernelCall& call) {
  DatePartEach<int64_t>(call, OfTime);
}
void TimestampPart(const KernelCall& call) {
  DatePartEach<int64_t>(call, OfTimestamp);
}
void TimestamptzPart(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  DatePartEach<int64_t>(call, [&](const DateTimeUnit& unit, int64_t t) { return OfTimestamptz(unit, t, zone); });
}
void IntervalPart(const KernelCall& call) {
  DatePartEach<Interval>(call, OfInterval);
}

}  // namespace mayfly::func
