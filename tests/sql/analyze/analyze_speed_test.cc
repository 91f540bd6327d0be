// Analysis stands in the path of every unprepared statement, so it may not be slow by accident. The bound is loose: it finds
// mistakes of a power of ten, not of a tenth.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "sql/analyze/analyze.h"
#include "sql/parse/parser.h"
#include "tests/sql/analyze/fixture_catalog.h"

namespace mayfly::analyze {
namespace {

TEST(AnalyzeSpeed, PointStatementsTakeMicroseconds) {
  const FixtureSnapshot snapshot;
  const std::vector<std::string> path = {"public"};
  const types::IoSettings settings;
  const AnalyzeContext context{snapshot, path, {settings}, "mayfly"};
  for (const char* sql : {"SELECT a FROM u WHERE id = $1", "UPDATE u SET a = a + $1 WHERE id = $2",
                          "SELECT a FROM u WHERE id = 17", "INSERT INTO u VALUES ($1, $2, $3)"}) {
    const auto statements = parse::Parse(sql).value();
    Analyze(context, *statements.at(0), {}, true);
    constexpr int kRuns = 2000;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kRuns; ++i) Analyze(context, *statements.at(0), {}, true);
    const double micros = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kRuns;
    std::printf("%6.2f us  %s\n", micros, sql);
    EXPECT_LT(micros, 200) << sql;
  }
}

}  // namespace
}  // namespace mayfly::analyze
