// Order-preserving bytes that several families share. A family's encode_key appends them; memcmp order is the order of values.
//
//   bytes of any length   each 00 as 00 FF, then 00 01: no encoding is a prefix of another
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/result.h"

namespace mayfly::types {

inline void AppendKeyBytes(std::string& out, std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t zero = bytes.find('\0');
    if (zero == std::string_view::npos) {
      out += bytes;
      break;
    }
    out += bytes.substr(0, zero);
    out += std::string_view("\0\xFF", 2);
    bytes.remove_prefix(zero + 1);
  }
  out += std::string_view("\0\1", 2);
}

// Reads what AppendKeyBytes wrote. XX001 where the key ends too early.
inline Result<std::string_view> ReadKeyBytes(ByteReader& key, Arena& arena) {
  const std::string_view rest = key.rest();
  size_t zeros = 0;
  size_t end = 0;
  for (;;) {
    end = rest.find('\0', end);
    if (end == std::string_view::npos || end + 1 >= rest.size()) {
      return SqlError::Make(kDataCorrupted, "a key ends within its text column");
    }
    if (rest[end + 1] == '\1') break;
    ++zeros;
    end += 2;
  }
  const std::string_view raw = key.Bytes(end + 2).substr(0, end);
  if (zeros == 0) return arena.Copy(raw);
  char* const copy = arena.Allocate(raw.size() - zeros);
  size_t size = 0;
  for (size_t i = 0; i < raw.size(); ++i) {
    copy[size++] = raw[i];
    if (raw[i] == '\0') ++i;
  }
  return std::string_view(copy, size);
}

}  // namespace mayfly::types
