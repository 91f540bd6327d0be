// TTL.md section 3: an expired row does not exist, whatever way leads to it.
#include "tests/harness/sql_harness.h"

namespace mayfly::ttl {
namespace {

using harness::EverySqlEngine;
using harness::SqlClient;

constexpr int64_t kHourMs = 3'600'000;

// Table t (a, b, v, ts): of the rows (1..4, 1..4), those with odd b have expired; never deleted. Table gone: all expired.
class TtlVisibility : public EverySqlEngine {
 protected:
  TtlVisibility() {
    Do("CREATE TABLE t (a int, b int, v text, ts timestamptz, PRIMARY KEY (a, b)) "
       "WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
    Do("CREATE TABLE s (id int PRIMARY KEY, v text, ts timestamptz) "
       "WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
    Do("CREATE TABLE plain (id int PRIMARY KEY, v text)");
    Do("INSERT INTO plain VALUES (1, 'p1'), (2, 'p2'), (3, 'p3'), (4, 'p4')");
    Do("INSERT INTO t SELECT a, b, a || '-' || b, CASE WHEN b % 2 = 0 THEN now() + interval '30 minutes' ELSE now() END "
       "FROM generate_series(1, 4) a, generate_series(1, 4) b");
    Do("INSERT INTO s SELECT b, 's' || b, CASE WHEN b % 2 = 0 THEN NULL ELSE now() END FROM generate_series(1, 4) b");
    server_.AdvanceMs(kHourMs);
  }
  void Expect(std::string_view sql, std::string_view plan, std::string_view rows) {
    EXPECT_EQ(Rows(sql), rows) << sql;
    if (plan.empty()) return;
    const std::string explained = db_->Explain(sql);
    EXPECT_NE(explained.find(plan), std::string::npos) << sql << "\n" << explained;
    EXPECT_NE(explained.find("TTL Filter: not expired"), std::string::npos) << sql << "\n" << explained;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, TtlVisibility, harness::kEveryEngine, storage::EngineParamName);

TEST_P(TtlVisibility, ByEveryRoute) {
  for (const bool compacted : {false, true}) {
    if (compacted) {
      storage::Must(server_.engine().FlushMemtables());
      storage::Must(server_.engine().CompactTable(server_.OptionsOf("t").table));
      storage::Must(server_.engine().CompactTable(server_.OptionsOf("s").table));
    }
    Expect("SELECT v FROM s WHERE id = 1", "Point Get", "");
    Expect("SELECT v FROM s WHERE id = 2", "Point Get", "s2");
    Expect("SELECT v FROM t WHERE a = 2 AND b = 3", "Point Get", "");
    Expect("SELECT v FROM t WHERE a = 2 AND b = 4", "Point Get", "2-4");
    Expect("SELECT v FROM s WHERE id IN (1, 2, 3, 4) ORDER BY id", "Multi Get", "s2;s4");
    Expect("SELECT v FROM s WHERE id = ANY ('{4,3}')", "Multi Get", "s4");
    Expect("SELECT v FROM t WHERE a = 2 AND b IN (1, 2, 3)", "Multi Get", "2-2");
    Expect("SELECT v FROM t WHERE a = 2", "Prefix Scan", "2-2;2-4");
    Expect("SELECT v FROM t WHERE a = 2 ORDER BY b DESC", "Backward", "2-4;2-2");
    Expect("SELECT v FROM t WHERE a = 2 AND b > 2", "Range Scan", "2-4");
    Expect("SELECT v FROM t WHERE a = 2 AND b < 2", "Range Scan", "");
    Expect("SELECT v FROM s WHERE id >= 3", "Range Scan", "s4");
    Expect("SELECT id FROM s WHERE id BETWEEN 1 AND 3", "Range Scan", "2");
    Expect("SELECT id FROM s ORDER BY id", "Seq Scan", "2;4");
    Expect("SELECT id FROM s ORDER BY id DESC", "Backward", "4;2");
    Expect("SELECT id FROM s ORDER BY id LIMIT 1", "", "2");
    Expect("SELECT id FROM s ORDER BY id DESC LIMIT 1 OFFSET 1", "", "2");
    Expect("SELECT v FROM s WHERE v > 's2'", "Seq Scan", "s4");
    Expect("SELECT count(*) FROM t", "Seq Scan", "8");
    Expect("SELECT count(*) FROM t WHERE a = 1", "", "2");
    Expect("SELECT count(v), min(b), max(b), sum(b) FROM t", "", "8|2|4|24");
    Expect("SELECT a, count(*) FROM t GROUP BY a HAVING count(*) > 1 ORDER BY a", "", "1|2;2|2;3|2;4|2");
    Expect("SELECT DISTINCT b FROM t ORDER BY b", "", "2;4");
    Expect("SELECT id FROM s WHERE id = 1 FOR UPDATE", "", "");
    Expect("SELECT id FROM s WHERE id < 4 FOR UPDATE", "", "2");
  }
}

TEST_P(TtlVisibility, InJoinsAndSubqueries) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"SELECT plain.id FROM plain JOIN s ON s.id = plain.id ORDER BY 1", "2;4"},
      {"SELECT plain.id, s.v FROM plain LEFT JOIN s ON s.id = plain.id ORDER BY 1", "1|NULL;2|s2;3|NULL;4|s4"},
      {"SELECT plain.v, s.id FROM s RIGHT JOIN plain USING (id) ORDER BY 1", "p1|NULL;p2|2;p3|NULL;p4|4"},
      {"SELECT count(*) FROM s, t", "16"},
      {"SELECT s.id, t.a FROM s JOIN t ON t.b = s.id AND t.a = 1 ORDER BY 1", "2|1;4|1"},
      {"SELECT id FROM plain WHERE id IN (SELECT id FROM s) ORDER BY 1", "2;4"},
      {"SELECT id FROM plain WHERE id NOT IN (SELECT id FROM s) ORDER BY 1", "1;3"},
      {"SELECT id FROM plain WHERE EXISTS (SELECT FROM s WHERE s.id = plain.id) ORDER BY 1", "2;4"},
      {"SELECT id FROM plain WHERE NOT EXISTS (SELECT FROM s WHERE s.id = plain.id) ORDER BY 1", "1;3"},
      {"SELECT id, (SELECT v FROM s WHERE s.id = plain.id) FROM plain ORDER BY 1", "1|NULL;2|s2;3|NULL;4|s4"},
      {"SELECT (SELECT count(*) FROM s)", "2"},
      {"SELECT * FROM (SELECT id FROM s) q ORDER BY 1", "2;4"},
      {"WITH q AS (SELECT id FROM s) SELECT count(*) FROM q", "2"},
      {"SELECT id FROM s UNION ALL SELECT b FROM t WHERE a = 1 ORDER BY 1", "2;2;4;4"},
      {"SELECT id FROM plain EXCEPT SELECT id FROM s ORDER BY 1", "1;3"},
  };
  for (const auto& [sql, rows] : cases) EXPECT_EQ(Rows(sql), rows) << sql;
}

TEST_P(TtlVisibility, InPreparedStatements) {
  EXPECT_EQ(db_->Prepare("get", "SELECT v FROM s WHERE id = $1"), "");
  EXPECT_EQ(db_->Execute("get", {"1"}), "SELECT 0");
  EXPECT_EQ(db_->Execute("get", {"2"}), "s2");
  EXPECT_EQ(db_->Prepare("touch", "UPDATE s SET v = 'x' WHERE id = $1"), "");
  EXPECT_EQ(db_->Execute("touch", {"1"}), "UPDATE 0");
  EXPECT_EQ(db_->Execute("touch", {"2"}), "UPDATE 1");
  EXPECT_EQ(db_->Prepare("drop", "DELETE FROM s WHERE id = $1"), "");
  EXPECT_EQ(db_->Execute("drop", {"3"}), "DELETE 0");
  EXPECT_EQ(db_->Execute("drop", {"4"}), "DELETE 1");
}

TEST_P(TtlVisibility, InCopy) {
  EXPECT_EQ(db_->CopyOut("COPY s (id, v) TO STDOUT"), "2\ts2\n4\ts4\n");
  EXPECT_EQ(db_->CopyOut("COPY (SELECT b FROM t WHERE a = 3 ORDER BY b) TO STDOUT"), "2\n4\n");
  // Over expired keys, COPY FROM inserts; over a living one it fails whole.
  EXPECT_EQ(db_->CopyIn("COPY s (id, v, ts) FROM STDIN", "1\tnew\t\\N\n3\tnew\t\\N\n"), "COPY 2");
  EXPECT_EQ(Rows("SELECT id, v FROM s ORDER BY id"), "1|new;2|s2;3|new;4|s4");
  EXPECT_EQ(db_->CopyIn("COPY s (id, v) FROM STDIN", "5\tx\n2\tx\n").substr(0, 5), "23505");
  EXPECT_EQ(Rows("SELECT count(*) FROM s"), "4");
}

// Into a table that nobody else can see, COPY takes another way to the disk.
TEST_P(TtlVisibility, InABulkLoad) {
  Do("CREATE TABLE loaded (id int PRIMARY KEY, v text) WITH ('table.kv.row.ttl'='1h')");
  Do("BEGIN; TRUNCATE s; TRUNCATE loaded");
  std::string rows;
  for (int i = 1; i <= 30'000; ++i) rows += fmt::format("{}\t{}{}\t{}\n", i, std::string(200, 'x'), i, i % 3 == 0 ? "\\N" : "2023-11-14 23:00:00+00");
  EXPECT_EQ(db_->CopyIn("COPY s FROM STDIN", rows), "COPY 30000");
  EXPECT_EQ(db_->CopyIn("COPY loaded FROM STDIN", "1\ta\n2\tb\n"), "COPY 2");
  EXPECT_EQ(Rows("SELECT count(*), count(row_expires_at) FROM s"), "30000|20000");
  Do("COMMIT");
  EXPECT_EQ(Rows("SELECT count(*), count(row_expires_at) FROM s"), "30000|20000");
  EXPECT_EQ(Rows("SELECT id, row_expires_at = now() + interval '1 hour' FROM loaded ORDER BY id"), "1|t;2|t");
  server_.AdvanceMs(kHourMs);
  EXPECT_EQ(Rows("SELECT count(*), count(row_expires_at) FROM s"), "10000|0");
  EXPECT_EQ(Rows("SELECT count(*) FROM loaded"), "0");
}

// A bulk load does not look at the times of its own rows: there, a key given twice is a duplicate even if the first row was born expired.
TEST_P(TtlVisibility, AKeyTwiceInACopyIsADuplicateOnlyWhileTheFirstLives) {
  const std::string_view twice = "1\ta\t1999-01-01\n1\tb\t\\N\n";
  Do("DELETE FROM s");
  EXPECT_EQ(db_->CopyIn("COPY s FROM STDIN", twice), "COPY 2");
  EXPECT_EQ(Rows("SELECT id, v FROM s"), "1|b");
  Do("BEGIN; TRUNCATE s");
  EXPECT_EQ(db_->CopyIn("COPY s FROM STDIN (FREEZE)", twice).substr(0, 5), "23505");
  Do("ROLLBACK");
}

TEST_P(TtlVisibility, AnExpiredRowNeverBlocksAKey) {
  EXPECT_EQ(Tag("INSERT INTO s VALUES (1, 'new', NULL)"), "INSERT 0 1");
  EXPECT_EQ(Tag("INSERT INTO s VALUES (1, 'again', NULL)").substr(0, 5), "23505");
  EXPECT_EQ(Tag("INSERT INTO s VALUES (2, 'x', NULL)").substr(0, 5), "23505");
  EXPECT_EQ(Tag("INSERT INTO s VALUES (3, 'new', NULL) ON CONFLICT (id) DO UPDATE SET v = 'updated'"), "INSERT 0 1");
  EXPECT_EQ(Tag("INSERT INTO s VALUES (4, 'new', NULL) ON CONFLICT (id) DO UPDATE SET v = 'updated'"), "INSERT 0 1");
  EXPECT_EQ(Rows("SELECT id, v FROM s ORDER BY id"), "1|new;2|s2;3|new;4|updated");
}

TEST_P(TtlVisibility, DoNothingInsertsOverAnExpiredKey) {
  EXPECT_EQ(Rows("INSERT INTO s VALUES (1, 'new', NULL), (2, 'no', NULL) ON CONFLICT DO NOTHING RETURNING id, v"), "1|new");
  EXPECT_EQ(Rows("SELECT id, v FROM s ORDER BY id"), "1|new;2|s2;4|s4");
}

TEST_P(TtlVisibility, APartialUpsertDoesNotSeeTheExpiredRow) {
  // v of the expired row 1 must not shine through.
  EXPECT_EQ(Rows("INSERT INTO s (id, ts) VALUES (1, NULL) ON CONFLICT (id) DO UPDATE SET ts = EXCLUDED.ts RETURNING id, v"), "1|NULL");
  EXPECT_EQ(Rows("INSERT INTO s (id, ts) VALUES (2, NULL) ON CONFLICT (id) DO UPDATE SET ts = EXCLUDED.ts RETURNING id, v"), "2|s2");
}

TEST_P(TtlVisibility, UpdateAndDeleteReportNone) {
  EXPECT_EQ(Tag("UPDATE s SET v = 'x' WHERE id = 1"), "UPDATE 0");
  EXPECT_EQ(Tag("UPDATE s SET ts = NULL WHERE id = 1"), "UPDATE 0");
  EXPECT_EQ(Tag("DELETE FROM s WHERE id = 3"), "DELETE 0");
  EXPECT_EQ(Tag("UPDATE s SET v = 'x' WHERE id IN (1, 2)"), "UPDATE 1");
  EXPECT_EQ(Tag("UPDATE t SET v = 'x' WHERE a = 1"), "UPDATE 2");
  EXPECT_EQ(Tag("UPDATE t SET v = 'y'"), "UPDATE 8");
  EXPECT_EQ(Rows("UPDATE s SET v = 'z' RETURNING id"), "2;4");
  EXPECT_EQ(Rows("DELETE FROM t WHERE a < 3 RETURNING a, b"), "1|2;1|4;2|2;2|4");
  EXPECT_EQ(Tag("DELETE FROM t"), "DELETE 4");
  EXPECT_EQ(Tag("UPDATE plain SET v = s.v FROM s WHERE s.id = plain.id"), "UPDATE 2");
  EXPECT_EQ(Tag("DELETE FROM plain USING s WHERE s.id = plain.id"), "DELETE 2");
}

TEST_P(TtlVisibility, AKeyMayMoveOntoAnExpiredOne) {
  EXPECT_EQ(Tag("UPDATE s SET id = 1 WHERE id = 2"), "UPDATE 1");
  EXPECT_EQ(Tag("UPDATE s SET id = 1 WHERE id = 4").substr(0, 5), "23505");
  EXPECT_EQ(Rows("SELECT id, v FROM s ORDER BY id"), "1|s2;4|s4");
}

TEST_P(TtlVisibility, InInsertSelect) {
  Do("CREATE TABLE copy (id int PRIMARY KEY, v text)");
  EXPECT_EQ(Tag("INSERT INTO copy SELECT id, v FROM s"), "INSERT 0 2");
  EXPECT_EQ(Tag("INSERT INTO s SELECT id, v, NULL FROM plain ON CONFLICT DO NOTHING"), "INSERT 0 2");
  EXPECT_EQ(Tag("INSERT INTO s SELECT id + 10, v, ts FROM s"), "INSERT 0 4");
  EXPECT_EQ(Rows("SELECT id, v FROM s ORDER BY id"), "1|p1;2|s2;3|p3;4|s4;11|p1;12|s2;13|p3;14|s4");
}

TEST_P(TtlVisibility, RowsBornExpiredAreCountedAsWrittenAndNotSeen) {
  EXPECT_EQ(Rows("INSERT INTO s VALUES (7, 'x', now() - interval '1 hour') RETURNING id, row_expires_at <= now()"), "7|t");
  EXPECT_EQ(Rows("SELECT * FROM s WHERE id = 7"), "");
  EXPECT_EQ(Tag("INSERT INTO s VALUES (7, 'y', now() - interval '1 hour')"), "INSERT 0 1");
  EXPECT_EQ(Tag("UPDATE s SET ts = '-infinity' WHERE id = 2"), "UPDATE 1");
  EXPECT_EQ(Rows("SELECT id FROM s"), "4");
}

TEST_P(TtlVisibility, SystemColumnsAreHiddenAndFixed) {
  EXPECT_EQ(Rows("SELECT * FROM s WHERE id = 2"), "2|s2|NULL");
  EXPECT_EQ(db_->columns(), "id, v, ts");
  EXPECT_EQ(Rows("SELECT *, row_expires_at FROM s WHERE id = 2"), "2|s2|NULL|NULL");
  EXPECT_EQ(db_->columns(), "id, v, ts, row_expires_at");
  EXPECT_EQ(Rows("SELECT row_ttl_timestamp, s.row_expires_at FROM s WHERE id = 2"), "NULL|NULL");
  EXPECT_EQ(Rows("SELECT row_expires_at FROM t WHERE a = 1 AND b = 2"), "2023-11-14 23:43:20+00");
  EXPECT_EQ(Rows("SELECT pg_typeof(row_ttl_timestamp), pg_typeof(row_expires_at) FROM t LIMIT 1"),
            "timestamp with time zone|timestamp with time zone");
  EXPECT_EQ(Rows("SELECT count(*) FROM t WHERE row_expires_at <= now()"), "0");
  EXPECT_EQ(Rows("SELECT id FROM s WHERE row_expires_at IS NULL ORDER BY id"), "2;4");
  EXPECT_EQ(Rows("SELECT count(*) FROM pg_attribute WHERE attrelid = 's'::regclass AND attnum > 0"), "3");
  for (const char* column : {"row_ttl_timestamp", "row_expires_at"}) {
    const std::pair<std::string, std::string_view> cases[] = {
        {fmt::format("SELECT {} FROM plain", column), "42703"},
        {fmt::format("SELECT plain.{} FROM plain", column), "42703"},
        {fmt::format("UPDATE plain SET v = 'x' WHERE {} IS NULL", column), "42703"},
        {fmt::format("INSERT INTO s (id, {}) VALUES (9, now())", column), "42703"},  // as PostgreSQL says of ctid
        {fmt::format("UPDATE s SET {} = now()", column), "0A000"},
        {fmt::format("INSERT INTO s VALUES (2, 'x') ON CONFLICT (id) DO UPDATE SET {} = now()", column), "0A000"},
        {fmt::format("CREATE TABLE x (id int PRIMARY KEY, {} int) WITH ('table.kv.row.ttl'='1h')", column), "42701"},
        {fmt::format("ALTER TABLE s ADD COLUMN {} int", column), "42701"},
        {fmt::format("ALTER TABLE s RENAME COLUMN v TO {}", column), "42701"},
    };
    for (const auto& [sql, state] : cases) EXPECT_EQ(db_->ErrorOf(sql).substr(0, 5), state) << sql << "\n" << db_->ErrorOf(sql);
  }
}

TEST_P(TtlVisibility, CountPushdownIsOffAndExplainSaysWhy) {
  const std::string plan = db_->Explain("SELECT count(*) FROM s");
  EXPECT_NE(plan.find("Seq Scan on s"), std::string::npos) << plan;
  EXPECT_NE(plan.find("COUNT(*) Pushdown: off"), std::string::npos) << plan;
  EXPECT_NE(plan.find("expire"), std::string::npos) << plan;
  const std::string counter = db_->Explain("SELECT count(*) FROM plain");
  EXPECT_NE(counter.find("Row Counter on plain"), std::string::npos) << counter;
}

}  // namespace
}  // namespace mayfly::ttl
