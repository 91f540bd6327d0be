// Just enough UTF-8 for statement texts: are they valid, and where is character number n.
#pragma once

#include <string_view>

#include "base/result.h"

namespace mayfly::parse {

// 22021 `invalid byte sequence for encoding "UTF8": 0x…` for invalid UTF-8 and for a NUL byte.
Status CheckStatementEncoding(std::string_view text);

// Byte offset of character `index` (from 0); text.size() where the text is shorter. Requires: valid UTF-8.
size_t CharacterOffset(std::string_view text, size_t index);
// Number of characters that begin before `offset`. Requires: valid UTF-8.
size_t CharactersBefore(std::string_view text, size_t offset);

}  // namespace mayfly::parse
