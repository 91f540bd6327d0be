// Memory is bounded: every executor accounts for what it holds, against its statement, against the server.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/result.h"

namespace mayfly {

// A node in the tree server -> statement. Thread-safe. The parent outlives the child.
class MemoryAccount {
 public:
  // limit_bytes <= 0: no limit of its own.
  explicit MemoryAccount(int64_t limit_bytes, MemoryAccount* parent = nullptr) : limit_bytes_(limit_bytes), parent_(parent) {}
  ~MemoryAccount();
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  // Adds `bytes` here and in all parents; 53200 (kOutOfMemory), with nothing added, where a limit would be passed.
  Status Grow(int64_t bytes);
  void Shrink(int64_t bytes);
  int64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

 private:
  const int64_t limit_bytes_;
  MemoryAccount* const parent_;
  std::atomic<int64_t> used_bytes_{0};
};

}  // namespace mayfly
