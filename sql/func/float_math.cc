// Functions of float8: rounding, roots, powers, exponentials, logarithms, buckets, and the functions that need the random
// generator.
#include <cmath>

#include "sql/func/lift.h"
#include "sql/func/number_loop.h"

namespace mayfly::func {

namespace {

template <typename Body>
void MapDouble(const KernelCall& call, Body body) {
  MapNumber<double, double>(call, body);
}

// A result that left the range although the argument did not.
double CheckRange(double result, bool argument_is_infinite, bool zero_is_right) {
  if (std::isinf(result) && !argument_is_infinite) ThrowFloatOverflow();
  if (result == 0 && !zero_is_right) ThrowFloatUnderflow();
  return result;
}

void CheckLogarithm(double a) {
  if (a == 0) Throw(SqlError::Make(kInvalidArgumentForLog, "cannot take logarithm of zero"));
  if (a < 0) Throw(SqlError::Make(kInvalidArgumentForLog, "cannot take logarithm of a negative number"));
}

double Power(double base, double exponent) {
  if (std::isnan(base)) return exponent == 0 ? 1.0 : base;
  if (std::isnan(exponent)) return base == 1 ? 1.0 : exponent;
  if (base == 0 && exponent < 0) {
    Throw(SqlError::Make(kInvalidArgumentForPowerFunction, "zero raised to a negative power is undefined"));
  }
  if (base < 0 && std::floor(exponent) != exponent) {
    Throw(SqlError::Make(kInvalidArgumentForPowerFunction,
                         "a negative number raised to a non-integer power yields a complex result"));
  }
  const double result = std::pow(base, exponent);
  if (std::isinf(base) || std::isinf(exponent)) return result;
  return CheckRange(result, false, base == 0);
}

int32_t WidthBucket(double operand, double low, double high, int32_t count) {
  const auto refuse = [](std::string_view why) {
    Throw(SqlError::MakeText(kInvalidArgumentForWidthBucketFunction, std::string(why)));
  };
  if (count <= 0) refuse("count must be greater than zero");
  if (std::isnan(operand) || std::isnan(low) || std::isnan(high)) refuse("operand, lower bound, and upper bound cannot be NaN");
  if (std::isinf(low) || std::isinf(high)) refuse("lower and upper bounds must be finite");
  if (low == high) refuse("lower bound cannot equal upper bound");
  if (low < high ? operand < low : operand > low) return 0;
  if (low < high ? operand >= high : operand <= high) {
    if (count == INT32_MAX) Throw(SqlError::Make(kNumericValueOutOfRange, "integer out of range"));
    return count + 1;
  }
  double buckets = static_cast<double>(count) * (operand - low) / (high - low);
  // Differs: where the width is beyond a double, PostgreSQL 15 gives -2147483648 (later versions the right bucket).
  if (!std::isfinite(buckets)) buckets = static_cast<double>(count) * ((operand / 2 - low / 2) / (high / 2 - low / 2));
  return static_cast<int32_t>(buckets + 1);
}

// The quotient by, and product with, this is what PostgreSQL's degrees() and radians() give to the last bit.
constexpr double kRadiansPerDegree = 0.0174532925199432957692;

}  // namespace

void Dround(const KernelCall& call) {
  MapDouble(call, [](double a) { return std::rint(a); });
}
void Dceil(const KernelCall& call) {
  MapDouble(call, [](double a) { return std::ceil(a); });
}
void Dfloor(const KernelCall& call) {
  MapDouble(call, [](double a) { return std::floor(a); });
}
void Dtrunc(const KernelCall& call) {
  MapDouble(call, [](double a) { return std::trunc(a); });
}
void Dsign(const KernelCall& call) {
  MapDouble(call, [](double a) { return static_cast<double>(int{a > 0} - int{a < 0}); });
}
void Dsqrt(const KernelCall& call) {
  MapDouble(call, [](double a) {
    if (a < 0) Throw(SqlError::Make(kInvalidArgumentForPowerFunction, "cannot take square root of a negative number"));
    return std::sqrt(a);
  });
}
void Dcbrt(const KernelCall& call) {
  MapDouble(call, [](double a) { return std::cbrt(a); });
}
void Dpow(const KernelCall& call) { MapNumbers<double, double, double>(call, Power); }
void Dexp(const KernelCall& call) {
  MapDouble(call, [](double a) { return CheckRange(std::exp(a), std::isinf(a), std::isinf(a)); });
}
void Dlog1(const KernelCall& call) {
  MapDouble(call, [](double a) {
    CheckLogarithm(a);
    return std::log(a);
  });
}
void Dlog10(const KernelCall& call) {
  MapDouble(call, [](double a) {
    CheckLogarithm(a);
    return std::log10(a);
  });
}
void Degrees(const KernelCall& call) {
  MapDouble(call, [](double a) { return CheckRange(a / kRadiansPerDegree, std::isinf(a), true); });
}
void Radians(const KernelCall& call) {
  MapDouble(call, [](double a) { return CheckRange(a * kRadiansPerDegree, std::isinf(a), a == 0); });
}
void Dpi(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) call.result.Set(call.rows[i], 3.14159265358979323846);
}

void WidthBucketFloat8(const KernelCall& call) { Lift<int32_t(double, double, double, int32_t)>(call, WidthBucket); }

// 0 <= random() < 1, all 53 bits.
void Drandom(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    call.result.Set(call.rows[i], static_cast<double>((*call.context.random)() >> 11) * 0x1p-53);
  }
}
// Differs: the numbers that follow a seed are not PostgreSQL's.
void Setseed(const KernelCall& call) {
  Lift<std::string_view(double)>(call, [&call](double seed) {
    if (!(seed >= -1 && seed <= 1)) {
      Throw(SqlError::Make(kInvalidParameterValue, "setseed parameter {} is out of allowed range [-1,1]",
                           std::isnan(seed) ? "NaN" : fmt::format("{:g}", seed)));
    }
    call.context.random->seed(static_cast<uint64_t>(static_cast<int64_t>(seed * 0x1p52)));
    return std::string_view();
  });
}

}  // namespace mayfly::func
