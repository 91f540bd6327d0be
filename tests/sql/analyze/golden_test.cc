// Analyzed queries and errors, pinned by tests/golden/analyze/*.txt. The first line of an output is what PostgreSQL says of the
// statement too (oracle.py compares): the error, or the types of parameters and the names and types of the result.
#include <gtest/gtest.h>

#include "sql/analyze/analyze.h"
#include "sql/analyze/query_printer.h"
#include "sql/parse/parser.h"
#include "sql/types/format_type.h"
#include "tests/golden/golden.h"
#include "tests/sql/analyze/fixture_catalog.h"

namespace mayfly::analyze {
namespace {

std::string DescribeError(const SqlError& error) {
  std::string text = fmt::format("ERROR {}", error.state.code());
  if (error.character_position > 0) {
    text += fmt::format(" at {}", error.character_position);
  } else if (error.position.known()) {
    text += fmt::format(" at {}", error.position.offset + 1);
  }
  text += ": " + error.message;
  if (!error.detail.empty()) text += " | DETAIL: " + error.detail;
  if (!error.hint.empty()) text += " | HINT: " + error.hint;
  return text;
}

std::string DescribeResult(const Query& query) {
  std::string text = "OK (";
  for (size_t i = 0; i < query.parameter_types.size(); ++i) {
    text += (i == 0 ? "" : ", ") + types::FormatType(*query.parameter_types[i]);
  }
  text += ") ->";
  const auto& targets = query.command == Command::kSelect ? query.targets : query.modification->returning;
  for (const TargetEntry& target : targets) {
    if (!target.hidden) text += fmt::format(" {}:{}", target.name, types::FormatType(*target.expr->type, target.expr->typmod));
  }
  return text;
}

std::string Describe(const std::string& sql) {
  static const FixtureSnapshot snapshot;
  static const std::vector<std::string> path = {"public"};
  static const types::IoSettings settings;
  const AnalyzeContext context{snapshot, path, {settings}, "mayfly"};
  const auto statements = parse::Parse(sql);
  if (!statements.ok()) return DescribeError(statements.error());
  try {
    const QueryPtr query = Analyze(context, *(*statements)[0], {}, true);
    return DescribeResult(*query) + "\n" + PrintQuery(*query);
  } catch (const SqlException& exception) {
    return DescribeError(exception.error());
  }
}

TEST(AnalyzeGolden, QueriesAndErrorsAreThosePinned) { golden::RunFolder("analyze", Describe); }

}  // namespace
}  // namespace mayfly::analyze
