// Expressions as pg_get_expr shows them, pinned by tests/golden/deparse/*.txt, and the rules of AnalyzeScalar.
#include <gtest/gtest.h>

#include "sql/analyze/analyze.h"
#include "sql/parse/parser.h"
#include "sql/types/time_zone.h"
#include "tests/golden/golden.h"
#include "tests/sql/analyze/fixture_catalog.h"

namespace mayfly::analyze {
namespace {

ExprPtr AnalyzeDefault(const std::string& sql) {
  static const FixtureSnapshot snapshot;
  static const std::vector<std::string> path = {"public"};
  static const types::IoSettings settings = [] {
    types::IoSettings s;
    s.time_zone = types::TimeZone::Utc();
    return s;
  }();
  const AnalyzeContext context{snapshot, path, {settings}, "mayfly"};
  const auto statements = parse::Parse("SELECT " + sql).value();
  const auto& select = std::get<parse::SelectStatement>(statements.at(0)->node);
  return AnalyzeScalar(context, *select.targets.at(0).expr, nullptr, -1, "DEFAULT expressions");
}

std::string DeparseDefault(const std::string& sql) {
  try {
    return Deparse(*AnalyzeDefault(sql));
  } catch (const SqlException& exception) {
    return fmt::format("ERROR {}: {}", exception.error().state.code(), exception.error().message);
  }
}

TEST(Deparse, ShowsWhatPgGetExprShows) { golden::RunFolder("deparse", DeparseDefault); }

TEST(Deparse, TextMeansTheSameExpressionAgain) {
  for (const char* sql : {"1 + 2 * 3", "now() - '1 day'::interval", "CURRENT_TIMESTAMP", "'{}'::text[]", "lower('X')::varchar(3)",
                          "CASE WHEN true THEN 1 ELSE 2 END", "-1", "5::numeric(10,2)", "1 IN (1, 2)"}) {
    const std::string text = DeparseDefault(sql);
    EXPECT_EQ(DeparseDefault(text), text) << sql;
  }
}

TEST(AnalyzeScalar, RefusesWhatADefaultMayNotContain) {
  EXPECT_EQ(DeparseDefault("a"), "ERROR 0A000: cannot use column reference in DEFAULT expression");
  EXPECT_EQ(DeparseDefault("(SELECT 1)"), "ERROR 0A000: cannot use subquery in DEFAULT expression");
  EXPECT_EQ(DeparseDefault("count(*)"), "ERROR 42803: aggregate functions are not allowed in DEFAULT expressions");
  EXPECT_EQ(DeparseDefault("generate_series(1, 2)"),
            "ERROR 0A000: set-returning functions are not allowed in DEFAULT expressions");
  EXPECT_EQ(DeparseDefault("$1"), "ERROR 42P02: there is no parameter $1");
}

}  // namespace
}  // namespace mayfly::analyze
