// UTF-8 as the server encoding: validation with PostgreSQL's error, and the arithmetic between characters and bytes.
//
// Everything but ValidateUtf8 takes text that is already valid. Runs of ASCII are handled eight bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::types {

// Bytes from the start of `bytes` that are valid UTF-8 without a NUL byte; bytes.size() where all are.
size_t ValidUtf8Prefix(std::string_view bytes);
// 22021 `invalid byte sequence for encoding "UTF8": 0x…`, also for a NUL byte.
Status ValidateUtf8(std::string_view bytes);

// Length in bytes of the character that starts with `lead`.
constexpr size_t Utf8Length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte < 0x80) return 1;
  if ((byte & 0xE0) == 0xC0) return 2;
  if ((byte & 0xF0) == 0xE0) return 3;
  if ((byte & 0xF8) == 0xF0) return 4;
  return 1;
}
bool IsAscii(std::string_view text);
// Number of characters.
size_t Utf8Count(std::string_view text);
// Byte offset of the character number `index` (from 0); text.size() where the text is shorter.
size_t Utf8Offset(std::string_view text, size_t index);
// The longest prefix of whole characters within `bytes_max` bytes.
std::string_view Utf8Clip(std::string_view text, size_t bytes_max);

// The code point at the start of `text`. Requires: text not empty.
char32_t DecodeUtf8(std::string_view text);
// Requires: a code point up to 0x10FFFF.
void AppendUtf8(std::string& out, char32_t code_point);

}  // namespace mayfly::types
