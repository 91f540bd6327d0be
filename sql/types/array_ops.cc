// Arrays as a type: wire format, order, keys; and oidvector and int2vector, which are one-dimensional arrays from 0 with a text
// form of their own.
//
//   binary: int32 dimensions | int32 has NULLs | int32 element OID | per dimension int32 length, int32 lower bound
//           | per element int32 length (-1 = NULL), bytes
//   key:    per element 1 (a value follows) | encoded element, or 2 (NULL, sorts last); then 0 and the dimensions: int32 count,
//           lengths, lower bounds. An array that is a prefix of another ends with 0 and so sorts before it.
#include <algorithm>

#include "sql/types/array.h"
#include "sql/types/hash.h"
#include "sql/types/key_encoding.h"

namespace mayfly::types {

namespace {

ArrayReader Read(const TypeDesc& type, const Datum& value) { return ArrayReader(*type.element, value.bytes()); }

Result<Datum> ArrayIn(const TypeDesc& type, std::string_view text, int32_t typmod, const IoContext& io, Arena& arena) {
  return ParseArray(*type.element, text, typmod, io, arena);
}
void ArrayOut(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out) {
  FormatArray(Read(type, value), io, out);
}

void ArraySend(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out) {
  const std::string_view bytes = value.bytes();
  const ArrayReader array(*type.element, bytes);
  AppendBigEndian<int32_t>(out, array.dimension_count());
  AppendBigEndian<int32_t>(out, array.has_nulls() ? 1 : 0);
  AppendBigEndian<uint32_t>(out, type.element->oid.value);
  for (const ArrayDimension& dimension : array.dimensions()) {
    AppendBigEndian<int32_t>(out, dimension.length);
    AppendBigEndian<int32_t>(out, dimension.lower);
  }
  for (size_t i = 0; i < array.count(); ++i) {
    if (array.IsNull(i)) {
      AppendBigEndian<int32_t>(out, -1);
      continue;
    }
    const size_t length_at = out.size();
    out.append(4, '\0');
    type.element->ops->send(*type.element, array.Element(i), io, out);
    const int32_t length = ToBigEndian(static_cast<int32_t>(out.size() - length_at - 4));
    std::memcpy(out.data() + length_at, &length, 4);
  }
}

SqlError Truncated() { return SqlError::Make(kProtocolViolation, "insufficient data left in message"); }

Result<std::vector<ArrayDimension>> ReceiveDimensions(const TypeDesc& type, ByteReader& in) {
  const auto count = in.BigEndian<int32_t>();
  const auto flags = in.BigEndian<int32_t>();
  const auto element = in.BigEndian<uint32_t>();
  if (!in.ok()) return Truncated();
  if (count < 0) return SqlError::Make(kInvalidBinaryRepresentation, "invalid number of dimensions: {}", count);
  if (count > kArrayDimensionsMax) {
    return SqlError::Make(kProgramLimitExceeded, "number of array dimensions ({}) exceeds the maximum allowed ({})", count,
                          kArrayDimensionsMax);
  }
  if (flags != 0 && flags != 1) return SqlError::Make(kInvalidBinaryRepresentation, "invalid array flags");
  if (element != type.element->oid.value) {
    return SqlError::Make(kDatatypeMismatch, "binary data has array element type {} (\?\?\?) instead of expected {} ({})",
                          element, type.element->oid.value, type.element->name);
  }
  std::vector<ArrayDimension> dimensions(static_cast<size_t>(count));
  for (ArrayDimension& dimension : dimensions) {
    dimension.length = in.BigEndian<int32_t>();
    dimension.lower = in.BigEndian<int32_t>();
    if (!in.ok()) return Truncated();
    if (dimension.length < 0) {
      return SqlError::Make(kProgramLimitExceeded, "array size exceeds the maximum allowed ({})", kArrayElementsMax);
    }
    if (dimension.length > 0 && int64_t{dimension.lower} + dimension.length > INT32_MAX) {
      return SqlError::Make(kProgramLimitExceeded, "array lower bound is too large: {}", dimension.lower);
    }
  }
  return dimensions;
}

Result<Datum> ArrayRecv(const TypeDesc& type, std::string_view bytes, int32_t typmod, const IoContext& io, Arena& arena) {
  const TypeDesc& element = *type.element;
  ByteReader in(bytes);
  TRY(const std::vector<ArrayDimension>, dimensions, ReceiveDimensions(type, in));
  TRY(size_t, count, ArrayElementCount(dimensions));
  if (dimensions.empty()) count = 0;
  if (element.ops->recv == nullptr)
    return SqlError::Make(kUndefinedFunction, "no binary input function available for type {}", element.name);
  ArrayBuilder builder(element);
  for (size_t i = 0; i < count; ++i) {
    const auto length = in.BigEndian<int32_t>();
    if (!in.ok()) return Truncated();
    if (length < -1 || (length >= 0 && static_cast<size_t>(length) > in.remaining())) {
      return SqlError::Make(kInvalidBinaryRepresentation, "insufficient data left in message");
    }
    if (length == -1) {
      builder.Append(Datum::Null());
      continue;
    }
    TRY(const Datum, value, element.ops->recv(element, in.Bytes(static_cast<size_t>(length)), typmod, io, arena));
    builder.Append(value);
  }
  if (!in.AtEnd()) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  return builder.Finish(dimensions, arena);
}

int ArrayCompare(const TypeDesc& type, const Datum& a, const Datum& b) { return CompareArrays(Read(type, a), Read(type, b)); }

uint64_t ArrayHash(const TypeDesc& type, const Datum& value) {
  const ArrayReader array = Read(type, value);
  uint64_t hash = HashInt64(static_cast<int64_t>(array.count()));
  for (size_t i = 0; i < array.count(); ++i) {
    hash = HashCombine(hash, array.IsNull(i) ? 0 : type.element->ops->hash(*type.element, array.Element(i)));
  }
  return hash;
}

void ArrayEncodeKey(const TypeDesc& type, const Datum& value, std::string& out) {
  const ArrayReader array = Read(type, value);
  for (size_t i = 0; i < array.count(); ++i) {
    out += array.IsNull(i) ? '\2' : '\1';
    if (!array.IsNull(i)) type.element->ops->encode_key(*type.element, array.Element(i), out);
  }
  out += '\0';
  const auto append = [&out](int32_t n) { AppendBigEndian<uint32_t>(out, static_cast<uint32_t>(n) ^ 0x80000000U); };
  append(array.dimension_count());
  for (const ArrayDimension& dimension : array.dimensions()) append(dimension.length);
  for (const ArrayDimension& dimension : array.dimensions()) append(dimension.lower);
}

Result<Datum> ArrayDecodeKey(const TypeDesc& type, ByteReader& key, Arena& arena) {
  ArrayBuilder builder(*type.element);
  for (;;) {
    const auto mark = key.BigEndian<uint8_t>();
    if (!key.ok() || mark > 2) return SqlError::Make(kDataCorrupted, "a key is malformed in its array column");
    if (mark == 0) break;
    if (mark == 2) {
      builder.Append(Datum::Null());
      continue;
    }
    TRY(const Datum, value, type.element->ops->decode_key(*type.element, key, arena));
    builder.Append(value);
  }
  const auto read = [&key] { return static_cast<int32_t>(key.BigEndian<uint32_t>() ^ 0x80000000U); };
  const int32_t count = read();
  if (!key.ok() || count < 0 || count > kArrayDimensionsMax) {
    return SqlError::Make(kDataCorrupted, "a key is malformed in its array column");
  }
  std::vector<ArrayDimension> dimensions(static_cast<size_t>(count));
  for (ArrayDimension& dimension : dimensions) dimension.length = read();
  for (ArrayDimension& dimension : dimensions) dimension.lower = read();
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key is malformed in its array column");
  return builder.Finish(dimensions, arena);
}

// oidvector, int2vector: elements with one blank between.
Result<Datum> VectorIn(const TypeDesc& type, std::string_view text, int32_t, const IoContext& io, Arena& arena) {
  ArrayBuilder builder(*type.element);
  for (size_t at = 0;;) {
    at = text.find_first_not_of(" \t\n\r\f\v", at);
    if (at == std::string_view::npos) break;
    const size_t end = std::min(text.find_first_of(" \t\n\r\f\v", at), text.size());
    const Result<Datum> value = type.element->ops->in(*type.element, text.substr(at, end - at), -1, io, arena);
    // PostgreSQL's message shows all that was left to read.
    if (!value.ok()) return type.element->ops->in(*type.element, text.substr(at), -1, io, arena);
    builder.Append(*value);
    at = end;
  }
  const ArrayDimension dimension{static_cast<int32_t>(builder.count()), 0};
  return builder.Finish(std::span(&dimension, 1), arena);
}
void VectorOut(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out) {
  const ArrayReader array = Read(type, value);
  for (size_t i = 0; i < array.count(); ++i) {
    if (i > 0) out += ' ';
    type.element->ops->out(*type.element, array.Element(i), io, out);
  }
}
// An empty one still has its dimension.
void VectorSend(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out) {
  if (Read(type, value).count() > 0) return ArraySend(type, value, io, out);
  for (const uint32_t word : {1U, 0U, type.element->oid.value, 0U, 0U}) AppendBigEndian<uint32_t>(out, word);
}
// btoidvectorcmp: the shorter one first, then element by element.
int VectorCompare(const TypeDesc& type, const Datum& a, const Datum& b) {
  const ArrayReader x = Read(type, a);
  const ArrayReader y = Read(type, b);
  if (x.count() != y.count()) return x.count() < y.count() ? -1 : 1;
  return CompareArrays(x, y);
}
void VectorEncodeKey(const TypeDesc& type, const Datum& value, std::string& out) {
  AppendBigEndian<uint32_t>(out, static_cast<uint32_t>(Read(type, value).count()));
  ArrayEncodeKey(type, value, out);
}
Result<Datum> VectorDecodeKey(const TypeDesc& type, ByteReader& key, Arena& arena) {
  key.BigEndian<uint32_t>();
  return ArrayDecodeKey(type, key, arena);
}

constexpr TypeOps kVectorOps = {
    .physical = PhysicalType::kBytes,
    .in = VectorIn,
    .out = VectorOut,
    .recv = ArrayRecv,
    .send = VectorSend,
    .compare = VectorCompare,
    .hash = ArrayHash,
    .encode_key = VectorEncodeKey,
    .decode_key = VectorDecodeKey,
};

}  // namespace

constexpr TypeOps kArrayOps = {
    .physical = PhysicalType::kBytes,
    .in = ArrayIn,
    .out = ArrayOut,
    .recv = ArrayRecv,
    .send = ArraySend,
    .compare = ArrayCompare,
    .hash = ArrayHash,
    .encode_key = ArrayEncodeKey,
    .decode_key = ArrayDecodeKey,
};
constexpr TypeOps kOidvectorOps = kVectorOps;
constexpr TypeOps kInt2vectorOps = kVectorOps;

}  // namespace mayfly::types
