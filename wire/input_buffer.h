// Bytes received and not yet handled, in one piece, with room behind them for the next read. Grows only as bytes really come in:
// a length that a client merely claims takes no memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace mayfly::wire {

class InputBuffer {
 public:
  static constexpr size_t kIdleBytes = 1024;
  static constexpr size_t kUsualBytes = 16 * 1024;

  std::string_view view() const { return {bytes_.get() + begin_, end_ - begin_}; }
  void Consume(size_t count) {
    begin_ += count;
    if (begin_ == end_) begin_ = end_ = 0;
  }
  // Where the next bytes go. Never empty after Reserve.
  char* space() { return bytes_.get() + end_; }
  size_t space_size() const { return capacity_ - end_; }
  void Received(size_t count) { end_ += count; }
  void Append(std::string_view bytes) {
    while (space_size() < bytes.size()) Grow();
    std::memcpy(space(), bytes.data(), bytes.size());
    Received(bytes.size());
  }

  // Makes room to read into, for a message of `wanted` bytes of which some may be here already. A buffer at most doubles by one
  // call.
  void Reserve(size_t wanted) {
    if (begin_ != 0) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    if (end_ == 0 && capacity_ > kKeptBytes && wanted <= kUsualBytes) Replace(kUsualBytes);
    if (capacity_ == 0) Replace(kIdleBytes);
    if (space_size() == 0 || (wanted > capacity_ && space_size() < capacity_ / 2)) Grow();
  }
  // A read filled the buffer to its end: more is coming than it was made for.
  void GrowForMore() {
    if (capacity_ < kLargeBytes) Grow();
  }
  // Requires: nothing is in the buffer.
  void Shrink() {
    if (end_ == 0 && capacity_ > kIdleBytes) Replace(kIdleBytes);
  }

 private:
  static constexpr size_t kLargeBytes = 64 * 1024;
  static constexpr size_t kKeptBytes = 128 * 1024;

  void Grow() { Replace(capacity_ < kUsualBytes ? kUsualBytes : 2 * capacity_); }
  void Replace(size_t capacity) {
    std::unique_ptr<char[]> bytes(new char[capacity]);
    if (end_ != begin_) std::memcpy(bytes.get(), bytes_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    capacity_ = capacity;
    bytes_ = std::move(bytes);
  }

  std::unique_ptr<char[]> bytes_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace mayfly::wire
