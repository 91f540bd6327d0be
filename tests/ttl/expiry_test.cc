// TTL.md section 2: when a row is expired.
#include "tests/harness/sql_harness.h"

namespace mayfly::ttl {
namespace {

using harness::EverySqlEngine;
using harness::SqlServer;

constexpr int64_t kHourMs = 3'600'000;

class TtlExpiry : public EverySqlEngine {
 protected:
  void CreateTables() {
    Do("CREATE TABLE e (id int PRIMARY KEY, v text, ts timestamptz) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
    Do("CREATE TABLE m (id int PRIMARY KEY, ms bigint) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ms')");
    Do("CREATE TABLE p (id int PRIMARY KEY, v text) WITH ('table.kv.row.ttl'='1h')");
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, TtlExpiry, harness::kEveryEngine, storage::EngineParamName);

TEST_P(TtlExpiry, IsInclusiveToTheMillisecond) {
  CreateTables();
  Do("INSERT INTO p VALUES (1, 'x')");
  Do("INSERT INTO e VALUES (1, 'x', now())");
  server_.AdvanceMs(kHourMs - 1);
  EXPECT_EQ(Rows("SELECT p.id, e.id FROM p, e"), "1|1");
  server_.clock().Advance(999);  // the last microsecond of the last living millisecond
  EXPECT_EQ(Rows("SELECT p.id, e.id FROM p, e"), "1|1");
  server_.clock().Advance(1);
  EXPECT_EQ(Rows("SELECT id FROM p"), "");
  EXPECT_EQ(Rows("SELECT id FROM e"), "");
}

TEST_P(TtlExpiry, TagIsTheReferenceTimeAndExpiresAtIsTagPlusTtl) {
  CreateTables();
  Do("INSERT INTO e VALUES (1, 'x', '2023-11-14 22:00:00.123456+00')");
  Do("INSERT INTO m VALUES (1, 1700000000007)");
  Do("INSERT INTO p VALUES (1, 'x')");
  EXPECT_EQ(Rows("SELECT row_ttl_timestamp, row_expires_at FROM e"), "2023-11-14 22:00:00.123+00|2023-11-14 23:00:00.123+00");
  EXPECT_EQ(Rows("SELECT row_ttl_timestamp, row_expires_at FROM m"), "2023-11-14 22:13:20.007+00|2023-11-14 23:13:20.007+00");
  EXPECT_EQ(Rows("SELECT row_ttl_timestamp, row_expires_at FROM p"), "2023-11-14 22:13:20+00|2023-11-14 23:13:20+00");
}

TEST_P(TtlExpiry, NullAndInfinityAreNever) {
  CreateTables();
  Do("INSERT INTO e VALUES (1, 'null', NULL), (2, 'inf', 'infinity')");
  Do("INSERT INTO e VALUES (3, 'minus', '-infinity'), (4, 'past', '4713-01-01 00:00:00+00 BC'), (5, 'old', '1960-01-01')");
  Do("INSERT INTO m VALUES (1, NULL), (2, 9223372036854775807)");
  EXPECT_EQ(Rows("SELECT id, row_expires_at FROM e ORDER BY id"), "1|NULL;2|NULL");
  EXPECT_EQ(Rows("SELECT id, row_expires_at FROM m ORDER BY id"), "1|NULL;2|NULL");
  server_.clock().Set(INT64_C(9'000'000'000'000'000'000));  // the year 287,000
  EXPECT_EQ(Rows("SELECT id FROM e ORDER BY id"), "1;2");
  EXPECT_EQ(Rows("SELECT id FROM m ORDER BY id"), "1;2");
}

TEST_P(TtlExpiry, SaturatesAndNeverWraps) {
  CreateTables();
  Do("CREATE TABLE big (id int PRIMARY KEY, ms bigint) WITH ('table.kv.row.ttl'='9223372036854775807 ms', "
     "'table.kv.row.ttl.time-column'='ms')");
  // A wrapped sum would be far in the past. One that only just fits is in the future.
  Do("INSERT INTO m VALUES (1, 9223372036854775806), (2, 9223372036851175807), (3, -9223372036854775808), (4, -1), (5, 0)");
  EXPECT_EQ(Rows("SELECT id FROM m ORDER BY id"), "1;2");
  Do("INSERT INTO big VALUES (1, 1), (2, 9223372036854775806), (3, 0), (4, -9223372036854775807), (5, -9223372036854775808)");
  EXPECT_EQ(Rows("SELECT id FROM big ORDER BY id"), "1;2;3");
  server_.clock().Set(INT64_C(9'223'372'036'854'775'807));
  EXPECT_EQ(Rows("SELECT id FROM m ORDER BY id"), "1;2");
  EXPECT_EQ(Rows("SELECT id FROM big ORDER BY id"), "1;2;3");
}

TEST_P(TtlExpiry, ShowsExtremeTimesWithoutFailing) {
  CreateTables();
  Do("INSERT INTO m VALUES (1, 9223372036854775806), (2, 9223372036854775807), (3, 9224318016000000)");
  EXPECT_EQ(Rows("SELECT id, row_ttl_timestamp, row_expires_at FROM m WHERE id = 2"), "2|NULL|NULL");
  EXPECT_EQ(Rows("SELECT id, row_expires_at FROM m WHERE id = 1"), "1|infinity");
}

TEST_P(TtlExpiry, FloorsToTheMillisecondBeforeTheEpochToo) {
  Do("CREATE TABLE f (id int PRIMARY KEY, ts timestamptz) WITH ('table.kv.row.ttl'='100000 days', 'table.kv.row.ttl.time-column'='ts')");
  Do("INSERT INTO f VALUES (1, '1969-12-31 23:59:59.9995+00'), (2, '1970-01-01 00:00:00.0005+00'), (3, '1999-12-31 23:59:59.999999+00'), "
     "(4, '1970-01-01 00:00:00+00'), (5, '1969-12-31 23:59:59.000001+00')");
  EXPECT_EQ(Rows("SELECT id, row_ttl_timestamp FROM f ORDER BY id"),
            "1|1969-12-31 23:59:59.999+00;2|1970-01-01 00:00:00+00;3|1999-12-31 23:59:59.999+00;4|1970-01-01 00:00:00+00;"
            "5|1969-12-31 23:59:59+00");
}

TEST_P(TtlExpiry, AnyUpdateRestartsProcessingTime) {
  CreateTables();
  Do("INSERT INTO p VALUES (1, 'x'), (2, 'y'), (3, 'z')");
  server_.AdvanceMs(kHourMs - 1);
  EXPECT_EQ(Tag("UPDATE p SET v = 'x2' WHERE id = 1"), "UPDATE 1");
  EXPECT_EQ(Tag("UPDATE p SET v = v WHERE id = 2"), "UPDATE 1");
  server_.AdvanceMs(1);
  EXPECT_EQ(Rows("SELECT id, v, row_expires_at FROM p ORDER BY id"), "1|x2|2023-11-15 00:13:19.999+00;2|y|2023-11-15 00:13:19.999+00");
}

TEST_P(TtlExpiry, AnUpdateThatDoesNotTouchTheTimeColumnKeepsEventTime) {
  CreateTables();
  Do("INSERT INTO e VALUES (1, 'x', now()), (2, 'y', now()), (3, 'z', NULL)");
  server_.AdvanceMs(kHourMs - 1);
  EXPECT_EQ(Tag("UPDATE e SET v = 'x2' WHERE id = 1"), "UPDATE 1");
  EXPECT_EQ(Tag("UPDATE e SET v = v || '2'"), "UPDATE 3");
  EXPECT_EQ(Tag("UPDATE e SET ts = now() WHERE id = 2"), "UPDATE 1");
  EXPECT_EQ(Rows("SELECT id, v, row_expires_at FROM e ORDER BY id"),
            "1|x22|2023-11-14 23:13:20+00;2|y2|2023-11-15 00:13:19.999+00;3|z2|NULL");
  server_.AdvanceMs(1);
  EXPECT_EQ(Rows("SELECT id FROM e ORDER BY id"), "2;3");
  EXPECT_EQ(Tag("UPDATE e SET ts = '-infinity' WHERE id = 3"), "UPDATE 1");
  EXPECT_EQ(Rows("SELECT id FROM e ORDER BY id"), "2");
}

TEST_P(TtlExpiry, UpsertsRecomputeTheTagFromTheResultingRow) {
  CreateTables();
  Do("INSERT INTO e VALUES (1, 'x', now()), (2, 'y', now())");
  Do("INSERT INTO p VALUES (1, 'x'), (2, 'y')");
  server_.AdvanceMs(kHourMs - 1);
  EXPECT_EQ(Tag("INSERT INTO e VALUES (1, 'x2', now()) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v"), "INSERT 0 1");
  EXPECT_EQ(Tag("INSERT INTO e VALUES (2, 'y2', now()) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, ts = EXCLUDED.ts"), "INSERT 0 1");
  EXPECT_EQ(Tag("INSERT INTO p VALUES (1, 'x2') ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v"), "INSERT 0 1");
  server_.AdvanceMs(1);
  EXPECT_EQ(Rows("SELECT id, v FROM e"), "2|y2");
  EXPECT_EQ(Rows("SELECT id, v FROM p"), "1|x2");
}

TEST_P(TtlExpiry, OnConflictDoNothingRefreshesNothing) {
  CreateTables();
  Do("INSERT INTO p VALUES (1, 'x')");
  server_.AdvanceMs(kHourMs - 1);
  EXPECT_EQ(Tag("INSERT INTO p VALUES (1, 'y') ON CONFLICT DO NOTHING"), "INSERT 0 0");
  EXPECT_EQ(Tag("INSERT INTO p VALUES (1, 'y') ON CONFLICT (id) DO UPDATE SET v = 'z' WHERE p.v = 'no'"), "INSERT 0 0");
  EXPECT_EQ(Rows("SELECT v, row_expires_at FROM p"), "x|2023-11-14 23:13:20+00");
  server_.AdvanceMs(1);
  EXPECT_EQ(Rows("SELECT * FROM p"), "");
}

// Moves on by a millisecond at every look.
class TickingClock final : public Clock {
 public:
  int64_t NowMicros() const override { return micros_.fetch_add(1000); }

 private:
  mutable std::atomic<int64_t> micros_{SqlServer::kStartMs * 1000};
};

TEST_P(TtlExpiry, OneClockReadingServesAllRowsOfAStatement) {
  TickingClock clock;
  SqlServer server(GetParam(), &clock);
  const auto db = server.Connect();
  EXPECT_EQ(db->ErrorOf("CREATE TABLE p (id int PRIMARY KEY, v int) WITH ('table.kv.row.ttl'='1h')"), "");
  EXPECT_EQ(db->Tag("INSERT INTO p SELECT g, 1 FROM generate_series(1, 3000) g"), "INSERT 0 3000");
  EXPECT_EQ(db->Rows("SELECT count(*), count(DISTINCT row_ttl_timestamp) FROM p"), "3000|1");
  EXPECT_EQ(db->Tag("UPDATE p SET v = 2"), "UPDATE 3000");
  EXPECT_EQ(db->Rows("SELECT count(*), count(DISTINCT row_ttl_timestamp) FROM p"), "3000|1");
  EXPECT_EQ(db->Rows("INSERT INTO p VALUES (1, 3), (9999, 3) ON CONFLICT (id) DO UPDATE SET v = 3 RETURNING row_ttl_timestamp = (SELECT "
                     "row_ttl_timestamp FROM p WHERE id = 2)"),
            "f;f");
  EXPECT_EQ(db->Rows("SELECT count(DISTINCT row_ttl_timestamp) FROM p WHERE v = 3"), "1");
  EXPECT_EQ(db->CopyIn("COPY p FROM STDIN", "20001\t4\n20002\t4\n20003\t4\n"), "COPY 3");
  EXPECT_EQ(db->Rows("SELECT count(*), count(DISTINCT row_ttl_timestamp) FROM p WHERE v = 4"), "3|1");
}

TEST_P(TtlExpiry, TimeDoesNotGoBackwardsWithTheClock) {
  CreateTables();
  Do("INSERT INTO p VALUES (1, 'x')");
  Do("INSERT INTO e VALUES (1, 'x', now())");
  server_.AdvanceMs(kHourMs);
  EXPECT_EQ(Rows("SELECT * FROM p"), "");
  server_.AdvanceMs(-kHourMs);
  EXPECT_EQ(Rows("SELECT * FROM p"), "");
  EXPECT_EQ(Rows("SELECT * FROM e"), "");
  // A new row lives as long as declared, from the time that stands still.
  Do("INSERT INTO p VALUES (1, 'y')");
  EXPECT_EQ(Rows("SELECT v, row_expires_at FROM p"), "y|2023-11-15 00:13:20+00");
}

TEST_P(TtlExpiry, TimeDoesNotGoBackwardsOverARestart) {
  if (!server_.persistent()) GTEST_SKIP() << "nothing survives the memory engine";
  CreateTables();
  Do("INSERT INTO e VALUES (1, 'x', now())");
  server_.AdvanceMs(kHourMs);
  EXPECT_EQ(Rows("SELECT * FROM e"), "");
  server_.AdvanceMs(-kHourMs);
  Restart();
  EXPECT_EQ(Rows("SELECT * FROM e"), "");
  EXPECT_GE(server_.engine().TtlNowMs(), SqlServer::kStartMs + kHourMs);
}

TEST_P(TtlExpiry, ARestartExtendsNoLifetime) {
  if (!server_.persistent()) GTEST_SKIP() << "nothing survives the memory engine";
  CreateTables();
  Do("INSERT INTO p VALUES (1, 'x')");
  Do("INSERT INTO e VALUES (1, 'x', now()), (2, 'y', NULL)");
  server_.AdvanceMs(kHourMs / 2);
  Restart();
  EXPECT_EQ(Rows("SELECT id, row_expires_at FROM p"), "1|2023-11-14 23:13:20+00");
  EXPECT_EQ(Rows("SELECT id, row_expires_at FROM e ORDER BY id"), "1|2023-11-14 23:13:20+00;2|NULL");
  server_.AdvanceMs(kHourMs / 2);
  EXPECT_EQ(Rows("SELECT id FROM p"), "");
  EXPECT_EQ(Rows("SELECT id FROM e"), "2");
}

}  // namespace
}  // namespace mayfly::ttl
