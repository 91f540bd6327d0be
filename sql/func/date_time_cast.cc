// Casts among date, time, timestamp, timestamptz and interval, and their length coercions.
#include "sql/func/date_time_arithmetic.h"
#include "sql/func/lift.h"
#include "sql/types/time.h"

namespace mayfly::func {

namespace {

using types::Interval;

int64_t DateTimeToTimestamptz(int32_t date, int64_t time, const types::TimeZone& zone) {
  int64_t local = types::TimestampFromDate(date).value();
  if (!types::IsFiniteTimestamp(local)) return local;
  if (__builtin_add_overflow(local, time, &local) || !types::IsTimestampInRange(local)) Throw(types::TimestampOutOfRange());
  return types::TimestamptzFromLocal(local, zone).value();
}

// NULL for an infinite timestamp, as PostgreSQL has it.
std::optional<int64_t> TimeOfTimestamp(int64_t timestamp) {
  if (!types::IsFiniteTimestamp(timestamp)) return std::nullopt;
  return types::FloorModulo(timestamp, types::kMicrosPerDay);
}

}  // namespace

void DateTimestamp(const KernelCall& call) {
  Lift<int64_t(int32_t)>(call, [](int32_t date) { return types::TimestampFromDate(date).value(); });
}
void DateTimestamptz(const KernelCall& call) {
  const types::TimeZone& zone = SessionZone(call.context);
  Lift<int64_t(int32_t)>(call, [&](int32_t date) { return types::TimestamptzFromDate(date, zone).value(); });
}
void TimestampDate(const KernelCall& call) {
  Lift<int32_t(int64_t)>(call, types::DateFromTimestamp);
}
void TimestamptzDate(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<int32_t(int64_t)>(call, [&](int64_t t) { return types::DateFromTimestamp(types::LocalFromTimestamptz(t, zone).value()); });
}
void TimestampTimestamptz(const KernelCall& call) {
  const types::TimeZone& zone = SessionZone(call.context);
  Lift<int64_t(int64_t)>(call, [&](int64_t t) { return types::TimestamptzFromLocal(t, zone).value(); });
}
void TimestamptzTimestamp(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<int64_t(int64_t)>(call, [&](int64_t t) { return types::LocalFromTimestamptz(t, zone).value(); });
}
void Timestamptz1176(const KernelCall& call) {
  const types::TimeZone& zone = SessionZone(call.context);
  Lift<int64_t(int32_t, int64_t)>(call, [&](int32_t date, int64_t time) { return DateTimeToTimestamptz(date, time, zone); });
}
void TimestampTime(const KernelCall& call) {
  Lift<std::optional<int64_t>(int64_t)>(call, TimeOfTimestamp);
}
void TimestamptzTime(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  Lift<std::optional<int64_t>(int64_t)>(call, [&](int64_t t) { return TimeOfTimestamp(types::LocalFromTimestamptz(t, zone).value()); });
}
void TimeInterval(const KernelCall& call) {
  Lift<Interval(int64_t)>(call, [](int64_t time) { return Interval{.micros = time, .days = 0, .months = 0}; });
}
void IntervalTime(const KernelCall& call) {
  Lift<int64_t(Interval)>(call, [](const Interval& i) { return WrapTime(i.micros); });
}

// ---- length coercions: the second argument is the typmod

void TimestampScale(const KernelCall& call) {
  Lift<int64_t(int64_t, int32_t)>(call, [](int64_t t, int32_t typmod) {
    types::AdjustTimestampForTypmod(t, typmod).value();
    return t;
  });
}
void TimestamptzScale(const KernelCall& call) {
  Lift<int64_t(int64_t, int32_t)>(call, [](int64_t t, int32_t typmod) {
    types::AdjustTimestampForTypmod(t, typmod).value();
    return t;
  });
}
void TimeScale(const KernelCall& call) {
  Lift<int64_t(int64_t, int32_t)>(call, types::AdjustTimeForTypmod);
}
void IntervalScale(const KernelCall& call) {
  Lift<Interval(Interval, int32_t)>(call, [](Interval i, int32_t typmod) {
    types::AdjustIntervalForTypmod(i, typmod).value();
    return i;
  });
}

// ---- isfinite

void DateFinite(const KernelCall& call) {
  Lift<bool(int32_t)>(call, types::IsFiniteDate);
}
void TimestampFinite(const KernelCall& call) {
  Lift<bool(int64_t)>(call, types::IsFiniteTimestamp);
}

}  // namespace mayfly::func
