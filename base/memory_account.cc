#include "base/memory_account.h"

namespace mayfly {

MemoryAccount::~MemoryAccount() {
  if (parent_ != nullptr) parent_->Shrink(used_bytes());
}

Status MemoryAccount::Grow(int64_t bytes) {
  const int64_t before = used_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (limit_bytes_ > 0 && before + bytes > limit_bytes_) {
    used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    return SqlError::Make(kOutOfMemory, "out of memory").Detail(fmt::format("Failed on request of size {}.", bytes));
  }
  if (parent_ != nullptr) {
    if (Status up = parent_->Grow(bytes); !up.ok()) {
      used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
      return up;
    }
  }
  return Ok();
}

void MemoryAccount::Shrink(int64_t bytes) {
  used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  if (parent_ != nullptr) parent_->Shrink(bytes);
}

}  // namespace mayfly
