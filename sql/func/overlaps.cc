// (a, b) OVERLAPS (c, d): periods given by two ends, or by an end and a length. Not strict: an end may be unknown and the answer still known.
#include <optional>
#include <utility>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/lift.h"

namespace mayfly::func {

namespace {

using types::Interval;
// An end of a period, or nothing known about it.
struct Point {
  bool is_known = false;
  int64_t at = 0;
};

// The lesser end first; a single known end comes first.
void Order(Point& begin, Point& end) {
  if (!begin.is_known || (end.is_known && begin.at > end.at)) std::swap(begin, end);
}

std::optional<bool> Overlaps(Point a, Point b, Point c, Point d) {
  if ((!a.is_known && !b.is_known) || (!c.is_known && !d.is_known)) return std::nullopt;
  Order(a, b);
  Order(c, d);
  if (a.at == c.at) return b.is_known && d.is_known ? std::optional(true) : std::nullopt;
  if (a.at < c.at) {
    std::swap(a, c);
    std::swap(b, d);
  }
  // The first period begins within the other one, or not.
  if (!d.is_known) return std::nullopt;
  if (a.at < d.at) return true;
  return b.is_known ? std::optional(false) : std::nullopt;
}

Point PointAt(const types::Vector& vector, size_t row) {
  if (vector.IsNull(row)) return {};
  return {true, vector.data<int64_t>()[vector.Index(row)]};
}

// The end of a period: a point, or the begin moved by an interval.
template <bool kIsLength, typename Add>
Point EndAt(const types::Vector& vector, size_t row, Point begin, Add& add) {
  if constexpr (!kIsLength) return PointAt(vector, row);
  if (vector.IsNull(row) || !begin.is_known) return {};
  return {true, add(begin.at, vector.data<Interval>()[vector.Index(row)])};
}

template <bool kFirstIsLength, bool kSecondIsLength, typename Add>
void OverlapsEach(const KernelCall& call, Add&& add) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Point a = PointAt(*call.args[0], row);
    const Point b = EndAt<kFirstIsLength>(*call.args[1], row, a, add);
    const Point c = PointAt(*call.args[2], row);
    const Point d = EndAt<kSecondIsLength>(*call.args[3], row, c, add);
    const std::optional<bool> answer = Overlaps(a, b, c, d);
    if (answer) {
      call.result.Set(row, *answer);
    } else {
      call.result.SetNull(row);
    }
  }
}

int64_t AddToTime(int64_t time, const Interval& interval) { return WrapTime(time + interval.micros % types::kMicrosPerDay); }

struct AddToTimestamptz {
  explicit AddToTimestamptz(const KernelCall& call) : zone(&SessionZone(call.context)) {}
  int64_t operator()(int64_t timestamptz, const Interval& interval) { return TimestamptzPlusInterval(timestamptz, interval, zone); }
  types::ZoneCursor zone;
};

}  // namespace

void OverlapsTimestamp(const KernelCall& call) {
  OverlapsEach<false, false>(call, TimestampPlusInterval);
}
void OverlapsTime(const KernelCall& call) {
  OverlapsEach<false, false>(call, AddToTime);
}
void Overlaps1305(const KernelCall& call) {
  OverlapsEach<true, true>(call, AddToTimestamptz(call));
}
void Overlaps1306(const KernelCall& call) {
  OverlapsEach<false, true>(call, AddToTimestamptz(call));
}
void Overlaps1307(const KernelCall& call) {
  OverlapsEach<true, false>(call, AddToTimestamptz(call));
}
void Overlaps1309(const KernelCall& call) {
  OverlapsEach<true, true>(call, AddToTime);
}
void Overlaps1310(const KernelCall& call) {
  OverlapsEach<false, true>(call, AddToTime);
}
void Overlaps1311(const KernelCall& call) {
  OverlapsEach<true, false>(call, AddToTime);
}
void Overlaps2042(const KernelCall& call) {
  OverlapsEach<true, true>(call, TimestampPlusInterval);
}
void Overlaps2043(const KernelCall& call) {
  OverlapsEach<false, true>(call, TimestampPlusInterval);
}
void Overlaps2044(const KernelCall& call) {
  OverlapsEach<true, false>(call, TimestampPlusInterval);
}

}  // namespace mayfly::func
