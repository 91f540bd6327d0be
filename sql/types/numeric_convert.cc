// numeric to and from integers and floats.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "sql/types/float.h"
#include "sql/types/numeric.h"

namespace mayfly::types {

namespace {

// Text with a type's sure digits, as printf's %g makes it, is what PostgreSQL reads back.
Numeric FromPrintedFloat(double value, int digits) {
  if (std::isnan(value)) return Numeric::Special(NumericKind::kNan);
  if (std::isinf(value)) return Numeric::Special(value < 0 ? NumericKind::kMinusInfinity : NumericKind::kInfinity);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  return ParseNumeric({text, static_cast<size_t>(end - text)}).value();
}

constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

}  // namespace

int64_t NumericToInt64(const Numeric& value, std::string_view type, int64_t min, int64_t max) {
  if (!value.is_finite()) {
    Throw(SqlError::Make(kFeatureNotSupported, "cannot convert {} to {}", value.is_nan() ? "NaN" : "infinity", type));
  }
  Numeric rounded = value;
  RoundNumeric(rounded, 0);
  // Counted below zero, because there the range is larger.
  int64_t result = 0;
  bool overflow = rounded.weight > 4;
  for (int32_t i = 0; !overflow && !rounded.digits.empty() && i <= rounded.weight; ++i) {
    const int64_t digit = static_cast<size_t>(i) < rounded.digits.size() ? rounded.digits[static_cast<size_t>(i)] : 0;
    overflow = __builtin_mul_overflow(result, int64_t{kNumericBase}, &result) || __builtin_sub_overflow(result, digit, &result);
  }
  if (!overflow && !rounded.negative) overflow = __builtin_sub_overflow(int64_t{0}, result, &result);
  if (overflow || result < min || result > max) Throw(SqlError::Make(kNumericValueOutOfRange, "{} out of range", type));
  return result;
}

double NumericToDouble(const Numeric& value) {
  switch (value.kind) {
    case NumericKind::kNan: return std::numeric_limits<double>::quiet_NaN();
    case NumericKind::kInfinity: return std::numeric_limits<double>::infinity();
    case NumericKind::kMinusInfinity: return -std::numeric_limits<double>::infinity();
    case NumericKind::kFinite: break;
  }
  // An integer below 2^53 times or by an exact power of ten is rounded once by the machine.
  const int power = (value.weight + 1 - static_cast<int>(value.digits.size())) * kNumericBaseDigits;
  if (value.digits.size() <= 3 && power >= -22 && power <= 22) {
    int64_t digits = 0;
    for (size_t i = 0; i < value.digits.size(); ++i) digits = digits * kNumericBase + value.digits[i];
    const auto whole = static_cast<double>(value.negative ? -digits : digits);
    return power < 0 ? whole / kExactPowers[-power] : whole * kExactPowers[power];
  }
  std::string text;
  AppendNumeric(value, text);
  return ParseFloat8(text).value();
}

Numeric NumericFromDouble(double value) { return FromPrintedFloat(value, std::numeric_limits<double>::digits10); }
Numeric NumericFromFloat(float value) { return FromPrintedFloat(value, std::numeric_limits<float>::digits10); }

}  // namespace mayfly::types
