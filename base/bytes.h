// Reading and writing integers in bytes: big-endian for keys and the wire, little-endian for stored payloads.
//
// Writers append to a std::string. ByteReader is total on hostile input: it never reads past the end, and remembers failure.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace mayfly {

template <std::integral T>
constexpr T ByteSwap(T value) {
  using U = std::make_unsigned_t<T>;
  if constexpr (sizeof(T) == 1) return value;
  if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(static_cast<U>(value)));
  if constexpr (sizeof(T) == 4) return static_cast<T>(__builtin_bswap32(static_cast<U>(value)));
  if constexpr (sizeof(T) == 8) return static_cast<T>(__builtin_bswap64(static_cast<U>(value)));
}

template <std::integral T>
constexpr T ToBigEndian(T value) {
  return std::endian::native == std::endian::big ? value : ByteSwap(value);
}
template <std::integral T>
constexpr T ToLittleEndian(T value) {
  return std::endian::native == std::endian::little ? value : ByteSwap(value);
}

template <std::integral T>
void AppendBigEndian(std::string& out, T value) {
  const T swapped = ToBigEndian(value);
  out.append(reinterpret_cast<const char*>(&swapped), sizeof swapped);
}
template <std::integral T>
void AppendLittleEndian(std::string& out, T value) {
  const T swapped = ToLittleEndian(value);
  out.append(reinterpret_cast<const char*>(&swapped), sizeof swapped);
}
// Requires: at least sizeof(T) bytes at `data`.
template <std::integral T>
T LoadBigEndian(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return ToBigEndian(value);
}
template <std::integral T>
T LoadLittleEndian(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return ToLittleEndian(value);
}

// LEB128, 7 bits a byte, at most 10 bytes.
void AppendVarint(std::string& out, uint64_t value);
// Length as varint, then the bytes.
void AppendLengthPrefixed(std::string& out, std::string_view bytes);

// Reads from a borrowed buffer. After a failed read every further read fails and yields zero or empty; look at ok() once, at the end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <std::integral T>
  T BigEndian() {
    return Take(sizeof(T)) ? LoadBigEndian<T>(last_) : T{};
  }
  template <std::integral T>
  T LittleEndian() {
    return Take(sizeof(T)) ? LoadLittleEndian<T>(last_) : T{};
  }
  uint64_t Varint();
  std::string_view LengthPrefixed();
  // Exactly `size` bytes.
  std::string_view Bytes(size_t size) { return Take(size) ? std::string_view{last_, size} : std::string_view{}; }
  // Up to and without the next zero byte, which is consumed. Fails where there is none.
  std::string_view CString();

  bool ok() const { return ok_; }
  bool AtEnd() const { return bytes_.empty(); }
  size_t remaining() const { return bytes_.size(); }
  std::string_view rest() const { return bytes_; }

 private:
  bool Take(size_t size);

  std::string_view bytes_;
  const char* last_ = nullptr;
  bool ok_ = true;
};

}  // namespace mayfly
