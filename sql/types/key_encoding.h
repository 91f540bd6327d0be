// Order-preserving bytes that several families share. A family's encode_key appends them; memcmp order is the order of values.
//
//   bytes of any length   each 00 as 00 FF, then 00 01: no encoding is a prefix of another
//   integers              big-endian, the sign bit flipped where there is a sign
//   floats                the bits big-endian; positive ones with the sign bit set, negative ones complemented; -0 is 0, NaN the
//   greatest
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

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

template <std::integral T>
void AppendKeyInteger(std::string& out, T value) {
  using U = std::make_unsigned_t<T>;
  constexpr U kFlip = std::is_signed_v<T> ? static_cast<U>(U{1} << (sizeof(T) * 8 - 1)) : U{0};
  AppendBigEndian(out, static_cast<U>(static_cast<U>(value) ^ kFlip));
}

template <std::integral T>
Result<T> ReadKeyInteger(ByteReader& key) {
  using U = std::make_unsigned_t<T>;
  constexpr U kFlip = std::is_signed_v<T> ? static_cast<U>(U{1} << (sizeof(T) * 8 - 1)) : U{0};
  const U bits = key.BigEndian<U>();
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key ends within its integer column");
  return static_cast<T>(bits ^ kFlip);
}

template <std::floating_point T>
using FloatBits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <std::floating_point T>
void AppendKeyFloat(std::string& out, T value) {
  using U = FloatBits<T>;
  constexpr U kSign = U{1} << (sizeof(T) * 8 - 1);
  if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
  if (value == 0) value = 0;
  const U bits = std::bit_cast<U>(value);
  AppendBigEndian(out, static_cast<U>((bits & kSign) != 0 ? ~bits : bits | kSign));
}

// Gives -0 back as 0.
template <std::floating_point T>
Result<T> ReadKeyFloat(ByteReader& key) {
  using U = FloatBits<T>;
  constexpr U kSign = U{1} << (sizeof(T) * 8 - 1);
  const U bits = key.BigEndian<U>();
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key ends within its floating-point column");
  return std::bit_cast<T>(static_cast<U>((bits & kSign) != 0 ? bits ^ kSign : ~bits));
}

}  // namespace mayfly::types
