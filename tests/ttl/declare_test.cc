// TTL.md section 1: how a lifetime is declared, what is refused, and what is kept.
#include "tests/harness/sql_harness.h"

namespace mayfly::ttl {
namespace {

using harness::EverySqlEngine;

class TtlDeclare : public EverySqlEngine {
 protected:
  // The lifetime that a declaration comes to, in milliseconds, as a row shows it.
  std::string LifetimeMs(std::string_view duration) {
    Do("DROP TABLE IF EXISTS d");
    const std::string error = db_->ErrorOf(fmt::format("CREATE TABLE d (id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '{}')", duration));
    return error.empty() ? std::to_string(server_.OptionsOf("d").ttl_ms) : error;
  }
  std::string Options(std::string_view table) { return Rows(fmt::format("SELECT reloptions FROM pg_class WHERE relname = '{}'", table)); }
};
INSTANTIATE_TEST_SUITE_P(Engines, TtlDeclare, harness::kEveryEngine, storage::EngineParamName);

TEST_P(TtlDeclare, TakesBothSpellingsOfAKey) {
  Do("CREATE TABLE a (id text PRIMARY KEY, ts timestamptz) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.time-column' = 'ts')");
  Do(R"(CREATE TABLE b (id text PRIMARY KEY, ts timestamptz) WITH ("table.kv.row.ttl" = '1h', "table.kv.row.ttl.time-column" = 'ts'))");
  Do(R"(CREATE TABLE c (id text PRIMARY KEY, ts timestamptz) WITH ("table.kv.row.ttl" = '1h', 'table.kv.row.ttl.time-column'='ts'))");
  Do("create table d (id text primary key) with('table.kv.row.ttl'\n=\n'1h')");
  for (const char* table : {"a", "b", "c"}) {
    EXPECT_EQ(Options(table), "{table.kv.row.ttl=1h,table.kv.row.ttl.time-column=ts}") << table;
    EXPECT_EQ(server_.OptionsOf(table).ttl_ms, 3'600'000) << table;
  }
  EXPECT_EQ(Options("d"), "{table.kv.row.ttl=1h}");
}

TEST_P(TtlDeclare, PointsIntoTheTextThatTheClientSent) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      // The error comes before, in, and after the option that was spelled anew for the grammar.
      {"CREATE TABLE x (id nope PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h')", "42704 type \"nope\" does not exist @20"},
      {"CREATE TABLE x (id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.time-column' = 'no')",
       "42703 column \"no\" named in option \"table.kv.row.ttl.time-column\" does not exist @70"},
      {"CREATE TABLE x (id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h') garbage", "42601 syntax error at or near \"garbage\" @70"},
      {"SELECT 1; CREATE TABLE x (id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '5')",
       "22023 invalid value for option \"table.kv.row.ttl\": \"5\" @53"},
      {R"(CREATE TABLE x (id int PRIMARY KEY) WITH ("table.kv.row.ttl" = '5'))",
       "22023 invalid value for option \"table.kv.row.ttl\": \"5\" @43"},
      {"CREATE TABLE x (id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h'); SELECT nope",
       "42703 column \"nope\" does not exist @78"},
  };
  for (const auto& [sql, error] : cases) {
    EXPECT_EQ(db_->ErrorOf(sql), error) << sql;
    EXPECT_EQ(Rows("SELECT count(*) FROM pg_class WHERE relname = 'x'"), "0") << sql;
  }
}

TEST_P(TtlDeclare, ReadsDurations) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"1h", "3600000"},   {" 2 H ", "7200000"},    {"1ns", "1"},         {"1000000 nano", "1"},    {"1000001 nanos", "2"},
      {"5 ns", "1"},       {"3 nanosecond", "1"},   {"1 nanoseconds", "1"}, {"1001us", "2"},        {"1000 micro", "1"},
      {"2000 \xC2\xB5s", "2"}, {"1 micros", "1"},   {"1 microsecond", "1"}, {"1 microseconds", "1"}, {"7ms", "7"},
      {"7 milli", "7"},    {"7 MILLIS", "7"},       {"7 millisecond", "7"}, {"7 milliseconds", "7"}, {"1s", "1000"},
      {"2sec", "2000"},    {"2 secs", "2000"},      {"2 second", "2000"}, {"2 Seconds", "2000"},    {"1m", "60000"},
      {"1 min", "60000"},  {"1 minute", "60000"},   {"3 minutes", "180000"}, {"1 hour", "3600000"}, {"2 hours", "7200000"},
      {"1d", "86400000"},  {"1 day", "86400000"},   {"2 days", "172800000"}, {"1 day 12:00:00", "129600000"}, {"PT1H", "3600000"},
      {"P1D", "86400000"}, {"P1DT12H", "129600000"}, {"9223372036854775807 ms", "9223372036854775807"},
  };
  for (const auto& [text, ms] : cases) EXPECT_EQ(LifetimeMs(text), ms) << text;
}

TEST_P(TtlDeclare, RefusesOtherDurationsAndLeavesNothing) {
  for (const char* text : {"", " ", "h", "5", "5 parsecs", "5 6 h", "1 h 2", "1.5h", ".5 h", "1 month", "1 year", "1 mon 2 days", "P1Y", "P1M", "1-2",
                           "0s", "0", "-1h", "-1 day", "9223372036854775808 ms", "9223372036854775807 d", "99999999999999999999999999999 h",
                           "h1", "PT", "P", "infinity", "+"}) {
    EXPECT_EQ(LifetimeMs(text).substr(0, 5), "22023") << text;
    EXPECT_EQ(Rows("SELECT count(*) FROM pg_class WHERE relname IN ('d', 'd_pkey')"), "0") << text;
  }
}

TEST_P(TtlDeclare, RefusesWhatCannotBe) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"(id int PRIMARY KEY, ts timestamptz) WITH ('table.kv.row.ttl.time-column' = 'ts')", "22023"},
      {"(id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.tll' = '2h')", "22023"},
      {"(id int PRIMARY KEY) WITH ('table.nope' = '1')", "22023"},
      {"(id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl' = '1h')", "22023"},
      {R"((id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', "table.kv.row.ttl" = '1h'))", "22023"},
      {"(id int PRIMARY KEY, ts timestamptz) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.time-column' = 'ts', "
       "'table.kv.row.ttl.time-column' = 'ts')",
       "22023"},
      {"(id int PRIMARY KEY) WITH ('table.kv.format-version' = '2')", "22023"},
      {"(id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.format-version' = '1')", "22023"},
      {"(id int PRIMARY KEY) WITH ('table.kv.row.ttl')", "22023"},
      {"(id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.time-column' = 'nope')", "42703"},
      {"(id int PRIMARY KEY, \"TS\" timestamptz) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.time-column' = 'ts')", "42703"},
      {"(id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.time-column' = 'row_expires_at')", "42703"},
      {"(id int) WITH ('table.kv.row.ttl' = '1h')", "42P16"},
      {"(id int, ts timestamptz) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.time-column' = 'ts')", "42P16"},
      {"(id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.changelog-mode' = 'delete')", "0A000"},
      {"(id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.changelog-mode' = 'NONE ')", "0A000"},
  };
  for (const auto& [definition, state] : cases) {
    EXPECT_EQ(db_->ErrorOf(fmt::format("CREATE TABLE x {}", definition)).substr(0, 5), state) << definition;
    EXPECT_EQ(Rows("SELECT count(*) FROM pg_class WHERE relname IN ('x', 'x_pkey')"), "0") << definition;
    EXPECT_EQ(Rows("SELECT * FROM x").substr(0, 5), "42P01") << definition;
  }
}

TEST_P(TtlDeclare, SaysWhichTypesATimeColumnMayHave) {
  for (const char* type : {"date", "timestamp", "time", "text", "int", "smallint", "numeric", "float8", "interval", "uuid", "jsonb", "bool"}) {
    const std::string error = db_->ErrorOf(
        fmt::format("CREATE TABLE x (id int PRIMARY KEY, ts {}) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')", type));
    EXPECT_EQ(error.substr(0, 5), "42804") << type;
    const std::string full = Rows(fmt::format("SELECT format_type('{}'::regtype, NULL)", type));
    EXPECT_NE(error.find("bigint"), std::string::npos) << error;
    EXPECT_NE(error.find("timestamp with time zone"), std::string::npos) << error;
    EXPECT_NE(error.find(full), std::string::npos) << error;
  }
  Do("CREATE TABLE a (id int PRIMARY KEY, ts bigint) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
  Do("CREATE TABLE b (id int PRIMARY KEY, ts timestamptz(0)) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
}

TEST_P(TtlDeclare, TakesChangelogModeNone) {
  Do("CREATE TABLE a (id int PRIMARY KEY) WITH ('table.kv.row.ttl' = '1h', 'table.kv.row.ttl.changelog-mode' = 'none')");
  EXPECT_EQ(Rows("SELECT count(*) FROM a"), "0");
}

TEST_P(TtlDeclare, KeepsTheColumnsIdNotItsName) {
  Do("CREATE TABLE a (id int PRIMARY KEY, ts timestamptz) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
  Do("INSERT INTO a VALUES (1, now())");
  Do("ALTER TABLE a RENAME COLUMN ts TO seen");
  Do("ALTER TABLE a ADD COLUMN ts timestamptz");  // another column under the old name
  EXPECT_EQ(Options("a"), "{table.kv.row.ttl=1h,table.kv.row.ttl.time-column=seen}");
  Do("INSERT INTO a VALUES (2, now(), NULL), (3, NULL, now())");
  EXPECT_EQ(Rows("SELECT id, row_expires_at = seen + interval '1 hour' FROM a ORDER BY id"), "1|t;2|t;3|NULL");
  Restart();
  EXPECT_EQ(Options("a"), "{table.kv.row.ttl=1h,table.kv.row.ttl.time-column=seen}");
  server_.AdvanceMs(3'600'000);
  EXPECT_EQ(Rows("SELECT id FROM a"), "3");
  EXPECT_EQ(db_->ErrorOf("ALTER TABLE a DROP COLUMN seen").substr(0, 5), "2BP01");
  Do("ALTER TABLE a DROP COLUMN ts");
}

TEST_P(TtlDeclare, IsNotAltered) {
  Do("CREATE TABLE a (id int PRIMARY KEY, ts timestamptz, v text) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
  Do("INSERT INTO a VALUES (1, now(), 'x')");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"ALTER TABLE a SET ('table.kv.row.ttl' = '2h')", "0A000"},
      {R"(ALTER TABLE a SET ("table.kv.row.ttl" = '2h'))", "0A000"},
      {"ALTER TABLE a SET ('table.kv.row.ttl.time-column' = 'ts')", "0A000"},
      {"ALTER TABLE a RESET ('table.kv.row.ttl')", "0A000"},
      {R"(ALTER TABLE a RESET ("table.kv.row.ttl"))", "0A000"},
      {R"(ALTER TABLE a RESET ("table.kv.row.ttl.time-column"))", "0A000"},
      {"ALTER TABLE a DROP COLUMN ts", "2BP01"},
      {"ALTER TABLE a DROP COLUMN ts CASCADE", "2BP01"},
      {"ALTER TABLE a DROP COLUMN v, DROP COLUMN ts", "2BP01"},
      {"ALTER TABLE a ALTER COLUMN ts TYPE bigint USING 1", "2BP01"},
      {"ALTER TABLE a ALTER ts SET DATA TYPE timestamptz(3)", "2BP01"},
  };
  for (const auto& [sql, state] : cases) {
    const std::string error = db_->ErrorOf(sql);
    EXPECT_EQ(error.substr(0, 5), state) << sql << "\n" << error;
    if (state == "2BP01") {
      EXPECT_NE(error.find("table.kv.row.ttl.time-column"), std::string::npos) << error;
    }
    EXPECT_EQ(Options("a"), "{table.kv.row.ttl=1h,table.kv.row.ttl.time-column=ts}") << sql;
    EXPECT_EQ(Rows("SELECT id, ts = now(), v FROM a"), "1|t|x") << sql;
  }
  Do("CREATE TABLE plain (id int PRIMARY KEY)");
  EXPECT_EQ(db_->ErrorOf("ALTER TABLE plain SET ('table.kv.row.ttl' = '2h')").substr(0, 5), "0A000");
}

TEST_P(TtlDeclare, KeepsTagsWhileOtherColumnsComeAndGo) {
  Do("CREATE TABLE a (id int PRIMARY KEY, v text, ts timestamptz) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
  Do("INSERT INTO a VALUES (1, 'x', now())");
  Do("ALTER TABLE a ADD COLUMN w int DEFAULT 7; ALTER TABLE a DROP COLUMN v; ALTER TABLE a RENAME TO b");
  EXPECT_EQ(Rows("SELECT *, row_expires_at = ts + interval '1 hour' FROM b"), "1|2023-11-14 22:13:20+00|7|t");
  Do("UPDATE b SET w = 8; INSERT INTO b VALUES (2, now(), 9)");
  EXPECT_EQ(Rows("SELECT id, w, row_expires_at = ts + interval '1 hour' FROM b ORDER BY id"), "1|8|t;2|9|t");
  server_.AdvanceMs(3'600'000);
  EXPECT_EQ(Rows("SELECT * FROM b"), "");
}

TEST_P(TtlDeclare, TheTimeColumnMayBePartOfTheKey) {
  Do("CREATE TABLE a (d int, ts timestamptz, v text, PRIMARY KEY (d, ts)) "
     "WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
  Do("INSERT INTO a VALUES (1, now(), 'x'), (1, now() + interval '1 min', 'y'), (2, now(), 'z')");
  server_.AdvanceMs(3'600'000);
  EXPECT_EQ(Rows("SELECT d, v FROM a"), "1|y");
  EXPECT_EQ(Tag("UPDATE a SET ts = now() WHERE d = 1"), "UPDATE 1");
  server_.AdvanceMs(60'000);
  EXPECT_EQ(Rows("SELECT d, v, row_expires_at FROM a"), "1|y|2023-11-15 00:13:20+00");
}

TEST_P(TtlDeclare, KeepsItsKey) {
  Do("CREATE TABLE a (id int PRIMARY KEY) WITH ('table.kv.row.ttl'='1h')");
  EXPECT_EQ(db_->ErrorOf("ALTER TABLE a DROP CONSTRAINT a_pkey").substr(0, 5), "0A000");
  // Ways to a table that do not exist yet must not lose a lifetime on the way.
  EXPECT_EQ(db_->ErrorOf("CREATE TABLE x (LIKE a INCLUDING ALL)").substr(0, 5), "0A000");
  EXPECT_EQ(db_->ErrorOf("CREATE TABLE x WITH ('table.kv.row.ttl'='1h') AS SELECT 1 AS id").substr(0, 5), "0A000");
  EXPECT_EQ(db_->ErrorOf("CREATE INDEX ON a (id) WITH ('table.kv.row.ttl'='1h')").substr(0, 5), "0A000");
}

TEST_P(TtlDeclare, SurvivesARestartWhole) {
  Do("CREATE TABLE a (id int PRIMARY KEY, ms bigint) WITH ('table.kv.row.ttl'='90 min', 'table.kv.row.ttl.time-column'='ms')");
  Do("CREATE TABLE b (id int PRIMARY KEY)");
  const std::string before = Rows("SELECT relname, reloptions FROM pg_class WHERE relname IN ('a', 'b') ORDER BY 1");
  EXPECT_EQ(before, "a|{\"table.kv.row.ttl=90 min\",table.kv.row.ttl.time-column=ms};b|NULL");
  Restart();
  EXPECT_EQ(Rows("SELECT relname, reloptions FROM pg_class WHERE relname IN ('a', 'b') ORDER BY 1"), before);
  EXPECT_EQ(server_.OptionsOf("a").layout, storage::ValueLayout::kTagged);
  EXPECT_EQ(server_.OptionsOf("a").ttl_ms, 5'400'000);
  EXPECT_EQ(server_.OptionsOf("b").layout, storage::ValueLayout::kPlain);
}

}  // namespace
}  // namespace mayfly::ttl
