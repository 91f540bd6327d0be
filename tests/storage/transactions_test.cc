// Locks, conflicts, savepoints and isolation, on every engine.
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/storage/engine_harness.h"

namespace mayfly::storage {
namespace {

class Transactions : public EveryEngine {
 protected:
  std::string LockState(Transaction& txn, std::string_view key, LockMode mode = LockMode::kExclusive, int64_t timeout_ms = 0) {
    return StateOf(txn.Lock(key, mode, {.timeout_ms = timeout_ms}));
  }
};
INSTANTIATE_TEST_SUITE_P(All, Transactions, testing::Values(EngineKind::kMemory, EngineKind::kRocksDb), EngineParamName);

TEST_P(Transactions, LockModesConflictAsUsual) {
  auto one = db_.Begin();
  auto two = db_.Begin();
  EXPECT_EQ(LockState(*one, "k", LockMode::kShared), "");
  EXPECT_EQ(LockState(*two, "k", LockMode::kShared), "");
  EXPECT_EQ(LockState(*one, "k", LockMode::kExclusive), "55P03");
  two->Rollback();
  EXPECT_EQ(LockState(*one, "k", LockMode::kExclusive), "") << "upgrade";
  EXPECT_EQ(LockState(*one, "k", LockMode::kShared), "") << "re-entrant";
  auto three = db_.Begin();
  EXPECT_EQ(LockState(*three, "k", LockMode::kShared), "55P03");
  Must(one->Commit(Durability::kFlushed));
  EXPECT_EQ(LockState(*three, "k", LockMode::kShared), "");
}

TEST_P(Transactions, AWaiterGetsTheLockWhenItsHolderEnds) {
  auto holder = db_.Begin();
  EXPECT_EQ(LockState(*holder, "k"), "");
  std::atomic<bool> got{false};
  std::thread waiter([&] {
    auto txn = db_.Begin();
    EXPECT_TRUE(Must(txn->Lock("k", LockMode::kExclusive, {})));
    got = true;
  });
  EXPECT_FALSE(got);
  Must(holder->Commit(Durability::kFlushed));
  waiter.join();
  EXPECT_TRUE(got);
}

TEST_P(Transactions, LockTimeoutAndInterruptEndTheWait) {
  auto holder = db_.Begin();
  EXPECT_EQ(LockState(*holder, "k"), "");
  auto txn = db_.Begin();
  EXPECT_EQ(LockState(*txn, "k", LockMode::kExclusive, 20), "55P03");
  Interrupt interrupt;
  interrupt.requested = true;
  EXPECT_EQ(StateOf(txn->Lock("k", LockMode::kShared, {.interrupt = &interrupt})), "57014");
  EXPECT_EQ(LockState(*txn, "other"), "") << "the transaction can go on";
}

TEST_P(Transactions, TheWaiterThatClosesACycleIsTheVictim) {
  auto one = db_.Begin();
  auto two = db_.Begin();
  EXPECT_EQ(LockState(*one, "a"), "");
  EXPECT_EQ(LockState(*two, "b"), "");
  std::atomic<int> victims{0};
  const auto wait = [&](std::unique_ptr<Transaction>& txn, const char* key) {
    const Result<bool> got = txn->Lock(key, LockMode::kExclusive, {});
    if (got.ok()) return;
    EXPECT_EQ(got.error().state.code(), "40P01");
    EXPECT_EQ(got.error().message, "deadlock detected");
    ++victims;
    txn->Rollback();
  };
  std::thread first([&] { wait(one, "b"); });
  std::thread second([&] { wait(two, "a"); });
  first.join();
  second.join();
  EXPECT_EQ(victims, 1);
}

TEST_P(Transactions, LostUpdatesAreFoundWhenTheKeyIsLocked) {
  const std::string key = Key(kPlainTable, "a");
  db_.Put(kPlainTable, "a", "1");
  auto committed = db_.Begin(Isolation::kReadCommitted);
  auto repeatable = db_.Begin(Isolation::kRepeatableRead);
  auto serializable = db_.Begin(Isolation::kSerializable);
  for (Transaction* txn : {committed.get(), repeatable.get(), serializable.get()})
    EXPECT_EQ(db_.Get(*txn, kPlainTable, "a"), "1");
  db_.Put(kPlainTable, "a", "2");
  db_.Put(kPlainTable, "b", "2");
  EXPECT_FALSE(Must(committed->Lock(key, LockMode::kExclusive, {})));
  GetBuffer buffer;
  EXPECT_TRUE(Must(committed->GetNewest(kPlainTable, key, buffer)));
  EXPECT_EQ(buffer.row().payload, "2");
  committed->Rollback();
  for (Transaction* txn : {repeatable.get(), serializable.get()}) {
    const Result<bool> locked = txn->Lock(key, LockMode::kExclusive, {});
    EXPECT_EQ(StateOf(locked), "40001");
    EXPECT_EQ(locked.error().message, "could not serialize access due to concurrent update");
    txn->Rollback();
  }
}

TEST_P(Transactions, UntouchedKeysAreNoConflict) {
  db_.Put(kPlainTable, "a", "1");
  auto txn = db_.Begin(Isolation::kRepeatableRead);
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "a"), "1");
  db_.Put(kPlainTable, "b", "1");
  EXPECT_TRUE(Must(txn->Lock(Key(kPlainTable, "a"), LockMode::kExclusive, {})));
  EXPECT_TRUE(Must(txn->Lock(Key(kPlainTable, "c"), LockMode::kExclusive, {})));
}

TEST_P(Transactions, AKeyLockedBeforeTheFirstReadIsReadAsItIsNow) {
  db_.Put(kPlainTable, "a", "1");
  auto txn = db_.Begin(Isolation::kRepeatableRead);
  EXPECT_TRUE(Must(txn->Lock(Key(kPlainTable, "a"), LockMode::kExclusive, {})));
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "a"), "1");
  db_.Put(kPlainTable, "b", "1");
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "b"), "1") << "the view was taken by this read";
  Must(txn->Put(kPlainTable, Key(kPlainTable, "a"), "2", kNeverTag));
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(db_.Latest(kPlainTable, "a"), "2");
}

TEST_P(Transactions, RangesDeletedSinceTheViewAreConflictsToo) {
  db_.Put(kPlainTable, "a", "1");
  db_.Put(kPlainTable, "z", "1");
  auto txn = db_.Begin(Isolation::kRepeatableRead);
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "a=1 z=1");
  auto other = db_.Begin();
  Must(other->DeleteRange(kPlainTable, {Key(kPlainTable, "a"), Key(kPlainTable, "b")}));
  Must(other->Commit(Durability::kFlushed));
  EXPECT_EQ(StateOf(txn->Lock(Key(kPlainTable, "a"), LockMode::kExclusive, {})), "40001");
  EXPECT_EQ(StateOf(txn->Lock(Key(kPlainTable, "z"), LockMode::kExclusive, {})), "") << "z did not change";
}

// Each of two transactions reads what the other one writes.
TEST_P(Transactions, WriteSkewIsAllowedByRepeatableReadAndRefusedBySerializable) {
  for (const Isolation isolation : {Isolation::kRepeatableRead, Isolation::kSerializable}) {
    db_.Put(kPlainTable, "a", "on call");
    db_.Put(kPlainTable, "b", "on call");
    auto one = db_.Begin(isolation);
    auto two = db_.Begin(isolation);
    EXPECT_EQ(db_.Rows(*one, kPlainTable), db_.Rows(*two, kPlainTable));
    for (const auto& [txn, name] : {std::pair{one.get(), "a"}, std::pair{two.get(), "b"}}) {
      EXPECT_TRUE(Must(txn->Lock(Key(kPlainTable, name), LockMode::kExclusive, {})));
      Must(txn->Put(kPlainTable, Key(kPlainTable, name), "off", kNeverTag));
    }
    Must(one->Commit(Durability::kFlushed));
    EXPECT_EQ(StateOf(two->Commit(Durability::kFlushed)), isolation == Isolation::kSerializable ? "40001" : "");
  }
}

TEST_P(Transactions, SerializableFindsPhantomsPointReadsAndCounters) {
  struct Case {
    const char* what;
    void (*read)(Transaction& txn);
    void (*write)(Transaction& txn);
    const char* state;
  };
  const Case cases[] = {
      {"a row that was not there", [](Transaction& txn) { EngineHarness::Get(txn, kPlainTable, "n"); },
       [](Transaction& txn) { Must(txn.Put(kPlainTable, Key(kPlainTable, "n"), "1", kNeverTag)); }, "40001"},
      {"a row in a range that was empty",
       [](Transaction& txn) {
         EngineHarness::Rows(txn, kPlainTable, {Key(kPlainTable, "m"), Key(kPlainTable, "p")});
       },
       [](Transaction& txn) { Must(txn.Put(kPlainTable, Key(kPlainTable, "o"), "1", kNeverTag)); }, "40001"},
      {"a row outside of it",
       [](Transaction& txn) {
         EngineHarness::Rows(txn, kPlainTable, {Key(kPlainTable, "m"), Key(kPlainTable, "p")});
       },
       [](Transaction& txn) { Must(txn.Put(kPlainTable, Key(kPlainTable, "p"), "1", kNeverTag)); }, ""},
      {"a range recorded by the caller",
       [](Transaction& txn) {
         txn.RecordRead({Key(kPlainTable, "x"), Key(kPlainTable, "y")});
       },
       [](Transaction& txn) { Must(txn.Delete(kPlainTable, Key(kPlainTable, "x"))); }, "40001"},
      {"a counter", [](Transaction& txn) { Must(txn.ReadCounter("c")); },
       [](Transaction& txn) { Must(txn.AddToCounter("c", 1)); }, "40001"},
      {"a deleted range", [](Transaction& txn) { EngineHarness::Get(txn, kPlainTable, "n"); },
       [](Transaction& txn) { Must(txn.DeleteRange(kPlainTable, Whole(kPlainTable))); }, "40001"},
  };
  for (const Case& c : cases) {
    auto txn = db_.Begin(Isolation::kSerializable);
    c.read(*txn);
    Must(txn->Put(kPlainTable, Key(kPlainTable, "result"), "1", kNeverTag));
    auto other = db_.Begin(Isolation::kSerializable);
    c.write(*other);
    Must(other->Commit(Durability::kFlushed));
    EXPECT_EQ(StateOf(txn->Commit(Durability::kFlushed)), c.state) << c.what;
  }
}

TEST_P(Transactions, ASerializableTransactionThatOnlyReadsIsNeverRefused) {
  db_.Put(kPlainTable, "a", "1");
  auto reader = db_.Begin(Isolation::kSerializable);
  EXPECT_EQ(db_.Rows(*reader, kPlainTable), "a=1");
  db_.Put(kPlainTable, "a", "2");
  EXPECT_EQ(db_.Rows(*reader, kPlainTable), "a=1");
  Must(reader->Commit(Durability::kFlushed));
}

TEST_P(Transactions, SavepointsTakeBackWritesRangesCountersAndLocks) {
  db_.Put(kPlainTable, "a", "1");
  db_.Put(kPlainTable, "b", "1");
  auto txn = db_.Begin();
  EXPECT_EQ(LockState(*txn, "kept"), "");
  Must(txn->Put(kPlainTable, Key(kPlainTable, "a"), "2", kNeverTag));
  Must(txn->AddToCounter("c", 1));
  const size_t outer = txn->SetSavepoint();
  EXPECT_EQ(LockState(*txn, "given back"), "");
  EXPECT_EQ(LockState(*txn, "kept"), "");
  Must(txn->Put(kPlainTable, Key(kPlainTable, "a"), "3", kNeverTag));
  Must(txn->Delete(kPlainTable, Key(kPlainTable, "b")));
  Must(txn->AddToCounter("c", 10));
  const size_t inner = txn->SetSavepoint();
  Must(txn->DeleteRange(kPlainTable, Whole(kPlainTable)));
  Must(txn->Put(kPlainTable, Key(kPlainTable, "d"), "4", kNeverTag));
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "d=4");
  Must(txn->RollbackToSavepoint(inner));
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "a=3");
  Must(txn->RollbackToSavepoint(outer));
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "a=2 b=1");
  EXPECT_EQ(Must(txn->ReadCounter("c")), 1);
  Must(txn->Put(kPlainTable, Key(kPlainTable, "b"), "5", kNeverTag));
  Must(txn->RollbackToSavepoint(outer));
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "a=2 b=1") << "the savepoint is still there";
  auto other = db_.Begin();
  EXPECT_EQ(LockState(*other, "given back"), "");
  EXPECT_EQ(LockState(*other, "kept"), "55P03");
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(db_.Rows(kPlainTable), "a=2 b=1");
}

TEST_P(Transactions, AReleasedSavepointBelongsToTheOneBelow) {
  auto txn = db_.Begin();
  const size_t outer = txn->SetSavepoint();
  const size_t inner = txn->SetSavepoint();
  Must(txn->Put(kPlainTable, Key(kPlainTable, "a"), "1", kNeverTag));
  txn->ReleaseSavepoint(inner);
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "a=1");
  Must(txn->RollbackToSavepoint(outer));
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "");
  EXPECT_FALSE(txn->has_writes());
}

TEST_P(Transactions, ConcurrentIncrementsUnderLocksLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 50;
  db_.Put(kPlainTable, "n", "0");
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      const std::string key = Key(kPlainTable, "n");
      GetBuffer buffer;
      for (int i = 0; i < kRounds; ++i) {
        auto txn = db_.Begin();
        EXPECT_TRUE(Must(txn->Lock(key, LockMode::kExclusive, {})));
        EXPECT_TRUE(Must(txn->Get(kPlainTable, key, buffer)));
        const int n = std::stoi(std::string(buffer.row().payload));
        Must(txn->Put(kPlainTable, key, std::to_string(n + 1), kNeverTag));
        Must(txn->AddToCounter("n", 1));
        Must(txn->Commit(Durability::kBuffered));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(db_.Latest(kPlainTable, "n"), std::to_string(kThreads * kRounds));
  EXPECT_EQ(Must(db_.engine().NewReadView()->ReadCounter("n")), kThreads * kRounds);
  EXPECT_EQ(db_.engine().stats().commits, 1u + kThreads * kRounds);
}

// Transfers between accounts, in every isolation level at once; a view never sees money made or lost.
TEST_P(Transactions, ConcurrentTransfersKeepTheSum) {
  constexpr int kAccounts = 8;
  constexpr int kThreads = 4;
  constexpr int kTransfers = 60;
  constexpr int kStart = 1000;
  const auto account = [](uint32_t i) { return Key(kPlainTable, std::to_string(i % kAccounts)); };
  for (int i = 0; i < kAccounts; ++i) db_.Put(kPlainTable, std::to_string(i), std::to_string(kStart));
  const auto sum = [](const ReadView& view) {
    int total = 0;
    const auto add = [&](const StoredRow& row) { total += std::stoi(std::string(row.payload)); };
    Must(view.NewScan(kPlainTable, Whole(kPlainTable), {})->NextPage(100, add));
    return total;
  };
  // False where the transaction has to be tried again.
  const auto transfer = [&](Isolation isolation, const std::string& from, const std::string& to) {
    auto txn = db_.Begin(isolation);
    GetBuffer buffer;
    std::array<int, 2> amounts{};
    for (const int i : {0, 1}) {
      const std::string& key = i == 0 ? from : to;
      if (isolation != Isolation::kReadCommitted) Must(txn->Get(kPlainTable, key, buffer));
      const Result<bool> locked = txn->Lock(key, LockMode::kExclusive, {});
      if (!locked.ok()) {
        EXPECT_TRUE(locked.error().state == kTRSerializationFailure || locked.error().state == kTRDeadlockDetected);
        return false;
      }
      EXPECT_TRUE(Must(txn->GetNewest(kPlainTable, key, buffer)));
      amounts[static_cast<size_t>(i)] = std::stoi(std::string(buffer.row().payload));
    }
    Must(txn->Put(kPlainTable, from, std::to_string(amounts[0] - 1), kNeverTag));
    Must(txn->Put(kPlainTable, to, std::to_string(amounts[1] + 1), kNeverTag));
    const Status committed = txn->Commit(Durability::kFlushed);
    EXPECT_TRUE(committed.ok() || committed.error().state == kTRSerializationFailure);
    return committed.ok();
  };
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < kTransfers; ++i) {
        const uint32_t from = t * 31 + i * 7;
        const auto isolation = static_cast<Isolation>(i % 3);
        while (!transfer(isolation, account(from), account(from + 1 + i % (kAccounts - 1)))) {
        }
        EXPECT_EQ(sum(*db_.engine().NewReadView()), kAccounts * kStart);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum(*db_.engine().NewReadView()), kAccounts * kStart);
  EXPECT_EQ(db_.engine().stats().commits, static_cast<uint64_t>(kAccounts + kThreads * kTransfers));
}

}  // namespace
}  // namespace mayfly::storage
