// The rules of the text-like types that functions and casts share: lengths, padding, truncation (PostgreSQL manual, 8.3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::types {

inline constexpr size_t kNameBytesMax = 63;
// A length modifier n is kept as typmod n + 4, as PostgreSQL does.
inline constexpr int32_t kTypmodOffset = 4;

// bpchar compares, and becomes text, without its trailing blanks.
constexpr std::string_view TrimBlanks(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// `text` cut to the length of a varchar typmod; with `is_explicit` anything may be cut, otherwise only blanks: 22001 `value too
// long for type character varying(n)`.
Result<std::string_view> FitVarchar(std::string_view text, int32_t typmod, bool is_explicit);
// The same for bpchar. What is too short comes back in `padded`, filled up with blanks; the result may borrow from it.
Result<std::string_view> FitBpchar(std::string_view text, int32_t typmod, bool is_explicit, std::string& padded);
// name: cut to 63 bytes of whole characters, silently.
std::string_view FitName(std::string_view text);

// "char": a byte as text, \ooo beyond ASCII; and back.
void AppendCharText(int32_t value, std::string& out);
int32_t ParseCharText(std::string_view text);

}  // namespace mayfly::types
