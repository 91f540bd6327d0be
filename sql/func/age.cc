// age(): the distance of two points of time in years, months and days of the calendar, then time.
#include "sql/func/date_time_arithmetic.h"
#include "sql/func/lift.h"

namespace mayfly::func {

namespace {

using types::Interval;

void Borrow(int64_t& low, int64_t unit, int64_t& high) {
  while (low < 0) {
    low += unit;
    --high;
  }
}

Interval Age(int64_t later, int64_t earlier) {
  if (!types::IsFiniteTimestamp(later) || !types::IsFiniteTimestamp(earlier)) {
    // Differs: PostgreSQL 15 computes with infinity as if it were a point of time.
    Throw(types::TimestampOutOfRange());
  }
  const types::CivilTime a = types::CivilFromTimestamp(later);
  const types::CivilTime b = types::CivilFromTimestamp(earlier);
  const bool is_negative = later < earlier;
  const int64_t sign = is_negative ? -1 : 1;
  int64_t micros = sign * (a.micros - b.micros);
  int64_t second = sign * (a.second - b.second);
  int64_t minute = sign * (a.minute - b.minute);
  int64_t hour = sign * (a.hour - b.hour);
  int64_t day = sign * (a.day - b.day);
  int64_t month = sign * (a.month - b.month);
  int64_t year = sign * (int64_t{a.year} - b.year);
  Borrow(micros, types::kMicrosPerSecond, second);
  Borrow(second, 60, minute);
  Borrow(minute, 60, hour);
  Borrow(hour, 24, day);
  // The month that days are borrowed from is that of the earlier one.
  const types::CivilTime& first = is_negative ? a : b;
  Borrow(day, types::DaysInMonth(first.year, first.month), month);
  Borrow(month, types::kMonthsPerYear, year);
  Interval age;
  age.months = static_cast<int32_t>(sign * (year * types::kMonthsPerYear + month));
  age.days = static_cast<int32_t>(sign * day);
  age.micros = sign * (((hour * 60 + minute) * 60 + second) * types::kMicrosPerSecond + micros);
  return age;
}

// Midnight of the transaction's day in the session's zone, as a local timestamp.
int64_t Today(const CallContext& context) {
  types::ZoneCursor zone(&SessionZone(context));
  const int64_t now = types::LocalFromTimestamptz(context.io.settings.transaction_timestamp, zone).value();
  return types::FloorDivide(now, types::kMicrosPerDay) * types::kMicrosPerDay;
}

int64_t Local(int64_t timestamptz, types::ZoneCursor& zone) { return types::LocalFromTimestamptz(timestamptz, zone).value(); }

}  // namespace

void TimestampAge(const KernelCall& call) {
  Lift<Interval(int64_t, int64_t)>(call, Age);
}
void TimestamptzAge(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<Interval(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) {
    const int64_t local = Local(a, zone);
    return Age(local, Local(b, zone));
  });
}
void Age2059(const KernelCall& call) {
  const int64_t today = Today(call.context);
  Lift<Interval(int64_t)>(call, [&](int64_t timestamp) { return Age(today, timestamp); });
}
void Age1386(const KernelCall& call) {
  const int64_t midnight = types::TimestamptzFromLocal(Today(call.context), SessionZone(call.context)).value();
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<Interval(int64_t)>(call, [&](int64_t timestamptz) {
    const int64_t local = Local(midnight, zone);
    return Age(local, Local(timestamptz, zone));
  });
}

}  // namespace mayfly::func
