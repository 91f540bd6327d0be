// text, unknown and cstring: valid UTF-8, ordered by bytes (collation C.UTF-8).
#include "sql/types/text_ops.h"

namespace mayfly::types {

Datum KeepBytes(std::string_view bytes, Arena& arena) {
  return Datum(bytes.size() <= StringRef::kInlineBytes ? bytes : arena.Copy(bytes));
}

Result<Datum> TextIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena& arena) {
  TRY_OK(ValidateUtf8(text));
  return KeepBytes(text, arena);
}
void TextOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) { out += value.bytes(); }
int TextCompare(const TypeDesc&, const Datum& a, const Datum& b) { return a.bytes().compare(b.bytes()); }
uint64_t TextHash(const TypeDesc&, const Datum& value) { return HashBytes(value.bytes()); }
void TextEncodeKey(const TypeDesc&, const Datum& value, std::string& out) { AppendKeyBytes(out, value.bytes()); }
Result<Datum> TextDecodeKey(const TypeDesc&, ByteReader& key, Arena& arena) {
  TRY(const std::string_view, bytes, ReadKeyBytes(key, arena));
  return Datum(bytes);
}

constexpr TypeOps kTextOps = {
    .physical = PhysicalType::kBytes,
    .in = TextIn,
    .out = TextOut,
    .recv = TextIn,
    .send = TextOut,
    .compare = TextCompare,
    .hash = TextHash,
    .encode_key = TextEncodeKey,
    .decode_key = TextDecodeKey,
    .key_is_lossless = true,
};

// Without an order: PostgreSQL has no operator class for these two.
constexpr TypeOps kUnknownOps = {
    .physical = PhysicalType::kBytes,
    .in = TextIn,
    .out = TextOut,
    .recv = TextIn,
    .send = TextOut,
};
constexpr TypeOps kCstringOps = kUnknownOps;

}  // namespace mayfly::types
