// The text forms of bytea: hex '\x0a' and escape 'a\012\\', also used by encode() and decode().
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::types {

void AppendHex(std::string_view bytes, std::string& out);
// Blanks between digit pairs are skipped. 22023 `invalid hexadecimal digit: "g"`, `invalid hexadecimal data: odd number of
// digits`.
Status DecodeHex(std::string_view text, std::string& out);

// `\` doubled, bytes outside printable ASCII as three octal digits.
void AppendByteaEscape(std::string_view bytes, std::string& out);
// 22P02 `invalid input syntax for type bytea`.
Status DecodeByteaEscape(std::string_view text, std::string& out);

}  // namespace mayfly::types
