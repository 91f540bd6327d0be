// to_char(number, text) and to_number(text, text).
#include <cmath>

#include "sql/func/lift.h"
#include "sql/func/number_picture.h"
#include "sql/types/numeric.h"

namespace mayfly::func {

namespace {

using types::Numeric;

std::string Roman(int64_t value) {
  static constexpr struct {
    int value;
    const char* name;
  } kParts[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
                {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
  if (value < 1 || value > 3999) return std::string(15, '#');
  std::string out;
  for (const auto& part : kParts) {
    for (; value >= part.value; value -= part.value) out += part.name;
  }
  return out;
}

std::string Overflow(const NumberPicture& picture) {
  std::string out(static_cast<size_t>(picture.before + picture.after + 1), '#');
  out[static_cast<size_t>(picture.before)] = '.';
  return out;
}

// `text`: the number, rounded to picture.after digits, with a '-' where negative.
std::string Print(const NumberPicture& picture, std::string_view text) {
  const char sign = text.starts_with('-') ? '-' : '+';
  if (sign == '-') text.remove_prefix(1);
  const auto before = static_cast<int32_t>(std::min(text.find('.'), text.size()));
  if (before > picture.before) return PrintNumber(picture, Overflow(picture), sign, 0);
  return PrintNumber(picture, text, sign, picture.before - before);
}

Numeric PowerOfTen(int32_t exponent) {
  Numeric power = Numeric::FromInt64(1);
  for (int32_t i = 0; i < exponent; ++i) power = types::MultiplyNumeric(power, Numeric::FromInt64(10));
  return power;
}

std::string NotANumberInScience(const NumberPicture& picture) {
  std::string out(static_cast<size_t>(picture.before + picture.after + 6), '#');
  out[0] = ' ';
  if (static_cast<size_t>(picture.before) + 1 < out.size()) out[static_cast<size_t>(picture.before) + 1] = '.';
  return out;
}

// d.ddde+xx with `digits` digits behind the point.
std::string Scientific(Numeric value, int32_t digits) {
  if (value.is_zero()) return fmt::format(" {:.{}e}", 0.0, digits);
  // The decimal exponent of the first digit.
  int32_t exponent = value.weight * types::kNumericBaseDigits;
  for (int first = value.digits[0]; first >= 10; first /= 10) ++exponent;
  Numeric mantissa;
  const Numeric power = PowerOfTen(std::abs(exponent));
  mantissa = exponent >= 0 ? types::QuotientNumeric(value, power, digits, true) : types::MultiplyNumeric(value, power);
  types::RoundNumeric(mantissa, digits);  // 9.99 may become 10.0: PostgreSQL leaves it so
  std::string text;
  types::AppendNumeric(mantissa, text);
  return fmt::format("{}{}e{}{:02}", text[0] == '-' ? "" : " ", text, exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string PrintNumeric(NumberPicture picture, Numeric value) {
  if (picture.is_roman) {
    const int64_t number = types::NumericToInt64(value, "integer", INT32_MIN, INT32_MAX);
    return PrintNumber(picture, Roman(number), '+', 0);
  }
  if (picture.is_scientific) return value.is_finite() ? Scientific(value, picture.after) : NotANumberInScience(picture);
  if (picture.has_shift && value.is_finite()) value = types::MultiplyNumeric(value, PowerOfTen(picture.shift));
  if (picture.has_shift) picture.before += picture.shift;
  if (value.is_finite()) types::RoundNumeric(value, picture.after);
  std::string text;
  types::AppendNumeric(value, text);
  return Print(picture, text);
}

// `digits_max`: decimal digits that the type surely has.
std::string PrintDouble(NumberPicture picture, double value, int32_t digits_max) {
  if (picture.is_roman) return PrintNumber(picture, std::isfinite(value) && std::abs(value) < 1e9 ? Roman(std::lrint(value)) : std::string(15, '#'), '+', 0);
  if (picture.is_scientific) {
    if (!std::isfinite(value)) return NotANumberInScience(picture);
    return fmt::format("{: .{}e}", value, picture.after);
  }
  if (picture.has_shift) {
    value *= std::pow(10.0, picture.shift);
    if (digits_max < 15) value = static_cast<double>(static_cast<float>(value));  // a float's product is a float
    picture.before += picture.shift;
  }
  const bool is_finite = std::isfinite(value);
  const std::string special = std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity";
  const std::string whole = is_finite ? fmt::format("{:.0f}", std::abs(value)) : std::isnan(value) ? "NaN" : "Infinity";
  const auto before = static_cast<int32_t>(whole.size());
  picture.after = before >= digits_max ? 0 : std::min(picture.after, digits_max - before);
  return Print(picture, is_finite ? fmt::format("{:.{}f}", value, picture.after) : special);
}

// The template of the last row, which is that of all rows as a rule.
class PictureCache {
 public:
  const NumberPicture& Get(std::string_view text) {
    if (!has_parsed_ || text != text_) {
      picture_ = ParseNumberPicture(text);
      text_ = text;
      has_parsed_ = true;
    }
    return picture_;
  }

 private:
  NumberPicture picture_;
  std::string_view text_;
  bool has_parsed_ = false;
};

template <typename T, typename PrintOne>
void PrintEach(const KernelCall& call, PrintOne&& print) {
  PictureCache pictures;
  Lift<std::optional<std::string_view>(T, std::string_view)>(call, [&](T value, std::string_view format) -> std::optional<std::string_view> {
    if (format.empty()) return std::string_view();
    const std::string out = print(pictures.Get(format), value);
    return call.result.heap().Copy(out);
  });
}

Numeric ReadNumber(NumberPicture picture, std::string_view input) {
  const std::string text = ScanNumber(picture, input);
  std::string_view trimmed = text;
  while (!trimmed.empty() && trimmed[0] == ' ') trimmed.remove_prefix(1);
  auto parsed = types::ParseNumeric(trimmed);
  if (!parsed.ok()) {
    Throw(SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}: \"{}\"", "numeric", text));
  }
  Numeric value = *std::move(parsed);
  const int32_t precision = picture.before + picture.shift + picture.after;
  types::ApplyNumericTypmod(value, ((precision << 16) | (picture.after & 0x7FF)) + 4).value();
  // PostgreSQL multiplies by a power of ten, which has 16 digits behind the point.
  if (picture.has_shift) value = types::QuotientNumeric(value, PowerOfTen(picture.shift), types::kNumericMinSignificant + value.scale, true);
  return value;
}

}  // namespace

void NumericToChar(const KernelCall& call) {
  PrintEach<std::string_view>(
      call, [](const NumberPicture& picture, std::string_view bytes) { return PrintNumeric(picture, types::DecodeNumeric(bytes)); });
}
void Int4ToChar(const KernelCall& call) {
  PrintEach<int32_t>(call, [](const NumberPicture& picture, int32_t value) {
    return picture.is_scientific ? PrintDouble(picture, value, 15) : PrintNumeric(picture, Numeric::FromInt64(value));
  });
}
void Int8ToChar(const KernelCall& call) {
  PrintEach<int64_t>(call, [](const NumberPicture& picture, int64_t value) { return PrintNumeric(picture, Numeric::FromInt64(value)); });
}
void Float8ToChar(const KernelCall& call) {
  PrintEach<double>(call, [](const NumberPicture& picture, double value) { return PrintDouble(picture, value, 15); });
}
void Float4ToChar(const KernelCall& call) {
  PrintEach<float>(call, [](const NumberPicture& picture, float value) { return PrintDouble(picture, static_cast<double>(value), 6); });
}

void NumericToNumber(const KernelCall& call) {
  PictureCache pictures;
  const types::Vector& inputs = *call.args[0];
  const types::Vector& formats = *call.args[1];
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const std::string_view format = formats.data<types::StringRef>()[formats.Index(row)].view();
    if (format.empty()) {
      call.result.SetNull(row);
      continue;
    }
    const Numeric value = ReadNumber(pictures.Get(format), inputs.data<types::StringRef>()[inputs.Index(row)].view());
    call.result.Set(row, types::EncodeNumeric(value, call.result.heap()));
  }
}

}  // namespace mayfly::func
