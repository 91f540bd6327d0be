#include "storage/rocksdb/background.h"

#include <chrono>
#include <utility>

namespace mayfly::storage {

void Background::Every(int64_t period_ms, std::function<void()> fn) {
  threads_.emplace_back([this, period_ms, fn = std::move(fn)] {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(period_ms), [this] { return stopping_; })) {
      lock.unlock();
      fn();
      lock.lock();
    }
  });
}

void Background::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace mayfly::storage
