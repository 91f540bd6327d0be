#include "storage/value_layout.h"

#include <cstring>

#include "base/bytes.h"

namespace mayfly::storage {

Result<ValueLayout> ValueLayoutFromVersion(int version, std::string_view table_name) {
  if (version == static_cast<int>(ValueLayout::kPlain)) return ValueLayout::kPlain;
  if (version == static_cast<int>(ValueLayout::kTagged)) return ValueLayout::kTagged;
  return SqlError::Make(kFeatureNotSupported,
                        "table \"{}\" has KV format version {}, but this server knows only versions 1 to {}", table_name, version,
                        kValueLayoutMax);
}

void EncodeValue(ValueLayout layout, Tag tag, std::string_view payload, std::string& out) {
  if (layout == ValueLayout::kTagged) AppendLittleEndian(out, tag);
  out.append(payload);
}

void EncodeValueTo(ValueLayout layout, Tag tag, std::string_view payload, char* out) {
  if (layout == ValueLayout::kTagged) {
    const Tag swapped = ToLittleEndian(tag);
    std::memcpy(out, &swapped, sizeof swapped);
    out += sizeof swapped;
  }
  if (!payload.empty()) std::memcpy(out, payload.data(), payload.size());
}

Result<DecodedValue> DecodeValue(ValueLayout layout, std::string_view stored) {
  DecodedValue decoded;
  if (TryDecodeValue(layout, stored, decoded)) return decoded;
  return SqlError::Make(kDataCorrupted, "stored value of {} bytes is too short for KV format version {}", stored.size(),
                        static_cast<int>(layout));
}

}  // namespace mayfly::storage
