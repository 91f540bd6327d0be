// What types that are one integer share as TypeOps: binary format, order, hash, key. Signed or not by T. For the family files of
// sql/types only.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "sql/types/hash.h"
#include "sql/types/key_encoding.h"
#include "sql/types/type.h"

namespace mayfly::types {

template <typename T>
Result<Datum> PlainIntegerReceive(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena&) {
  if (bytes.size() < sizeof(T)) return SqlError::Make(kProtocolViolation, "insufficient data left in message");
  if (bytes.size() > sizeof(T)) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  return Datum(LoadBigEndian<T>(bytes.data()));
}
template <typename T>
void PlainIntegerSend(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendBigEndian(out, value.get<T>());
}
template <typename T>
int PlainIntegerCompare(const TypeDesc&, const Datum& a, const Datum& b) {
  const T x = a.get<T>();
  const T y = b.get<T>();
  return x < y ? -1 : x > y ? 1 : 0;
}
template <typename T>
uint64_t PlainIntegerHash(const TypeDesc&, const Datum& value) {
  return HashInt64(value.get<T>());
}
template <typename T>
void PlainIntegerEncodeKey(const TypeDesc&, const Datum& value, std::string& out) {
  AppendKeyInteger(out, value.get<T>());
}
template <typename T>
Result<Datum> PlainIntegerDecodeKey(const TypeDesc&, ByteReader& key, Arena&) {
  TRY(const T, value, ReadKeyInteger<T>(key));
  return Datum(value);
}

}  // namespace mayfly::types
