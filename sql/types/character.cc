// varchar(n), bpchar(n), name and "char".
//
// A bpchar value stands padded, as PostgreSQL keeps it; its order and its keys ignore trailing blanks, so 'a' = 'a  '.
#include <algorithm>

#include "sql/types/text.h"
#include "sql/types/text_ops.h"

namespace mayfly::types {

namespace {

SqlError TooLong(std::string_view type, int32_t characters_max) {
  return SqlError::Make(kStringDataRightTruncation, "value too long for type {}({})", type, characters_max);
}

// The part of `text` that a length of `characters_max` lets through.
Result<std::string_view> Cut(std::string_view text, int32_t characters_max, bool is_explicit, std::string_view type) {
  const size_t keep = Utf8Offset(text, static_cast<size_t>(characters_max));
  if (!is_explicit && text.find_first_not_of(' ', keep) != std::string_view::npos) return TooLong(type, characters_max);
  return text.substr(0, keep);
}

}  // namespace

Result<std::string_view> FitVarchar(std::string_view text, int32_t typmod, bool is_explicit) {
  const int32_t characters_max = typmod - kTypmodOffset;
  if (typmod < kTypmodOffset || text.size() <= static_cast<size_t>(characters_max)) return text;
  return Cut(text, characters_max, is_explicit, "character varying");
}

Result<std::string_view> FitBpchar(std::string_view text, int32_t typmod, bool is_explicit, std::string& padded) {
  if (typmod < kTypmodOffset) return text;
  const int32_t characters_max = typmod - kTypmodOffset;
  const size_t characters = Utf8Count(text);
  if (characters == static_cast<size_t>(characters_max)) return text;
  if (characters > static_cast<size_t>(characters_max)) return Cut(text, characters_max, is_explicit, "character");
  padded.assign(text);
  padded.append(static_cast<size_t>(characters_max) - characters, ' ');
  return std::string_view(padded);
}

std::string_view FitName(std::string_view text) { return Utf8Clip(text, kNameBytesMax); }

void AppendCharText(int32_t value, std::string& out) {
  if (value >= 0x80) {
    out += '\\';
    for (int shift = 6; shift >= 0; shift -= 3) out += static_cast<char>('0' + ((value >> shift) & 7));
  } else if (value != 0) {
    out += static_cast<char>(value);
  }
}

int32_t ParseCharText(std::string_view text) {
  const auto octal = [&](size_t at) { return text[at] >= '0' && text[at] <= '7'; };
  if (text.size() == 4 && text[0] == '\\' && octal(1) && octal(2) && octal(3)) {
    return (((text[1] - '0') << 6) | ((text[2] - '0') << 3) | (text[3] - '0')) & 0xFF;
  }
  return text.empty() ? 0 : static_cast<unsigned char>(text[0]);
}

namespace {

Result<Datum> VarcharIn(const TypeDesc&, std::string_view text, int32_t typmod, const IoContext&, Arena& arena) {
  TRY_OK(ValidateUtf8(text));
  TRY(const std::string_view, fit, FitVarchar(text, typmod, false));
  return KeepBytes(fit, arena);
}

Result<int32_t> LengthTypmodIn(std::span<const int32_t> modifiers, std::string_view type) {
  constexpr int32_t kLengthMax = 10485760;
  if (modifiers.size() != 1) return SqlError::Make(kInvalidParameterValue, "invalid type modifier");
  if (modifiers[0] < 1) return SqlError::Make(kInvalidParameterValue, "length for type {} must be at least 1", type);
  if (modifiers[0] > kLengthMax) {
    return SqlError::Make(kInvalidParameterValue, "length for type {} cannot exceed {}", type, kLengthMax);
  }
  return modifiers[0] + kTypmodOffset;
}
Result<int32_t> VarcharTypmodIn(std::span<const int32_t> modifiers) { return LengthTypmodIn(modifiers, "varchar"); }
Result<int32_t> BpcharTypmodIn(std::span<const int32_t> modifiers) { return LengthTypmodIn(modifiers, "char"); }
void LengthTypmodOut(int32_t typmod, std::string& out) {
  if (typmod > kTypmodOffset) out += fmt::format("({})", typmod - kTypmodOffset);
}

Result<Datum> BpcharIn(const TypeDesc&, std::string_view text, int32_t typmod, const IoContext&, Arena& arena) {
  TRY_OK(ValidateUtf8(text));
  std::string padded;
  TRY(const std::string_view, fit, FitBpchar(text, typmod, false, padded));
  return KeepBytes(fit, arena);
}
int BpcharCompare(const TypeDesc&, const Datum& a, const Datum& b) {
  return TrimBlanks(a.bytes()).compare(TrimBlanks(b.bytes()));
}
uint64_t BpcharHash(const TypeDesc&, const Datum& value) { return HashBytes(TrimBlanks(value.bytes())); }
void BpcharEncodeKey(const TypeDesc&, const Datum& value, std::string& out) { AppendKeyBytes(out, TrimBlanks(value.bytes())); }

Result<Datum> NameIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena& arena) {
  TRY_OK(ValidateUtf8(text));
  return KeepBytes(FitName(text), arena);
}
Result<Datum> NameRecv(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena& arena) {
  TRY_OK(ValidateUtf8(bytes));
  if (bytes.size() > kNameBytesMax) {
    return SqlError::Make(kNameTooLong, "identifier too long").Detail("Identifier must be less than 64 characters.");
  }
  return KeepBytes(bytes, arena);
}

Result<Datum> CharIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena&) {
  return Datum(ParseCharText(text));
}
void CharOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendCharText(value.get<int32_t>(), out);
}
Result<Datum> CharRecv(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena&) {
  if (bytes.empty()) return SqlError::Make(kProtocolViolation, "no data left in message");
  if (bytes.size() > 1) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  return Datum(int32_t{static_cast<unsigned char>(bytes[0])});
}
void CharSend(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  out += static_cast<char>(value.get<int32_t>());
}
int CharCompare(const TypeDesc&, const Datum& a, const Datum& b) { return a.get<int32_t>() - b.get<int32_t>(); }
uint64_t CharHash(const TypeDesc&, const Datum& value) { return HashInt64(value.get<int32_t>()); }
void CharEncodeKey(const TypeDesc&, const Datum& value, std::string& out) { out += static_cast<char>(value.get<int32_t>()); }
Result<Datum> CharDecodeKey(const TypeDesc&, ByteReader& key, Arena&) {
  const auto byte = key.BigEndian<uint8_t>();
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key is too short for its \"char\" column");
  return Datum(int32_t{byte});
}

}  // namespace

constexpr TypeOps kVarcharOps = {
    .physical = PhysicalType::kBytes,
    .in = VarcharIn,
    .out = TextOut,
    .recv = VarcharIn,
    .send = TextOut,
    .compare = TextCompare,
    .hash = TextHash,
    .encode_key = TextEncodeKey,
    .decode_key = TextDecodeKey,
    .key_is_lossless = true,
    .typmod_in = VarcharTypmodIn,
    .typmod_out = LengthTypmodOut,
};

constexpr TypeOps kBpcharOps = {
    .physical = PhysicalType::kBytes,
    .in = BpcharIn,
    .out = TextOut,
    .recv = BpcharIn,
    .send = TextOut,
    .compare = BpcharCompare,
    .hash = BpcharHash,
    .encode_key = BpcharEncodeKey,
    .decode_key = TextDecodeKey,
    .typmod_in = BpcharTypmodIn,
    .typmod_out = LengthTypmodOut,
};

constexpr TypeOps kNameOps = {
    .physical = PhysicalType::kBytes,
    .in = NameIn,
    .out = TextOut,
    .recv = NameRecv,
    .send = TextOut,
    .compare = TextCompare,
    .hash = TextHash,
    .encode_key = TextEncodeKey,
    .decode_key = TextDecodeKey,
    .key_is_lossless = true,
};

constexpr TypeOps kCharOps = {
    .physical = PhysicalType::kInt32,
    .in = CharIn,
    .out = CharOut,
    .recv = CharRecv,
    .send = CharSend,
    .compare = CharCompare,
    .hash = CharHash,
    .encode_key = CharEncodeKey,
    .decode_key = CharDecodeKey,
    .key_is_lossless = true,
};

}  // namespace mayfly::types
