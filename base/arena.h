// A bump allocator for bytes that die together. Not thread-safe. Pointers stay valid until Reset or destruction.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace mayfly {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  // `size` bytes, aligned to 8. Never null, not initialised.
  char* Allocate(size_t size) {
    size = (size + 7) & ~size_t{7};
    if (size > available_) return AllocateSlow(size);
    char* at = next_;
    next_ += size;
    available_ -= size;
    return at;
  }
  std::string_view Copy(std::string_view bytes) {
    if (bytes.empty()) return {};
    char* at = Allocate(bytes.size());
    std::memcpy(at, bytes.data(), bytes.size());
    return {at, bytes.size()};
  }
  // Frees everything but the first chunk, which is used again.
  void Reset();
  size_t reserved_bytes() const { return reserved_bytes_; }

 private:
  char* AllocateSlow(size_t size);

  struct Chunk {
    std::unique_ptr<char[]> bytes;
    size_t size = 0;
  };
  std::vector<Chunk> chunks_;
  char* next_ = nullptr;
  size_t available_ = 0;
  size_t reserved_bytes_ = 0;
};

}  // namespace mayfly
