#include "sql/types/bytea.h"

#include "sql/types/hash.h"
#include "sql/types/key_encoding.h"
#include "sql/types/type.h"
#include "sql/types/utf8.h"

namespace mayfly::types {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

SqlError InvalidDigit(std::string_view rest) {
  return SqlError::Make(kInvalidParameterValue, "invalid hexadecimal digit: \"{}\"", rest.substr(0, Utf8Length(rest[0])));
}

}  // namespace

void AppendHex(std::string_view bytes, std::string& out) {
  const size_t start = out.size();
  out.resize(start + bytes.size() * 2);
  char* at = out.data() + start;
  for (const char c : bytes) {
    *at++ = kHexDigits[static_cast<unsigned char>(c) >> 4];
    *at++ = kHexDigits[static_cast<unsigned char>(c) & 15];
  }
}

Status DecodeHex(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++i;
      continue;
    }
    const int high = HexValue(c);
    if (high < 0) return InvalidDigit(text.substr(i));
    if (++i >= text.size()) return SqlError::Make(kInvalidParameterValue, "invalid hexadecimal data: odd number of digits");
    const int low = HexValue(text[i]);
    if (low < 0) return InvalidDigit(text.substr(i));
    ++i;
    out += static_cast<char>(high * 16 + low);
  }
  return Ok();
}

void AppendByteaEscape(std::string_view bytes, std::string& out) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      out += "\\\\";
    } else if (byte < 0x20 || byte > 0x7E) {
      out += '\\';
      out += static_cast<char>('0' + (byte >> 6));
      out += static_cast<char>('0' + ((byte >> 3) & 7));
      out += static_cast<char>('0' + (byte & 7));
    } else {
      out += c;
    }
  }
}

Status DecodeByteaEscape(std::string_view text, std::string& out) {
  const auto octal = [&](size_t at, char max) { return at < text.size() && text[at] >= '0' && text[at] <= max; };
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      out += text[i++];
    } else if (octal(i + 1, '3') && octal(i + 2, '7') && octal(i + 3, '7')) {
      out += static_cast<char>(((text[i + 1] - '0') << 6) | ((text[i + 2] - '0') << 3) | (text[i + 3] - '0'));
      i += 4;
    } else if (i + 1 < text.size() && text[i + 1] == '\\') {
      out += '\\';
      i += 2;
    } else {
      return SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}", "bytea");
    }
  }
  return Ok();
}

namespace {

Datum Keep(std::string_view bytes, Arena& arena) {
  return Datum(bytes.size() <= StringRef::kInlineBytes ? bytes : arena.Copy(bytes));
}

Result<Datum> ByteaIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena& arena) {
  std::string bytes;
  bytes.reserve(text.size() / 2);
  if (text.starts_with("\\x")) {
    TRY_OK(DecodeHex(text.substr(2), bytes));
  } else {
    TRY_OK(DecodeByteaEscape(text, bytes));
  }
  return Keep(bytes, arena);
}

void ByteaOut(const TypeDesc&, const Datum& value, const IoContext& io, std::string& out) {
  if (io.settings.bytea_output == ByteaOutput::kEscape) {
    AppendByteaEscape(value.bytes(), out);
    return;
  }
  out += "\\x";
  AppendHex(value.bytes(), out);
}

Result<Datum> ByteaRecv(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena& arena) {
  return Keep(bytes, arena);
}
void ByteaSend(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) { out += value.bytes(); }

int ByteaCompare(const TypeDesc&, const Datum& a, const Datum& b) { return a.bytes().compare(b.bytes()); }
uint64_t ByteaHash(const TypeDesc&, const Datum& value) { return HashBytes(value.bytes()); }
void ByteaEncodeKey(const TypeDesc&, const Datum& value, std::string& out) { AppendKeyBytes(out, value.bytes()); }
Result<Datum> ByteaDecodeKey(const TypeDesc&, ByteReader& key, Arena& arena) {
  TRY(const std::string_view, bytes, ReadKeyBytes(key, arena));
  return Datum(bytes);
}

}  // namespace

constexpr TypeOps kByteaOps = {
    .physical = PhysicalType::kBytes,
    .in = ByteaIn,
    .out = ByteaOut,
    .recv = ByteaRecv,
    .send = ByteaSend,
    .compare = ByteaCompare,
    .hash = ByteaHash,
    .encode_key = ByteaEncodeKey,
    .decode_key = ByteaDecodeKey,
    .key_is_lossless = true,
};

}  // namespace mayfly::types
