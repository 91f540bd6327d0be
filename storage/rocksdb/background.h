// The engine's own threads: one flushes buffered commits and moves the clock's mark, one does maintenance.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mayfly::storage {

// Calls functions at regular times until it is destroyed, each from a thread of its own.
class Background {
 public:
  Background() = default;
  ~Background() { Stop(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void Every(int64_t period_ms, std::function<void()> fn);
  // Returns when no function runs any more.
  void Stop();

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mayfly::storage
