// min and max of types of fixed size. Those of text and arrays are in text_aggregate.cc, those of numeric in
// aggregate_numeric.cc.
#include <algorithm>
#include <limits>

#include "sql/func/aggregate_loop.h"
#include "sql/types/interval.h"

namespace mayfly::func {

namespace {

// Starts at the value that every other one beats, so that the loop needs no test for the first one.
template <typename T>
struct IntegerMax {
  T value = std::numeric_limits<T>::lowest();
  bool any = false;
  void Add(T other) {
    value = std::max(value, other);
    any = true;
  }
  void Merge(const IntegerMax& other) {
    if (other.any) Add(other.value);
  }
  void Write(types::Vector& result, size_t row) const {
    if (!any) return result.SetNull(row);
    result.Set(row, value);
  }
};
template <typename T>
struct IntegerMin {
  T value = std::numeric_limits<T>::max();
  bool any = false;
  void Add(T other) {
    value = std::min(value, other);
    any = true;
  }
  void Merge(const IntegerMin& other) {
    if (other.any) Add(other.value);
  }
  void Write(types::Vector& result, size_t row) const {
    if (!any) return result.SetNull(row);
    result.Set(row, value);
  }
};

// NaN is the greatest: it wins max for good, and min starts with it.
template <typename T>
struct FloatMax {
  T value = -std::numeric_limits<T>::infinity();
  bool any = false;
  void Add(T other) {
    value = (other > value) | (other != other) ? other : value;
    any = true;
  }
  void Merge(const FloatMax& other) {
    if (other.any) Add(other.value);
  }
  void Write(types::Vector& result, size_t row) const {
    if (!any) return result.SetNull(row);
    result.Set(row, value);
  }
};
template <typename T>
struct FloatMin {
  T value = std::numeric_limits<T>::quiet_NaN();
  bool any = false;
  void Add(T other) {
    value = (other < value) | (value != value) ? other : value;
    any = true;
  }
  void Merge(const FloatMin& other) {
    if (other.any) Add(other.value);
  }
  void Write(types::Vector& result, size_t row) const {
    if (!any) return result.SetNull(row);
    result.Set(row, value);
  }
};

// Of equal intervals ('1 mon', '30 days') the later one, as PostgreSQL keeps.
template <int direction>
struct IntervalExtreme {
  types::Interval value;
  bool any = false;
  void Add(types::Interval other) {
    if (!any || types::CompareIntervals(value, other) * direction <= 0) value = other;
    any = true;
  }
  void Merge(const IntervalExtreme& other) {
    if (other.any) Add(other.value);
  }
  void Write(types::Vector& result, size_t row) const {
    if (!any) return result.SetNull(row);
    result.Set(row, value);
  }
};

}  // namespace

extern const AggregateOps AggMaxInt2, AggMaxInt4, AggMaxInt8, AggMaxOid, AggMaxFloat4, AggMaxFloat8, AggMaxDate, AggMaxTime,
    AggMaxTimestamp, AggMaxTimestamptz, AggMaxInterval;
extern const AggregateOps AggMinInt2, AggMinInt4, AggMinInt8, AggMinOid, AggMinFloat4, AggMinFloat8, AggMinDate, AggMinTime,
    AggMinTimestamp, AggMinTimestamptz, AggMinInterval;
const AggregateOps AggMaxInt2 = kNumberAggregate<IntegerMax<int16_t>, int16_t>;
const AggregateOps AggMaxInt4 = kNumberAggregate<IntegerMax<int32_t>, int32_t>;
const AggregateOps AggMaxInt8 = kNumberAggregate<IntegerMax<int64_t>, int64_t>;
const AggregateOps AggMaxOid = kNumberAggregate<IntegerMax<uint32_t>, uint32_t>;
const AggregateOps AggMaxFloat4 = kNumberAggregate<FloatMax<float>, float>;
const AggregateOps AggMaxFloat8 = kNumberAggregate<FloatMax<double>, double>;
const AggregateOps AggMaxDate = kNumberAggregate<IntegerMax<int32_t>, int32_t>;
const AggregateOps AggMaxTime = kNumberAggregate<IntegerMax<int64_t>, int64_t>;
const AggregateOps AggMaxTimestamp = kNumberAggregate<IntegerMax<int64_t>, int64_t>;
const AggregateOps AggMaxTimestamptz = kNumberAggregate<IntegerMax<int64_t>, int64_t>;
const AggregateOps AggMaxInterval = kNumberAggregate<IntervalExtreme<1>, types::Interval>;
const AggregateOps AggMinInt2 = kNumberAggregate<IntegerMin<int16_t>, int16_t>;
const AggregateOps AggMinInt4 = kNumberAggregate<IntegerMin<int32_t>, int32_t>;
const AggregateOps AggMinInt8 = kNumberAggregate<IntegerMin<int64_t>, int64_t>;
const AggregateOps AggMinOid = kNumberAggregate<IntegerMin<uint32_t>, uint32_t>;
const AggregateOps AggMinFloat4 = kNumberAggregate<FloatMin<float>, float>;
const AggregateOps AggMinFloat8 = kNumberAggregate<FloatMin<double>, double>;
const AggregateOps AggMinDate = kNumberAggregate<IntegerMin<int32_t>, int32_t>;
const AggregateOps AggMinTime = kNumberAggregate<IntegerMin<int64_t>, int64_t>;
const AggregateOps AggMinTimestamp = kNumberAggregate<IntegerMin<int64_t>, int64_t>;
const AggregateOps AggMinTimestamptz = kNumberAggregate<IntegerMin<int64_t>, int64_t>;
const AggregateOps AggMinInterval = kNumberAggregate<IntervalExtreme<-1>, types::Interval>;

}  // namespace mayfly::func
