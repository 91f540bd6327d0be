// What several sessions see of each other, and what scripts of one connection (tests/wire/session_scripts) cannot show: locks and timeouts,
// interrupts, plans that go stale, calls that may not block.
#include "sql/session/session.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/harness/sql_harness.h"

namespace mayfly::session {
namespace {

using harness::SqlClient;

class SessionTest : public harness::EverySqlEngine {
 protected:
  SessionTest() : other_(server_.Connect()) {
    Do("CREATE TABLE t (a int PRIMARY KEY, b int)");
    Do("INSERT INTO t VALUES (1, 10), (2, 20)");
  }
  std::unique_ptr<SqlClient> other_;
};
INSTANTIATE_TEST_SUITE_P(Engines, SessionTest, harness::kEveryEngine, storage::EngineParamName);

TEST_P(SessionTest, OthersSeeWhatIsCommitted) {
  Do("BEGIN");
  Do("UPDATE t SET b = 11 WHERE a = 1");
  EXPECT_EQ(Rows("SELECT b FROM t WHERE a = 1"), "11");
  EXPECT_EQ(other_->Rows("SELECT b FROM t WHERE a = 1"), "10");
  Do("COMMIT");
  EXPECT_EQ(other_->Rows("SELECT b FROM t WHERE a = 1"), "11");
}

TEST_P(SessionTest, ReadCommittedTakesAViewForEachStatementRepeatableReadOne) {
  Do("BEGIN ISOLATION LEVEL REPEATABLE READ");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 11 WHERE a = 1"), "UPDATE 1");
  EXPECT_EQ(Rows("SELECT b FROM t WHERE a = 1"), "11") << "the view is taken by the first query, not by BEGIN";
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 12 WHERE a = 1"), "UPDATE 1");
  EXPECT_EQ(Rows("SELECT b FROM t WHERE a = 1"), "11");
  EXPECT_EQ(Tag("UPDATE t SET b = 13 WHERE a = 1"), "40001 could not serialize access due to concurrent update");
  EXPECT_EQ(Tag("SELECT 1"), "25P02 current transaction is aborted, commands ignored until end of transaction block");
  EXPECT_EQ(Tag("COMMIT"), "ROLLBACK");
  Do("BEGIN");
  EXPECT_EQ(Rows("SELECT b FROM t WHERE a = 1"), "12");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 14 WHERE a = 1"), "UPDATE 1");
  EXPECT_EQ(Rows("SELECT b FROM t WHERE a = 1"), "14");
  Do("COMMIT");
}

TEST_P(SessionTest, ASerializableTransactionThatCannotCommitIsOver) {
  Do("BEGIN ISOLATION LEVEL SERIALIZABLE");
  EXPECT_EQ(other_->Tag("BEGIN ISOLATION LEVEL SERIALIZABLE"), "BEGIN");
  EXPECT_EQ(Rows("SELECT sum(b) FROM t"), "30");
  EXPECT_EQ(other_->Rows("SELECT sum(b) FROM t"), "30");
  Do("UPDATE t SET b = 0 WHERE a = 1");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 0 WHERE a = 2"), "UPDATE 1");
  Do("COMMIT");
  EXPECT_EQ(other_->Tag("COMMIT").substr(0, 5), "40001");
  EXPECT_EQ(other_->session().transaction_status(), 'I');
  EXPECT_EQ(other_->Rows("SELECT a, b FROM t ORDER BY a"), "1|0;2|20");
}

TEST_P(SessionTest, WaitsForLocksEnd) {
  Do("BEGIN");
  Do("UPDATE t SET b = 11 WHERE a = 1");
  EXPECT_EQ(other_->Tag("SET lock_timeout = 1"), "SET");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 12 WHERE a = 1"), "55P03 canceling statement due to lock timeout");
  EXPECT_EQ(other_->Tag("DROP TABLE t"), "55P03 canceling statement due to lock timeout");
  EXPECT_EQ(other_->Tag("SET lock_timeout = 0"), "SET");
  EXPECT_EQ(other_->Tag("SET statement_timeout = 1"), "SET");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 12 WHERE a = 1"), "57014 canceling statement due to statement timeout");
  EXPECT_EQ(other_->Tag("SET statement_timeout = 0"), "SET");
  EXPECT_EQ(other_->Rows("SELECT a FROM t WHERE a = 1 FOR UPDATE SKIP LOCKED"), "");
  EXPECT_EQ(other_->Rows("SELECT a FROM t WHERE a = 1 FOR UPDATE NOWAIT"), "55P03 could not obtain lock on row in relation \"t\"");
  EXPECT_EQ(other_->Tag("LOCK TABLE t"), "25P01 LOCK TABLE can only be used in transaction blocks");
  EXPECT_EQ(other_->Tag("BEGIN"), "BEGIN");
  EXPECT_EQ(other_->Tag("LOCK TABLE t IN ACCESS EXCLUSIVE MODE NOWAIT"), "55P03 could not obtain lock on relation \"t\"");
  EXPECT_EQ(other_->Tag("ROLLBACK"), "ROLLBACK");
  Do("ROLLBACK");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 12 WHERE a = 1"), "UPDATE 1");
}

TEST_P(SessionTest, AnUpdateThatWaitedSeesTheNewestRow) {
  Do("BEGIN");
  Do("UPDATE t SET b = b + 1 WHERE a = 1");
  std::string answer;
  std::thread waiting([&] { answer = other_->Rows("UPDATE t SET b = b * 2 WHERE a = 1 RETURNING b"); });
  Do("COMMIT");
  waiting.join();
  EXPECT_EQ(answer, "22");
}

TEST_P(SessionTest, AFailedBlockGivesItsLocksBack) {
  Do("BEGIN");
  Do("UPDATE t SET b = 11 WHERE a = 1");
  EXPECT_EQ(Tag("SELECT nosuch").substr(0, 5), "42703");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 12 WHERE a = 1"), "UPDATE 1");
  Do("ROLLBACK");
}

TEST_P(SessionTest, RollingBackToASavepointGivesItsLocksBack) {
  EXPECT_EQ(other_->Tag("SET lock_timeout = 1"), "SET");
  Do("BEGIN; UPDATE t SET b = 11 WHERE a = 1; SAVEPOINT s; UPDATE t SET b = 21 WHERE a = 2; ROLLBACK TO s");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 22 WHERE a = 2"), "UPDATE 1");
  EXPECT_EQ(other_->Tag("UPDATE t SET b = 12 WHERE a = 1"), "55P03 canceling statement due to lock timeout");
  Do("COMMIT");
  EXPECT_EQ(Rows("SELECT a, b FROM t ORDER BY a"), "1|11;2|22");
}

TEST_P(SessionTest, PlansFollowTheCatalog) {
  EXPECT_EQ(db_->Prepare("s", "SELECT b FROM t WHERE a = $1"), "");
  EXPECT_EQ(db_->Execute("s", {"1"}), "10");
  EXPECT_EQ(other_->Tag("ALTER TABLE t ADD COLUMN c int DEFAULT 5"), "ALTER TABLE");
  EXPECT_EQ(db_->Execute("s", {"1"}), "10");
  EXPECT_EQ(other_->Tag("ALTER TABLE t DROP COLUMN b"), "ALTER TABLE");
  EXPECT_EQ(db_->Execute("s", {"1"}), "42703 column \"b\" does not exist @8");
  EXPECT_EQ(other_->Tag("ALTER TABLE t RENAME COLUMN c TO b"), "ALTER TABLE");
  EXPECT_EQ(db_->Execute("s", {"1"}), "5");
  EXPECT_EQ(other_->Tag("ALTER TABLE t DROP COLUMN b"), "ALTER TABLE");
  EXPECT_EQ(other_->Tag("ALTER TABLE t ADD COLUMN b text DEFAULT 'x'"), "ALTER TABLE");
  EXPECT_EQ(db_->Execute("s", {"1"}), "0A000 cached plan must not change result type");
}

TEST_P(SessionTest, PlansFollowTheSearchPath) {
  Do("CREATE SCHEMA s; CREATE TABLE s.t (a int PRIMARY KEY, b int); INSERT INTO s.t VALUES (1, 77)");
  EXPECT_EQ(db_->Prepare("s", "SELECT b FROM t WHERE a = $1"), "");
  EXPECT_EQ(db_->Execute("s", {"1"}), "10");
  Do("SET search_path = s, public");
  EXPECT_EQ(db_->Execute("s", {"1"}), "77");
}

TEST_P(SessionTest, AnInterruptEndsTheStatementThatRunsAndNoOther) {
  db_->session().RequestInterrupt(SqlError::Make(kQueryCanceled, "canceling statement due to user request"));
  EXPECT_EQ(Rows("SELECT 1"), "1") << "nothing ran when it was asked for";
  Do("BEGIN");
  Do("UPDATE t SET b = 11 WHERE a = 1");
  std::string answer;
  std::thread waiting([&] { answer = other_->Tag("UPDATE t SET b = 12 WHERE a = 1"); });
  // Until it runs there is nothing to interrupt, so ask until it has ended.
  std::atomic<bool> ended = false;
  std::thread canceling([&] {
    while (!ended) other_->session().RequestInterrupt(SqlError::Make(kQueryCanceled, "canceling statement due to user request"));
  });
  waiting.join();
  ended = true;
  canceling.join();
  EXPECT_EQ(answer, "57014 canceling statement due to user request");
  Do("ROLLBACK");
}

// A sink that only counts.
class CountingSink final : public ResultSink {
 public:
  void RowDescription(std::span<const ResultColumn>, std::span<const Format>) override { ++calls; }
  void NoData() override { ++calls; }
  void ParameterDescription(std::span<const Oid>) override { ++calls; }
  void Rows(const types::Batch&, std::span<const ResultColumn>, std::span<const Format>, const types::IoContext&) override { ++calls; }
  void CommandComplete(std::string_view) override { ++calls; }
  void EmptyQuery() override { ++calls; }
  void PortalSuspended() override { ++calls; }
  void CopyInResponse(const CopyFormat&) override { ++calls; }
  void CopyOutResponse(const CopyFormat&) override { ++calls; }
  void CopyData(std::string_view) override { ++calls; }
  void CopyDone() override { ++calls; }
  void Notice(const SqlError&) override { ++calls; }
  void ParameterStatus(std::string_view, std::string_view) override { ++calls; }
  int calls = 0;
};

TEST_P(SessionTest, WhatMayBlockIsNotBegunWhereItMayNot) {
  for (const std::string_view sql : {"SELECT * FROM t", "UPDATE t SET b = b + 1", "CREATE TABLE u (a int)", "COPY t TO STDOUT", "VACUUM"}) {
    CountingSink sink;
    EXPECT_EQ(*db_->session().StartQuery(sql, false, sink), Step::kWouldBlock) << sql;
    EXPECT_EQ(sink.calls, 0) << sql;
    EXPECT_EQ(*db_->session().StartQuery(sql, true, sink), Step::kDone) << sql;
    EXPECT_GT(sink.calls, 0) << sql;
  }
  EXPECT_EQ(Rows("SELECT a, b FROM t ORDER BY a"), "1|11;2|21");
}

TEST_P(SessionTest, AnIdleSessionForgetsOnlyWhatItCanMakeAgain) {
  EXPECT_EQ(db_->Prepare("s", "SELECT b FROM t WHERE a = $1"), "");
  EXPECT_EQ(db_->Execute("s", {"1"}), "10");
  Do("SET application_name = 'x'");
  db_->session().ShrinkWhenIdle();
  EXPECT_EQ(db_->Execute("s", {"2"}), "20");
  EXPECT_EQ(Rows("SHOW application_name"), "x");
  Do("BEGIN; UPDATE t SET b = 5 WHERE a = 1");
  db_->session().ShrinkWhenIdle();
  Do("COMMIT");
  EXPECT_EQ(Rows("SELECT b FROM t WHERE a = 1"), "5");
}

TEST_P(SessionTest, ExplainNamesTheRouteAndRunsOnlyToAnalyze) {
  EXPECT_EQ(Rows("EXPLAIN (COSTS OFF) DELETE FROM t WHERE a = 1").substr(0, 17), "Point Delete on t");
  EXPECT_EQ(Rows("SELECT count(*) FROM t"), "2");
  const std::string analyzed = Rows("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) DELETE FROM t WHERE a = 1");
  EXPECT_NE(analyzed.find("actual rows="), std::string::npos) << analyzed;
  EXPECT_EQ(Rows("SELECT count(*) FROM t"), "1");
  const struct {
    std::string_view sql;
    std::string_view error;
  } kErrors[] = {
      {"EXPLAIN (NOSUCH) SELECT 1", "42601 unrecognized EXPLAIN option \"nosuch\" @10"},
      {"EXPLAIN (COSTS maybe) SELECT 1", "42601 costs requires a Boolean value"},
      {"EXPLAIN (TIMING) SELECT 1", "22023 EXPLAIN option TIMING requires ANALYZE"},
      {"EXPLAIN (WAL) SELECT 1", "22023 EXPLAIN option WAL requires ANALYZE"},
      {"EXPLAIN (FORMAT nosuch) SELECT 1", "22023 unrecognized value for EXPLAIN option \"format\": \"nosuch\" @10"},
      {"EXPLAIN (FORMAT json) SELECT 1", "0A000 EXPLAIN (FORMAT json) is not supported @10"},
      {"EXPLAIN SELECT nosuch", "42703 column \"nosuch\" does not exist @16"},
  };
  for (const auto& test : kErrors) EXPECT_EQ(db_->ErrorOf(test.sql), test.error) << test.sql;
}

}  // namespace
}  // namespace mayfly::session
