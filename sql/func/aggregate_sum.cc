// sum and avg of integers and floats. Of int2 and int4 the sum is an int8, of int8 a numeric; averages of integers are numeric.
#include <cmath>

#include "sql/func/aggregate_loop.h"
#include "sql/func/number_loop.h"

namespace mayfly::func {

namespace {

// NULL where no value came.
struct NarrowSum {
  int64_t sum = 0;
  int64_t count = 0;
  void Add(int64_t value) {
    sum += value;
    ++count;
  }
  void Merge(const NarrowSum& other) {
    sum += other.sum;
    count += other.count;
  }
  void Write(types::Vector& result, size_t row) const {
    if (count == 0) return result.SetNull(row);
    result.Set(row, sum);
  }
};

struct WideSum {
  __int128 sum = 0;
  int64_t count = 0;
  void Add(int64_t value) {
    sum += value;
    ++count;
  }
  void Merge(const WideSum& other) {
    sum += other.sum;
    count += other.count;
  }
  void Write(types::Vector& result, size_t row) const {
    if (count == 0) return result.SetNull(row);
    result.Set(row, types::EncodeNumeric(types::Numeric::FromInt128(sum), result.heap()));
  }
};

template <typename Sum>
struct IntegerAverage : Sum {
  void Write(types::Vector& result, size_t row) const {
    if (this->count == 0) return result.SetNull(row);
    const types::Numeric quotient =
        types::DivideNumeric(types::Numeric::FromInt128(this->sum), types::Numeric::FromInt64(this->count));
    result.Set(row, types::EncodeNumeric(quotient, result.heap()));
  }
};

// In the type itself, as PostgreSQL adds: a float4's sum has a float4's precision.
template <typename T>
struct FloatSum {
  T sum = 0;
  bool any = false;
  bool any_infinite = false;
  void Add(T value) {
    sum = any ? sum + value : value;  // the first value keeps its sign of zero
    any_infinite |= IsInfinite(value);
    any = true;
  }
  void Merge(const FloatSum& other) {
    if (!other.any) return;
    sum = any ? sum + other.sum : other.sum;
    any_infinite |= other.any_infinite;
    any = true;
  }
  void Write(types::Vector& result, size_t row) const {
    if (!any) return result.SetNull(row);
    if (IsInfinite(sum) && !any_infinite) ThrowFloatOverflow();
    result.Set(row, sum);
  }
};

// Differs: PostgreSQL keeps the squares as well, and fails where those overflow.
struct FloatAverage {
  double sum = 0;
  int64_t count = 0;
  bool any_infinite = false;
  void Add(double value) {
    sum += value;
    any_infinite |= IsInfinite(value);
    ++count;
  }
  void Merge(const FloatAverage& other) {
    sum += other.sum;
    any_infinite |= other.any_infinite;
    count += other.count;
  }
  void Write(types::Vector& result, size_t row) const {
    if (count == 0) return result.SetNull(row);
    if (IsInfinite(sum) && !any_infinite) ThrowFloatOverflow();
    result.Set(row, sum / static_cast<double>(count));
  }
};

}  // namespace

extern const AggregateOps AggSumInt2, AggSumInt4, AggSumInt8, AggSumFloat4, AggSumFloat8;
extern const AggregateOps AggAvgInt2, AggAvgInt4, AggAvgInt8, AggAvgFloat4, AggAvgFloat8;
const AggregateOps AggSumInt2 = kNumberAggregate<NarrowSum, int16_t>;
const AggregateOps AggSumInt4 = kNumberAggregate<NarrowSum, int32_t>;
const AggregateOps AggSumInt8 = kNumberAggregate<WideSum, int64_t>;
const AggregateOps AggSumFloat4 = kNumberAggregate<FloatSum<float>, float>;
const AggregateOps AggSumFloat8 = kNumberAggregate<FloatSum<double>, double>;
const AggregateOps AggAvgInt2 = kNumberAggregate<IntegerAverage<NarrowSum>, int16_t>;
const AggregateOps AggAvgInt4 = kNumberAggregate<IntegerAverage<NarrowSum>, int32_t>;
const AggregateOps AggAvgInt8 = kNumberAggregate<IntegerAverage<WideSum>, int64_t>;
const AggregateOps AggAvgFloat4 = kNumberAggregate<FloatAverage, float>;
const AggregateOps AggAvgFloat8 = kNumberAggregate<FloatAverage, double>;

}  // namespace mayfly::func
