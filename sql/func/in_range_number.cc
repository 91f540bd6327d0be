// in_range of numbers, for window frames RANGE offset PRECEDING / FOLLOWING: whether `value` lies on the frame's side of base -
// offset, or base + offset.
#include <cmath>

#include "sql/func/lift.h"
#include "sql/types/float.h"
#include "sql/types/numeric.h"

namespace mayfly::func {

namespace {

[[noreturn]] void ThrowBadOffset() {
  Throw(SqlError::Make(kInvalidPrecedingOrFollowingSize, "invalid preceding or following size in window function"));
}

// A limit beyond the type is on the side that is asked for, whatever the value is.
template <typename Value, typename Offset>
bool IsIntegerInRange(Value value, Value base, Offset offset, bool subtract, bool less) {
  if (offset < 0) ThrowBadOffset();
  int64_t limit;
  const bool overflow = subtract ? __builtin_sub_overflow(int64_t{base}, int64_t{offset}, &limit)
                                 : __builtin_add_overflow(int64_t{base}, int64_t{offset}, &limit);
  if (overflow || limit < std::numeric_limits<Value>::min() || limit > std::numeric_limits<Value>::max())
    return subtract ? !less : less;
  return less ? value <= limit : value >= limit;
}

bool IsFloatInRange(double value, double base, double offset, bool subtract, bool less) {
  if (std::isnan(offset) || offset < 0) ThrowBadOffset();
  // NaN is next to NaN only, and after everything else.
  if (std::isnan(value)) return std::isnan(base) || !less;
  if (std::isnan(base)) return less;
  // inf - inf: the frame begins or ends anywhere.
  if (std::isinf(offset) && std::isinf(base) && (subtract ? base > 0 : base < 0)) return true;
  const double limit = subtract ? base - offset : base + offset;
  return less ? value <= limit : value >= limit;
}

bool IsNumericInRange(const types::Numeric& value, const types::Numeric& base, const types::Numeric& offset, bool subtract,
                      bool less) {
  if (offset.is_nan() || offset.sign() < 0) ThrowBadOffset();
  if (value.is_nan()) return base.is_nan() || !less;
  if (base.is_nan()) return less;
  if (offset.is_infinite() && base.is_infinite() && (subtract ? base.sign() > 0 : base.sign() < 0)) return true;
  const types::Numeric limit = subtract ? types::SubtractNumeric(base, offset) : types::AddNumeric(base, offset);
  const int order = types::CompareNumeric(value, limit);
  return less ? order <= 0 : order >= 0;
}

template <typename Value, typename Offset>
void InRangeIntegerKernel(const KernelCall& call) {
  Lift<bool(Value, Value, Offset, bool, bool)>(call, IsIntegerInRange<Value, Offset>);
}

}  // namespace

void InRangeInt2Int2(const KernelCall& call) { InRangeIntegerKernel<int16_t, int16_t>(call); }
void InRangeInt2Int4(const KernelCall& call) { InRangeIntegerKernel<int16_t, int32_t>(call); }
void InRangeInt2Int8(const KernelCall& call) { InRangeIntegerKernel<int16_t, int64_t>(call); }
void InRangeInt4Int2(const KernelCall& call) { InRangeIntegerKernel<int32_t, int16_t>(call); }
void InRangeInt4Int4(const KernelCall& call) { InRangeIntegerKernel<int32_t, int32_t>(call); }
void InRangeInt4Int8(const KernelCall& call) { InRangeIntegerKernel<int32_t, int64_t>(call); }
void InRangeInt8Int8(const KernelCall& call) { InRangeIntegerKernel<int64_t, int64_t>(call); }

void InRangeFloat4Float8(const KernelCall& call) {
  Lift<bool(float, float, double, bool, bool)>(call, [](float value, float base, double offset, bool subtract, bool less) {
    return IsFloatInRange(value, base, offset, subtract, less);
  });
}
void InRangeFloat8Float8(const KernelCall& call) { Lift<bool(double, double, double, bool, bool)>(call, IsFloatInRange); }
void InRangeNumericNumeric(const KernelCall& call) {
  using types::DecodeNumeric;
  Lift<bool(std::string_view, std::string_view, std::string_view, bool, bool)>(
      call, [](std::string_view value, std::string_view base, std::string_view offset, bool subtract, bool less) {
        return IsNumericInRange(DecodeNumeric(value), DecodeNumeric(base), DecodeNumeric(offset), subtract, less);
      });
}

}  // namespace mayfly::func
