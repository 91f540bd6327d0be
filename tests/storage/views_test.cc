// What views show: rules of storage/engine.h about versions, own writes, scans and ranges.
#include "tests/storage/engine_harness.h"

namespace mayfly::storage {
namespace {

class Views : public EveryEngine {};
INSTANTIATE_TEST_SUITE_P(All, Views, testing::Values(EngineKind::kMemory, EngineKind::kRocksDb), EngineParamName);

TEST_P(Views, AViewSeesNothingThatIsCommittedLater) {
  db_.Put(kPlainTable, "a", "1");
  const auto view = db_.engine().NewReadView();
  db_.Put(kPlainTable, "a", "2");
  db_.Put(kPlainTable, "b", "1");
  EXPECT_EQ(db_.Get(*view, kPlainTable, "a"), "1");
  EXPECT_EQ(db_.Rows(*view, kPlainTable), "a=1");
  EXPECT_EQ(db_.Rows(kPlainTable), "a=2 b=1");
  EXPECT_EQ(db_.Latest(kPlainTable, "a"), "2");
}

TEST_P(Views, AViewSurvivesFlushAndCompaction) {
  db_.Put(kPlainTable, "a", "1");
  const auto view = db_.engine().NewReadView();
  db_.Delete(kPlainTable, "a");
  Must(db_.engine().FlushMemtables());
  Must(db_.engine().CompactTable(kPlainTable.table));
  EXPECT_EQ(db_.Get(*view, kPlainTable, "a"), "1");
  EXPECT_EQ(db_.Latest(kPlainTable, "a"), "(none)");
}

TEST_P(Views, AnEmptyPayloadIsARow) {
  db_.Put(kPlainTable, "a", "");
  db_.Put(kTtlTable, "a", "", kStartMs);
  EXPECT_EQ(db_.Latest(kPlainTable, "a"), "");
  EXPECT_EQ(db_.Latest(kTtlTable, "a"), "");
}

TEST_P(Views, MultiGetCallsOnceForEachKeyFound) {
  db_.Put(kPlainTable, "a", "1");
  db_.Put(kPlainTable, "c", "3");
  const auto view = db_.engine().NewReadView();
  std::vector<std::string> keys = {Key(kPlainTable, "c"), Key(kPlainTable, "b"), Key(kPlainTable, "a"), Key(kPlainTable, "c")};
  std::vector<std::string_view> borrowed(keys.begin(), keys.end());
  std::vector<std::string> found(keys.size(), "(none)");
  Must(view->MultiGet(kPlainTable, borrowed, [&](size_t index, const StoredRow& row) {
    EXPECT_EQ(row.key, keys[index]);
    found[index] = row.payload;
  }));
  EXPECT_EQ(found, (std::vector<std::string>{"3", "(none)", "1", "3"}));
}

TEST_P(Views, ScansGoThroughRangesInBothDirections) {
  for (const char* name : {"a", "b", "c", "d", "e"}) db_.Put(kPlainTable, name, name);
  const auto view = db_.engine().NewReadView();
  struct Case {
    const char* begin;
    const char* end;
    bool reverse;
    const char* rows;
  };
  for (const Case& c : {Case{"b", "d", false, "b=b c=c"}, Case{"b", "d", true, "c=c b=b"}, Case{"", "b", false, "a=a"},
                        Case{"c", "\xff", false, "c=c d=d e=e"}, Case{"bb", "cc", true, "c=c"}, Case{"x", "z", false, ""},
                        Case{"d", "d", false, ""}}) {
    const KeyRange range{Key(kPlainTable, c.begin), Key(kPlainTable, c.end)};
    for (const size_t page : {size_t{1}, size_t{2}, size_t{100}}) {
      EXPECT_EQ(db_.Rows(*view, kPlainTable, range, {.reverse = c.reverse}, page), c.rows) << c.begin << " to " << c.end;
    }
  }
}

TEST_P(Views, ARangeWithoutEndGoesToTheEndOfTheKeySpace) {
  db_.Put(kPlainTable, "a", "1");
  const auto view = db_.engine().NewReadView();
  EXPECT_EQ(db_.Rows(*view, kPlainTable, KeyRange{Key(kPlainTable, ""), ""}), "a=1");
  EXPECT_EQ(db_.Rows(*view, kPlainTable, KeyRange{Key(kPlainTable, ""), ""}, {.reverse = true}), "a=1");
}

TEST_P(Views, KeysOnlyScansHaveNoPayloads) {
  db_.Put(kPlainTable, "a", "1");
  db_.Put(kTtlTable, "b", "2", kStartMs);
  const auto view = db_.engine().NewReadView();
  EXPECT_EQ(db_.Rows(*view, kPlainTable, {.keys_only = true}), "a=");
  EXPECT_EQ(db_.Rows(*view, kTtlTable, {.keys_only = true, .bulk = true}), "b=");
}

TEST_P(Views, ATransactionSeesItsOwnWritesAndNobodyElseDoes) {
  db_.Put(kPlainTable, "a", "1");
  db_.Put(kPlainTable, "b", "1");
  auto txn = db_.Begin();
  Must(txn->Put(kPlainTable, Key(kPlainTable, "a"), "2", kNeverTag));
  Must(txn->Delete(kPlainTable, Key(kPlainTable, "b")));
  Must(txn->Put(kPlainTable, Key(kPlainTable, "c"), "3", kNeverTag));
  EXPECT_TRUE(txn->has_writes());
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "a"), "2");
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "b"), "(none)");
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "a=2 c=3");
  EXPECT_EQ(db_.Rows(*txn, kPlainTable, {.reverse = true}, 1), "c=3 a=2");
  EXPECT_EQ(db_.Rows(kPlainTable), "a=1 b=1");
  Must(txn->Commit(Durability::kBuffered));
  EXPECT_EQ(db_.Rows(kPlainTable), "a=2 c=3");
}

TEST_P(Views, RollbackAndDestructionLeaveNothing) {
  auto txn = db_.Begin();
  Must(txn->Put(kPlainTable, Key(kPlainTable, "a"), "1", kNeverTag));
  txn->Rollback();
  {
    auto other = db_.Begin();
    Must(other->Put(kPlainTable, Key(kPlainTable, "b"), "1", kNeverTag));
  }
  EXPECT_EQ(db_.Rows(kPlainTable), "");
}

TEST_P(Views, ReadCommittedMovesOnAtEachStatementTheOthersDoNot) {
  db_.Put(kPlainTable, "a", "1");
  auto committed = db_.Begin(Isolation::kReadCommitted);
  auto repeatable = db_.Begin(Isolation::kRepeatableRead);
  for (Transaction* txn : {committed.get(), repeatable.get()}) {
    txn->BeginStatement();
    EXPECT_EQ(db_.Get(*txn, kPlainTable, "a"), "1");
  }
  db_.Put(kPlainTable, "a", "2");
  EXPECT_EQ(db_.Get(*committed, kPlainTable, "a"), "1") << "inside the statement";
  for (Transaction* txn : {committed.get(), repeatable.get()}) txn->BeginStatement();
  EXPECT_EQ(db_.Get(*committed, kPlainTable, "a"), "2");
  EXPECT_EQ(db_.Get(*repeatable, kPlainTable, "a"), "1");
}

TEST_P(Views, GetNewestLooksPastTheView) {
  db_.Put(kPlainTable, "a", "1");
  auto txn = db_.Begin(Isolation::kRepeatableRead);
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "a"), "1");
  db_.Put(kPlainTable, "a", "2");
  GetBuffer buffer;
  EXPECT_TRUE(Must(txn->GetNewest(kPlainTable, Key(kPlainTable, "a"), buffer)));
  EXPECT_EQ(buffer.row().payload, "2");
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "a"), "1");
  Must(txn->Put(kPlainTable, Key(kPlainTable, "a"), "mine", kNeverTag));
  EXPECT_TRUE(Must(txn->GetNewest(kPlainTable, Key(kPlainTable, "a"), buffer)));
  EXPECT_EQ(buffer.row().payload, "mine");
}

TEST_P(Views, DeleteRangeHidesCommittedAndOwnRowsButNotLaterOnes) {
  for (const char* name : {"a", "b", "c", "d"}) db_.Put(kPlainTable, name, "1");
  auto txn = db_.Begin();
  Must(txn->Put(kPlainTable, Key(kPlainTable, "bb"), "own", kNeverTag));
  Must(txn->DeleteRange(kPlainTable, {Key(kPlainTable, "b"), Key(kPlainTable, "d")}));
  Must(txn->Put(kPlainTable, Key(kPlainTable, "c"), "again", kNeverTag));
  EXPECT_EQ(db_.Rows(*txn, kPlainTable), "a=1 c=again d=1");
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "b"), "(none)");
  EXPECT_EQ(db_.Get(*txn, kPlainTable, "bb"), "(none)");
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_EQ(db_.Rows(kPlainTable), "a=1 c=again d=1");
}

TEST_P(Views, TablesDoNotTouch) {
  const TableOptions next{.table = {kPlainTable.table.value + 1}, .layout = ValueLayout::kPlain};
  db_.Put(kPlainTable, "a", "1");
  db_.Put(next, "a", "2");
  EXPECT_EQ(db_.Rows(kPlainTable), "a=1");
  EXPECT_EQ(db_.Rows(next), "a=2");
  Must(db_.engine().DropTable(kPlainTable.table));
  EXPECT_EQ(db_.Rows(kPlainTable), "");
  EXPECT_EQ(db_.Rows(next), "a=2");
  Must(db_.engine().DropTable(kPlainTable.table));
}

TEST_P(Views, CountersAddUpAndBelongToTheView) {
  const auto before = db_.engine().NewReadView();
  auto one = db_.Begin();
  auto two = db_.Begin();
  Must(one->AddToCounter("rows/7", 5));
  Must(two->AddToCounter("rows/7", -2));
  EXPECT_EQ(Must(one->ReadCounter("rows/7")), 5);
  EXPECT_EQ(Must(two->ReadCounter("rows/7")), -2);
  Must(one->Commit(Durability::kFlushed));
  Must(two->Commit(Durability::kFlushed));
  EXPECT_EQ(Must(before->ReadCounter("rows/7")), 0);
  EXPECT_EQ(Must(db_.engine().NewReadView()->ReadCounter("rows/7")), 3);
  EXPECT_EQ(Must(db_.engine().NewReadView()->ReadCounter("other")), 0);
}

TEST_P(Views, SizesAndSplitsAreForPlanningOnlyButMakeSense) {
  auto txn = db_.Begin();
  for (int i = 0; i < 20'000; ++i) {
    Must(txn->Put(kPlainTable, Key(kPlainTable, std::to_string(100'000 + i)), std::string(100, static_cast<char>('a' + i % 26)),
                  kNeverTag));
  }
  Must(txn->Commit(Durability::kFlushed));
  Must(db_.engine().FlushMemtables());
  const auto view = db_.engine().NewReadView();
  const ReadView::Size size = view->EstimateSize(kPlainTable, Whole(kPlainTable));
  EXPECT_GT(size.rows, 10'000u);
  EXPECT_LT(size.rows, 40'000u);
  EXPECT_GT(size.bytes, 100'000u);
  const std::vector<std::string> cuts = view->SplitRange(kPlainTable, Whole(kPlainTable), 4);
  EXPECT_LT(cuts.size(), 4u);
  EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end()));
  EXPECT_TRUE(view->SplitRange(kTtlTable, Whole(kTtlTable), 4).empty());
}

TEST_P(Views, LimitsAndReadOnlyAreRefused) {
  auto txn = db_.Begin();
  const std::string long_key = Key(kPlainTable, std::string(db_.engine().limits().key_bytes_max, 'k'));
  EXPECT_EQ(StateOf(txn->Put(kPlainTable, long_key, "", kNeverTag)), "54000");
  auto reader = db_.engine().NewTransaction({.read_only = true});
  EXPECT_EQ(StateOf(reader->Put(kPlainTable, Key(kPlainTable, "a"), "", kNeverTag)), "25006");
  EXPECT_EQ(StateOf(reader->Delete(kPlainTable, Key(kPlainTable, "a"))), "25006");
  EXPECT_EQ(StateOf(reader->DeleteRange(kPlainTable, Whole(kPlainTable))), "25006");
  EXPECT_EQ(StateOf(reader->AddToCounter("c", 1)), "25006");
  EXPECT_EQ(StateOf(reader->NewBulkLoad(kPlainTable)), "25006");
  EXPECT_EQ(StateOf(reader->Lock("k", LockMode::kExclusive, {})), "25006");
  EXPECT_EQ(StateOf(reader->Lock("k", LockMode::kShared, {})), "");
  Must(reader->Commit(Durability::kFlushed));
}

}  // namespace
}  // namespace mayfly::storage
