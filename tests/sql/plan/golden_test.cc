// Plans as EXPLAIN (COSTS OFF) prints them, pinned by tests/golden/plan/*.txt.
#include <gtest/gtest.h>

#include "sql/analyze/analyze.h"
#include "sql/parse/parser.h"
#include "sql/plan/plan.h"
#include "tests/golden/golden.h"
#include "tests/sql/analyze/fixture_catalog.h"

namespace mayfly::plan {
namespace {

std::string Describe(const std::string& sql) {
  static const analyze::FixtureSnapshot snapshot;
  static const std::vector<std::string> path = {"public"};
  static const types::IoSettings settings;
  const analyze::AnalyzeContext context{snapshot, path, {settings}, "mayfly"};
  const auto statements = parse::Parse(sql);
  if (!statements.ok()) return statements.error().message;
  try {
    const PlanPtr plan = BuildPlan(snapshot, *analyze::Analyze(context, *(*statements)[0], {}, true));
    std::string text;
    for (const std::string& line : Explain(*plan, {.costs = false})) text += line + "\n";
    if (plan->single_row) text += plan->never_blocks ? "single row, never blocks\n" : "single row\n";
    return text;
  } catch (const SqlException& exception) {
    return fmt::format("ERROR {}: {}", exception.error().state.code(), exception.error().message);
  }
}

TEST(PlanGolden, PlansAreThosePinned) { golden::RunFolder("plan", Describe); }

}  // namespace
}  // namespace mayfly::plan
