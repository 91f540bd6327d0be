// The bytes of a stored value, and nothing else of the system knows an offset in them.
//
//   layout 1, plain    | row payload ...                          |
//   layout 2, tagged   | tag: int64, little-endian, 8 bytes | row payload ... |
//
// The tag is a generic int64 that the layout gives no meaning to; a TTL table stores its reference time there, in milliseconds since the
// Unix epoch. kNeverTag means "never expires". The number of a layout is the KV format version of a table's metadata.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace mayfly::storage {

using Tag = int64_t;
inline constexpr Tag kNeverTag = std::numeric_limits<int64_t>::max();

enum class ValueLayout : uint8_t { kPlain = 1, kTagged = 2 };
// The newest KV format version this server can read.
inline constexpr int kValueLayoutMax = 2;

// The layout of a KV format version from a table's metadata. 0A000 naming `table_name` and the version where it is newer than kValueLayoutMax.
Result<ValueLayout> ValueLayoutFromVersion(int version, std::string_view table_name);

struct DecodedValue {
  Tag tag = kNeverTag;
  std::string_view payload;  // borrows from the stored bytes
};

// Appends the stored value to `out`. The tag is dropped by kPlain.
void EncodeValue(ValueLayout layout, Tag tag, std::string_view payload, std::string& out);
// How many bytes the stored value has, and its bytes to a place that has room for them.
constexpr size_t StoredSize(ValueLayout layout, size_t payload_size) {
  return payload_size + (layout == ValueLayout::kTagged ? sizeof(Tag) : 0);
}
void EncodeValueTo(ValueLayout layout, Tag tag, std::string_view payload, char* out);
// XX001 where `stored` is too short for its layout.
Result<DecodedValue> DecodeValue(ValueLayout layout, std::string_view stored);

// The same for callers that read row after row: false where `stored` is too short.
inline bool TryDecodeValue(ValueLayout layout, std::string_view stored, DecodedValue& decoded) {
  decoded.tag = kNeverTag;
  decoded.payload = stored;
  if (layout == ValueLayout::kPlain) return true;
  if (stored.size() < sizeof(Tag)) [[unlikely]] return false;
  decoded.tag = LoadLittleEndian<Tag>(stored.data());
  decoded.payload.remove_prefix(sizeof(Tag));
  return true;
}

// tag + ttl_ms, saturating; kNeverTag stays kNeverTag.
constexpr int64_t ExpiresAt(Tag tag, int64_t ttl_ms) {
  if (tag == kNeverTag) return kNeverTag;
  int64_t at = 0;
  return __builtin_add_overflow(tag, ttl_ms, &at) ? kNeverTag - 1 : at;
}
// Inclusive: a row is expired in the very millisecond of its expiry.
constexpr bool IsExpired(Tag tag, int64_t ttl_ms, int64_t ttl_now_ms) {
  return tag != kNeverTag && ExpiresAt(tag, ttl_ms) <= ttl_now_ms;
}

}  // namespace mayfly::storage
