// TTL.md section 3: count(*) of a table without TTL is answered from an exact, transactional counter.
#include "tests/harness/sql_harness.h"

namespace mayfly::ttl {
namespace {

using harness::EverySqlEngine;

class RowCounter : public EverySqlEngine {
 protected:
  RowCounter() {
    Do("CREATE TABLE c (id int PRIMARY KEY, v text)");
    EXPECT_NE(db_->Explain("SELECT count(*) FROM c").find("Row Counter on c"), std::string::npos);
  }
  // The counter's answer, beside that of a scan: "3" where both agree.
  static std::string Count(harness::SqlClient& db) {
    const std::string counted = db.Rows("SELECT count(*) FROM c");
    const std::string scanned = db.Rows("SELECT count(*) FROM c WHERE id IS NOT NULL OR v IS NULL");
    return counted == scanned ? counted : fmt::format("counter {}, scan {}", counted, scanned);
  }
  std::string Count() { return Count(*db_); }
};
INSTANTIATE_TEST_SUITE_P(Engines, RowCounter, harness::kEveryEngine, storage::EngineParamName);

TEST_P(RowCounter, FollowsEveryKindOfWrite) {
  const std::pair<std::string_view, std::string_view> steps[] = {
      {"SELECT 1", "0"},
      {"INSERT INTO c VALUES (1, 'a'), (2, 'b'), (3, 'c')", "3"},
      {"INSERT INTO c SELECT g, 'g' FROM generate_series(4, 3000) g", "3000"},
      {"INSERT INTO c VALUES (1, 'x') ON CONFLICT DO NOTHING", "3000"},
      {"INSERT INTO c VALUES (1, 'x'), (3001, 'x') ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v", "3001"},
      {"UPDATE c SET v = 'y' WHERE id < 10", "3001"},
      {"UPDATE c SET id = id + 10000 WHERE id < 10", "3001"},
      {"DELETE FROM c WHERE id = 10001", "3000"},
      {"DELETE FROM c WHERE id = 10001", "3000"},
      {"DELETE FROM c WHERE id > 1000", "991"},
      {"TRUNCATE c", "0"},
      {"INSERT INTO c VALUES (1, 'a')", "1"},
      {"DELETE FROM c", "0"},
  };
  for (const auto& [sql, count] : steps) {
    Do(sql);
    EXPECT_EQ(Count(), count) << sql;
  }
}

TEST_P(RowCounter, IsNotMovedByFailedStatements) {
  Do("INSERT INTO c VALUES (1, 'a'), (2, 'b')");
  EXPECT_EQ(db_->ErrorOf("INSERT INTO c VALUES (3, 'c'), (4, 'd'), (1, 'x')").substr(0, 5), "23505");
  EXPECT_EQ(db_->ErrorOf("INSERT INTO c SELECT g, 'x' FROM generate_series(10, 0, -1) g").substr(0, 5), "23505");
  EXPECT_EQ(db_->ErrorOf("INSERT INTO c SELECT g, (1 / (g - 15))::text FROM generate_series(11, 20) g").substr(0, 5), "22012");
  EXPECT_EQ(Count(), "2");
  // The same statement, kept by the session, after it failed half way.
  EXPECT_EQ(db_->Prepare("two", "INSERT INTO c VALUES ($1::int, 'x'), ($2::int, 'y')"), "");
  EXPECT_EQ(db_->Execute("two", {"10", "1"}).substr(0, 5), "23505");
  EXPECT_EQ(Count(), "2");
  EXPECT_EQ(db_->Execute("two", {"10", "11"}), "INSERT 0 2");
  EXPECT_EQ(Count(), "4");
  EXPECT_EQ(db_->Prepare("del", "DELETE FROM c WHERE 1 / (id - $1) < 5"), "");
  EXPECT_EQ(db_->Execute("del", {"11"}).substr(0, 5), "22012");
  EXPECT_EQ(Count(), "4");
  EXPECT_EQ(db_->Execute("del", {"0"}), "DELETE 4");
  EXPECT_EQ(Count(), "0");
}

TEST_P(RowCounter, IsTransactional) {
  const auto other = server_.Connect();
  Do("INSERT INTO c VALUES (1, 'a')");
  Do("BEGIN; INSERT INTO c VALUES (2, 'b')");
  EXPECT_EQ(Count(), "2");
  EXPECT_EQ(Count(*other), "1");
  Do("SAVEPOINT s; INSERT INTO c VALUES (3, 'c'); DELETE FROM c WHERE id = 1");
  EXPECT_EQ(Count(), "2");
  Do("ROLLBACK TO s");
  EXPECT_EQ(Count(), "2");
  Do("INSERT INTO c VALUES (4, 'd'); SAVEPOINT s2; INSERT INTO c VALUES (5, 'e'); RELEASE s2");
  EXPECT_EQ(db_->ErrorOf("INSERT INTO c VALUES (6, 'f'), (1, 'dup')").substr(0, 5), "23505");
  Do("ROLLBACK TO s");
  EXPECT_EQ(Count(), "2");
  Do("COMMIT");
  EXPECT_EQ(Count(*other), "2");
  Do("BEGIN; DELETE FROM c; INSERT INTO c VALUES (9, 'z')");
  EXPECT_EQ(Count(), "1");
  Do("ROLLBACK");
  EXPECT_EQ(Count(), "2");
  Do("BEGIN; TRUNCATE c; INSERT INTO c VALUES (9, 'z')");
  EXPECT_EQ(Count(), "1");
  Do("ROLLBACK");
  EXPECT_EQ(Count(), "2");
}

TEST_P(RowCounter, AddsUpOverConcurrentTransactions) {
  const auto other = server_.Connect();
  const auto reader = server_.Connect();
  Do("INSERT INTO c VALUES (1, 'a')");
  EXPECT_EQ(reader->ErrorOf("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM c"), "");
  EXPECT_EQ(Count(*reader), "1");
  Do("BEGIN; INSERT INTO c VALUES (2, 'a'), (3, 'a')");
  EXPECT_EQ(other->ErrorOf("BEGIN; INSERT INTO c VALUES (4, 'a'); DELETE FROM c WHERE id = 1"), "");
  EXPECT_EQ(Count(), "3");
  EXPECT_EQ(Count(*other), "1");
  Do("COMMIT");
  EXPECT_EQ(Count(*other), "3");
  EXPECT_EQ(other->ErrorOf("COMMIT"), "");
  EXPECT_EQ(Count(), "3");
  EXPECT_EQ(Count(*reader), "1");
  EXPECT_EQ(reader->ErrorOf("COMMIT"), "");
  EXPECT_EQ(Count(*reader), "3");
}

TEST_P(RowCounter, CountsCopiedRowsAndSurvivesARestart) {
  EXPECT_EQ(db_->CopyIn("COPY c FROM STDIN", "1\ta\n2\tb\n3\tc\n"), "COPY 3");
  EXPECT_EQ(Count(), "3");
  EXPECT_EQ(db_->CopyIn("COPY c FROM STDIN", "4\ta\n2\tb\n").substr(0, 5), "23505");
  EXPECT_EQ(Count(), "3");
  Do("BEGIN; TRUNCATE c");
  EXPECT_EQ(db_->CopyIn("COPY c FROM STDIN", "7\ta\n"), "COPY 1");
  EXPECT_EQ(Count(), "1");
  Do("ROLLBACK");
  EXPECT_EQ(Count(), "3");
  Restart();
  EXPECT_EQ(Count(), "3");
  Do("INSERT INTO c VALUES (9, 'x')");
  EXPECT_EQ(Count(), "4");
  Restart();
  EXPECT_EQ(Count(), "4");
}

TEST_P(RowCounter, OfATableWithoutKey) {
  Do("DROP TABLE c; CREATE TABLE c (id int, v text)");
  Do("INSERT INTO c VALUES (1, 'a'), (1, 'a'), (2, NULL)");
  EXPECT_EQ(Count(), "3");
  Do("DELETE FROM c WHERE id = 1");
  EXPECT_EQ(Count(), "1");
  EXPECT_EQ(db_->CopyIn("COPY c FROM STDIN", "7\ta\n7\ta\n"), "COPY 2");
  EXPECT_EQ(Count(), "3");
  Restart();
  Do("INSERT INTO c VALUES (1, 'a')");
  EXPECT_EQ(Count(), "4");
  Do("DELETE FROM c WHERE id = 7; ALTER TABLE c ADD PRIMARY KEY (id)");
  EXPECT_EQ(Count(), "2");
}

}  // namespace
}  // namespace mayfly::ttl
