// numeric as text: plain digits out; digits with a point and an exponent, NaN and Infinity in.
#include <algorithm>
#include <climits>
#include <optional>

#include "sql/types/numeric.h"

namespace mayfly::types {

namespace {

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsDecimal(char c) { return c >= '0' && c <= '9'; }

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char c, char l) {
           return (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) == l;
         });
}

std::optional<Numeric> ParseSpecial(std::string_view text) {
  if (EqualsIgnoringCase(text, "nan")) return Numeric::Special(NumericKind::kNan);
  NumericKind kind = NumericKind::kInfinity;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    if (text[0] == '-') kind = NumericKind::kMinusInfinity;
    text.remove_prefix(1);
  }
  if (EqualsIgnoringCase(text, "infinity") || EqualsIgnoringCase(text, "inf")) return Numeric::Special(kind);
  return std::nullopt;
}

// Digits with at most one point, and an exponent; nullopt where `text` is something else.
struct DecimalText {
  bool negative = false;
  std::string_view whole;     // before the point
  std::string_view fraction;  // after it
  int64_t exponent = 0;
};

std::optional<int64_t> ParseExponent(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsDecimal)) return std::nullopt;
  int64_t exponent = 0;
  for (const char c : text) exponent = std::min<int64_t>(exponent * 10 + (c - '0'), INT_MAX);
  return negative ? -exponent : exponent;
}

std::optional<DecimalText> SplitDecimal(std::string_view text) {
  DecimalText parts;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    parts.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const auto take_digits = [&text] {
    const size_t count = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsDecimal) - text.begin());
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
  };
  parts.whole = take_digits();
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    parts.fraction = take_digits();
  }
  if (parts.whole.empty() && parts.fraction.empty()) return std::nullopt;
  if (text.empty()) return parts;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  const std::optional<int64_t> exponent = ParseExponent(text.substr(1));
  if (!exponent) return std::nullopt;
  parts.exponent = *exponent;
  return parts;
}

// Places the decimal digits so that the point falls between two digits of the base.
Numeric FromDecimal(const DecimalText& parts) {
  Numeric value;
  value.negative = parts.negative;
  const auto whole = static_cast<int64_t>(parts.whole.size());
  const auto total = whole + static_cast<int64_t>(parts.fraction.size());
  value.scale = static_cast<int32_t>(std::max<int64_t>(static_cast<int64_t>(parts.fraction.size()) - parts.exponent, 0));
  const int64_t before_point = whole + parts.exponent;  // decimal digits before the point; may be negative
  const int64_t weight = (before_point >= 0 ? (before_point + 3) / 4 : -(-before_point / 4)) - 1;
  const int64_t lead = (weight + 1) * kNumericBaseDigits - before_point;  // zeros to put in front: 0 to 3
  value.weight = static_cast<int32_t>(weight);
  value.digits.Resize(static_cast<size_t>((lead + total + 3) / 4));
  std::fill_n(value.digits.data(), value.digits.size(), int16_t{0});
  static constexpr int kPlace[] = {1000, 100, 10, 1};
  for (int64_t i = 0; i < total; ++i) {
    const char c = i < whole ? parts.whole[static_cast<size_t>(i)] : parts.fraction[static_cast<size_t>(i - whole)];
    const int64_t at = lead + i;
    int16_t& digit = value.digits[static_cast<size_t>(at / 4)];
    digit = static_cast<int16_t>(digit + (c - '0') * kPlace[at % 4]);
  }
  value.Strip();
  return value;
}

void AppendDigit(std::string& out, int digit) {
  const char text[4] = {static_cast<char>('0' + digit / 1000), static_cast<char>('0' + digit / 100 % 10),
                        static_cast<char>('0' + digit / 10 % 10), static_cast<char>('0' + digit % 10)};
  out.append(text, sizeof text);
}

}  // namespace

Result<Numeric> ParseNumeric(std::string_view text) {
  std::string_view trimmed = text;
  while (!trimmed.empty() && IsBlank(trimmed.front())) trimmed.remove_prefix(1);
  while (!trimmed.empty() && IsBlank(trimmed.back())) trimmed.remove_suffix(1);
  if (const std::optional<DecimalText> parts = SplitDecimal(trimmed)) {
    constexpr int64_t kDecimalsMax = int64_t{kNumericWeightMax + 1} * kNumericBaseDigits;
    if (parts->exponent > 2 * kDecimalsMax || parts->exponent < -2 * kDecimalsMax) {
      return SqlError::Make(kNumericValueOutOfRange, "value overflows numeric format");
    }
    return FromDecimal(*parts);
  }
  if (std::optional<Numeric> special = ParseSpecial(trimmed)) return *std::move(special);
  return SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}: \"{}\"", "numeric", text);
}

void AppendNumeric(const Numeric& value, std::string& out) {
  switch (value.kind) {
    case NumericKind::kNan: out += "NaN"; return;
    case NumericKind::kInfinity: out += "Infinity"; return;
    case NumericKind::kMinusInfinity: out += "-Infinity"; return;
    case NumericKind::kFinite: break;
  }
  const auto digit = [&value](int64_t i) {
    return i >= 0 && i < static_cast<int64_t>(value.digits.size()) ? value.digits[static_cast<size_t>(i)] : int16_t{0};
  };
  if (value.negative && !value.digits.empty()) out += '-';
  if (value.weight < 0) {
    out += '0';
  } else {
    const size_t begin = out.size();
    for (int64_t i = 0; i <= value.weight; ++i) AppendDigit(out, digit(i));
    const size_t first = out.find_first_not_of('0', begin);
    const size_t last_digit = out.size() - 1;
    out.erase(begin, (first == std::string::npos ? last_digit : first) - begin);
  }
  if (value.scale <= 0) return;
  out += '.';
  const size_t begin = out.size();
  for (int64_t i = int64_t{value.weight} + 1, decimals = 0; decimals < value.scale; ++i, decimals += kNumericBaseDigits) {
    AppendDigit(out, digit(i));
  }
  out.resize(begin + static_cast<size_t>(value.scale));
}

}  // namespace mayfly::types
