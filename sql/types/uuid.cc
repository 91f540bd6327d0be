// uuid: 16 bytes; text with or without hyphens after every four digits, and with or without braces (PostgreSQL manual, 8.12).
#include <cstring>

#include "sql/types/hash.h"
#include "sql/types/type.h"

namespace mayfly::types {

namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool ParseUuid(std::string_view text, Uuid& uuid) {
  bool braces = false;
  if (!text.empty() && text.front() == '{') {
    braces = true;
    text.remove_prefix(1);
  }
  for (size_t i = 0; i < 16; ++i) {
    if (text.size() < 2) return false;
    const int high = HexValue(text[0]);
    const int low = HexValue(text[1]);
    if (high < 0 || low < 0) return false;
    uuid.bytes[i] = static_cast<uint8_t>(high * 16 + low);
    text.remove_prefix(2);
    if (i % 2 == 1 && i < 15 && !text.empty() && text.front() == '-') text.remove_prefix(1);
  }
  if (braces) {
    if (text.empty() || text.front() != '}') return false;
    text.remove_prefix(1);
  }
  return text.empty();
}

Result<Datum> UuidIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena&) {
  Uuid uuid;
  if (!ParseUuid(text, uuid)) {
    return SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}: \"{}\"", "uuid", text);
  }
  return Datum(uuid);
}

void UuidOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const Uuid uuid = value.get<Uuid>();
  char text[36];
  size_t at = 0;
  for (size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text[at++] = '-';
    text[at++] = kDigits[uuid.bytes[i] >> 4];
    text[at++] = kDigits[uuid.bytes[i] & 15];
  }
  out.append(text, sizeof text);
}

Result<Datum> UuidRecv(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena&) {
  if (bytes.size() < 16) return SqlError::Make(kProtocolViolation, "insufficient data left in message");
  if (bytes.size() > 16) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  Uuid uuid;
  std::memcpy(uuid.bytes, bytes.data(), 16);
  return Datum(uuid);
}

void UuidSend(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  out.append(static_cast<const char*>(value.payload()), 16);
}

int UuidCompare(const TypeDesc&, const Datum& a, const Datum& b) { return std::memcmp(a.payload(), b.payload(), 16); }
uint64_t UuidHash(const TypeDesc&, const Datum& value) {
  return HashBytes(std::string_view(static_cast<const char*>(value.payload()), 16));
}

void UuidEncodeKey(const TypeDesc&, const Datum& value, std::string& out) {
  out.append(static_cast<const char*>(value.payload()), 16);
}
Result<Datum> UuidDecodeKey(const TypeDesc&, ByteReader& key, Arena&) {
  const std::string_view bytes = key.Bytes(16);
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key is too short for its uuid column");
  Uuid uuid;
  std::memcpy(uuid.bytes, bytes.data(), 16);
  return Datum(uuid);
}

}  // namespace

constexpr TypeOps kUuidOps = {
    .physical = PhysicalType::kUuid,
    .in = UuidIn,
    .out = UuidOut,
    .recv = UuidRecv,
    .send = UuidSend,
    .compare = UuidCompare,
    .hash = UuidHash,
    .encode_key = UuidEncodeKey,
    .decode_key = UuidDecodeKey,
    .key_is_lossless = true,
};

}  // namespace mayfly::types
