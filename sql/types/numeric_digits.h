// The digits of a numeric while it is computed with: up to 24 of them stand in the object itself, so that usual amounts need no
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace mayfly::types {

class NumericDigits {
 public:
  NumericDigits() = default;
  NumericDigits(const NumericDigits& other) { Assign(other.data(), other.size_); }
  NumericDigits(NumericDigits&& other) noexcept { Take(other); }
  NumericDigits& operator=(const NumericDigits& other) {
    if (this != &other) Assign(other.data(), other.size_);
    return *this;
  }
  NumericDigits& operator=(NumericDigits&& other) noexcept {
    if (this != &other) Take(other);
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int16_t* data() { return heap_ ? heap_.get() : inline_; }
  const int16_t* data() const { return heap_ ? heap_.get() : inline_; }
  int16_t& operator[](size_t i) { return data()[i]; }
  int16_t operator[](size_t i) const { return data()[i]; }

  // The digits' values are unspecified where the size grows.
  void Resize(size_t size) {
    if (size > capacity_) Grow(size);
    size_ = size;
  }
  void Clear() { size_ = 0; }
  void Assign(const int16_t* digits, size_t size) {
    Resize(size);
    if (size != 0) std::memcpy(data(), digits, size * sizeof(int16_t));
  }
  void DropFirst(size_t count) {
    size_ -= count;
    std::memmove(data(), data() + count, size_ * sizeof(int16_t));
  }

 private:
  static constexpr size_t kInline = 24;

  void Grow(size_t size) {
    const size_t capacity = size + size / 2;
    auto bytes = std::make_unique_for_overwrite<int16_t[]>(capacity);
    if (size_ != 0) std::memcpy(bytes.get(), data(), size_ * sizeof(int16_t));
    heap_ = std::move(bytes);
    capacity_ = capacity;
  }
  void Take(NumericDigits& other) {
    heap_ = std::move(other.heap_);
    size_ = other.size_;
    capacity_ = heap_ ? other.capacity_ : kInline;
    if (!heap_ && size_ != 0) std::memcpy(inline_, other.inline_, size_ * sizeof(int16_t));
    other.size_ = 0;
    other.capacity_ = kInline;
  }

  size_t size_ = 0;
  size_t capacity_ = kInline;
  std::unique_ptr<int16_t[]> heap_;
  int16_t inline_[kInline];
};

}  // namespace mayfly::types
