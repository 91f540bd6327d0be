#include "sql/exec/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace mayfly::exec {

namespace {

// The parts of one RunParts. Shared, since a thread of the pool may look at it when the caller has left already.
struct Job {
  std::vector<std::packaged_task<void()>> parts;  // packaged: they carry exceptions to the caller
  std::atomic<size_t> next{0};

  void Work() {
    for (size_t i = next.fetch_add(1); i < parts.size(); i = next.fetch_add(1)) parts[i]();
  }
};

class WorkerPool {
 public:
  explicit WorkerPool(size_t threads) {
    for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
  }
  ~WorkerPool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void Offer(const std::shared_ptr<Job>& job) {
    {
      const std::lock_guard lock(mutex_);
      for (size_t i = 0; i < std::min(threads_.size(), job->parts.size() - 1); ++i) jobs_.push_back(job);
    }
    wake_.notify_all();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (stopping_) return;
      const std::shared_ptr<Job> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job->Work();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Job>> jobs_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

size_t WorkerCount() {
  static const size_t count = std::max<size_t>(1, std::thread::hardware_concurrency());
  return count;
}

void RunParts(size_t count, FunctionRef<void(size_t)> work) {
  static WorkerPool pool(WorkerCount() - 1);
  const auto job = std::make_shared<Job>();
  std::vector<std::future<void>> done;
  for (size_t i = 0; i < count; ++i) {
    job->parts.emplace_back([work, i] { work(i); });
    done.push_back(job->parts.back().get_future());
  }
  if (count > 1) pool.Offer(job);
  job->Work();
  for (std::future<void>& part : done) part.wait();
  for (std::future<void>& part : done) part.get();
}

}  // namespace mayfly::exec
