#include "storage/lock_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <thread>

namespace mayfly::storage {
namespace {

constexpr LockOptions kNoWait{.timeout_ms = 0};

std::string StateOf(const Status& status) { return status.ok() ? "" : std::string(status.error().state.code()); }

// A thread that waits for a lock, and what came of it.
class Waiting {
 public:
  Waiting(LockTable& locks, LockOwner& owner, std::string key, LockMode mode, std::function<void()> then = {})
      : thread_([this, &locks, &owner, key = std::move(key), mode, then = std::move(then)] {
          state_ = StateOf(locks.Acquire(owner, key, mode, {}));
          if (then) then();
          locks.ReleaseAll(owner);
        }) {}
  std::string Join() {
    thread_.join();
    return state_;
  }

 private:
  std::string state_;
  std::thread thread_;
};

void AwaitWaiters(const LockTable& locks, size_t count) {
  while (locks.waiting() != count) std::this_thread::yield();
}

TEST(LockTableTest, GivesEverythingBack) {
  LockTable locks;
  LockOwner owner;
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(StateOf(locks.Acquire(owner, std::to_string(i), LockMode::kExclusive, kNoWait)), "");
  EXPECT_EQ(locks.size(), 10'000u);
  EXPECT_TRUE(locks.Holds(owner, "5000", LockMode::kExclusive));
  locks.ReleaseAll(owner);
  EXPECT_EQ(locks.size(), 0u);
  EXPECT_FALSE(locks.Holds(owner, "5000", LockMode::kShared));
}

TEST(LockTableTest, ReleasesToAMarkAndTakesUpgradesBack) {
  LockTable locks;
  LockOwner owner;
  LockOwner other;
  ASSERT_EQ(StateOf(locks.Acquire(owner, "a", LockMode::kShared, kNoWait)), "");
  const size_t mark = owner.mark();
  ASSERT_EQ(StateOf(locks.Acquire(owner, "a", LockMode::kExclusive, kNoWait)), "");
  ASSERT_EQ(StateOf(locks.Acquire(owner, "b", LockMode::kExclusive, kNoWait)), "");
  EXPECT_EQ(StateOf(locks.Acquire(other, "a", LockMode::kShared, kNoWait)), "55P03");
  locks.ReleaseTo(owner, mark);
  EXPECT_EQ(StateOf(locks.Acquire(other, "a", LockMode::kShared, kNoWait)), "");
  EXPECT_EQ(StateOf(locks.Acquire(other, "a", LockMode::kExclusive, kNoWait)), "55P03");
  EXPECT_EQ(StateOf(locks.Acquire(other, "b", LockMode::kExclusive, kNoWait)), "");
  locks.ReleaseAll(owner);
  locks.ReleaseAll(other);
}

TEST(LockTableTest, GrantsInTheOrderOfArrival) {
  LockTable locks;
  LockOwner holder;
  LockOwner writer;
  LockOwner reader;
  ASSERT_EQ(StateOf(locks.Acquire(holder, "k", LockMode::kShared, kNoWait)), "");
  std::atomic<int> turn{0};
  int writer_turn = 0;
  int reader_turn = 0;
  Waiting first(locks, writer, "k", LockMode::kExclusive, [&] { writer_turn = ++turn; });
  AwaitWaiters(locks, 1);
  // It could share the lock with its holder, but the writer came first.
  Waiting second(locks, reader, "k", LockMode::kShared, [&] { reader_turn = ++turn; });
  AwaitWaiters(locks, 2);
  locks.ReleaseAll(holder);
  EXPECT_EQ(first.Join(), "");
  EXPECT_EQ(second.Join(), "");
  EXPECT_EQ(writer_turn, 1);
  EXPECT_EQ(reader_turn, 2);
  EXPECT_EQ(locks.size(), 0u);
}

TEST(LockTableTest, AnUpgradeGoesBeforeTheQueue) {
  LockTable locks;
  LockOwner upgrader;
  LockOwner reader;
  LockOwner writer;
  ASSERT_EQ(StateOf(locks.Acquire(upgrader, "k", LockMode::kShared, kNoWait)), "");
  ASSERT_EQ(StateOf(locks.Acquire(reader, "k", LockMode::kShared, kNoWait)), "");
  std::atomic<int> turn{0};
  int upgrade_turn = 0;
  int writer_turn = 0;
  Waiting queued(locks, writer, "k", LockMode::kExclusive, [&] { writer_turn = ++turn; });
  AwaitWaiters(locks, 1);
  Waiting upgrade(locks, upgrader, "k", LockMode::kExclusive, [&] { upgrade_turn = ++turn; });
  AwaitWaiters(locks, 2);
  locks.ReleaseAll(reader);
  EXPECT_EQ(upgrade.Join(), "");
  EXPECT_EQ(queued.Join(), "");
  EXPECT_EQ(upgrade_turn, 1);
  EXPECT_EQ(writer_turn, 2);
}

TEST(LockTableTest, TwoUpgradesOfOneKeyAreADeadlock) {
  LockTable locks;
  LockOwner one;
  LockOwner two;
  ASSERT_EQ(StateOf(locks.Acquire(one, "k", LockMode::kShared, kNoWait)), "");
  ASSERT_EQ(StateOf(locks.Acquire(two, "k", LockMode::kShared, kNoWait)), "");
  Waiting first(locks, one, "k", LockMode::kExclusive);
  AwaitWaiters(locks, 1);
  EXPECT_EQ(StateOf(locks.Acquire(two, "k", LockMode::kExclusive, {})), "40P01");
  locks.ReleaseAll(two);
  EXPECT_EQ(first.Join(), "");
}

TEST(LockTableTest, LongCyclesAreFoundAndTheLastWaiterIsTheVictim) {
  constexpr size_t kOwners = 6;
  LockTable locks;
  std::array<LockOwner, kOwners> owners;
  for (size_t i = 0; i < kOwners; ++i)
    ASSERT_EQ(StateOf(locks.Acquire(owners[i], std::to_string(i), LockMode::kExclusive, kNoWait)), "");
  std::vector<std::unique_ptr<Waiting>> waiting;
  for (size_t i = 0; i + 1 < kOwners; ++i) {
    waiting.push_back(std::make_unique<Waiting>(locks, owners[i], std::to_string(i + 1), LockMode::kExclusive));
    AwaitWaiters(locks, i + 1);
  }
  EXPECT_EQ(StateOf(locks.Acquire(owners.back(), "0", LockMode::kExclusive, {})), "40P01");
  locks.ReleaseAll(owners.back());
  for (const auto& waiter : waiting) EXPECT_EQ(waiter->Join(), "");
  EXPECT_EQ(locks.size(), 0u);
}

TEST(LockTableTest, AChainIsNoCycle) {
  LockTable locks;
  LockOwner one;
  LockOwner two;
  LockOwner three;
  ASSERT_EQ(StateOf(locks.Acquire(one, "a", LockMode::kExclusive, kNoWait)), "");
  ASSERT_EQ(StateOf(locks.Acquire(two, "b", LockMode::kExclusive, kNoWait)), "");
  Waiting first(locks, two, "a", LockMode::kExclusive);
  AwaitWaiters(locks, 1);
  Waiting second(locks, three, "b", LockMode::kExclusive);
  AwaitWaiters(locks, 2);
  locks.ReleaseAll(one);
  EXPECT_EQ(first.Join(), "");
  EXPECT_EQ(second.Join(), "");
}

TEST(LockTableTest, AWaiterThatGivesUpLetsTheOnesBehindItGo) {
  LockTable locks;
  LockOwner holder;
  LockOwner writer;
  LockOwner reader;
  ASSERT_EQ(StateOf(locks.Acquire(holder, "k", LockMode::kShared, kNoWait)), "");
  Interrupt interrupt;
  std::string writer_state;
  std::thread gives_up(
      [&] { writer_state = StateOf(locks.Acquire(writer, "k", LockMode::kExclusive, {.interrupt = &interrupt})); });
  AwaitWaiters(locks, 1);
  Waiting behind(locks, reader, "k", LockMode::kShared);
  AwaitWaiters(locks, 2);
  interrupt.requested = true;
  gives_up.join();
  EXPECT_EQ(writer_state, "57014");
  EXPECT_EQ(behind.Join(), "");
  locks.ReleaseAll(holder);
}

// Many threads lock pairs of keys in any order: each step ends in a lock or in 40P01, and at most one holds a key.
TEST(LockTableTest, StressEndsWithoutLosingALock) {
  constexpr int kThreads = 6;
  constexpr int kKeys = 4;
  LockTable locks;
  std::array<std::atomic<int>, kKeys> held{};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      unsigned random = static_cast<unsigned>(t) * 2654435761U + 1;
      const auto next = [&random] { return static_cast<size_t>((random = random * 1664525U + 1013904223U) >> 16) % kKeys; };
      for (int i = 0; i < 300; ++i) {
        LockOwner owner;
        std::vector<size_t> mine;
        for (const size_t key : {next(), next()}) {
          if (std::find(mine.begin(), mine.end(), key) != mine.end()) continue;
          const Status got = locks.Acquire(owner, std::to_string(key), LockMode::kExclusive, {});
          if (!got.ok()) {
            EXPECT_EQ(got.error().state.code(), "40P01");
            break;
          }
          EXPECT_EQ(held[key].fetch_add(1), 0);
          mine.push_back(key);
        }
        for (const size_t key : mine) held[key].fetch_sub(1);
        locks.ReleaseAll(owner);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(locks.size(), 0u);
  EXPECT_EQ(locks.waiting(), 0u);
}

}  // namespace
}  // namespace mayfly::storage
