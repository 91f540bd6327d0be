// One SQL value in memory: how every type is represented while a statement runs.
//
//   physical     C++ type     SQL types
//   kBool        bool         bool
//   kInt16       int16_t      int2
//   kInt32       int32_t      int4, date (days since 2000-01-01), oid and reg* (bits of a uint32_t), "char" (0..255)
//   kInt64       int64_t      int8, timestamp, timestamptz, time, money (microseconds since 2000-01-01, or since midnight)
//   kFloat32/64  float/double float4, float8
//   kInterval    Interval     interval
//   kUuid        Uuid         uuid
//   kBytes       StringRef    text, varchar, bpchar, name, bytea, numeric, json, jsonb, arrays, records: each family's own encoding
//
// NULL is not a value of any type: it is a flag beside the value. Equality for grouping, sorting and keys is TypeOps::compare;
// three-valued logic lives in expression evaluation.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace mayfly::types {

enum class PhysicalType : uint8_t { kBool, kInt16, kInt32, kInt64, kFloat32, kFloat64, kInterval, kUuid, kBytes };

// Bytes of any length, 16 bytes itself: up to 12 bytes inline, longer ones by pointer with a 4-byte prefix for quick comparison.
// Borrows the bytes of a long string: from an Arena, a stored row, or a constant of the plan.
class StringRef {
 public:
  static constexpr uint32_t kInlineBytes = 12;

  StringRef() : size_(0) { std::memset(inline_, 0, sizeof inline_); }
  explicit StringRef(std::string_view bytes) : size_(static_cast<uint32_t>(bytes.size())) {
    std::memset(inline_, 0, sizeof inline_);
    if (size_ <= kInlineBytes) {
      if (size_ != 0) std::memcpy(inline_, bytes.data(), size_);
    } else {
      std::memcpy(inline_, bytes.data(), 4);
      const char* data = bytes.data();
      std::memcpy(inline_ + 4, &data, sizeof data);
    }
  }

  uint32_t size() const { return size_; }
  bool is_inline() const { return size_ <= kInlineBytes; }
  // For inline strings the pointer is into this object.
  const char* data() const {
    if (is_inline()) return inline_;
    const char* data;
    std::memcpy(&data, inline_ + 4, sizeof data);
    return data;
  }
  std::string_view view() const { return {data(), size_}; }

  friend bool operator==(const StringRef& a, const StringRef& b) {
    if (std::memcmp(&a, &b, 8) != 0) return false;  // size and prefix
    if (a.is_inline()) return std::memcmp(a.inline_ + 4, b.inline_ + 4, 8) == 0;
    return std::memcmp(a.data(), b.data(), a.size_) == 0;
  }

 private:
  uint32_t size_;
  char inline_[kInlineBytes];
};
static_assert(sizeof(StringRef) == 16 && std::is_trivially_copyable_v<StringRef>);

// interval, as PostgreSQL keeps it: the three parts are independent.
struct Interval {
  int64_t micros = 0;
  int32_t days = 0;
  int32_t months = 0;
  friend bool operator==(const Interval&, const Interval&) = default;  // bytes, not SQL equality (TypeOps::compare)
};

struct Uuid {
  uint8_t bytes[16] = {};
  friend bool operator==(const Uuid&, const Uuid&) = default;
};

constexpr size_t PhysicalSize(PhysicalType type) {
  switch (type) {
    case PhysicalType::kBool: return 1;
    case PhysicalType::kInt16: return 2;
    case PhysicalType::kInt32:
    case PhysicalType::kFloat32: return 4;
    case PhysicalType::kInt64:
    case PhysicalType::kFloat64: return 8;
    case PhysicalType::kInterval:
    case PhysicalType::kUuid:
    case PhysicalType::kBytes: return 16;
  }
  return 0;
}

// One value or NULL, 24 bytes, trivially copyable. Long bytes are borrowed: whoever keeps a Datum keeps the bytes.
class Datum {
 public:
  Datum() : is_null_(true) { std::memset(payload_, 0, sizeof payload_); }
  template <typename T>
    requires(sizeof(T) <= 16 && std::is_trivially_copyable_v<T> && !std::is_same_v<T, Datum> && !std::is_convertible_v<T, std::string_view>)
  explicit Datum(T value) : is_null_(false) {
    std::memset(payload_, 0, sizeof payload_);
    std::memcpy(payload_, &value, sizeof value);
  }
  explicit Datum(std::string_view bytes) : Datum(StringRef(bytes)) {}
  static Datum Null() { return Datum(); }

  bool is_null() const { return is_null_; }
  // Requires: not NULL, and T is the C++ type of the value's physical type (uint32_t may stand for int32_t).
  template <typename T>
  T get() const {
    T value;
    std::memcpy(&value, payload_, sizeof value);
    return value;
  }
  // Requires: kBytes, not NULL. Inline bytes live in this object.
  std::string_view bytes() const { return reinterpret_cast<const StringRef*>(payload_)->view(); }
  const void* payload() const { return payload_; }

 private:
  alignas(8) char payload_[16];
  bool is_null_;
};
static_assert(sizeof(Datum) == 24 && std::is_trivially_copyable_v<Datum>);

}  // namespace mayfly::types
