// Intervals among themselves: sums, multiples, justification, sum() and avg().
#include <cmath>
#include <limits>
#include <new>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/lift.h"

namespace mayfly::func {

using types::Interval;
using types::kDaysPerMonth;
using types::kMicrosPerDay;

Interval AddIntervals(const Interval& a, const Interval& b) {
  Interval sum;
  if (__builtin_add_overflow(a.months, b.months, &sum.months) || __builtin_add_overflow(a.days, b.days, &sum.days) ||
      __builtin_add_overflow(a.micros, b.micros, &sum.micros)) {
    ThrowIntervalOutOfRange();
  }
  return sum;
}

Interval SubtractIntervals(const Interval& a, const Interval& b) {
  Interval difference;
  if (__builtin_sub_overflow(a.months, b.months, &difference.months) || __builtin_sub_overflow(a.days, b.days, &difference.days) ||
      __builtin_sub_overflow(a.micros, b.micros, &difference.micros)) {
    ThrowIntervalOutOfRange();
  }
  return difference;
}

Interval NegateInterval(const Interval& interval) { return SubtractIntervals(Interval{}, interval); }

namespace {

constexpr double kSecondsPerDay = 86'400.0;

double RoundToMicros(double value) { return std::rint(value * 1e6) / 1e6; }

int32_t ToInt32(double value) {
  if (std::isnan(value) || value > std::numeric_limits<int32_t>::max() || value < std::numeric_limits<int32_t>::min()) {
    ThrowIntervalOutOfRange();
  }
  return static_cast<int32_t>(value);
}

// An interval whose parts were multiplied: fractions of months go to days (of 30), those of days to time (of 24 hours).
Interval CascadeFractions(double months, double days, double micros) {
  Interval result;
  result.months = ToInt32(months);
  result.days = ToInt32(days);
  const double month_days = RoundToMicros((months - result.months) * kDaysPerMonth);
  double seconds = RoundToMicros((days - result.days + month_days - static_cast<int32_t>(month_days)) * kSecondsPerDay);
  int64_t whole_days = result.days;
  if (std::abs(seconds) >= kSecondsPerDay) {
    const auto extra = static_cast<int32_t>(seconds / kSecondsPerDay);
    whole_days += extra;
    seconds -= extra * kSecondsPerDay;
  }
  whole_days += static_cast<int32_t>(month_days);
  result.days = ToInt32(static_cast<double>(whole_days));
  const double total = std::rint(micros + seconds * 1e6);
  constexpr double kInt64End = 9223372036854775808.0;
  if (std::isnan(total) || total < -kInt64End || total >= kInt64End) ThrowIntervalOutOfRange();
  result.micros = static_cast<int64_t>(total);
  return result;
}

// Moves what `from` holds beyond `unit` to `to`.
template <typename T>
void Carry(T& from, int64_t unit, int32_t& to) {
  const auto whole = static_cast<int64_t>(from) / unit;
  from = static_cast<T>(from - whole * unit);
  if (__builtin_add_overflow(to, whole, &to)) ThrowIntervalOutOfRange();
}
template <typename T>
void AlignSigns(T& low, int64_t unit, int32_t& high) {
  if (high > 0 && low < 0) {
    low = static_cast<T>(low + unit);
    --high;
  } else if (high < 0 && low > 0) {
    low = static_cast<T>(low - unit);
    ++high;
  }
}

Interval JustifyDays(Interval interval) {
  Carry(interval.days, kDaysPerMonth, interval.months);
  AlignSigns(interval.days, kDaysPerMonth, interval.months);
  return interval;
}

Interval JustifyAll(Interval interval) {
  // Days that have the time's sign could overflow when the time's are added: months take them first.
  if ((interval.days > 0 && interval.micros > 0) || (interval.days < 0 && interval.micros < 0)) {
    Carry(interval.days, kDaysPerMonth, interval.months);
  }
  Carry(interval.micros, kMicrosPerDay, interval.days);
  Carry(interval.days, kDaysPerMonth, interval.months);
  if (interval.months > 0 && (interval.days < 0 || (interval.days == 0 && interval.micros < 0))) {
    interval.days += kDaysPerMonth;
    --interval.months;
  } else if (interval.months < 0 && (interval.days > 0 || (interval.days == 0 && interval.micros > 0))) {
    interval.days -= kDaysPerMonth;
    ++interval.months;
  }
  AlignSigns(interval.micros, kMicrosPerDay, interval.days);
  return interval;
}

}  // namespace

Interval JustifyHours(Interval interval) {
  Carry(interval.micros, kMicrosPerDay, interval.days);
  AlignSigns(interval.micros, kMicrosPerDay, interval.days);
  return interval;
}

Interval MultiplyInterval(const Interval& interval, double factor) {
  return CascadeFractions(interval.months * factor, interval.days * factor, static_cast<double>(interval.micros) * factor);
}

Interval DivideInterval(const Interval& interval, double factor) {
  if (factor == 0.0) Throw(SqlError::Make(kDivisionByZero, "division by zero"));
  return CascadeFractions(interval.months / factor, interval.days / factor, static_cast<double>(interval.micros) / factor);
}

void IntervalPl(const KernelCall& call) {
  Lift<Interval(Interval, Interval)>(call, AddIntervals);
}
void IntervalMi(const KernelCall& call) {
  Lift<Interval(Interval, Interval)>(call, SubtractIntervals);
}
void IntervalUm(const KernelCall& call) {
  Lift<Interval(Interval)>(call, NegateInterval);
}
void IntervalMul(const KernelCall& call) {
  Lift<Interval(Interval, double)>(call, MultiplyInterval);
}
void MulDInterval(const KernelCall& call) {
  Lift<Interval(double, Interval)>(call, [](double factor, const Interval& i) { return MultiplyInterval(i, factor); });
}
void IntervalDiv(const KernelCall& call) {
  Lift<Interval(Interval, double)>(call, DivideInterval);
}
void IntervalJustifyHours(const KernelCall& call) {
  Lift<Interval(Interval)>(call, JustifyHours);
}
void IntervalJustifyDays(const KernelCall& call) {
  Lift<Interval(Interval)>(call, JustifyDays);
}
void IntervalJustifyInterval(const KernelCall& call) {
  Lift<Interval(Interval)>(call, JustifyAll);
}
void IntervalFinite(const KernelCall& call) {
  Lift<bool(Interval)>(call, [](const Interval&) { return true; });
}

// ---- sum and avg

namespace {

struct SumState {
  Interval sum;
  int64_t count = 0;
};

void SumInit(void* state) { new (state) SumState(); }

void SumAdd(SumState& state, const Interval& value) {
  state.sum = AddIntervals(state.sum, value);
  ++state.count;
}

void SumUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  const types::Vector& values = *call.args[0];
  for (size_t i = 0; i < rows.count; ++i) {
    SumAdd(*static_cast<SumState*>(states[i]), values.data<Interval>()[values.Index(rows[i])]);
  }
}

void SumUpdateOne(const AggregateCall& call, types::Selection rows, void* state) {
  const types::Vector& values = *call.args[0];
  for (size_t i = 0; i < rows.count; ++i) SumAdd(*static_cast<SumState*>(state), values.data<Interval>()[values.Index(rows[i])]);
}

void SumCombine(const AggregateCall&, void* into, const void* from) {
  const auto& other = *static_cast<const SumState*>(from);
  auto& state = *static_cast<SumState*>(into);
  state.sum = AddIntervals(state.sum, other.sum);
  state.count += other.count;
}

void SumFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  const auto& sum = *static_cast<const SumState*>(state);
  if (sum.count == 0) return result.SetNull(row);
  result.Set(row, sum.sum);
}

void AvgFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  const auto& sum = *static_cast<const SumState*>(state);
  if (sum.count == 0) return result.SetNull(row);
  result.Set(row, DivideInterval(sum.sum, static_cast<double>(sum.count)));
}

}  // namespace

extern const AggregateOps AggSumInterval, AggAvgInterval;

const AggregateOps AggSumInterval = {
    .state_bytes = sizeof(SumState),
    .skips_nulls = true,
    .init = SumInit,
    .update = SumUpdate,
    .update_one = SumUpdateOne,
    .combine = SumCombine,
    .finalize = SumFinalize,
};

const AggregateOps AggAvgInterval = {
    .state_bytes = sizeof(SumState),
    .skips_nulls = true,
    .init = SumInit,
    .update = SumUpdate,
    .update_one = SumUpdateOne,
    .combine = SumCombine,
    .finalize = AvgFinalize,
};

}  // namespace mayfly::func
