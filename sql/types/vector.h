// A column of up to kBatchRows values, and a batch of such columns: what executors pass to each other.
//
// A Vector owns its values, validity bitmap and the heap for long strings that it made itself. A StringRef in it may also borrow from
// another vector of the same batch, from the plan's constants, or from parameters: all of that lives until the producer of the
// batch is asked for the next one. A constant vector holds one value, at row 0, that stands for every row.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/arena.h"
#include "sql/types/datum.h"

namespace mayfly::types {

inline constexpr size_t kBatchRows = 1024;

// The rows of a batch that an operation works on: ascending row numbers, or all of 0..count-1 where `rows` is null. Borrowed.
struct Selection {
  const uint16_t* rows = nullptr;
  size_t count = 0;
  size_t operator[](size_t i) const { return rows == nullptr ? i : rows[i]; }
};

class Vector {
 public:
  explicit Vector(PhysicalType physical, size_t capacity = kBatchRows);
  Vector(Vector&&) noexcept = default;
  Vector& operator=(Vector&&) noexcept = default;

  PhysicalType physical() const { return physical_; }
  size_t capacity() const { return capacity_; }

  // Values by row. T is the C++ type of the physical type. For a constant vector only row 0 exists: use Index.
  template <typename T>
  T* data() {
    return reinterpret_cast<T*>(data_.get());
  }
  template <typename T>
  const T* data() const {
    return reinterpret_cast<const T*>(data_.get());
  }

  bool is_constant() const { return index_mask_ == 0; }
  // Makes row 0 stand for every row. Reset() undoes it.
  void SetConstant() { index_mask_ = 0; }
  // Where the value of `row` lies: the row itself, or 0.
  size_t Index(size_t row) const { return row & index_mask_; }
  size_t index_mask() const { return index_mask_; }

  // False means that no row is NULL (then the bitmap need not be looked at); true means that some may be.
  bool may_have_nulls() const { return may_have_nulls_; }
  // `row` is mapped through Index by these two.
  bool IsNull(size_t row) const {
    if (!may_have_nulls_) return false;
    row = Index(row);
    return ((null_words_[row >> 6] >> (row & 63)) & 1) != 0;
  }
  Datum Get(size_t row) const;

  void SetNull(size_t row) {
    may_have_nulls_ = true;
    null_words_[row >> 6] |= uint64_t{1} << (row & 63);
  }
  // One bit a row, 1 = NULL (the complement of a validity bitmap, so that "all valid" is all zero).
  uint64_t* null_words() { return null_words_.get(); }
  const uint64_t* null_words() const { return null_words_.get(); }
  void set_may_have_nulls(bool value) { may_have_nulls_ = value; }

  template <typename T>
  void Set(size_t row, T value) {
    data<T>()[row] = value;
  }
  // Copies long bytes into this vector's heap.
  void SetBytes(size_t row, std::string_view bytes) {
    data<StringRef>()[row] = StringRef(bytes.size() <= StringRef::kInlineBytes ? bytes : heap_.Copy(bytes));
  }
  // Any value or NULL. Long bytes are borrowed with kBorrow, copied otherwise.
  void SetDatum(size_t row, const Datum& value, bool borrow = false);

  // No NULLs, not constant, heap empty. The values are left as they are.
  void Reset();
  Arena& heap() { return heap_; }

 private:
  PhysicalType physical_;
  bool may_have_nulls_ = false;
  size_t capacity_;
  size_t index_mask_ = ~size_t{0};
  std::unique_ptr<char[]> data_;
  std::unique_ptr<uint64_t[]> null_words_;
  Arena heap_;
};

// Columns side by side, borrowed from whoever produced them; valid until that producer is asked for the next batch.
struct Batch {
  std::vector<const Vector*> columns;
  size_t rows = 0;                 // rows in the columns
  const uint16_t* selected = nullptr;  // which of them count (ascending); null = all
  size_t selected_count = 0;       // meaningful where `selected` is set

  Selection selection() const { return selected == nullptr ? Selection{nullptr, rows} : Selection{selected, selected_count}; }
  size_t count() const { return selected == nullptr ? rows : selected_count; }
};

}  // namespace mayfly::types
