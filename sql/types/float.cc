// float4 and float8: IEEE 754 numbers (PostgreSQL manual, 8.1.3).
#include "sql/types/float.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "base/bytes.h"
#include "sql/types/hash.h"
#include "sql/types/key_encoding.h"
#include "sql/types/type.h"

namespace mayfly::types {

namespace {

template <typename T>
constexpr std::string_view kFloatName = sizeof(T) == 4 ? "real" : "double precision";

bool IsFloatBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <typename T>
SqlError FloatSyntax(std::string_view text) {
  return SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}: \"{}\"", kFloatName<T>, text);
}

// What from_chars does not read or cannot place: hexadecimal numbers, a plus sign, and values out of range.
template <typename T>
Result<T> ParseFloatSlowly(std::string_view text, std::string_view trimmed) {
  const std::string copy(trimmed);
  char* end = nullptr;
  errno = 0;
  T value;
  if constexpr (sizeof(T) == 4) {
    value = std::strtof(copy.c_str(), &end);
  } else {
    value = std::strtod(copy.c_str(), &end);
  }
  if (copy.empty() || end == copy.c_str()) return FloatSyntax<T>(text);
  const auto length = static_cast<size_t>(end - copy.c_str());
  if (errno == ERANGE && (value == 0 || std::isinf(value))) {
    return SqlError::Make(kNumericValueOutOfRange, "\"{}\" is out of range for type {}", trimmed.substr(0, length),
                          kFloatName<T>);
  }
  if (length != copy.size()) return FloatSyntax<T>(text);
  return value;
}

template <typename T>
Result<T> ParseFloat(std::string_view text) {
  std::string_view trimmed = text;
  while (!trimmed.empty() && IsFloatBlank(trimmed.front())) trimmed.remove_prefix(1);
  while (!trimmed.empty() && IsFloatBlank(trimmed.back())) trimmed.remove_suffix(1);
  T value;
  const auto [end, error] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), value);
  if (error == std::errc{} && end == trimmed.data() + trimmed.size() && std::isfinite(value)) return value;
  return ParseFloatSlowly<T>(text, trimmed);
}

// digits * 10^exponent == odd * 2^shift. Exact for the few values where it can be true.
bool IsSameNumber(uint64_t digits, int exponent, uint64_t odd, int shift) {
  unsigned __int128 left = digits;
  unsigned __int128 right = odd;
  for (; exponent < 0; ++exponent) right *= 5, ++shift;
  for (; exponent > 0; --exponent) left *= 5, --shift;
  for (; shift < 0; ++shift) left *= 2;
  return shift < 64 && right << shift == left;
}

// Whether a decimal lies exactly halfway between `value` and a neighbour. Such a decimal reads back as `value` only by the rule
// of even mantissas, and PostgreSQL does not print it. It exists only for numbers that are integers but for a digit or two, and
// are not too large.
template <typename T>
bool IsHalfway(T value, uint64_t digits, int exponent) {
  constexpr int kBits = std::numeric_limits<T>::digits;
  int power;
  const auto mantissa = static_cast<uint64_t>(std::ldexp(std::frexp(std::fabs(value), &power), kBits));
  power -= kBits;
  if (exponent < -2 || exponent > 23 || power < -3 || power > 80) return false;
  if (IsSameNumber(digits, exponent, 2 * mantissa + 1, power - 1)) return true;
  const bool is_power_of_two = mantissa == uint64_t{1} << (kBits - 1);  // its lower neighbour is nearer
  return is_power_of_two ? IsSameNumber(digits, exponent, 4 * mantissa - 1, power - 2)
                         : IsSameNumber(digits, exponent, 2 * mantissa - 1, power - 1);
}

// "d.ddde+XX" as an integer and a power of ten.
void ReadScientific(std::string_view text, uint64_t& digits, int& point, int& exponent) {
  const size_t mark = text.rfind('e');
  std::from_chars(text.data() + mark + (text[mark + 1] == '+' ? 2 : 1), text.data() + text.size(), point);
  digits = 0;
  int count = 0;
  for (const char c : text.substr(0, mark)) {
    if (c < '0' || c > '9') continue;
    digits = digits * 10 + static_cast<uint64_t>(c - '0');
    ++count;
  }
  exponent = point - (count - 1);
}

// "1e+20" or "12.5": to_chars writes at least two digits of exponent, as PostgreSQL does.
template <typename T>
void AppendShortest(T value, std::string& out) {
  char text[64];
  const char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  uint64_t digits = 0;
  int point = 0;
  int exponent = 0;
  ReadScientific({text, end}, digits, point, exponent);
  if (point >= -4 && point < std::numeric_limits<T>::digits10) {
    out.append(text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr);
    return;
  }
  for (int precision = point - exponent + 1; precision < std::numeric_limits<T>::max_digits10; ++precision) {
    T back = 0;
    std::from_chars(text, end, back);
    if (back == value && !IsHalfway(value, digits, exponent)) break;
    end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, precision).ptr;
    ReadScientific({text, end}, digits, point, exponent);
  }
  out.append(text, static_cast<size_t>(end - text));
}

template <typename T>
void AppendFloat(T value, int extra_float_digits, std::string& out) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-Infinity" : "Infinity";
  } else if (extra_float_digits > 0) {
    AppendShortest(value, out);
  } else {
    char text[64];
    const int digits = std::max(std::numeric_limits<T>::digits10 + extra_float_digits, 1);
    out.append(text, static_cast<size_t>(std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value))));
  }
}

template <typename T>
Result<Datum> FloatIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena&) {
  TRY(const T, value, ParseFloat<T>(text));
  return Datum(value);
}
template <typename T>
void FloatOut(const TypeDesc&, const Datum& value, const IoContext& io, std::string& out) {
  AppendFloat(value.get<T>(), io.settings.extra_float_digits, out);
}
template <typename T>
Result<Datum> FloatReceive(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena&) {
  if (bytes.size() < sizeof(T)) return SqlError::Make(kProtocolViolation, "insufficient data left in message");
  if (bytes.size() > sizeof(T)) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  return Datum(std::bit_cast<T>(LoadBigEndian<FloatBits<T>>(bytes.data())));
}
template <typename T>
void FloatSend(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendBigEndian(out, std::bit_cast<FloatBits<T>>(value.get<T>()));
}
template <typename T>
int FloatCompare(const TypeDesc&, const Datum& a, const Datum& b) {
  return CompareFloats(a.get<T>(), b.get<T>());
}
template <typename T>
uint64_t FloatHash(const TypeDesc&, const Datum& value) {
  double wide = value.get<T>();
  if (wide == 0) wide = 0;
  if (std::isnan(wide)) wide = std::numeric_limits<double>::quiet_NaN();
  return HashInt64(std::bit_cast<int64_t>(wide));
}
template <typename T>
void FloatEncodeKey(const TypeDesc&, const Datum& value, std::string& out) {
  AppendKeyFloat(out, value.get<T>());
}
template <typename T>
Result<Datum> FloatDecodeKey(const TypeDesc&, ByteReader& key, Arena&) {
  TRY(const T, value, ReadKeyFloat<T>(key));
  return Datum(value);
}

template <typename T>
constexpr TypeOps kFloatOps = {
    .physical = sizeof(T) == 4 ? PhysicalType::kFloat32 : PhysicalType::kFloat64,
    .in = FloatIn<T>,
    .out = FloatOut<T>,
    .recv = FloatReceive<T>,
    .send = FloatSend<T>,
    .compare = FloatCompare<T>,
    .hash = FloatHash<T>,
    .encode_key = FloatEncodeKey<T>,
    .decode_key = FloatDecodeKey<T>,
    .key_is_lossless = false,  // -0 comes back as 0
};

}  // namespace

Result<float> ParseFloat4(std::string_view text) { return ParseFloat<float>(text); }
Result<double> ParseFloat8(std::string_view text) { return ParseFloat<double>(text); }
void AppendFloat4(float value, int extra_float_digits, std::string& out) { AppendFloat(value, extra_float_digits, out); }
void AppendFloat8(double value, int extra_float_digits, std::string& out) { AppendFloat(value, extra_float_digits, out); }

const TypeOps kFloat4Ops = kFloatOps<float>;
const TypeOps kFloat8Ops = kFloatOps<double>;

}  // namespace mayfly::types
