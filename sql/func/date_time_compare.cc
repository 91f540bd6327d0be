// Comparisons of one date/time type: numbers, but for intervals, whose order is that of their span.
#include "sql/func/lift.h"
#include "sql/types/interval.h"

namespace mayfly::func {

namespace {

using types::Interval;

template <typename T>
int32_t Order(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

}  // namespace

void DateEq(const KernelCall& call) {
  Lift<bool(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a == b; });
}
void DateNe(const KernelCall& call) {
  Lift<bool(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a != b; });
}
void DateLt(const KernelCall& call) {
  Lift<bool(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a < b; });
}
void DateLe(const KernelCall& call) {
  Lift<bool(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a <= b; });
}
void DateGt(const KernelCall& call) {
  Lift<bool(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a > b; });
}
void DateGe(const KernelCall& call) {
  Lift<bool(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a >= b; });
}
void DateCmp(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return Order(a, b); });
}
void DateLarger(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a > b ? a : b; });
}
void DateSmaller(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a < b ? a : b; });
}

void TimeEq(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a == b; });
}
void TimeNe(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a != b; });
}
void TimeLt(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a < b; });
}
void TimeLe(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a <= b; });
}
void TimeGt(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a > b; });
}
void TimeGe(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a >= b; });
}
void TimeCmp(const KernelCall& call) {
  Lift<int32_t(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return Order(a, b); });
}
void TimeLarger(const KernelCall& call) {
  Lift<int64_t(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a > b ? a : b; });
}
void TimeSmaller(const KernelCall& call) {
  Lift<int64_t(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a < b ? a : b; });
}

void TimestampEq(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a == b; });
}
void TimestampNe(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a != b; });
}
void TimestampLt(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a < b; });
}
void TimestampLe(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a <= b; });
}
void TimestampGt(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a > b; });
}
void TimestampGe(const KernelCall& call) {
  Lift<bool(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a >= b; });
}
void TimestampCmp(const KernelCall& call) {
  Lift<int32_t(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return Order(a, b); });
}
void TimestampLarger(const KernelCall& call) {
  Lift<int64_t(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a > b ? a : b; });
}
void TimestampSmaller(const KernelCall& call) {
  Lift<int64_t(int64_t, int64_t)>(call, [](int64_t a, int64_t b) { return a < b ? a : b; });
}

void IntervalEq(const KernelCall& call) {
  Lift<bool(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b) == 0; });
}
void IntervalNe(const KernelCall& call) {
  Lift<bool(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b) != 0; });
}
void IntervalLt(const KernelCall& call) {
  Lift<bool(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b) < 0; });
}
void IntervalLe(const KernelCall& call) {
  Lift<bool(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b) <= 0; });
}
void IntervalGt(const KernelCall& call) {
  Lift<bool(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b) > 0; });
}
void IntervalGe(const KernelCall& call) {
  Lift<bool(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b) >= 0; });
}
void IntervalCmp(const KernelCall& call) {
  Lift<int32_t(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b); });
}
void IntervalLarger(const KernelCall& call) {
  Lift<Interval(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b) > 0 ? a : b; });
}
void IntervalSmaller(const KernelCall& call) {
  Lift<Interval(Interval, Interval)>(call, [](Interval a, Interval b) { return types::CompareIntervals(a, b) < 0 ? a : b; });
}

}  // namespace mayfly::func
