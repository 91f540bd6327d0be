// numeric: decimal numbers of any length, with PostgreSQL's scales and limits (manual, 8.1.2).
//
//   bytes of a value (little-endian): u16 sign in the two highest bits, display scale below | i16 weight | digits, i16 each
//
// A digit is 0..9999; the first one counts 10000^weight. Leading and trailing zero digits are not kept, and zero has no digits,
// so that two equal values differ in their display scale only. A special value (sign 2) has 0, 1 or 2 for NaN, Infinity,
// -Infinity in place of the scale. Four digits fit into an inline StringRef: most amounts need no memory.
//
// All functions are total on special values; NaN equals itself and is the greatest. Errors are 22003, 22012, 2201E, 2201F.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "sql/types/datum.h"
#include "sql/types/numeric_digits.h"

namespace mayfly::types {

inline constexpr int kNumericBase = 10000;
inline constexpr int kNumericBaseDigits = 4;  // decimal digits in one digit
inline constexpr int kNumericPrecisionMax = 1000;
inline constexpr int kNumericScaleMax = 1000;  // of a typmod, and of a division's result
inline constexpr int kNumericStoredScaleMax = 16383;
inline constexpr int kNumericWeightMax = 32767;
inline constexpr int kNumericMinSignificant = 16;  // digits that a division or a function gives at least

enum class NumericKind : uint8_t { kFinite, kNan, kInfinity, kMinusInfinity };

// A value to compute with. Digits most significant first.
struct Numeric {
  NumericKind kind = NumericKind::kFinite;
  bool negative = false;
  int32_t weight = 0;
  int32_t scale = 0;  // decimal digits shown after the point
  NumericDigits digits;

  bool is_finite() const { return kind == NumericKind::kFinite; }
  bool is_nan() const { return kind == NumericKind::kNan; }
  bool is_infinite() const { return kind == NumericKind::kInfinity || kind == NumericKind::kMinusInfinity; }
  // No digits: zero (where finite).
  bool is_zero() const { return is_finite() && digits.size() == 0; }
  // -1, 0, 1. Requires: not NaN.
  int sign() const;
  // Drops leading and trailing zero digits.
  void Strip();

  static Numeric Special(NumericKind kind);
  static Numeric FromInt64(int64_t value);
  static Numeric FromInt128(__int128 value);
};

// ---- bytes

Numeric DecodeNumeric(std::string_view bytes);
// 22003 "value overflows numeric format" as an exception where the value is beyond the format's limits.
StringRef EncodeNumeric(const Numeric& value, Arena& arena);
Result<StringRef> TryEncodeNumeric(const Numeric& value, Arena& arena);

// value / 10^scale, shown with `scale` digits. Requires: 0 <= scale <= 18.
StringRef NumericFromScaledInt64(int64_t value, int scale, Arena& arena);
StringRef NumericFromInt64(int64_t value, Arena& arena);

// On encoded bytes.
int CompareNumericBytes(std::string_view a, std::string_view b);
uint64_t HashNumericBytes(std::string_view bytes);

// value * 10000^fraction_digits as an integer, where it is finite, exact, and below 10^16 in that form.
bool NumericAsScaledInt64(std::string_view bytes, int fraction_digits, int64_t& scaled);

// ---- text

// Without surrounding blanks; 22P02 names `text`.
Result<Numeric> ParseNumeric(std::string_view text);
void AppendNumeric(const Numeric& value, std::string& out);

// ---- typmod: ((precision << 16) | (scale & 0x7FF)) + 4

constexpr int NumericTypmodPrecision(int32_t typmod) { return ((typmod - 4) >> 16) & 0xFFFF; }
constexpr int NumericTypmodScale(int32_t typmod) { return (((typmod - 4) & 0x7FF) ^ 1024) - 1024; }
// Rounds to the typmod's scale; 22003 "numeric field overflow".
Status ApplyNumericTypmod(Numeric& value, int32_t typmod);

// ---- arithmetic (exact; scales as PostgreSQL's)

int CompareNumeric(const Numeric& a, const Numeric& b);
Numeric AddNumeric(const Numeric& a, const Numeric& b);
Numeric SubtractNumeric(const Numeric& a, const Numeric& b);
Numeric MultiplyNumeric(const Numeric& a, const Numeric& b);
// Throws 22012.
Numeric DivideNumeric(const Numeric& a, const Numeric& b);
// The quotient cut off at the point: div(a, b). Throws 22012.
Numeric DivideNumericTruncating(const Numeric& a, const Numeric& b);
// Has the sign of `a`. Throws 22012.
Numeric ModuloNumeric(const Numeric& a, const Numeric& b);
Numeric NegateNumeric(Numeric value);
// Half away from zero, to `scale` decimal digits (negative: left of the point). Requires: finite.
void RoundNumeric(Numeric& value, int scale);
void TruncateNumeric(Numeric& value, int scale);
Numeric CeilNumeric(const Numeric& value);
Numeric FloorNumeric(const Numeric& value);
// Decimal digits after the point that are needed.
int NumericMinScale(const Numeric& value);

// The quotient of finite values, b not zero, rounded (or cut off) to `scale` digits.
Numeric QuotientNumeric(const Numeric& a, const Numeric& b, int scale, bool round);
// The product of finite values, rounded to `scale` digits where it has more.
Numeric ProductNumeric(const Numeric& a, const Numeric& b, int scale);
// The scale that PostgreSQL gives to the quotient of finite values.
int NumericDivisionScale(const Numeric& a, const Numeric& b);

// ---- functions (sql/types/numeric_math.cc)

// 2201F for negative values.
Numeric SqrtNumeric(const Numeric& value);
// Square root of a finite value >= 0, rounded to `scale` digits.
Numeric SqrtNumericTo(const Numeric& value, int scale);
Numeric ExpNumeric(const Numeric& value);
// 2201E for zero and negative values.
Numeric LnNumeric(const Numeric& value);
Numeric LogNumeric(const Numeric& base, const Numeric& value);
// 2201F for zero to a negative power, and for a negative base to a power that is no integer.
Numeric PowerNumeric(const Numeric& base, const Numeric& exponent);

// ---- conversion

// Rounds half away from zero; 22003 "bigint out of range" (or `type`), 0A000 "cannot convert NaN to …".
int64_t NumericToInt64(const Numeric& value, std::string_view type, int64_t min, int64_t max);
double NumericToDouble(const Numeric& value);
// 15 significant digits of a double, 6 of a float.
Numeric NumericFromDouble(double value);
Numeric NumericFromFloat(float value);

[[noreturn]] void ThrowNumericOverflow();
[[noreturn]] void ThrowDivisionByZero();

}  // namespace mayfly::types
