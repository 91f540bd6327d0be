// numeric: order, sums, products, rounding. Quotients are in numeric_division.cc, functions in numeric_math.cc.
#include "sql/types/numeric.h"

#include <algorithm>
#include <vector>

namespace mayfly::types {

namespace {

// Order of the magnitudes of finite values, stripped or not.
int CompareMagnitude(const Numeric& a, const Numeric& b) {
  const int64_t top = std::max(a.digits.empty() ? INT32_MIN : a.weight, b.digits.empty() ? INT32_MIN : b.weight);
  const int64_t bottom = std::min(int64_t{a.weight} - static_cast<int64_t>(a.digits.size()),
                                  int64_t{b.weight} - static_cast<int64_t>(b.digits.size()));
  const auto digit = [](const Numeric& v, int64_t weight) {
    const int64_t i = v.weight - weight;
    return i >= 0 && i < static_cast<int64_t>(v.digits.size()) ? v.digits[static_cast<size_t>(i)] : int16_t{0};
  };
  // Stripped values of different weights need no look at their digits; neither do the gaps between far places.
  if (!a.digits.empty() && !b.digits.empty() && a.weight != b.weight && a.digits[0] != 0 && b.digits[0] != 0) {
    return a.weight < b.weight ? -1 : 1;
  }
  if (a.digits.empty() || b.digits.empty()) {
    const auto any = [](const Numeric& v) {
      return std::any_of(v.digits.data(), v.digits.data() + v.digits.size(), [](int16_t d) { return d != 0; });
    };
    return int{any(a)} - int{any(b)};
  }
  for (int64_t weight = top; weight > bottom; --weight) {
    const int order = digit(a, weight) - digit(b, weight);
    if (order != 0) return order < 0 ? -1 : 1;
  }
  return 0;
}

int KindRank(const Numeric& value) {
  switch (value.kind) {
    case NumericKind::kMinusInfinity: return -1;
    case NumericKind::kFinite: return 0;
    case NumericKind::kInfinity: return 1;
    case NumericKind::kNan: return 2;
  }
  return 0;
}

// |a| + |b|, or |a| - |b| where `subtract` (Requires: |a| >= |b|).
Numeric CombineMagnitudes(const Numeric& a, const Numeric& b, bool subtract) {
  Numeric sum;
  sum.scale = std::max(a.scale, b.scale);
  const int64_t a_bottom = int64_t{a.weight} - static_cast<int64_t>(a.digits.size());
  const int64_t b_bottom = int64_t{b.weight} - static_cast<int64_t>(b.digits.size());
  const int32_t top = std::max(a.weight, b.weight) + 1;
  const int64_t bottom = std::min(a_bottom, b_bottom);
  sum.weight = top;
  const auto count = static_cast<size_t>(top - bottom);
  sum.digits.Resize(count);
  int16_t* const out = sum.digits.data();
  const auto digit = [](const Numeric& v, int64_t weight) -> int {
    const int64_t i = v.weight - weight;
    return i >= 0 && i < static_cast<int64_t>(v.digits.size()) ? v.digits.data()[i] : 0;
  };
  int carry = 0;
  for (int64_t weight = bottom + 1; weight <= top; ++weight) {
    int value = digit(a, weight) + (subtract ? -digit(b, weight) : digit(b, weight)) + carry;
    carry = 0;
    if (value >= kNumericBase) {
      value -= kNumericBase;
      carry = 1;
    } else if (value < 0) {
      value += kNumericBase;
      carry = -1;
    }
    out[top - weight] = static_cast<int16_t>(value);
  }
  sum.Strip();
  return sum;
}

Numeric AddFinite(const Numeric& a, const Numeric& b, bool negate_b) {
  const int scale = std::max(a.scale, b.scale);
  if (a.digits.empty() || b.digits.empty()) {
    Numeric sum = b.digits.empty() ? a : b;
    if (b.digits.empty() ? false : negate_b) sum.negative = !sum.negative;
    sum.scale = scale;
    sum.Strip();
    return sum;
  }
  const bool b_negative = b.negative != negate_b;
  if (a.negative == b_negative) {
    Numeric sum = CombineMagnitudes(a, b, false);
    sum.negative = a.negative;
    return sum;
  }
  const bool swap = CompareMagnitude(a, b) < 0;
  Numeric difference = swap ? CombineMagnitudes(b, a, true) : CombineMagnitudes(a, b, true);
  difference.negative = (swap ? b_negative : a.negative) && !difference.digits.empty();
  return difference;
}

// The exact product of the digits, column by column; a column's sum fits 64 bits for any length that the format allows.
void MultiplyDigits(const Numeric& a, const Numeric& b, NumericDigits& out) {
  const size_t n = a.digits.size();
  const size_t m = b.digits.size();
  const int16_t* const x = a.digits.data();
  const int16_t* const y = b.digits.data();
  out.Resize(n + m);
  int16_t* const digits = out.data();
  uint64_t carry = 0;
  for (size_t column = n + m - 1; column-- > 0;) {
    const size_t first = column >= m ? column - m + 1 : 0;
    const size_t last = std::min(column, n - 1);
    for (size_t i = first; i <= last; ++i) carry += static_cast<uint64_t>(int32_t{x[i]} * int32_t{y[column - i]});
    digits[column + 1] = static_cast<int16_t>(carry % kNumericBase);
    carry /= kNumericBase;
  }
  digits[0] = static_cast<int16_t>(carry);
}

constexpr int kPowersOfTen[] = {1, 10, 100, 1000, 10000};

// Cuts `value` after `scale` decimal digits; true where the first digit cut off is 5 or more.
bool CutDecimals(Numeric& value, int scale) {
  value.scale = std::max(scale, 0);
  // Decimal digits kept, counted from the top of the first digit.
  const int64_t kept = (int64_t{value.weight} + 1) * kNumericBaseDigits + scale;
  if (kept < 0) {
    value.digits.Clear();
    return false;
  }
  const auto whole = static_cast<size_t>(kept / kNumericBaseDigits);
  const int part = static_cast<int>(kept % kNumericBaseDigits);
  if (whole >= value.digits.size()) return false;
  const int cut_digit = value.digits[whole];
  if (part == 0) {
    value.digits.Resize(whole);
    return cut_digit >= kNumericBase / 2;
  }
  const int unit = kPowersOfTen[kNumericBaseDigits - part];
  value.digits.Resize(whole + 1);
  value.digits[whole] = static_cast<int16_t>(cut_digit / unit * unit);
  return cut_digit % unit >= unit / 2;
}

// Adds one unit of the `scale`-th decimal to the magnitude of a value that was cut there.
void AddUnit(Numeric& value, int scale) {
  Numeric unit;
  const int64_t place = -int64_t{scale};  // 10^place
  const int64_t weight = place >= 0 ? place / 4 : -((-place + 3) / 4);
  unit.weight = static_cast<int32_t>(weight);
  unit.digits.Resize(1);
  unit.digits[0] = static_cast<int16_t>(kPowersOfTen[place - weight * 4]);
  const bool negative = value.negative;
  const int shown = value.scale;
  value = value.digits.empty() ? unit : CombineMagnitudes(value, unit, false);
  value.negative = negative;
  value.scale = shown;
}

}  // namespace

int Numeric::sign() const {
  if (kind == NumericKind::kInfinity) return 1;
  if (kind == NumericKind::kMinusInfinity) return -1;
  return digits.empty() ? 0 : negative ? -1 : 1;
}

void Numeric::Strip() {
  size_t lead = 0;
  while (lead < digits.size() && digits[lead] == 0) ++lead;
  if (lead != 0) {
    digits.DropFirst(lead);
    weight -= static_cast<int32_t>(lead);
  }
  size_t size = digits.size();
  while (size != 0 && digits[size - 1] == 0) --size;
  digits.Resize(size);
  if (size == 0) {
    weight = 0;
    negative = false;
  }
}

Numeric Numeric::Special(NumericKind kind) {
  Numeric value;
  value.kind = kind;
  return value;
}

Numeric Numeric::FromInt64(int64_t value) { return FromInt128(value); }

Numeric Numeric::FromInt128(__int128 value) {
  Numeric result;
  result.negative = value < 0;
  auto magnitude = static_cast<unsigned __int128>(value);
  if (value < 0) magnitude = 0 - magnitude;
  int16_t digits[10];
  size_t first = 10;
  for (; magnitude > UINT64_MAX; magnitude /= kNumericBase) digits[--first] = static_cast<int16_t>(magnitude % kNumericBase);
  for (auto low = static_cast<uint64_t>(magnitude); low != 0; low /= kNumericBase) {
    digits[--first] = static_cast<int16_t>(low % kNumericBase);
  }
  result.digits.Assign(digits + first, 10 - first);
  result.weight = static_cast<int32_t>(10 - first) - 1;
  result.Strip();
  return result;
}

int CompareNumeric(const Numeric& a, const Numeric& b) {
  if (!a.is_finite() || !b.is_finite()) {
    const int x = KindRank(a);
    const int y = KindRank(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  const int x = a.sign();
  const int y = b.sign();
  if (x != y) return x < y ? -1 : 1;
  return x < 0 ? -CompareMagnitude(a, b) : CompareMagnitude(a, b);
}

Numeric NegateNumeric(Numeric value) {
  switch (value.kind) {
    case NumericKind::kNan: break;
    case NumericKind::kInfinity: value.kind = NumericKind::kMinusInfinity; break;
    case NumericKind::kMinusInfinity: value.kind = NumericKind::kInfinity; break;
    case NumericKind::kFinite: value.negative = !value.negative && !value.digits.empty(); break;
  }
  return value;
}

Numeric AddNumeric(const Numeric& a, const Numeric& b) {
  if (a.is_finite() && b.is_finite()) return AddFinite(a, b, false);
  if (a.is_nan() || b.is_nan()) return Numeric::Special(NumericKind::kNan);
  if (!a.is_finite() && !b.is_finite() && a.kind != b.kind) return Numeric::Special(NumericKind::kNan);
  return a.is_finite() ? b : a;
}

Numeric SubtractNumeric(const Numeric& a, const Numeric& b) {
  if (a.is_finite() && b.is_finite()) return AddFinite(a, b, true);
  return AddNumeric(a, NegateNumeric(b));
}

Numeric ProductNumeric(const Numeric& a, const Numeric& b, int scale) {
  Numeric product;
  product.scale = a.scale + b.scale;
  if (!a.digits.empty() && !b.digits.empty()) {
    MultiplyDigits(a, b, product.digits);
    product.weight = a.weight + b.weight + 1;
    product.negative = a.negative != b.negative;
    product.Strip();
  }
  if (product.scale > scale) RoundNumeric(product, scale);
  return product;
}

Numeric MultiplyNumeric(const Numeric& a, const Numeric& b) {
  if (a.is_finite() && b.is_finite()) return ProductNumeric(a, b, kNumericStoredScaleMax);
  if (a.is_nan() || b.is_nan()) return Numeric::Special(NumericKind::kNan);
  const int sign = a.sign() * b.sign();
  if (sign == 0) return Numeric::Special(NumericKind::kNan);
  return Numeric::Special(sign > 0 ? NumericKind::kInfinity : NumericKind::kMinusInfinity);
}

void RoundNumeric(Numeric& value, int scale) {
  if (CutDecimals(value, scale)) AddUnit(value, scale);
  value.Strip();
}

void TruncateNumeric(Numeric& value, int scale) {
  CutDecimals(value, scale);
  value.Strip();
}

namespace {

Numeric RoundToInteger(const Numeric& value, bool up) {
  if (!value.is_finite()) return value;
  Numeric whole = value;
  TruncateNumeric(whole, 0);
  if (value.negative != up && CompareMagnitude(whole, value) != 0) {
    whole.negative = value.negative;
    AddUnit(whole, 0);
    whole.Strip();
  }
  return whole;
}

}  // namespace

Numeric CeilNumeric(const Numeric& value) { return RoundToInteger(value, true); }
Numeric FloorNumeric(const Numeric& value) { return RoundToInteger(value, false); }

int NumericMinScale(const Numeric& value) {
  if (value.digits.empty()) return 0;
  int64_t scale = (static_cast<int64_t>(value.digits.size()) - 1 - value.weight) * kNumericBaseDigits;
  for (int last = value.digits[value.digits.size() - 1]; scale > 0 && last != 0 && last % 10 == 0; last /= 10) --scale;
  return static_cast<int>(std::max<int64_t>(scale, 0));
}

Status ApplyNumericTypmod(Numeric& value, int32_t typmod) {
  if (typmod < 4 || value.is_nan()) return Ok();
  const int precision = NumericTypmodPrecision(typmod);
  const int scale = NumericTypmodScale(typmod);
  if (value.is_infinite()) {
    return SqlError::Make(kNumericValueOutOfRange, "numeric field overflow")
        .Detail(fmt::format("A field with precision {}, scale {} cannot hold an infinite value.", precision, scale));
  }
  RoundNumeric(value, scale);
  if (value.digits.empty()) return Ok();
  int64_t decimals = (int64_t{value.weight} + 1) * kNumericBaseDigits;  // before the point
  for (int first = value.digits[0], limit = kNumericBase / 10; first < limit; limit /= 10) --decimals;
  if (decimals <= precision - scale) return Ok();
  const int limit = precision - scale;
  return SqlError::Make(kNumericValueOutOfRange, "numeric field overflow")
      .Detail(fmt::format("A field with precision {}, scale {} must round to an absolute value less than {}{}.", precision, scale,
                          limit != 0 ? "10^" : "", limit != 0 ? limit : 1));
}

void ThrowNumericOverflow() { Throw(SqlError::Make(kNumericValueOutOfRange, "value overflows numeric format")); }
void ThrowDivisionByZero() { Throw(SqlError::Make(kDivisionByZero, "division by zero")); }

}  // namespace mayfly::types
