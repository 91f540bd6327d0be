// numeric as a type: I/O, order, keys, typmods.
//
//   key      1 byte kind: 0 -Infinity, 1 negative, 2 zero, 3 positive, 4 Infinity, 5 NaN
//            positive: i16 weight (as an ordered integer) | per digit u16 digit + 1 | 00 00;  negative: the same, complemented
//   binary   int16 digits | int16 weight | uint16 sign (0000, 4000, C000 NaN, D000 Infinity, F000 -Infinity) | int16 scale |
//   int16 digits
//
// 1.0 and 1.00 have one key; reading it gives the value with as few decimals as it needs.
#include "base/bytes.h"
#include "sql/types/key_encoding.h"
#include "sql/types/numeric.h"
#include "sql/types/type.h"

namespace mayfly::types {

namespace {

enum KeyKind : char { kKeyMinusInfinity, kKeyNegative, kKeyZero, kKeyPositive, kKeyInfinity, kKeyNan };
constexpr uint16_t kWireNegative = 0x4000, kWireNan = 0xC000, kWireInfinity = 0xD000, kWireMinusInfinity = 0xF000;

Result<Datum> ToDatum(const Numeric& value, Arena& arena) {
  TRY(const StringRef, bytes, TryEncodeNumeric(value, arena));
  return Datum(bytes);
}

Result<Datum> NumericIn(const TypeDesc&, std::string_view text, int32_t typmod, const IoContext&, Arena& arena) {
  TRY(Numeric, value, ParseNumeric(text));
  TRY_OK(ApplyNumericTypmod(value, typmod));
  return ToDatum(value, arena);
}
void NumericOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendNumeric(DecodeNumeric(value.bytes()), out);
}

Result<Datum> NumericReceive(const TypeDesc&, std::string_view bytes, int32_t typmod, const IoContext&, Arena& arena) {
  ByteReader in(bytes);
  const auto count = in.BigEndian<uint16_t>();
  const auto weight = in.BigEndian<int16_t>();
  const auto sign = in.BigEndian<uint16_t>();
  const auto scale = in.BigEndian<uint16_t>();
  if (!in.ok()) return SqlError::Make(kProtocolViolation, "insufficient data left in message");
  Numeric value;
  switch (sign) {
    case 0: break;
    case kWireNegative: value.negative = true; break;
    case kWireNan: value.kind = NumericKind::kNan; break;
    case kWireInfinity: value.kind = NumericKind::kInfinity; break;
    case kWireMinusInfinity: value.kind = NumericKind::kMinusInfinity; break;
    default: return SqlError::Make(kInvalidBinaryRepresentation, "invalid sign in external \"numeric\" value");
  }
  if (scale > kNumericStoredScaleMax) {
    return SqlError::Make(kInvalidBinaryRepresentation, "invalid scale in external \"numeric\" value");
  }
  if (in.remaining() < count * sizeof(int16_t)) return SqlError::Make(kProtocolViolation, "insufficient data left in message");
  value.weight = weight;
  value.scale = scale;
  value.digits.Resize(count);
  for (size_t i = 0; i < count; ++i) {
    const auto digit = in.BigEndian<int16_t>();
    if (digit < 0 || digit >= kNumericBase) {
      return SqlError::Make(kInvalidBinaryRepresentation, "invalid digit in external \"numeric\" value");
    }
    value.digits[i] = digit;
  }
  if (!in.AtEnd()) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  if (value.is_finite()) {
    // Digits beyond the scale are hidden ones: cut off, as PostgreSQL does.
    TruncateNumeric(value, scale);
  } else {
    value.digits.Clear();
  }
  TRY_OK(ApplyNumericTypmod(value, typmod));
  return ToDatum(value, arena);
}

void NumericSend(const TypeDesc&, const Datum& datum, const IoContext&, std::string& out) {
  const Numeric value = DecodeNumeric(datum.bytes());
  uint16_t sign = value.negative ? kWireNegative : 0;
  if (value.is_nan()) sign = kWireNan;
  if (value.kind == NumericKind::kInfinity) sign = kWireInfinity;
  if (value.kind == NumericKind::kMinusInfinity) sign = kWireMinusInfinity;
  AppendBigEndian(out, static_cast<uint16_t>(value.digits.size()));
  AppendBigEndian(out, static_cast<int16_t>(value.weight));
  AppendBigEndian(out, sign);
  // An infinity has no scale; PostgreSQL sends bits of its own header there.
  AppendBigEndian(out, static_cast<uint16_t>(value.is_infinite() ? 0x20 : value.scale));
  for (size_t i = 0; i < value.digits.size(); ++i) AppendBigEndian(out, value.digits[i]);
}

int NumericCompare(const TypeDesc&, const Datum& a, const Datum& b) { return CompareNumericBytes(a.bytes(), b.bytes()); }
uint64_t NumericHash(const TypeDesc&, const Datum& value) { return HashNumericBytes(value.bytes()); }

void NumericEncodeKey(const TypeDesc&, const Datum& datum, std::string& out) {
  const Numeric value = DecodeNumeric(datum.bytes());
  switch (value.kind) {
    case NumericKind::kMinusInfinity: out += kKeyMinusInfinity; return;
    case NumericKind::kInfinity: out += kKeyInfinity; return;
    case NumericKind::kNan: out += kKeyNan; return;
    case NumericKind::kFinite: break;
  }
  if (value.digits.empty()) {
    out += kKeyZero;
    return;
  }
  out += value.negative ? kKeyNegative : kKeyPositive;
  const size_t begin = out.size();
  AppendKeyInteger(out, static_cast<int16_t>(value.weight));
  for (size_t i = 0; i < value.digits.size(); ++i) AppendBigEndian(out, static_cast<uint16_t>(value.digits[i] + 1));
  AppendBigEndian(out, uint16_t{0});
  if (!value.negative) return;
  for (size_t i = begin; i < out.size(); ++i) out[i] = static_cast<char>(~out[i]);
}

Result<Datum> NumericDecodeKey(const TypeDesc&, ByteReader& key, Arena& arena) {
  const auto corrupted = [] { return SqlError::Make(kDataCorrupted, "a key has a malformed numeric column"); };
  const std::string_view kind = key.Bytes(1);
  if (!key.ok()) return corrupted();
  Numeric value;
  switch (kind[0]) {
    case kKeyMinusInfinity: return ToDatum(Numeric::Special(NumericKind::kMinusInfinity), arena);
    case kKeyInfinity: return ToDatum(Numeric::Special(NumericKind::kInfinity), arena);
    case kKeyNan: return ToDatum(Numeric::Special(NumericKind::kNan), arena);
    case kKeyZero: return ToDatum(value, arena);
    case kKeyNegative: value.negative = true; break;
    case kKeyPositive: break;
    default: return corrupted();
  }
  const auto flip = static_cast<uint16_t>(value.negative ? 0xFFFF : 0);
  value.weight = static_cast<int16_t>(key.BigEndian<uint16_t>() ^ flip ^ 0x8000);
  size_t count = 0;
  for (;; ++count) {
    const auto digit = static_cast<uint16_t>(key.BigEndian<uint16_t>() ^ flip);
    if (!key.ok() || digit > kNumericBase) return corrupted();
    if (digit == 0) break;
    value.digits.Resize(count + 1);
    value.digits[count] = static_cast<int16_t>(digit - 1);
  }
  value.scale = NumericMinScale(value);
  return ToDatum(value, arena);
}

Result<int32_t> NumericTypmodIn(std::span<const int32_t> modifiers) {
  if (modifiers.empty() || modifiers.size() > 2) return SqlError::Make(kInvalidParameterValue, "invalid NUMERIC type modifier");
  const int32_t precision = modifiers[0];
  const int32_t scale = modifiers.size() == 2 ? modifiers[1] : 0;
  if (precision < 1 || precision > kNumericPrecisionMax) {
    return SqlError::Make(kInvalidParameterValue, "NUMERIC precision {} must be between 1 and {}", precision,
                          kNumericPrecisionMax);
  }
  if (scale < -kNumericScaleMax || scale > kNumericScaleMax) {
    return SqlError::Make(kInvalidParameterValue, "NUMERIC scale {} must be between {} and {}", scale, -kNumericScaleMax,
                          kNumericScaleMax);
  }
  return ((precision << 16) | (scale & 0x7FF)) + 4;
}
void NumericTypmodOut(int32_t typmod, std::string& out) {
  if (typmod >= 4) out += fmt::format("({},{})", NumericTypmodPrecision(typmod), NumericTypmodScale(typmod));
}

}  // namespace

const TypeOps kNumericOps = {
    .physical = PhysicalType::kBytes,
    .in = NumericIn,
    .out = NumericOut,
    .recv = NumericReceive,
    .send = NumericSend,
    .compare = NumericCompare,
    .hash = NumericHash,
    .encode_key = NumericEncodeKey,
    .decode_key = NumericDecodeKey,
    .key_is_lossless = false,
    .typmod_in = NumericTypmodIn,
    .typmod_out = NumericTypmodOut,
};

}  // namespace mayfly::types
