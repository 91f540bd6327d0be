// numeric: quotients and remainders, exact to the scale asked for.
#include <algorithm>
#include <vector>

#include "sql/types/numeric.h"

namespace mayfly::types {

namespace {

// A divisor of up to three digits: a remainder and one more digit fit 64 bits.
void DivideShort(const NumericDigits& dividend, uint64_t divisor, size_t count, NumericDigits& quotient) {
  uint64_t remainder = 0;
  for (size_t i = 0; i < count; ++i) {
    remainder = remainder * kNumericBase + static_cast<uint64_t>(i < dividend.size() ? dividend[i] : 0);
    quotient[i] = static_cast<int16_t>(remainder / divisor);
    remainder %= divisor;
  }
}

// Schoolbook division (Knuth, algorithm D). quotient[i] belongs to the place of dividend[i + divisor.size() - 1].
void DivideLong(const NumericDigits& dividend, const NumericDigits& divisor, size_t count, NumericDigits& quotient) {
  const size_t m = divisor.size();
  const int64_t scale = kNumericBase / (divisor[0] + 1);  // makes the divisor's first digit at least half the base
  std::vector<int64_t> d(m);
  std::vector<int64_t> r(count + m);
  int64_t carry = 0;
  for (size_t i = m; i-- > 0;) {
    const int64_t product = divisor[i] * scale + carry;
    d[i] = product % kNumericBase;
    carry = product / kNumericBase;
  }
  carry = 0;
  for (size_t i = count + m - 1; i-- > 0;) {
    const int64_t product = (i < dividend.size() ? dividend[i] : 0) * scale + carry;
    r[i + 1] = product % kNumericBase;
    carry = product / kNumericBase;
  }
  r[0] = carry;
  for (size_t i = 0; i < count; ++i) {
    const int64_t two = r[i] * kNumericBase + r[i + 1];
    int64_t q = std::min<int64_t>(two / d[0], kNumericBase - 1);
    while (q * d[1] > (two - q * d[0]) * kNumericBase + r[i + 2]) --q;
    int64_t borrow = 0;
    for (size_t k = m; k-- > 0;) {
      int64_t value = r[i + k + 1] - q * d[k] + borrow;
      borrow = value < 0 ? -((-value + kNumericBase - 1) / kNumericBase) : 0;
      r[i + k + 1] = value - borrow * kNumericBase;
    }
    r[i] += borrow;
    if (r[i] < 0) {  // one too many
      --q;
      int64_t up = 0;
      for (size_t k = m; k-- > 0;) {
        const int64_t value = r[i + k + 1] + d[k] + up;
        r[i + k + 1] = value % kNumericBase;
        up = value / kNumericBase;
      }
      r[i] += up;
    }
    quotient[i] = static_cast<int16_t>(q);
  }
}

Numeric Infinite(int sign) { return Numeric::Special(sign < 0 ? NumericKind::kMinusInfinity : NumericKind::kInfinity); }

// The quotient where one of the two is special; a finite zero of scale 0 for finite / infinite.
Numeric DivideSpecial(const Numeric& a, const Numeric& b) {
  if (a.is_nan() || b.is_nan()) return Numeric::Special(NumericKind::kNan);
  if (a.is_infinite()) {
    if (b.is_infinite()) return Numeric::Special(NumericKind::kNan);
    if (b.is_zero()) ThrowDivisionByZero();
    return Infinite(a.sign() * b.sign());
  }
  return Numeric();
}

}  // namespace

Numeric QuotientNumeric(const Numeric& a, const Numeric& b, int scale, bool round) {
  Numeric quotient;
  quotient.scale = std::max(scale, 0);
  if (a.digits.empty()) return quotient;
  // One digit of the base more than asked for decides the rounding. `count` digits of quotient reach down to that place.
  const size_t m = b.digits.size();
  const bool is_short = m <= 3;
  const int64_t top = int64_t{a.weight} - b.weight;  // the first digit's place, where a >= b by digits
  const int64_t bottom = scale >= 0 ? -((int64_t{scale} + 3) / 4) - 1 : (-int64_t{scale}) / 4 - 1;
  const int64_t lead = is_short ? static_cast<int64_t>(m) - 1 : 0;
  const int64_t count = top - bottom + 1 + lead;
  if (top < bottom) return quotient;
  quotient.weight = static_cast<int32_t>(top + lead);
  quotient.digits.Resize(static_cast<size_t>(count));
  if (is_short) {
    uint64_t divisor = 0;
    for (size_t i = 0; i < m; ++i) divisor = divisor * kNumericBase + static_cast<uint64_t>(b.digits[i]);
    DivideShort(a.digits, divisor, static_cast<size_t>(count), quotient.digits);
  } else {
    DivideLong(a.digits, b.digits, static_cast<size_t>(count), quotient.digits);
  }
  quotient.negative = a.negative != b.negative;
  if (round) {
    RoundNumeric(quotient, scale);
  } else {
    TruncateNumeric(quotient, scale);
  }
  return quotient;
}

int NumericDivisionScale(const Numeric& a, const Numeric& b) {
  const int first_a = a.digits.empty() ? 0 : a.digits[0];
  const int first_b = b.digits.empty() ? 0 : b.digits[0];
  int weight = (a.digits.empty() ? 0 : a.weight) - (b.digits.empty() ? 0 : b.weight);
  if (first_a <= first_b) --weight;
  const int scale = kNumericMinSignificant - weight * kNumericBaseDigits;
  return std::clamp(std::max({scale, a.scale, b.scale}), 0, kNumericScaleMax);
}

Numeric DivideNumeric(const Numeric& a, const Numeric& b) {
  if (!a.is_finite() || !b.is_finite()) return DivideSpecial(a, b);
  if (b.is_zero()) ThrowDivisionByZero();
  return QuotientNumeric(a, b, NumericDivisionScale(a, b), true);
}

Numeric DivideNumericTruncating(const Numeric& a, const Numeric& b) {
  if (!a.is_finite() || !b.is_finite()) return DivideSpecial(a, b);
  if (b.is_zero()) ThrowDivisionByZero();
  return QuotientNumeric(a, b, 0, false);
}

Numeric ModuloNumeric(const Numeric& a, const Numeric& b) {
  if (a.is_nan() || b.is_nan()) return Numeric::Special(NumericKind::kNan);
  if (b.is_zero()) ThrowDivisionByZero();
  if (a.is_infinite()) return Numeric::Special(NumericKind::kNan);
  if (b.is_infinite()) return a;
  Numeric whole = QuotientNumeric(a, b, 0, false);
  Numeric remainder = SubtractNumeric(a, ProductNumeric(b, whole, b.scale));
  remainder.scale = std::max(a.scale, b.scale);
  return remainder;
}

}  // namespace mayfly::types
