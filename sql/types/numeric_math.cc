// numeric: roots, exponentials, logarithms and powers.
//
// The scale of a result is PostgreSQL's: at least 16 significant digits, and not fewer decimals than the arguments have. The
// value is computed with more digits than that and rounded once.
#include <algorithm>
#include <cmath>

#include "sql/types/numeric.h"

namespace mayfly::types {

namespace {

constexpr double kLog10OfE = 0.434294481903252;
constexpr double kLnOf10 = 2.302585092994046;
// Results with more digits than this before the point, or zeros after it, are not computed.
constexpr int kResultScaleMax = 2 * kNumericScaleMax;
constexpr int kGuardDigits = 12;

const Numeric& One() {
  static const Numeric kOne = Numeric::FromInt64(1);
  return kOne;
}

int ClampScale(int scale, int at_least = 0) { return std::clamp(std::max(scale, at_least), 0, kNumericScaleMax); }

// Decimal digits before the point of the first base digit's place.
int DecimalWeight(const Numeric& value) { return value.weight * kNumericBaseDigits; }

// A double near the value; infinite where it is beyond a double.
double Approximate(const Numeric& value) {
  double result = 0;
  const size_t count = std::min<size_t>(value.digits.size(), 5);
  for (size_t i = 0; i < count; ++i) result = result * kNumericBase + value.digits[i];
  result *= std::pow(10.0, kNumericBaseDigits * (value.weight + 1 - static_cast<int>(count)));
  return value.negative ? -result : result;
}

// The power of ten near |ln(value)|, as PostgreSQL estimates it.
int EstimateLnWeight(const Numeric& value) {
  if (value.sign() <= 0) return 0;
  static const Numeric kNineTenths = ParseNumeric("0.9").value();
  static const Numeric kElevenTenths = ParseNumeric("1.1").value();
  if (CompareNumeric(value, kNineTenths) >= 0 && CompareNumeric(value, kElevenTenths) <= 0) {
    const Numeric x = SubtractNumeric(value, One());
    if (x.digits.empty()) return 0;
    return DecimalWeight(x) + static_cast<int>(std::log10(x.digits[0]));
  }
  double digits = value.digits[0];
  int weight = DecimalWeight(value);
  if (value.digits.size() > 1) {
    digits = digits * kNumericBase + value.digits[1];
    weight -= kNumericBaseDigits;
  }
  return static_cast<int>(std::log10(std::fabs(std::log(digits) + weight * kLnOf10)));
}

// e^x rounded to `scale` digits.
Numeric ExpTo(const Numeric& x, int scale) {
  const double approximate = Approximate(x);
  if (std::fabs(approximate) >= kResultScaleMax * 3) {
    if (approximate > 0) ThrowNumericOverflow();
    Numeric zero;
    zero.scale = scale;
    return zero;
  }
  const int weight = static_cast<int>(approximate * kLog10OfE);
  const int significant = std::max(1 + weight + scale, 1) + kGuardDigits;
  // Halve the argument until its series runs fast, and square the result as often.
  int halvings = 0;
  for (double reduced = std::fabs(approximate); reduced > 0.01; reduced /= 2) ++halvings;
  const int precision = significant + halvings;
  Numeric reduced = x;
  if (halvings != 0) {
    reduced = QuotientNumeric(x, PowerNumeric(Numeric::FromInt64(2), Numeric::FromInt64(halvings)), precision + 4, true);
  }
  Numeric sum = AddNumeric(One(), reduced);
  Numeric term = reduced;
  for (int64_t n = 2; !term.digits.empty(); ++n) {
    term = QuotientNumeric(ProductNumeric(term, reduced, precision + 4), Numeric::FromInt64(n), precision + 4, true);
    sum = AddNumeric(sum, term);
  }
  for (int i = 0; i < halvings; ++i) {
    sum = ProductNumeric(sum, sum, std::max(precision + 4 - 2 * DecimalWeight(sum), 0));
  }
  RoundNumeric(sum, scale);
  sum.scale = scale;
  return sum;
}

// ln(x) rounded to `scale` digits. Requires: x > 0.
Numeric LnTo(const Numeric& x, int scale) {
  static const Numeric kNineTenths = ParseNumeric("0.9").value();
  static const Numeric kElevenTenths = ParseNumeric("1.1").value();
  // ln(x) = 2^n ln(x^(1/2^n)): take roots until the series runs fast.
  Numeric root = x;
  int64_t factor = 2;
  int precision = scale + kGuardDigits + 8;
  for (; CompareNumeric(root, kNineTenths) < 0 || CompareNumeric(root, kElevenTenths) > 0; factor *= 2) {
    root = SqrtNumericTo(root, std::max(precision - DecimalWeight(root) / 2, 0));
  }
  // ln(x) = 2 (z + z^3/3 + z^5/5 + …) with z = (x - 1) / (x + 1)
  const Numeric z = QuotientNumeric(SubtractNumeric(root, One()), AddNumeric(root, One()), precision, true);
  const Numeric square = ProductNumeric(z, z, precision);
  Numeric sum = z;
  Numeric power = z;
  for (int64_t n = 3;; n += 2) {
    power = ProductNumeric(power, square, precision);
    const Numeric term = QuotientNumeric(power, Numeric::FromInt64(n), precision, true);
    if (term.digits.empty()) break;
    sum = AddNumeric(sum, term);
  }
  Numeric result = ProductNumeric(sum, Numeric::FromInt64(factor), precision);
  RoundNumeric(result, scale);
  result.scale = scale;
  return result;
}

void CheckLogarithm(const Numeric& value) {
  if (value.is_nan()) return;
  const int sign = value.sign();
  if (sign < 0) Throw(SqlError::Make(kInvalidArgumentForLog, "cannot take logarithm of a negative number"));
  if (sign == 0) Throw(SqlError::Make(kInvalidArgumentForLog, "cannot take logarithm of zero"));
}

bool IsInteger(const Numeric& value) {
  return value.digits.empty() || static_cast<int64_t>(value.digits.size()) <= int64_t{value.weight} + 1;
}

Numeric ZeroOfScale(int scale) {
  Numeric zero;
  zero.scale = scale;
  return zero;
}

// log10 of |base ^ exponent|, nearly.
double EstimatePowerWeight(const Numeric& base, int64_t exponent) {
  double f = base.digits[0];
  int weight = DecimalWeight(base);
  for (size_t i = 1; i < base.digits.size() && i * kNumericBaseDigits < 16; ++i) {
    f = f * kNumericBase + base.digits[i];
    weight -= kNumericBaseDigits;
  }
  return static_cast<double>(exponent) * (std::log10(f) + weight);
}

// By squaring, with as many digits as the result needs.
Numeric PowerByInteger(const Numeric& base, int64_t exponent, int scale) {
  Numeric result;
  switch (exponent) {
    case 0:
      result = One();
      result.scale = scale;
      return result;
    case 1:
      result = base;
      RoundNumeric(result, scale);
      return result;
    case -1: return QuotientNumeric(One(), base, scale, true);
    case 2:
      result = ProductNumeric(base, base, scale);
      result.scale = scale;
      return result;
    default: break;
  }
  if (base.is_zero()) {
    if (exponent < 0) ThrowDivisionByZero();
    return ZeroOfScale(scale);
  }
  const double weight = EstimatePowerWeight(base, exponent);
  if (weight > 3.0 * kNumericWeightMax * kNumericBaseDigits) ThrowNumericOverflow();
  if (weight + 1 < -scale || weight + 1 < -kResultScaleMax) return ZeroOfScale(scale);
  const auto magnitude = static_cast<uint64_t>(exponent < 0 ? -exponent : exponent);
  const int significant = 1 + scale + static_cast<int>(weight) + static_cast<int>(std::log(static_cast<double>(magnitude))) + 8;
  const auto multiply = [significant](const Numeric& a, const Numeric& b) {
    const int digits = significant - (a.weight + b.weight) * kNumericBaseDigits;
    return ProductNumeric(a, b, std::max(std::min(digits, a.scale + b.scale), 0));
  };
  Numeric square = base;
  result = (magnitude & 1) != 0 ? base : One();
  for (uint64_t mask = magnitude >> 1; mask != 0; mask >>= 1) {
    square = multiply(square, square);
    if ((mask & 1) != 0) result = multiply(square, result);
    if (square.weight > kNumericWeightMax || result.weight > kNumericWeightMax) {
      if (exponent > 0) ThrowNumericOverflow();
      return ZeroOfScale(scale);
    }
  }
  if (exponent < 0) return QuotientNumeric(One(), result, scale, true);
  RoundNumeric(result, scale);
  return result;
}

// e ^ (exponent * ln(base)), for finite arguments and an exponent that is no (small) integer.
Numeric PowerByLogarithm(const Numeric& base, const Numeric& exponent) {
  if (base.is_zero()) return ZeroOfScale(kNumericMinSignificant);
  Numeric magnitude = base;
  magnitude.negative = false;
  bool negative = false;
  if (base.negative) {
    if (!IsInteger(exponent)) {
      Throw(SqlError::Make(kInvalidArgumentForPowerFunction,
                           "a negative number raised to a non-integer power yields a complex result"));
    }
    negative = static_cast<int64_t>(exponent.digits.size()) == int64_t{exponent.weight} + 1 &&
               (exponent.digits[exponent.digits.size() - 1] & 1) != 0;
  }
  const int ln_weight = EstimateLnWeight(magnitude);
  int scale = std::max(8 - ln_weight, 0);
  double estimate = Approximate(ProductNumeric(LnTo(magnitude, scale), exponent, scale));
  if (std::fabs(estimate) > kResultScaleMax * 3.01) {
    if (estimate > 0) ThrowNumericOverflow();
    return ZeroOfScale(kNumericScaleMax);
  }
  estimate *= kLog10OfE;
  const int result_scale = ClampScale(kNumericMinSignificant - static_cast<int>(estimate), std::max(base.scale, exponent.scale));
  scale = std::max(result_scale + static_cast<int>(estimate) - ln_weight + 8, 0);
  Numeric result = ExpTo(ProductNumeric(LnTo(magnitude, scale), exponent, scale), result_scale);
  result.negative = negative && !result.digits.empty();
  return result;
}

// Where base or exponent is NaN or infinite. POSIX's rules for pow().
Numeric PowerSpecial(const Numeric& base, const Numeric& exponent) {
  const bool base_is_one = base.is_finite() && CompareNumeric(base, One()) == 0;
  if (base.is_nan()) return exponent.is_zero() ? One() : base;
  if (exponent.is_nan()) return base_is_one ? One() : exponent;
  if (base_is_one || exponent.is_zero()) return One();
  const int exponent_sign = exponent.sign();
  if (base.is_zero()) {
    if (exponent_sign < 0) {
      Throw(SqlError::Make(kInvalidArgumentForPowerFunction, "zero raised to a negative power is undefined"));
    }
    return Numeric();
  }
  if (exponent.is_infinite()) {
    Numeric magnitude = base;
    magnitude.negative = false;
    const int order = base.is_infinite() ? 1 : CompareNumeric(magnitude, One());
    if (order == 0) return One();
    return (order > 0) == (exponent_sign > 0) ? Numeric::Special(NumericKind::kInfinity) : Numeric();
  }
  bool negative = false;
  if (base.sign() < 0) {
    if (!IsInteger(exponent)) {
      Throw(SqlError::Make(kInvalidArgumentForPowerFunction,
                           "a negative number raised to a non-integer power yields a complex result"));
    }
    negative = static_cast<int64_t>(exponent.digits.size()) == int64_t{exponent.weight} + 1 &&
               (exponent.digits[exponent.digits.size() - 1] & 1) != 0;
  }
  if (exponent_sign < 0) return Numeric();
  return Numeric::Special(negative ? NumericKind::kMinusInfinity : NumericKind::kInfinity);
}

}  // namespace

Numeric SqrtNumericTo(const Numeric& value, int scale) {
  Numeric root;
  root.scale = scale;
  if (value.digits.empty()) return root;
  // Newton's iteration from a double; it doubles the right digits each time, and the last one is done with a few more than
  // needed.
  const int precision = scale + 8;
  const int even = value.weight & ~1;
  Numeric scaled = value;
  scaled.weight -= even;
  const int root_precision = std::max(precision + even / 2 * kNumericBaseDigits, 20);
  Numeric x = NumericFromDouble(std::sqrt(Approximate(scaled)));
  for (int digits = 14; digits < 2 * root_precision; digits *= 2) {
    const int working = std::min(2 * digits, root_precision) + 4;
    x = ProductNumeric(AddNumeric(x, QuotientNumeric(scaled, x, working, true)), ParseNumeric("0.5").value(), working);
  }
  x.weight += even / 2;
  x.scale = scale + 8;
  RoundNumeric(x, scale);
  return x;
}

Numeric SqrtNumeric(const Numeric& value) {
  if (value.is_nan() || value.kind == NumericKind::kInfinity) return value;
  if (value.sign() < 0) Throw(SqlError::Make(kInvalidArgumentForPowerFunction, "cannot take square root of a negative number"));
  const int weight = (value.weight + 1) * kNumericBaseDigits / 2 - 1;
  return SqrtNumericTo(value, ClampScale(kNumericMinSignificant - weight, value.scale));
}

Numeric ExpNumeric(const Numeric& value) {
  if (value.kind == NumericKind::kMinusInfinity) return Numeric();
  if (!value.is_finite()) return value;
  const double weight = std::clamp(Approximate(value) * kLog10OfE, -double{kResultScaleMax}, double{kResultScaleMax});
  return ExpTo(value, ClampScale(kNumericMinSignificant - static_cast<int>(weight), value.scale));
}

Numeric LnNumeric(const Numeric& value) {
  CheckLogarithm(value);
  if (!value.is_finite()) return value;
  return LnTo(value, ClampScale(kNumericMinSignificant - EstimateLnWeight(value), value.scale));
}

Numeric LogNumeric(const Numeric& base, const Numeric& value) {
  if (base.is_nan() || value.is_nan()) return Numeric::Special(NumericKind::kNan);
  CheckLogarithm(base);
  CheckLogarithm(value);
  if (base.is_infinite()) return value.is_infinite() ? Numeric::Special(NumericKind::kNan) : Numeric();
  if (value.is_infinite()) return value;
  const int base_weight = EstimateLnWeight(base);
  const int value_weight = EstimateLnWeight(value);
  const int weight = value_weight - base_weight;
  const int scale = ClampScale(kNumericMinSignificant - weight, std::max(base.scale, value.scale));
  const Numeric ln_base = LnTo(base, std::max(scale + weight - base_weight + 8, 0));
  const Numeric ln_value = LnTo(value, std::max(scale + weight - value_weight + 8, 0));
  if (ln_base.is_zero()) ThrowDivisionByZero();
  return QuotientNumeric(ln_value, ln_base, scale, true);
}

Numeric PowerNumeric(const Numeric& base, const Numeric& exponent) {
  if (!base.is_finite() || !exponent.is_finite()) return PowerSpecial(base, exponent);
  if (base.is_zero() && exponent.sign() < 0) {
    Throw(SqlError::Make(kInvalidArgumentForPowerFunction, "zero raised to a negative power is undefined"));
  }
  if (IsInteger(exponent) && exponent.weight <= 2) {
    int64_t n = 0;
    for (int32_t i = 0; i <= exponent.weight && !exponent.digits.empty(); ++i) {
      n = n * kNumericBase + (static_cast<size_t>(i) < exponent.digits.size() ? exponent.digits[static_cast<size_t>(i)] : 0);
    }
    if (exponent.negative) n = -n;
    if (n >= INT32_MIN && n <= INT32_MAX) {
      return PowerByInteger(base, n, ClampScale(kNumericMinSignificant, base.scale));
    }
  }
  return PowerByLogarithm(base, exponent);
}

}  // namespace mayfly::types
