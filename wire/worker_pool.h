// Threads for statements that may wait. They are made on demand, wait for work for a while, and then go.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace mayfly::wire {

class WorkerPool {
 public:
  class Job {
   public:
    virtual ~Job() = default;
    virtual void Run() = 0;
  };

  explicit WorkerPool(size_t threads_max) : threads_max_(threads_max) {}
  // Waits for all jobs.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Any thread. A job that `holds_transaction` never waits for a thread, whatever the limit: others may be waiting for what it
  // holds.
  void Submit(std::unique_ptr<Job> job, bool holds_transaction);
  // Waits until no job is left; none may be submitted afterwards.
  void Stop();

 private:
  void Work();
  // False where the system refuses. Requires: the mutex is held.
  bool StartThread();

  const size_t threads_max_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable gone_;
  std::deque<std::unique_ptr<Job>> queue_;
  size_t threads_ = 0;
  size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace mayfly::wire
