#include "base/bytes.h"

namespace mayfly {

void AppendVarint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void AppendLengthPrefixed(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

bool ByteReader::Take(size_t size) {
  if (!ok_ || size > bytes_.size()) {
    ok_ = false;
    bytes_ = {};
    return false;
  }
  last_ = bytes_.data();
  bytes_.remove_prefix(size);
  return true;
}

uint64_t ByteReader::Varint() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (!Take(1)) return 0;
    const auto byte = static_cast<uint8_t>(*last_);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  ok_ = false;
  return 0;
}

std::string_view ByteReader::LengthPrefixed() {
  const uint64_t size = Varint();
  return Bytes(size);
}

std::string_view ByteReader::CString() {
  const size_t end = bytes_.find('\0');
  if (!ok_ || end == std::string_view::npos) {
    ok_ = false;
    bytes_ = {};
    return {};
  }
  const std::string_view text = bytes_.substr(0, end);
  bytes_.remove_prefix(end + 1);
  return text;
}

}  // namespace mayfly
