// Bulk loads: what the loading transaction sees, duplicates, atomicity with its other writes.
#include <algorithm>
#include <random>

#include "tests/storage/engine_harness.h"

namespace mayfly::storage {
namespace {

// Enough for table files: a smaller load is written row by row.
constexpr int kMany = 60'000;

std::string Name(int i) {
  std::string name(7, '0');
  for (size_t at = name.size(); i > 0; i /= 10) name[--at] = static_cast<char>('0' + i % 10);
  return name;
}

class BulkLoads : public EveryEngine {
 protected:
  // Loads rows [from, to), in a random order where `seed` is not 0.
  std::optional<std::string> Load(Transaction& txn, const TableOptions& table, int from, int to, unsigned seed = 0,
                                  Tag tag = kStartMs) {
    std::vector<int> order;
    for (int i = from; i < to; ++i) order.push_back(i);
    if (seed != 0) std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    auto load = Must(txn.NewBulkLoad(table));
    const std::string padding(120, 'x');
    for (const int i : order) Must(load->Append(Key(table, Name(i)), std::to_string(i) + padding, tag));
    return Must(load->Finish());
  }
  static size_t Count(const ReadView& view, const TableOptions& table, bool reverse = false) {
    auto scan = view.NewScan(table, Whole(table), {.reverse = reverse});
    size_t rows = 0;
    std::string last;
    const auto count = [&](const StoredRow& row) {
      EXPECT_TRUE(last.empty() || (reverse ? row.key < last : row.key > last));
      last = row.key;
      ++rows;
    };
    while (Must(scan->NextPage(1000, count)) == 1000) {
    }
    return rows;
  }
  size_t Count(const TableOptions& table) { return Count(*db_.engine().NewReadView(), table); }
};
INSTANTIATE_TEST_SUITE_P(All, BulkLoads, testing::Values(EngineKind::kMemory, EngineKind::kRocksDb), EngineParamName);

TEST_P(BulkLoads, RowsInAnyOrderAppearAtCommitOnly) {
  for (const TableOptions& table : {kPlainTable, kTtlTable}) {
    for (const unsigned seed : {0u, 1u}) {
      auto txn = db_.Begin();
      EXPECT_EQ(Load(*txn, table, 0, kMany, seed), std::nullopt);
      EXPECT_EQ(Count(table), 0u);
      EXPECT_EQ(Count(*txn, table), static_cast<size_t>(kMany));
      EXPECT_EQ(Count(*txn, table, true), static_cast<size_t>(kMany));
      EXPECT_EQ(db_.Get(*txn, table, Name(777)).substr(0, 3), "777");
      EXPECT_EQ(db_.Get(*txn, table, "nope"), "(none)");
      Must(txn->Commit(Durability::kFlushed));
      EXPECT_EQ(Count(table), static_cast<size_t>(kMany));
      EXPECT_EQ(db_.Latest(table, Name(kMany - 1)).substr(0, 5), std::to_string(kMany - 1));
      auto clear = db_.Begin();
      Must(clear->DeleteRange(table, Whole(table)));
      Must(clear->Commit(Durability::kFlushed));
    }
  }
}

TEST_P(BulkLoads, SmallLoadsWorkTheSame) {
  auto txn = db_.Begin();
  EXPECT_EQ(Load(*txn, kTtlTable, 0, 10, 1), std::nullopt);
  EXPECT_EQ(Count(*txn, kTtlTable), 10u);
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(Count(kTtlTable), 10u);
  auto again = db_.Begin();
  EXPECT_EQ(Load(*again, kTtlTable, 9, 12), Key(kTtlTable, Name(9)));
}

TEST_P(BulkLoads, RowsThatStopToComeInOrderAreStillSorted) {
  auto txn = db_.Begin();
  auto load = Must(txn->NewBulkLoad(kPlainTable));
  const std::string payload(120, 'x');
  for (int i = 0; i < kMany; ++i) Must(load->Append(Key(kPlainTable, Name(2 * i)), payload, kNeverTag));
  for (int i = 0; i < 10; ++i) Must(load->Append(Key(kPlainTable, Name(2 * i + 1)), payload, kNeverTag));
  EXPECT_EQ(Must(load->Finish()), std::nullopt);
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(Count(kPlainTable), static_cast<size_t>(kMany + 10));
}

TEST_P(BulkLoads, AKeyGivenTwiceIsReported) {
  for (const bool many : {false, true}) {
    for (const bool ascending : {false, true}) {
      auto txn = db_.Begin();
      auto load = Must(txn->NewBulkLoad(kPlainTable));
      const int count = many ? kMany : 10;
      const std::string payload(120, 'x');
      for (int i = 0; i < count; ++i) {
        Must(load->Append(Key(kPlainTable, Name(i)), payload, kNeverTag));
        if (ascending && i == count / 2) Must(load->Append(Key(kPlainTable, Name(i)), payload, kNeverTag));
      }
      if (!ascending) Must(load->Append(Key(kPlainTable, Name(count / 2)), payload, kNeverTag));
      EXPECT_EQ(Must(load->Finish()), Key(kPlainTable, Name(count / 2)));
      txn->Rollback();
    }
  }
  EXPECT_EQ(Count(kPlainTable), 0u);
}

TEST_P(BulkLoads, AKeyOfTheTableIsReportedUnlessItsRowIsExpiredOrDeleted) {
  db_.Put(kTtlTable, Name(100), "expired", kStartMs);
  db_.AdvanceMs(5000);
  {
    auto txn = db_.Begin();
    EXPECT_EQ(Load(*txn, kTtlTable, 0, kMany, 1, db_.NowMs()), std::nullopt);
  }
  db_.Put(kTtlTable, Name(200), "lives", db_.NowMs());
  {
    auto txn = db_.Begin();
    EXPECT_EQ(Load(*txn, kTtlTable, 0, kMany, 1, db_.NowMs()), Key(kTtlTable, Name(200)));
  }
  auto txn = db_.Begin();
  Must(txn->Delete(kTtlTable, Key(kTtlTable, Name(200))));
  EXPECT_EQ(Load(*txn, kTtlTable, 0, kMany, 1, db_.NowMs()), std::nullopt);
  EXPECT_EQ(db_.Get(*txn, kTtlTable, Name(200)).substr(0, 3), "200");
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(Count(kTtlTable), static_cast<size_t>(kMany));
}

TEST_P(BulkLoads, OtherWritesOfTheTransactionCommitWithIt) {
  db_.Put(kPlainTable, "catalog", "before");
  auto txn = db_.Begin();
  Must(txn->Put(kPlainTable, Key(kPlainTable, "catalog"), "after", kNeverTag));
  Must(txn->AddToCounter("rows", kMany));
  EXPECT_EQ(Load(*txn, kTtlTable, 0, kMany), std::nullopt);
  Must(txn->Put(kTtlTable, Key(kTtlTable, Name(5)), "updated", kStartMs));
  Must(txn->Delete(kTtlTable, Key(kTtlTable, Name(6))));
  EXPECT_EQ(db_.Get(*txn, kTtlTable, Name(5)), "updated");
  EXPECT_EQ(Count(*txn, kTtlTable), static_cast<size_t>(kMany - 1));
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(db_.Latest(kPlainTable, "catalog"), "after");
  EXPECT_EQ(db_.Latest(kTtlTable, Name(5)), "updated");
  EXPECT_EQ(db_.Latest(kTtlTable, Name(6)), "(none)");
  EXPECT_EQ(Must(db_.engine().NewReadView()->ReadCounter("rows")), kMany);
  EXPECT_EQ(Count(kTtlTable), static_cast<size_t>(kMany - 1));
}

TEST_P(BulkLoads, DeletedRangesHideLoadsThatCameBeforeThemOnly) {
  db_.Put(kPlainTable, Name(3), "old");
  auto txn = db_.Begin();
  Must(txn->DeleteRange(kPlainTable, Whole(kPlainTable)));
  EXPECT_EQ(Load(*txn, kPlainTable, 0, kMany), std::nullopt);
  EXPECT_EQ(Count(*txn, kPlainTable), static_cast<size_t>(kMany));
  Must(txn->DeleteRange(kPlainTable, {Key(kPlainTable, Name(10)), Key(kPlainTable, Name(20))}));
  EXPECT_EQ(Count(*txn, kPlainTable), static_cast<size_t>(kMany - 10));
  EXPECT_EQ(db_.Get(*txn, kPlainTable, Name(15)), "(none)");
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(Count(kPlainTable), static_cast<size_t>(kMany - 10));
  EXPECT_EQ(db_.Latest(kPlainTable, Name(3)).substr(0, 1), "3");
}

TEST_P(BulkLoads, ARolledBackSavepointTakesTheLoadWithIt) {
  auto txn = db_.Begin();
  const size_t savepoint = txn->SetSavepoint();
  EXPECT_EQ(Load(*txn, kPlainTable, 0, kMany), std::nullopt);
  Must(txn->RollbackToSavepoint(savepoint));
  EXPECT_EQ(Count(*txn, kPlainTable), 0u);
  EXPECT_EQ(Load(*txn, kPlainTable, 5, kMany), std::nullopt);
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(Count(kPlainTable), static_cast<size_t>(kMany - 5));
}

TEST_P(BulkLoads, ATransactionMayLoadTwice) {
  auto txn = db_.Begin();
  EXPECT_EQ(Load(*txn, kPlainTable, 0, kMany), std::nullopt);
  EXPECT_EQ(Load(*txn, kPlainTable, kMany, 2 * kMany, 3), std::nullopt);
  EXPECT_EQ(Load(*txn, kTtlTable, 0, kMany, 4), std::nullopt);
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(Count(kPlainTable), static_cast<size_t>(2 * kMany));
  EXPECT_EQ(Count(kTtlTable), static_cast<size_t>(kMany));
}

}  // namespace
}  // namespace mayfly::storage
