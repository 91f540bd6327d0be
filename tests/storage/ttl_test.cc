// Each sentence of the TTL contract that storage keeps, on every engine.
#include <limits>

#include "storage/ttl_clock.h"
#include "tests/storage/engine_harness.h"

namespace mayfly::storage {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

class Ttl : public EveryEngine {
 protected:
  void CompactAll() {
    Must(db_.engine().FlushMemtables());
    Must(db_.engine().CompactTable(kTtlTable.table));
  }
};
INSTANTIATE_TEST_SUITE_P(All, Ttl, testing::Values(EngineKind::kMemory, EngineKind::kRocksDb), EngineParamName);

TEST(ExpiryArithmetic, SaturatesAndIsInclusive) {
  struct Case {
    Tag tag;
    int64_t ttl;
    int64_t now;
    bool expired;
  };
  for (const Case& c :
       {Case{1000, 500, 1499, false}, Case{1000, 500, 1500, true}, Case{1000, 500, 1501, true}, Case{kNeverTag, 1, kMax, false},
        Case{kMax - 1, 500, kMax - 2, false}, Case{kMax - 1, kMax, kMax - 1, true}, Case{kMin, 1, kMin, false},
        Case{kMin, 1, kMin + 1, true}, Case{kMin, kMax, -1, true}, Case{kMin, kMax, -2, false}, Case{0, kMax, kMax - 1, false}}) {
    EXPECT_EQ(IsExpired(c.tag, c.ttl, c.now), c.expired) << c.tag << " + " << c.ttl << " at " << c.now;
  }
  EXPECT_EQ(ExpiresAt(kNeverTag, 1), kNeverTag);
  EXPECT_EQ(ExpiresAt(kMax - 1, 2), kNeverTag - 1);
}

TEST_P(Ttl, ARowIsGoneInTheMillisecondOfItsExpiryOnEveryPath) {
  db_.Put(kTtlTable, "a", "1", kStartMs);
  db_.Put(kTtlTable, "b", "2", kStartMs + 1);
  db_.AdvanceMs(kTtlTable.ttl_ms - 1);
  EXPECT_EQ(db_.Rows(kTtlTable), "a=1 b=2");
  db_.AdvanceMs(1);
  EXPECT_EQ(db_.Latest(kTtlTable, "a"), "(none)");
  EXPECT_EQ(db_.Latest(kTtlTable, "b"), "2");
  const auto view = db_.engine().NewReadView();
  EXPECT_EQ(db_.Get(*view, kTtlTable, "a"), "(none)");
  EXPECT_EQ(db_.Rows(*view, kTtlTable), "b=2");
  EXPECT_EQ(db_.Rows(*view, kTtlTable, {.reverse = true}), "b=2");
  EXPECT_EQ(db_.Rows(*view, kTtlTable, {.keys_only = true}), "b=");
  const std::string key = Key(kTtlTable, "a");
  const std::string_view keys[] = {key};
  Must(view->MultiGet(kTtlTable, keys, [](size_t, const StoredRow&) { ADD_FAILURE(); }));
  auto txn = db_.Begin();
  GetBuffer buffer;
  EXPECT_FALSE(Must(txn->GetNewest(kTtlTable, key, buffer)));
  EXPECT_EQ(db_.Get(*txn, kTtlTable, "a"), "(none)");
}

TEST_P(Ttl, ExtremeTags) {
  db_.Put(kTtlTable, "ever", "1", kNeverTag);
  db_.Put(kTtlTable, "far", "1", kNeverTag - 1);
  db_.Put(kTtlTable, "past", "1", kMin);
  db_.AdvanceMs(int64_t{1000} * 365 * 24 * 3600 * 1000);
  EXPECT_EQ(db_.Rows(kTtlTable), "ever=1 far=1");
  CompactAll();
  EXPECT_EQ(db_.Rows(kTtlTable), "ever=1 far=1");
}

TEST_P(Ttl, TheTagComesBackAsItWasWritten) {
  GetBuffer buffer;
  for (const Tag tag : {kStartMs, kStartMs + 123'456'789, kNeverTag}) {
    db_.Put(kTtlTable, "a", "1", tag);
    EXPECT_TRUE(Must(db_.engine().GetLatest(kTtlTable, Key(kTtlTable, "a"), buffer)));
    EXPECT_EQ(buffer.row().tag, tag);
  }
  db_.Put(kPlainTable, "a", "1", kStartMs);
  EXPECT_TRUE(Must(db_.engine().GetLatest(kPlainTable, Key(kPlainTable, "a"), buffer)));
  EXPECT_EQ(buffer.row().tag, kNeverTag);
}

TEST_P(Ttl, OwnWritesExpireToo) {
  auto txn = db_.Begin();
  Must(txn->Put(kTtlTable, Key(kTtlTable, "a"), "1", kStartMs - kTtlTable.ttl_ms));
  Must(txn->Put(kTtlTable, Key(kTtlTable, "b"), "1", kStartMs));
  EXPECT_EQ(db_.Get(*txn, kTtlTable, "a"), "(none)");
  EXPECT_EQ(db_.Rows(*txn, kTtlTable), "b=1");
}

TEST_P(Ttl, TtlNowIsFixedPerViewAndPerStatement) {
  db_.Put(kTtlTable, "a", "1", kStartMs);
  const auto view = db_.engine().NewReadView();
  auto committed = db_.Begin(Isolation::kReadCommitted);
  auto repeatable = db_.Begin(Isolation::kRepeatableRead);
  committed->BeginStatement();
  repeatable->BeginStatement();
  EXPECT_EQ(committed->ttl_now_ms(), kStartMs);
  EXPECT_EQ(repeatable->ttl_now_ms(), kStartMs);
  db_.AdvanceMs(5000);
  EXPECT_EQ(committed->ttl_now_ms(), kStartMs);
  EXPECT_EQ(db_.Get(*committed, kTtlTable, "a"), "1");
  committed->BeginStatement();
  repeatable->BeginStatement();
  EXPECT_EQ(committed->ttl_now_ms(), kStartMs + 5000);
  EXPECT_EQ(repeatable->ttl_now_ms(), kStartMs);
  EXPECT_EQ(db_.Get(*committed, kTtlTable, "a"), "(none)");
  EXPECT_EQ(db_.Get(*repeatable, kTtlTable, "a"), "1");
  EXPECT_EQ(db_.Get(*view, kTtlTable, "a"), "1");
}

TEST_P(Ttl, CompactionNeverShowsInAViewThatLives) {
  db_.Put(kTtlTable, "a", "1", kStartMs);
  db_.Put(kTtlTable, "b", "1", kStartMs + 10'000);
  const auto view = db_.engine().NewReadView();
  auto txn = db_.Begin(Isolation::kRepeatableRead);
  EXPECT_EQ(txn->ttl_now_ms(), kStartMs);
  db_.AdvanceMs(5000);
  CompactAll();
  Must(db_.engine().RunMaintenance());
  EXPECT_EQ(db_.Rows(*view, kTtlTable), "a=1 b=1");
  EXPECT_EQ(db_.Rows(*txn, kTtlTable), "a=1 b=1") << "though its version was taken only now";
  EXPECT_EQ(db_.Rows(kTtlTable), "b=1");
  EXPECT_EQ(db_.engine().stats().rows_expired_removed, 0u);
}

TEST_P(Ttl, CompactionRemovesWhatNoViewSees) {
  db_.Put(kTtlTable, "a", "1", kStartMs);
  db_.Put(kTtlTable, "b", "1", kStartMs + 10'000);
  db_.Put(kPlainTable, "a", "1");
  db_.AdvanceMs(5000);
  CompactAll();
  Must(db_.engine().RunMaintenance());
  EXPECT_EQ(db_.engine().stats().rows_expired_removed, 1u);
  EXPECT_EQ(db_.Rows(kTtlTable), "b=1");
  EXPECT_EQ(db_.Rows(kPlainTable), "a=1");
}

TEST_P(Ttl, RowsOfUnknownTablesAreNotRemoved) {
  TableOptions unknown{.table = {100}, .layout = ValueLayout::kTagged, .ttl_ms = 1};
  db_.Put(unknown, "a", "1", kStartMs);
  db_.AdvanceMs(5000);
  CompactAll();
  Must(db_.engine().RunMaintenance());
  EXPECT_EQ(db_.engine().stats().rows_expired_removed, 0u);
  unknown.ttl_ms = 1'000'000;
  EXPECT_EQ(db_.Rows(unknown), "a=1");
}

// The event time of a row may go backwards: its newest version expires before an older one.
TEST_P(Ttl, RemovingTheNewestVersionBringsNoOlderOneBack) {
  db_.Put(kTtlTable, "a", "old", kStartMs + 1'000'000);
  Must(db_.engine().FlushMemtables());
  Must(db_.engine().CompactTable(kTtlTable.table));
  const auto old_view = db_.engine().NewReadView();
  db_.Put(kTtlTable, "a", "new", kStartMs);
  Must(db_.engine().FlushMemtables());
  db_.AdvanceMs(5000);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(db_.Rows(kTtlTable), "");
    EXPECT_EQ(db_.Latest(kTtlTable, "a"), "(none)");
    Must(db_.engine().RunMaintenance());
    CompactAll();
  }
  EXPECT_EQ(db_.Rows(*old_view, kTtlTable), "a=old");
}

TEST_P(Ttl, NothingComesBackOnceTheOldViewIsGoneEither) {
  db_.Put(kTtlTable, "a", "old", kStartMs + 1'000'000);
  auto old_view = db_.engine().NewReadView();
  db_.Put(kTtlTable, "a", "new", kStartMs - 10'000);
  CompactAll();
  EXPECT_EQ(db_.Rows(kTtlTable), "");
  EXPECT_EQ(db_.Rows(*old_view, kTtlTable), "a=old");
  old_view.reset();
  for (int i = 0; i < 2; ++i) {
    CompactAll();
    Must(db_.engine().RunMaintenance());
    EXPECT_EQ(db_.Rows(kTtlTable), "");
  }
}

TEST_P(Ttl, AnExpiredRowBlocksNothing) {
  db_.Put(kTtlTable, "a", "1", kStartMs);
  db_.AdvanceMs(5000);
  db_.Put(kTtlTable, "a", "2", db_.NowMs());
  EXPECT_EQ(db_.Rows(kTtlTable), "a=2");
  CompactAll();
  EXPECT_EQ(db_.Rows(kTtlTable), "a=2");
}

TEST_P(Ttl, TimeNeverGoesBackwards) {
  db_.AdvanceMs(10'000);
  EXPECT_EQ(db_.engine().TtlNowMs(), kStartMs + 10'000);
  db_.clock().Set(kStartMs * 1000);
  EXPECT_EQ(db_.engine().TtlNowMs(), kStartMs + 10'000);
  EXPECT_EQ(db_.engine().NewReadView()->ttl_now_ms(), kStartMs + 10'000);
  db_.AdvanceMs(10'001);
  EXPECT_EQ(db_.engine().TtlNowMs(), kStartMs + 10'001);
}

TEST(TtlClockTest, FloorsBeforeTheEpochToo) {
  EXPECT_EQ(TtlClock::FloorMs(-1), -1);
  EXPECT_EQ(TtlClock::FloorMs(-1000), -1);
  EXPECT_EQ(TtlClock::FloorMs(-1001), -2);
  EXPECT_EQ(TtlClock::FloorMs(1999), 1);
}

TEST_P(Ttl, ADroppedTableIsGoneWithItsExpiredRows) {
  db_.Put(kTtlTable, "a", "1", kStartMs);
  CompactAll();
  db_.Put(kTtlTable, "b", "1", kStartMs);
  Must(db_.engine().DropTable(kTtlTable.table));
  EXPECT_EQ(db_.Rows(kTtlTable), "");
  CompactAll();
  EXPECT_EQ(db_.Rows(kTtlTable), "");
}

}  // namespace
}  // namespace mayfly::storage
