// What golden files show badly: long and deep texts, encodings, threads.
#include "sql/parse/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace mayfly::parse {
namespace {

std::string Repeat(std::string_view text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

// "ok", or the SQLSTATE.
std::string Outcome(const std::string& text) {
  const auto statements = Parse(text);
  return statements.ok() ? "ok" : std::string(statements.error().state.code());
}

struct LongText {
  const char* name;
  std::string text;
  const char* outcome;
};

TEST(Parser, LongAndDeepTextsNeverOverflowTheStack) {
  const LongText cases[] = {
      {"100,000 terms of AND are one flat node", "SELECT a" + Repeat(" AND a", 100000), "ok"},
      {"100,000 terms of OR are one flat node", "SELECT a" + Repeat(" OR a", 100000), "ok"},
      {"100,000 items of IN", "SELECT a IN (1" + Repeat(", 1", 100000) + ")", "ok"},
      {"100,000 targets", "SELECT 1" + Repeat(", 1", 100000), "ok"},
      {"100,000 rows", "INSERT INTO t VALUES (1)" + Repeat(", (1)", 100000), "ok"},
      {"1,000 terms of + nest", "SELECT 1" + Repeat("+1", 1000), "ok"},
      {"100,000 terms of + nest too deeply", "SELECT 1" + Repeat("+1", 100000), "54001"},
      {"100,000 casts nest too deeply", "SELECT 1" + Repeat("::int", 100000), "54001"},
      {"1,000 parentheses", "SELECT " + Repeat("(", 1000) + "1" + Repeat(")", 1000), "ok"},
      {"100,000 parentheses", "SELECT " + Repeat("(", 100000) + "1" + Repeat(")", 100000), "54001"},
      {"100,000 parentheses, never closed", "SELECT " + Repeat("(", 100000), "54001"},
      {"100,000 NOT", "SELECT " + Repeat("NOT ", 100000) + "a", "54001"},
      {"3,000 NOT", "SELECT " + Repeat("NOT ", 3000) + "a", "54001"},
      {"100,000 minus signs", "SELECT " + Repeat("- ", 100000) + "a", "54001"},
      {"500 subselects", "SELECT " + Repeat("(SELECT ", 500) + "1" + Repeat(")", 500), "ok"},
      {"10,000 subselects", "SELECT " + Repeat("(SELECT ", 10000) + "1" + Repeat(")", 10000), "54001"},
      {"1,000 UNION ALL", "SELECT 1" + Repeat(" UNION ALL SELECT 1", 1000), "ok"},
      {"100,000 UNION ALL", "SELECT 1" + Repeat(" UNION ALL SELECT 1", 100000), "54001"},
      {"10,000 joins", "SELECT * FROM a" + Repeat(" CROSS JOIN a", 10000), "54001"},
      {"10,000 CASE", "SELECT " + Repeat("CASE WHEN a THEN ", 10000) + "1" + Repeat(" END", 10000), "54001"},
      {"10,000 function calls", "SELECT " + Repeat("f(", 10000) + "1" + Repeat(")", 10000), "54001"},
      {"10,000 levels of ARRAY", "SELECT ARRAY" + Repeat("[", 10000) + "1" + Repeat("]", 10000), "54001"},
      {"100,000 nested comments", "SELECT " + Repeat("/*", 100000) + Repeat("*/", 100000) + "1", "ok"},
      {"100,000 nested comments, never closed", "SELECT " + Repeat("/*", 100000) + " 1", "42601"},
      {"100,000 statements", Repeat("SELECT 1;", 100000), "ok"},
      {"10,000 rewritten keys", "CREATE TABLE t (a int) WITH ('k'" + Repeat(", 'k'", 10000) + ")", "ok"},
  };
  for (const LongText& c : cases) EXPECT_EQ(Outcome(c.text), c.outcome) << c.name;
}

TEST(Parser, DepthErrorIsPostgresqls) {
  const auto statements = Parse("SELECT 1" + Repeat("+1", 100000));
  ASSERT_FALSE(statements.ok());
  EXPECT_EQ(statements.error().message, "stack depth limit exceeded");
  EXPECT_EQ(statements.error().hint,
            "Increase the configuration parameter \"max_stack_depth\" (currently 2048kB), after ensuring the platform's stack depth limit is "
            "adequate.");
}

struct Encoded {
  std::string text;
  const char* message;  // null = parses
};

TEST(Parser, InvalidEncodingIsRefusedWithItsBytes) {
  const Encoded cases[] = {
      {"SELECT '\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80'", nullptr},
      {"SELECT '\xff'", "invalid byte sequence for encoding \"UTF8\": 0xff"},
      {"SELECT '0123456789\xC3", "invalid byte sequence for encoding \"UTF8\": 0xc3"},
      {"SELECT '\xC3('", "invalid byte sequence for encoding \"UTF8\": 0xc3 0x28"},
      {"SELECT '\xE2\x82'", "invalid byte sequence for encoding \"UTF8\": 0xe2 0x82 0x27"},
      {"SELECT '\xC0\x80'", "invalid byte sequence for encoding \"UTF8\": 0xc0 0x80"},
      {"SELECT '\xED\xA0\x80'", "invalid byte sequence for encoding \"UTF8\": 0xed 0xa0 0x80"},
      {"SELECT '\xF4\x90\x80\x80'", "invalid byte sequence for encoding \"UTF8\": 0xf4 0x90 0x80 0x80"},
      {std::string("SELECT \0 1", 10), "invalid byte sequence for encoding \"UTF8\": 0x00"},
      {std::string("SELECT 1, 2, 3, 4\0", 18), "invalid byte sequence for encoding \"UTF8\": 0x00"},
  };
  for (const Encoded& c : cases) {
    const auto statements = Parse(c.text);
    ASSERT_EQ(statements.ok(), c.message == nullptr) << c.text;
    if (c.message == nullptr) continue;
    EXPECT_EQ(statements.error().message, c.message);
    EXPECT_EQ(statements.error().state.code(), "22021");
  }
}

TEST(Parser, StatementsKnowTheirPlaceInTheText) {
  const std::string text = " /* ü */ SELECT 1 ;; -- x\n INSERT INTO t VALUES ('ä;')  ; DELETE FROM t -- end";
  const auto statements = Parse(text);
  ASSERT_TRUE(statements.ok());
  std::vector<std::string> places;
  for (const StatementPtr& statement : *statements) {
    places.push_back(text.substr(statement->text_begin, statement->text_end - statement->text_begin));
  }
  EXPECT_EQ(places, (std::vector<std::string>{"SELECT 1 ", "INSERT INTO t VALUES ('ä;')  ", "DELETE FROM t -- end"}));
}

TEST(Parser, EmptyTextsHaveNoStatements) {
  for (const char* text : {"", " ", ";", "-- x", "/* x */ ; ;"}) {
    const auto statements = Parse(text);
    ASSERT_TRUE(statements.ok()) << text;
    EXPECT_TRUE(statements->empty()) << text;
  }
}

TEST(Parser, ThreadsParseAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> failures(4);
  for (size_t i = 0; i < failures.size(); ++i) {
    threads.emplace_back([&failures, i] {
      for (int round = 0; round < 200; ++round) {
        failures[i] += Outcome("SELECT a + 1 FROM t WHERE b = $1") != "ok";
        failures[i] += Outcome("SELECT 1 +") != "42601";
        failures[i] += Outcome("CREATE TABLE t (a int) WITH ('k' = 'v')") != "ok";
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, std::vector<int>(4));
}

}  // namespace
}  // namespace mayfly::parse
