// What date, time and the timestamps share as TypeOps: they are integers that order as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "base/bytes.h"
#include "sql/types/hash.h"
#include "sql/types/type.h"

namespace mayfly::types {

template <typename T>
int CompareIntegers(const TypeDesc&, const Datum& a, const Datum& b) {
  const T x = a.get<T>();
  const T y = b.get<T>();
  return x < y ? -1 : x > y ? 1 : 0;
}

template <typename T>
uint64_t HashInteger(const TypeDesc&, const Datum& value) {
  return HashInt64(value.get<T>());
}

// Big-endian with the sign bit turned, so that memcmp orders negative before positive.
template <typename T>
void EncodeIntegerKey(const TypeDesc&, const Datum& value, std::string& out) {
  using U = std::make_unsigned_t<T>;
  AppendBigEndian(out, static_cast<U>(static_cast<U>(value.get<T>()) ^ (U{1} << (sizeof(T) * 8 - 1))));
}

template <typename T>
Result<Datum> DecodeIntegerKey(const TypeDesc&, ByteReader& key, Arena&) {
  using U = std::make_unsigned_t<T>;
  const U bits = key.BigEndian<U>();
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key ends within its date/time column");
  return Datum(static_cast<T>(bits ^ (U{1} << (sizeof(T) * 8 - 1))));
}

template <typename T>
void SendInteger(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendBigEndian(out, value.get<T>());
}

// The integer that `bytes` must be as a whole.
template <typename T>
Result<T> ReceiveInteger(std::string_view bytes) {
  if (bytes.size() < sizeof(T)) return SqlError::Make(kProtocolViolation, "insufficient data left in message");
  if (bytes.size() > sizeof(T)) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  return LoadBigEndian<T>(bytes.data());
}

}  // namespace mayfly::types
