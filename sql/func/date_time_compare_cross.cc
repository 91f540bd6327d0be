// Comparisons across date, timestamp and timestamptz. A value that the other type cannot hold is not an error: it is beyond every finite
// value there, but not infinite.
#include "sql/func/lift.h"
#include "sql/types/timestamp.h"

namespace mayfly::func {

namespace {

int32_t Order(int64_t a, int64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

const types::TimeZone& Zone(const KernelCall& call) {
  const types::TimeZone* zone = call.context.io.settings.time_zone;
  return zone == nullptr ? *types::TimeZone::Utc() : *zone;
}

// `converted` is what the left value is in the right one's type; where it does not fit, `is_high` says at which end.
int32_t OrderConverted(const Result<int64_t>& converted, bool is_high, int64_t right) {
  if (converted.ok()) return Order(*converted, right);
  if (is_high) return right == types::kTimestampInfinity ? -1 : 1;
  return right == types::kTimestampMinusInfinity ? 1 : -1;
}

struct DateTimestamp {
  explicit DateTimestamp(const KernelCall&) {}
  int32_t operator()(int32_t date, int64_t timestamp) const { return OrderConverted(types::TimestampFromDate(date), date > 0, timestamp); }
};
struct DateTimestamptz {
  explicit DateTimestamptz(const KernelCall& call) : zone(Zone(call)) {}
  int32_t operator()(int32_t date, int64_t timestamptz) const {
    return OrderConverted(types::TimestamptzFromDate(date, zone), date > 0, timestamptz);
  }
  const types::TimeZone& zone;
};
struct TimestampTimestamptz {
  explicit TimestampTimestamptz(const KernelCall& call) : zone(Zone(call)) {}
  int32_t operator()(int64_t timestamp, int64_t timestamptz) const {
    return OrderConverted(types::TimestamptzFromLocal(timestamp, zone), timestamp > 0, timestamptz);
  }
  const types::TimeZone& zone;
};
// The same with the arguments the other way round.
template <typename Compare>
struct Swapped {
  explicit Swapped(const KernelCall& call) : compare(call) {}
  template <typename A, typename B>
  int32_t operator()(A a, B b) const {
    return -compare(b, a);
  }
  Compare compare;
};

}  // namespace

void DateEqTimestamp(const KernelCall& call) {
  const DateTimestamp compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) == 0; });
}
void DateNeTimestamp(const KernelCall& call) {
  const DateTimestamp compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) != 0; });
}
void DateLtTimestamp(const KernelCall& call) {
  const DateTimestamp compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) < 0; });
}
void DateLeTimestamp(const KernelCall& call) {
  const DateTimestamp compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) <= 0; });
}
void DateGtTimestamp(const KernelCall& call) {
  const DateTimestamp compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) > 0; });
}
void DateGeTimestamp(const KernelCall& call) {
  const DateTimestamp compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) >= 0; });
}
void DateCmpTimestamp(const KernelCall& call) {
  const DateTimestamp compare(call);
  Lift<int32_t(int32_t, int64_t)>(call, compare);
}

void DateEqTimestamptz(const KernelCall& call) {
  const DateTimestamptz compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) == 0; });
}
void DateNeTimestamptz(const KernelCall& call) {
  const DateTimestamptz compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) != 0; });
}
void DateLtTimestamptz(const KernelCall& call) {
  const DateTimestamptz compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) < 0; });
}
void DateLeTimestamptz(const KernelCall& call) {
  const DateTimestamptz compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) <= 0; });
}
void DateGtTimestamptz(const KernelCall& call) {
  const DateTimestamptz compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) > 0; });
}
void DateGeTimestamptz(const KernelCall& call) {
  const DateTimestamptz compare(call);
  Lift<bool(int32_t, int64_t)>(call, [&](int32_t a, int64_t b) { return compare(a, b) >= 0; });
}
void DateCmpTimestamptz(const KernelCall& call) {
  const DateTimestamptz compare(call);
  Lift<int32_t(int32_t, int64_t)>(call, compare);
}

void TimestampEqDate(const KernelCall& call) {
  const Swapped<DateTimestamp> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) == 0; });
}
void TimestampNeDate(const KernelCall& call) {
  const Swapped<DateTimestamp> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) != 0; });
}
void TimestampLtDate(const KernelCall& call) {
  const Swapped<DateTimestamp> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) < 0; });
}
void TimestampLeDate(const KernelCall& call) {
  const Swapped<DateTimestamp> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) <= 0; });
}
void TimestampGtDate(const KernelCall& call) {
  const Swapped<DateTimestamp> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) > 0; });
}
void TimestampGeDate(const KernelCall& call) {
  const Swapped<DateTimestamp> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) >= 0; });
}
void TimestampCmpDate(const KernelCall& call) {
  const Swapped<DateTimestamp> compare(call);
  Lift<int32_t(int64_t, int32_t)>(call, compare);
}

void TimestamptzEqDate(const KernelCall& call) {
  const Swapped<DateTimestamptz> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) == 0; });
}
void TimestamptzNeDate(const KernelCall& call) {
  const Swapped<DateTimestamptz> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) != 0; });
}
void TimestamptzLtDate(const KernelCall& call) {
  const Swapped<DateTimestamptz> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) < 0; });
}
void TimestamptzLeDate(const KernelCall& call) {
  const Swapped<DateTimestamptz> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) <= 0; });
}
void TimestamptzGtDate(const KernelCall& call) {
  const Swapped<DateTimestamptz> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) > 0; });
}
void TimestamptzGeDate(const KernelCall& call) {
  const Swapped<DateTimestamptz> compare(call);
  Lift<bool(int64_t, int32_t)>(call, [&](int64_t a, int32_t b) { return compare(a, b) >= 0; });
}
void TimestamptzCmpDate(const KernelCall& call) {
  const Swapped<DateTimestamptz> compare(call);
  Lift<int32_t(int64_t, int32_t)>(call, compare);
}

void TimestampEqTimestamptz(const KernelCall& call) {
  const TimestampTimestamptz compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) == 0; });
}
void TimestampNeTimestamptz(const KernelCall& call) {
  const TimestampTimestamptz compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) != 0; });
}
void TimestampLtTimestamptz(const KernelCall& call) {
  const TimestampTimestamptz compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) < 0; });
}
void TimestampLeTimestamptz(const KernelCall& call) {
  const TimestampTimestamptz compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) <= 0; });
}
void TimestampGtTimestamptz(const KernelCall& call) {
  const TimestampTimestamptz compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) > 0; });
}
void TimestampGeTimestamptz(const KernelCall& call) {
  const TimestampTimestamptz compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) >= 0; });
}
void TimestampCmpTimestamptz(const KernelCall& call) {
  const TimestampTimestamptz compare(call);
  Lift<int32_t(int64_t, int64_t)>(call, compare);
}

void TimestamptzEqTimestamp(const KernelCall& call) {
  const Swapped<TimestampTimestamptz> compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) == 0; });
}
void TimestamptzNeTimestamp(const KernelCall& call) {
  const Swapped<TimestampTimestamptz> compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) != 0; });
}
void TimestamptzLtTimestamp(const KernelCall& call) {
  const Swapped<TimestampTimestamptz> compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) < 0; });
}
void TimestamptzLeTimestamp(const KernelCall& call) {
  const Swapped<TimestampTimestamptz> compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) <= 0; });
}
void TimestamptzGtTimestamp(const KernelCall& call) {
  const Swapped<TimestampTimestamptz> compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) > 0; });
}
void TimestamptzGeTimestamp(const KernelCall& call) {
  const Swapped<TimestampTimestamptz> compare(call);
  Lift<bool(int64_t, int64_t)>(call, [&](int64_t a, int64_t b) { return compare(a, b) >= 0; });
}
void TimestamptzCmpTimestamp(const KernelCall& call) {
  const Swapped<TimestampTimestamptz> compare(call);
  Lift<int32_t(int64_t, int64_t)>(call, compare);
}

}  // namespace mayfly::func
