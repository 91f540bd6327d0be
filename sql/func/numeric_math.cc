// Functions of numeric: roots, powers, logarithms, common divisors, factorials.
#include <algorithm>

#include "sql/func/numeric_result.h"

namespace mayfly::func {

namespace {

types::Numeric Magnitude(types::Numeric value) {
  value.negative = false;
  return value;
}

types::Numeric CommonDivisor(const types::Numeric& a, const types::Numeric& b) {
  if (a.is_nan() || b.is_nan()) return types::Numeric::Special(types::NumericKind::kNan);
  if (a.is_infinite() || b.is_infinite()) return types::Numeric::Special(types::NumericKind::kNan);
  types::Numeric x = Magnitude(a);
  types::Numeric y = Magnitude(b);
  while (!y.is_zero()) {
    types::Numeric rest = types::ModuloNumeric(x, y);
    x = std::move(y);
    y = std::move(rest);
  }
  x.scale = std::max(a.scale, b.scale);
  return x;
}

types::Numeric CommonMultiple(const types::Numeric& a, const types::Numeric& b) {
  if (!a.is_finite() || !b.is_finite()) return types::Numeric::Special(types::NumericKind::kNan);
  types::Numeric result;
  if (!a.is_zero() && !b.is_zero()) {
    const types::Numeric share = types::QuotientNumeric(a, CommonDivisor(a, b), 0, false);
    result = Magnitude(types::MultiplyNumeric(share, b));
  }
  result.scale = std::max(a.scale, b.scale);
  return result;
}

types::Numeric Factorial(int64_t n, const std::atomic<bool>* interrupt) {
  if (n < 0) Throw(SqlError::Make(kNumericValueOutOfRange, "factorial of a negative number is undefined"));
  if (n > 32177) types::ThrowNumericOverflow();
  types::Numeric result = types::Numeric::FromInt64(1);
  for (int64_t i = 2; i <= n; ++i) {
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) {
      Throw(SqlError::Make(kQueryCanceled, "canceling statement due to user request"));
    }
    result = types::MultiplyNumeric(result, types::Numeric::FromInt64(i));
  }
  return result;
}

// The bucket of `operand` among `count` equal ones between the bounds: 0 below, count + 1 above.
int32_t WidthBucket(const types::Numeric& operand, const types::Numeric& low, const types::Numeric& high, int32_t count) {
  const auto refuse = [](std::string_view why) {
    Throw(SqlError::MakeText(kInvalidArgumentForWidthBucketFunction, std::string(why)));
  };
  if (count <= 0) refuse("count must be greater than zero");
  if (operand.is_nan() || low.is_nan() || high.is_nan()) refuse("operand, lower bound, and upper bound cannot be NaN");
  if (!low.is_finite() || !high.is_finite()) refuse("lower and upper bounds must be finite");
  const int order = types::CompareNumeric(low, high);
  if (order == 0) refuse("lower bound cannot equal upper bound");
  const int below = types::CompareNumeric(operand, low);
  const int above = types::CompareNumeric(operand, high);
  if (order < 0 ? below < 0 : below > 0) return 0;
  if (order < 0 ? above >= 0 : above <= 0) {
    if (count == INT32_MAX) Throw(SqlError::Make(kNumericValueOutOfRange, "integer out of range"));
    return count + 1;
  }
  const types::Numeric distance = Magnitude(types::SubtractNumeric(operand, low));
  const types::Numeric width = Magnitude(types::SubtractNumeric(high, low));
  const types::Numeric scaled = types::MultiplyNumeric(distance, types::Numeric::FromInt64(count));
  const types::Numeric bucket = types::QuotientNumeric(scaled, width, 0, false);
  return static_cast<int32_t>(types::NumericToInt64(bucket, "integer", INT32_MIN, INT32_MAX) + 1);
}

}  // namespace

void NumericSqrt(const KernelCall& call) { MapNumeric(call, types::SqrtNumeric); }
void NumericExp(const KernelCall& call) { MapNumeric(call, types::ExpNumeric); }
void NumericLn(const KernelCall& call) { MapNumeric(call, types::LnNumeric); }
void NumericLog(const KernelCall& call) { MapNumerics(call, types::LogNumeric); }
void NumericPower(const KernelCall& call) { MapNumerics(call, types::PowerNumeric); }
void NumericGcd(const KernelCall& call) { MapNumerics(call, CommonDivisor); }
void NumericLcm(const KernelCall& call) { MapNumerics(call, CommonMultiple); }

// log(numeric) and log10(numeric).
void Log1741(const KernelCall& call) {
  MapNumeric(call, [](const types::Numeric& a) { return types::LogNumeric(types::Numeric::FromInt64(10), a); });
}
void Log101481(const KernelCall& call) { Log1741(call); }

void NumericFac(const KernelCall& call) {
  Arena& heap = call.result.heap();
  const std::atomic<bool>* const interrupt = call.context.interrupt;
  Lift<types::StringRef(int64_t)>(call, [&](int64_t n) { return types::EncodeNumeric(Factorial(n, interrupt), heap); });
}

void WidthBucketNumeric(const KernelCall& call) {
  using types::DecodeNumeric;
  Lift<int32_t(std::string_view, std::string_view, std::string_view, int32_t)>(
      call, [](std::string_view operand, std::string_view low, std::string_view high, int32_t count) {
        return WidthBucket(DecodeNumeric(operand), DecodeNumeric(low), DecodeNumeric(high), count);
      });
}

}  // namespace mayfly::func
