#include "sql/parse/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace mayfly::parse {
namespace {

uint8_t Byte(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }
bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

size_t LengthByLead(uint8_t lead) {
  if (lead < 0x80) return 1;
  if ((lead & 0xE0) == 0xC0) return 2;
  if ((lead & 0xF0) == 0xE0) return 3;
  if ((lead & 0xF8) == 0xF0) return 4;
  return 1;
}

// RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF.
bool IsValidCharacter(std::string_view text, size_t at, size_t length) {
  const uint8_t lead = Byte(text, at);
  if (length == 1) return lead != 0 && lead < 0x80;
  if (at + length > text.size()) return false;
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[at + i])) return false;
  }
  const uint8_t second = Byte(text, at + 1);
  switch (lead) {
    case 0xC0:
    case 0xC1: return false;
    case 0xE0: return second >= 0xA0;
    case 0xED: return second <= 0x9F;
    case 0xF0: return second >= 0x90;
    case 0xF4: return second <= 0x8F;
    default: return lead < 0xF5;
  }
}

// PostgreSQL shows as many bytes as the lead byte announces, and not past the end.
SqlError InvalidSequence(std::string_view text, size_t at, size_t length) {
  std::string bytes;
  for (size_t i = at; i < std::min(at + length, text.size()); ++i) bytes += fmt::format("{}0x{:02x}", bytes.empty() ? "" : " ", Byte(text, i));
  return SqlError::Make(kCharacterNotInRepertoire, "invalid byte sequence for encoding \"UTF8\": {}", bytes);
}

// Eight bytes of ASCII without a NUL.
bool IsPlainWord(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  constexpr uint64_t kHighBits = 0x8080808080808080;
  return ((word | (word - 0x0101010101010101)) & kHighBits) == 0;
}

}  // namespace

Status CheckStatementEncoding(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    if (at + 8 <= text.size() && IsPlainWord(text.data() + at)) {
      at += 8;
      continue;
    }
    const size_t length = LengthByLead(Byte(text, at));
    if (!IsValidCharacter(text, at, length)) return InvalidSequence(text, at, length);
    at += length;
  }
  return Ok();
}

size_t CharacterOffset(std::string_view text, size_t index) {
  size_t at = 0;
  for (; index > 0 && at < text.size(); --index) at = std::min(at + LengthByLead(Byte(text, at)), text.size());
  return at;
}

size_t CharactersBefore(std::string_view text, size_t offset) {
  return static_cast<size_t>(std::ranges::count_if(text.substr(0, offset), [](char c) { return !IsContinuation(c); }));
}

}  // namespace mayfly::parse
