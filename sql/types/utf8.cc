#include "sql/types/utf8.h"

#include <algorithm>
#include <cstring>

namespace mayfly::types {

namespace {

constexpr uint64_t kHighBits = 0x8080808080808080U;

uint64_t Load8(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// True if one of the eight bytes is zero (the classic bit trick; exact for "is there any").
bool HasZeroByte(uint64_t word) { return ((word - 0x0101010101010101U) & ~word & kHighBits) != 0; }

// Length of the well-formed character at `at`, 0 where it is not one (Unicode table 3-7).
size_t WellFormedLength(const unsigned char* at, size_t available) {
  const unsigned char lead = at[0];
  if (lead == 0) return 0;
  if (lead < 0x80) return 1;
  const size_t length = Utf8Length(static_cast<char>(lead));
  if (length == 1 || length > available || lead < 0xC2 || lead > 0xF4) return 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (at[1] < low || at[1] > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((at[i] & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

size_t ValidUtf8Prefix(std::string_view bytes) {
  const char* const data = bytes.data();
  size_t at = 0;
  while (at < bytes.size()) {
    while (at + 8 <= bytes.size()) {
      const uint64_t word = Load8(data + at);
      if ((word & kHighBits) != 0 || HasZeroByte(word)) break;
      at += 8;
    }
    if (at == bytes.size()) break;
    const size_t length = WellFormedLength(reinterpret_cast<const unsigned char*>(data) + at, bytes.size() - at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

Status ValidateUtf8(std::string_view bytes) {
  const size_t valid = ValidUtf8Prefix(bytes);
  if (valid == bytes.size()) return Ok();
  const std::string_view bad = bytes.substr(valid);
  const size_t shown = std::min({Utf8Length(bad[0]), bad.size(), size_t{8}});
  std::string hex;
  for (size_t i = 0; i < shown; ++i) {
    hex += fmt::format("{}0x{:02x}", i == 0 ? "" : " ", static_cast<unsigned>(static_cast<unsigned char>(bad[i])));
  }
  return SqlError::Make(kCharacterNotInRepertoire, "invalid byte sequence for encoding \"UTF8\": {}", hex);
}

bool IsAscii(std::string_view text) {
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    if ((Load8(text.data() + at) & kHighBits) != 0) return false;
  }
  for (; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0x80) != 0) return false;
  }
  return true;
}

size_t Utf8Count(std::string_view text) {
  size_t continuation = 0;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    // A continuation byte is 10xxxxxx: high bit set, next bit clear.
    const uint64_t word = Load8(text.data() + at);
    continuation += static_cast<size_t>(__builtin_popcountll(word & (~word << 1) & kHighBits));
  }
  for (; at < text.size(); ++at) continuation += (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80 ? 1 : 0;
  return text.size() - continuation;
}

size_t Utf8Offset(std::string_view text, size_t index) {
  size_t at = 0;
  while (index > 0 && at < text.size()) {
    if (index >= 8 && at + 8 <= text.size() && (Load8(text.data() + at) & kHighBits) == 0) {
      at += 8;
      index -= 8;
    } else {
      at += Utf8Length(text[at]);
      --index;
    }
  }
  return std::min(at, text.size());
}

std::string_view Utf8Clip(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

char32_t DecodeUtf8(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<char32_t>(static_cast<unsigned char>(text[i])) : 0; };
  switch (Utf8Length(text[0])) {
    case 2: return ((byte(0) & 0x1F) << 6) | (byte(1) & 0x3F);
    case 3: return ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
    case 4: return ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F);
    default: return byte(0);
  }
}

void AppendUtf8(std::string& out, char32_t c) {
  const auto push = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    push(c);
  } else if (c < 0x800) {
    push(0xC0 | (c >> 6));
    push(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    push(0xE0 | (c >> 12));
    push(0x80 | ((c >> 6) & 0x3F));
    push(0x80 | (c & 0x3F));
  } else {
    push(0xF0 | (c >> 18));
    push(0x80 | ((c >> 12) & 0x3F));
    push(0x80 | ((c >> 6) & 0x3F));
    push(0x80 | (c & 0x3F));
  }
}

}  // namespace mayfly::types
