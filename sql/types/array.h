// Arrays over any element type: their bytes, and the classes that read and build them.
//
//   bytes of an array value (little-endian, no padding):
//     u32 dimensions (0 = empty array; the rest is absent) | u32 flags (1 = some element is NULL)
//     per dimension: i32 length, i32 lower bound
//     NULL bitmap, one bit an element, 1 = NULL (only where the flag says so)
//     fixed-size elements: the values side by side, as in memory (a NULL has its place)
//     kBytes elements: u32 end offset each, then the bytes
//
// The element type is not in the bytes: it is TypeDesc::element of whoever holds the value. An element is found in O(1).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "sql/types/datum.h"
#include "sql/types/type.h"

namespace mayfly::types {

inline constexpr int kArrayDimensionsMax = 6;
// Largest number of elements, as PostgreSQL's MaxArraySize (1 GiB of Datums).
inline constexpr int64_t kArrayElementsMax = 134217727;

struct ArrayDimension {
  int32_t length = 0;
  int32_t lower = 1;
  int32_t upper() const { return lower + length - 1; }
  friend bool operator==(const ArrayDimension&, const ArrayDimension&) = default;
};

// Reads an array's bytes, borrowed. Elements of kBytes borrow from them too.
class ArrayReader {
 public:
  // Requires: `bytes` is an array value of this element type (made by ArrayBuilder).
  ArrayReader(const TypeDesc& element, std::string_view bytes);

  const TypeDesc& element_type() const { return *element_; }
  // 0 for the empty array.
  int dimension_count() const { return dimension_count_; }
  std::span<const ArrayDimension> dimensions() const { return {dimensions_.data(), static_cast<size_t>(dimension_count_)}; }
  // Elements in all dimensions together.
  size_t count() const { return count_; }
  bool has_nulls() const { return nulls_ != nullptr; }

  // By flat index, row-major, from 0. Requires: index < count().
  bool IsNull(size_t index) const {
    return nulls_ != nullptr && ((static_cast<unsigned char>(nulls_[index >> 3]) >> (index & 7)) & 1) != 0;
  }
  Datum Element(size_t index) const;
  // a[i][j]…: NULL where the number of subscripts is not the number of dimensions, or one is out of bounds.
  Datum At(std::span<const int32_t> subscripts) const;

 private:
  const TypeDesc* element_;
  int dimension_count_ = 0;
  std::array<ArrayDimension, kArrayDimensionsMax> dimensions_{};
  size_t count_ = 0;
  const char* nulls_ = nullptr;
  const char* values_ = nullptr;  // or the end offsets of kBytes
};

// Collects elements in row-major order, then writes the array's bytes.
class ArrayBuilder {
 public:
  explicit ArrayBuilder(const TypeDesc& element);

  // NULL is an element like others. Bytes are copied.
  void Append(const Datum& element);
  size_t count() const { return count_; }
  // Bytes held, for memory accounting.
  size_t used_bytes() const { return values_.size() + ends_.size() * sizeof(uint32_t) + nulls_.size(); }
  void Clear();

  // A one-dimensional array with lower bound 1; the empty array where there are no elements.
  void Finish(std::string& out) const { FinishOneDimension(1, out); }
  void FinishOneDimension(int32_t lower, std::string& out) const;
  // Requires: the product of the lengths is count(). No dimensions, or a zero length, mean the empty array.
  void Finish(std::span<const ArrayDimension> dimensions, std::string& out) const;
  // The same in an arena, as a Datum.
  Datum Finish(Arena& arena) const;
  Datum Finish(std::span<const ArrayDimension> dimensions, Arena& arena) const;

 private:
  const TypeDesc* element_;
  size_t count_ = 0;
  bool has_nulls_ = false;
  std::string nulls_;
  std::string values_;
  std::vector<uint32_t> ends_;
};

// The number of elements of these dimensions; 54000 `array size exceeds the maximum allowed (…)` where there are too many.
Result<size_t> ArrayElementCount(std::span<const ArrayDimension> dimensions);

// The order of the btree class of arrays: element by element, then the number of elements, dimensions, bounds.
int CompareArrays(const ArrayReader& a, const ArrayReader& b);

// array_in and array_out. Used by kArrayOps and by functions that convert arrays.
Result<Datum> ParseArray(const TypeDesc& element, std::string_view text, int32_t typmod, const IoContext& io, Arena& arena);
void FormatArray(const ArrayReader& array, const IoContext& io, std::string& out);

}  // namespace mayfly::types
