#include "wire/worker_pool.h"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace mayfly::wire {
namespace {

constexpr auto kIdleTime = std::chrono::seconds(10);

}  // namespace

WorkerPool::~WorkerPool() { Stop(); }

void WorkerPool::Submit(std::unique_ptr<Job> job, bool holds_transaction) {
  std::unique_lock lock(mutex_);
  if (holds_transaction) {
    queue_.push_front(std::move(job));
  } else {
    queue_.push_back(std::move(job));
  }
  const bool wants_thread = idle_ < queue_.size() && (threads_ < threads_max_ || holds_transaction);
  if (!wants_thread || StartThread()) {
    work_.notify_one();
    return;
  }
  // The system gives no more threads: those that are there will come to it. Without any the caller has to do it itself.
  if (threads_ != 0) return;
  std::unique_ptr<Job> own = std::move(queue_.front());
  queue_.pop_front();
  lock.unlock();
  own->Run();
}

bool WorkerPool::StartThread() {
  try {
    std::thread([this] { Work(); }).detach();
  } catch (const std::system_error&) {
    return false;
  }
  ++threads_;
  return true;
}

void WorkerPool::Stop() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  work_.notify_all();
  gone_.wait(lock, [this] { return threads_ == 0; });
}

void WorkerPool::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (queue_.empty()) {
      if (stopping_) break;
      ++idle_;
      const bool found = work_.wait_for(lock, kIdleTime, [this] { return stopping_ || !queue_.empty(); });
      --idle_;
      if (!found) break;
      continue;
    }
    std::unique_ptr<Job> job = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    job->Run();
    job.reset();
    lock.lock();
  }
  --threads_;
  gone_.notify_all();
}

}  // namespace mayfly::wire
