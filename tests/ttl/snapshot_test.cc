// TTL.md section 3: inside one snapshot the answer never changes; removal is seen on disk only; nothing old comes back.
#include "tests/harness/sql_harness.h"

#include <filesystem>

namespace mayfly::ttl {
namespace {

using harness::EverySqlEngine;
using harness::SqlClient;

constexpr int64_t kHourMs = 3'600'000;

class TtlSnapshot : public EverySqlEngine {
 protected:
  TtlSnapshot() {
    Do("CREATE TABLE e (id int PRIMARY KEY, v text, ts timestamptz) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
    Do("CREATE TABLE p (id int PRIMARY KEY, v text) WITH ('table.kv.row.ttl'='1h')");
  }
  // Everything that the engine does by itself in the course of time.
  void Upkeep() {
    storage::Engine& engine = server_.engine();
    storage::Must(engine.FlushMemtables());
    storage::Must(engine.RunMaintenance());
    for (const char* table : {"e", "p"}) storage::Must(engine.CompactTable(server_.OptionsOf(table).table));
    storage::Must(engine.Checkpoint());
  }
  uint64_t Removed() {
    const storage::EngineStats stats = server_.engine().stats();
    return stats.rows_expired_removed + stats.files_expired_dropped;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, TtlSnapshot, harness::kEveryEngine, storage::EngineParamName);

TEST_P(TtlSnapshot, RepeatableReadSeesTheSameWhileTimeAndCompactionGoOn) {
  for (const char* level : {"REPEATABLE READ", "SERIALIZABLE"}) {
    Do("TRUNCATE e; TRUNCATE p");
    Do("INSERT INTO e SELECT g, 'v' || g, now() FROM generate_series(1, 2000) g");
    Do("INSERT INTO p SELECT g, 'v' || g FROM generate_series(1, 2000) g");
    const auto reader = server_.Connect();
    EXPECT_EQ(reader->ErrorOf(fmt::format("BEGIN ISOLATION LEVEL {}", level)), "");
    EXPECT_EQ(reader->Rows("SELECT count(*), min(id), max(v) FROM e"), "2000|1|v999") << level;
    for (int step = 0; step < 3; ++step) {
      server_.AdvanceMs(kHourMs);
      Upkeep();
      EXPECT_EQ(Rows("SELECT (SELECT count(*) FROM e), (SELECT count(*) FROM p)"), "0|0") << level;
      EXPECT_EQ(reader->Rows("SELECT count(*), min(id), max(v) FROM e"), "2000|1|v999") << level;
      EXPECT_EQ(reader->Rows("SELECT count(*), max(id) FROM p"), "2000|2000") << level;
      EXPECT_EQ(reader->Rows("SELECT v FROM e WHERE id = 77"), "v77") << level;
      EXPECT_EQ(reader->Rows("SELECT v FROM p WHERE id IN (1, 2000) ORDER BY id"), "v1;v2000") << level;
    }
    EXPECT_EQ(reader->Tag("COMMIT"), "COMMIT");
    EXPECT_EQ(reader->Rows("SELECT count(*) FROM e"), "0");
    Upkeep();
    EXPECT_EQ(Rows("SELECT count(*) FROM e"), "0");
  }
}

TEST_P(TtlSnapshot, ReadCommittedLooksAtTheTimePerStatement) {
  Do("INSERT INTO e VALUES (1, 'x', now())");
  Do("BEGIN");
  EXPECT_EQ(Rows("SELECT id FROM e"), "1");
  server_.AdvanceMs(kHourMs - 1);
  EXPECT_EQ(Rows("SELECT id FROM e"), "1");
  server_.AdvanceMs(1);
  EXPECT_EQ(Rows("SELECT id FROM e"), "");
  EXPECT_EQ(Tag("UPDATE e SET v = 'y'"), "UPDATE 0");
  EXPECT_EQ(Tag("INSERT INTO e VALUES (1, 'new', now() + interval '1 hour')"), "INSERT 0 1");  // now() is the transaction's start
  EXPECT_EQ(Rows("SELECT v FROM e"), "new");
  server_.AdvanceMs(kHourMs);
  EXPECT_EQ(Rows("SELECT v FROM e"), "");  // its own row expires too
  Do("COMMIT");
}

TEST_P(TtlSnapshot, RepeatableReadWritesToWhatItSees) {
  Do("INSERT INTO e SELECT g, 'x', now() FROM generate_series(1, 5) g");
  Do("BEGIN ISOLATION LEVEL REPEATABLE READ");
  EXPECT_EQ(Rows("SELECT count(*) FROM e"), "5");
  server_.AdvanceMs(2 * kHourMs);
  Upkeep();
  EXPECT_EQ(Tag("UPDATE e SET v = 'y' WHERE id = 1"), "UPDATE 1");  // it exists here
  EXPECT_EQ(Tag("DELETE FROM e WHERE id = 2"), "DELETE 1");
  EXPECT_EQ(Tag("INSERT INTO e VALUES (3, 'z', now())").substr(0, 5), "23505");
  Do("ROLLBACK");
  EXPECT_EQ(Rows("SELECT count(*) FROM e"), "0");
}

TEST_P(TtlSnapshot, APortalKeepsItsTimeWhileItIsOpen) {
  Do("INSERT INTO e SELECT g, 'x', now() FROM generate_series(1, 5) g");
  Do("BEGIN");
  EXPECT_EQ(db_->Prepare("all", "SELECT id FROM e ORDER BY id"), "");
  EXPECT_EQ(db_->Open("p", "all"), "");
  EXPECT_EQ(db_->Fetch("p", 2), "1;2");
  server_.AdvanceMs(2 * kHourMs);
  Upkeep();
  EXPECT_EQ(db_->Fetch("p", 2), "3;4");
  EXPECT_EQ(db_->Fetch("p", 2), "5");
  EXPECT_EQ(db_->Open("q", "all"), "");
  EXPECT_EQ(db_->Fetch("q", 2), "");
  Do("COMMIT");
}

TEST_P(TtlSnapshot, ACrashExtendsNoLifetimeAndLosesNoRow) {
  if (!server_.persistent()) GTEST_SKIP() << "nothing survives the memory engine";
  Do("INSERT INTO e VALUES (1, 'x', now()), (2, 'y', NULL)");
  Do("INSERT INTO p VALUES (1, 'x')");
  server_.AdvanceMs(kHourMs - 10'000);
  Do("UPDATE p SET v = 'x2'");
  EXPECT_EQ(Rows("SELECT id FROM e ORDER BY id"), "1;2");
  Do("BEGIN; INSERT INTO e VALUES (3, 'uncommitted', NULL); DELETE FROM e WHERE id = 2");
  const auto crash = [&] {
    db_.reset();
    server_.Crash();
    db_ = server_.Connect();
  };
  crash();
  EXPECT_EQ(Rows("SELECT id, v, row_expires_at FROM e ORDER BY id"), "1|x|2023-11-14 23:13:20+00;2|y|NULL");
  EXPECT_EQ(Rows("SELECT v, row_expires_at FROM p"), "x2|2023-11-15 00:13:10+00");
  server_.AdvanceMs(10'000);
  EXPECT_EQ(Rows("SELECT id FROM e"), "2");
  server_.AdvanceMs(-kHourMs);
  crash();
  EXPECT_EQ(Rows("SELECT id FROM e"), "2");  // the clock went back, and the server died: it stays expired
}

TEST_P(TtlSnapshot, ALargeCommitExpiresLikeAnyOther) {
  Do(fmt::format("INSERT INTO e SELECT g, '{}' || g, CASE WHEN g <= 20000 THEN now() END FROM generate_series(1, 20001) g",
                 std::string(300, 'x')));
  EXPECT_EQ(Rows("SELECT count(*), count(row_expires_at) FROM e"), "20001|20000");
  server_.AdvanceMs(kHourMs);
  EXPECT_EQ(Rows("SELECT id FROM e"), "20001");
  Upkeep();
  EXPECT_EQ(Rows("SELECT id FROM e"), "20001");
  EXPECT_EQ(Tag("INSERT INTO e SELECT g, 'again', NULL FROM generate_series(1, 20000) g"), "INSERT 0 20000");
  Upkeep();
  EXPECT_EQ(Rows("SELECT count(*) FROM e WHERE v = 'again'"), "20000");
}

TEST_P(TtlSnapshot, NoResurrectionWhenEventTimeGoesBackwards) {
  Do("INSERT INTO e VALUES (1, 'old', NULL), (2, 'old', now() + interval '10 years'), (3, 'old', NULL)");
  storage::Must(server_.engine().FlushMemtables());
  Do("UPDATE e SET v = 'new', ts = now() - interval '59 minutes' WHERE id < 3");
  Do("INSERT INTO e VALUES (3, 'new', now() - interval '59 minutes') ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, ts = EXCLUDED.ts");
  EXPECT_EQ(Rows("SELECT id, v FROM e ORDER BY id"), "1|new;2|new;3|new");
  storage::Must(server_.engine().FlushMemtables());
  server_.AdvanceMs(60'000);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Rows("SELECT * FROM e"), "");
    EXPECT_EQ(Rows("SELECT * FROM e WHERE id = 1"), "");
    if (round == 0) storage::Must(server_.engine().RunMaintenance());
    if (round == 1) Upkeep();
  }
  Restart();
  EXPECT_EQ(Rows("SELECT * FROM e"), "");
}

TEST_P(TtlSnapshot, InsertOverAnExpiredKeyIsNotRemovedWithTheOldRow) {
  Do("INSERT INTO e VALUES (1, 'old', now())");
  storage::Must(server_.engine().FlushMemtables());
  server_.AdvanceMs(kHourMs);
  Do("INSERT INTO e VALUES (1, 'new', now())");
  Upkeep();
  EXPECT_EQ(Rows("SELECT v FROM e"), "new");
  server_.AdvanceMs(kHourMs - 1);
  Upkeep();
  EXPECT_EQ(Rows("SELECT v FROM e"), "new");
}

TEST_P(TtlSnapshot, RemovalIsNeverVisibleOnlyItsSpaceIs) {
  Do("INSERT INTO e SELECT g, 'v', CASE WHEN g % 2 = 0 THEN now() END FROM generate_series(1, 1000) g");
  server_.AdvanceMs(kHourMs);
  EXPECT_EQ(Rows("SELECT count(*), sum(id) FROM e"), "500|250000");
  const uint64_t before = Removed();
  Upkeep();
  EXPECT_EQ(Rows("SELECT count(*), sum(id) FROM e"), "500|250000");
  if (server_.persistent()) {
    EXPECT_GT(Removed(), before);
  }
}

TEST_P(TtlSnapshot, SpaceOfIdleTablesIsGivenBackWithoutAWrite) {
  if (!server_.persistent()) GTEST_SKIP() << "there are no files";
  const std::string filler(300, 'x');
  for (int i = 0; i < 20; ++i) {
    Do(fmt::format("INSERT INTO p SELECT g, md5(g::text) || '{}' || g FROM generate_series({}, {}) g", filler, i * 1000, i * 1000 + 999));
  }
  storage::Must(server_.engine().FlushMemtables());
  storage::Must(server_.engine().Checkpoint());
  const uint64_t full = server_.engine().stats().bytes_on_disk;
  EXPECT_GT(full, 200'000U);
  const uint64_t commits = server_.engine().stats().commits;
  EXPECT_EQ(storage::Must(server_.engine().RunMaintenance()), 0U);  // nothing has expired yet
  server_.AdvanceMs(kHourMs);
  size_t changed = 0;
  for (int round = 0; round < 10; ++round) changed += storage::Must(server_.engine().RunMaintenance());
  EXPECT_GT(changed, 0U);
  const storage::EngineStats stats = server_.engine().stats();
  EXPECT_EQ(stats.commits, commits);
  EXPECT_LT(stats.bytes_on_disk, full / 10);
  EXPECT_GT(stats.files_expired_dropped + stats.rows_expired_removed, 0U);
  EXPECT_EQ(Rows("SELECT count(*) FROM p"), "0");
}

TEST_P(TtlSnapshot, SpaceIsKeptForAnOldSnapshot) {
  if (!server_.persistent()) GTEST_SKIP() << "there are no files";
  Do("INSERT INTO p SELECT g, 'v' FROM generate_series(1, 1000) g");
  storage::Must(server_.engine().FlushMemtables());
  const auto reader = server_.Connect();
  EXPECT_EQ(reader->ErrorOf("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1"), "");
  EXPECT_EQ(reader->Rows("SELECT count(*) FROM p"), "1000");
  server_.AdvanceMs(kHourMs);
  for (int round = 0; round < 3; ++round) storage::Must(server_.engine().RunMaintenance());
  EXPECT_EQ(Removed(), 0U);
  EXPECT_EQ(reader->Rows("SELECT count(*) FROM p"), "1000");
  EXPECT_EQ(reader->ErrorOf("COMMIT"), "");
  for (int round = 0; round < 3; ++round) storage::Must(server_.engine().RunMaintenance());
  EXPECT_GT(Removed(), 0U);
}

}  // namespace
}  // namespace mayfly::ttl
