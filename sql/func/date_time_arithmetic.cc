// + and - among date, time, timestamp, timestamptz and interval.
#include "sql/func/date_time_arithmetic.h"

#include <limits>

#include "sql/func/lift.h"
#include "sql/types/time_zone.h"

namespace mayfly::func {

using types::Interval;

const types::TimeZone& SessionZone(const CallContext& context) {
  const types::TimeZone* zone = context.io.settings.time_zone;
  return zone == nullptr ? *types::TimeZone::Utc() : *zone;
}

void ThrowIntervalOutOfRange() { Throw(SqlError::Make(kDatetimeFieldOverflow, "interval out of range")); }

namespace {

[[noreturn]] void ThrowTimestampOutOfRange() { Throw(types::TimestampOutOfRange()); }
[[noreturn]] void ThrowDateOutOfRange() { Throw(SqlError::Make(kDatetimeFieldOverflow, "date out of range")); }

// A local timestamp moved by months; may be out of range by up to the year numbers that dates have.
int64_t AddMonths(int64_t local, int32_t months) {
  types::CivilTime civil = types::CivilFromTimestamp(local);
  const int64_t month = int64_t{civil.year} * types::kMonthsPerYear + (civil.month - 1) + months;
  const int64_t year = types::FloorDivide(month, types::kMonthsPerYear);
  if (year < -5'000 || year > 6'000'000) ThrowTimestampOutOfRange();
  civil.year = static_cast<int32_t>(year);
  civil.month = static_cast<int32_t>(types::FloorModulo(month, types::kMonthsPerYear)) + 1;
  const int32_t last = types::DaysInMonth(civil.year, civil.month);
  if (civil.day > last) civil.day = last;
  const auto moved = types::TimestampFromCivil(civil);
  if (!moved) ThrowTimestampOutOfRange();
  return *moved;
}

int64_t AddMicros(int64_t timestamp, int64_t micros) {
  int64_t sum = 0;
  if (__builtin_add_overflow(timestamp, micros, &sum) || !types::IsTimestampInRange(sum)) ThrowTimestampOutOfRange();
  return sum;
}

int64_t AddDays(int64_t local, int32_t days) {
  const __int128 sum = static_cast<__int128>(days) * types::kMicrosPerDay + local;
  if (sum < types::kTimestampBegin || sum >= types::kTimestampEnd) ThrowTimestampOutOfRange();
  return static_cast<int64_t>(sum);
}

int32_t AddToDate(int32_t date, int64_t days) {
  if (!types::IsFiniteDate(date)) return date;
  const int64_t sum = date + days;
  if (!types::IsDateInRange(sum)) ThrowDateOutOfRange();
  return static_cast<int32_t>(sum);
}

// The opposite, each part wrapping; the sum is checked afterwards.
Interval Opposite(const Interval& interval) {
  return {.micros = static_cast<int64_t>(-static_cast<uint64_t>(interval.micros)),
          .days = static_cast<int32_t>(-static_cast<uint32_t>(interval.days)),
          .months = static_cast<int32_t>(-static_cast<uint32_t>(interval.months))};
}

int64_t DatePlusInterval(int32_t date, const Interval& interval) {
  return TimestampPlusInterval(types::TimestampFromDate(date).value(), interval);
}

int64_t DatePlusTime(int32_t date, int64_t time) {
  const int64_t timestamp = types::TimestampFromDate(date).value();
  return types::IsFiniteTimestamp(timestamp) ? AddMicros(timestamp, time) : timestamp;
}

}  // namespace

int64_t TimestampPlusInterval(int64_t timestamp, const Interval& interval) {
  if (!types::IsFiniteTimestamp(timestamp)) return timestamp;
  if (interval.months != 0) timestamp = AddMonths(timestamp, interval.months);
  if (interval.days != 0) timestamp = AddDays(timestamp, interval.days);
  return AddMicros(timestamp, interval.micros);
}

int64_t TimestamptzPlusInterval(int64_t timestamptz, const Interval& interval, types::ZoneCursor& zone) {
  if (!types::IsFiniteTimestamp(timestamptz)) return timestamptz;
  if (interval.months != 0) {
    const int64_t local = types::LocalFromTimestamptz(timestamptz, zone).value();
    timestamptz = types::TimestamptzFromLocal(AddMonths(local, interval.months), zone.zone()).value();
  }
  if (interval.days != 0) {
    const int64_t local = types::LocalFromTimestamptz(timestamptz, zone).value();
    timestamptz = types::TimestamptzFromLocal(AddDays(local, interval.days), zone.zone()).value();
  }
  return AddMicros(timestamptz, interval.micros);
}

Interval SubtractTimestamps(int64_t a, int64_t b) {
  if (!types::IsFiniteTimestamp(a) || !types::IsFiniteTimestamp(b)) {
    Throw(SqlError::Make(kDatetimeFieldOverflow, "cannot subtract infinite timestamps"));
  }
  // Differs: PostgreSQL 15 wraps where the distance has more than 64 bits.
  Interval interval;
  if (__builtin_sub_overflow(a, b, &interval.micros)) ThrowIntervalOutOfRange();
  return JustifyHours(interval);
}

// ---- date

void DateMi(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t)>(call, [](int32_t a, int32_t b) {
    if (!types::IsFiniteDate(a) || !types::IsFiniteDate(b)) {
      Throw(SqlError::Make(kDatetimeFieldOverflow, "cannot subtract infinite dates"));
    }
    return a - b;
  });
}
void DatePli(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t)>(call, [](int32_t date, int32_t days) { return AddToDate(date, days); });
}
void DateMii(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t)>(call, [](int32_t date, int32_t days) { return AddToDate(date, -int64_t{days}); });
}
void IntegerPlDate2550(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t)>(call, [](int32_t days, int32_t date) { return AddToDate(date, days); });
}
void DatePlInterval(const KernelCall& call) {
  Lift<int64_t(int32_t, Interval)>(call, DatePlusInterval);
}
void DateMiInterval(const KernelCall& call) {
  Lift<int64_t(int32_t, Interval)>(call, [](int32_t date, const Interval& i) { return DatePlusInterval(date, Opposite(i)); });
}
void IntervalPlDate2546(const KernelCall& call) {
  Lift<int64_t(Interval, int32_t)>(call, [](const Interval& i, int32_t date) { return DatePlusInterval(date, i); });
}
void DatetimeTimestamp(const KernelCall& call) {
  Lift<int64_t(int32_t, int64_t)>(call, DatePlusTime);
}
void TimedatePl1296(const KernelCall& call) {
  Lift<int64_t(int64_t, int32_t)>(call, [](int64_t time, int32_t date) { return DatePlusTime(date, time); });
}

// ---- timestamp

void TimestampMi(const KernelCall& call) {
  Lift<Interval(int64_t, int64_t)>(call, SubtractTimestamps);
}
void TimestampPlInterval(const KernelCall& call) {
  Lift<int64_t(int64_t, Interval)>(call, TimestampPlusInterval);
}
void TimestampMiInterval(const KernelCall& call) {
  Lift<int64_t(int64_t, Interval)>(call, [](int64_t t, const Interval& i) { return TimestampPlusInterval(t, Opposite(i)); });
}
void IntervalPlTimestamp2548(const KernelCall& call) {
  Lift<int64_t(Interval, int64_t)>(call, [](const Interval& i, int64_t t) { return TimestampPlusInterval(t, i); });
}

// ---- timestamptz

void TimestamptzPlInterval(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<int64_t(int64_t, Interval)>(call, [&](int64_t t, const Interval& i) { return TimestamptzPlusInterval(t, i, zone); });
}
void TimestamptzMiInterval(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<int64_t(int64_t, Interval)>(call, [&](int64_t t, const Interval& i) { return TimestamptzPlusInterval(t, Opposite(i), zone); });
}
void IntervalPlTimestamptz2549(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<int64_t(Interval, int64_t)>(call, [&](const Interval& i, int64_t t) { return TimestamptzPlusInterval(t, i, zone); });
}

// ---- time

void TimePlInterval(const KernelCall& call) {
  Lift<int64_t(int64_t, Interval)>(call, [](int64_t time, const Interval& i) { return WrapTime(time + i.micros % types::kMicrosPerDay); });
}
void TimeMiInterval(const KernelCall& call) {
  Lift<int64_t(int64_t, Interval)>(call, [](int64_t time, const Interval& i) { return WrapTime(time - i.micros % types::kMicrosPerDay); });
}
void IntervalPlTime1848(const KernelCall& call) {
  Lift<int64_t(Interval, int64_t)>(call, [](const Interval& i, int64_t time) { return WrapTime(time + i.micros % types::kMicrosPerDay); });
}
void TimeMiTime(const KernelCall& call) {
  Lift<Interval(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return Interval{.micros = a - b, .days = 0, .months = 0}; });
}

}  // namespace mayfly::func
