// Threads on demand: the limit, and who passes it.
#include "wire/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <latch>

namespace mayfly::wire {
namespace {

class FunctionJob final : public WorkerPool::Job {
 public:
  explicit FunctionJob(std::function<void()> run) : run_(std::move(run)) {}
  void Run() override { run_(); }

 private:
  std::function<void()> run_;
};

std::unique_ptr<WorkerPool::Job> MakeJob(std::function<void()> run) { return std::make_unique<FunctionJob>(std::move(run)); }

TEST(WorkerPoolTest, AllJobsRunWithinTheLimit) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  {
    WorkerPool pool(3);
    for (int i = 0; i < 1000; ++i) {
      pool.Submit(MakeJob([&] {
                    const int now = ++running;
                    int seen = most;
                    while (seen < now && !most.compare_exchange_weak(seen, now)) {
                    }
                    --running;
                    ++done;
                  }),
                  false);
    }
  }
  EXPECT_EQ(done, 1000);
  EXPECT_LE(most, 3);
}

TEST(WorkerPoolTest, WhoHoldsATransactionNeverWaitsForAThread) {
  WorkerPool pool(1);
  std::latch released(1);
  std::latch finished(3);
  // The only thread waits for what the second one does.
  pool.Submit(MakeJob([&] {
                released.wait();
                finished.count_down();
              }),
              false);
  pool.Submit(MakeJob([&] { finished.count_down(); }), false);
  pool.Submit(MakeJob([&] {
                released.count_down();
                finished.count_down();
              }),
              true);
  finished.wait();
}

}  // namespace
}  // namespace mayfly::wire
