// tests/golden/parse: text in, tree or error out.
#include "tests/golden/golden.h"

#include <gtest/gtest.h>

#include <string>

#include "sql/parse/ast_printer.h"
#include "sql/parse/parser.h"

namespace mayfly::parse {
namespace {

std::string PrintError(const SqlError& error) {
  std::string out = fmt::format("{} {}", error.state.code(), error.message);
  if (error.character_position > 0) out += fmt::format(" @char {}", error.character_position);
  if (error.position.known()) out += fmt::format(" @{}", error.position.offset);
  if (!error.hint.empty()) out += "\nHINT: " + error.hint;
  return out;
}

std::string ParseAndPrint(const std::string& text) {
  const auto statements = Parse(text);
  if (!statements.ok()) return PrintError(statements.error());
  std::string out;
  for (const StatementPtr& statement : *statements) {
    if (statements->size() > 1) out += fmt::format("{}..{} ", statement->text_begin, statement->text_end);
    out += PrintStatement(*statement) + "\n";
  }
  return out;
}

TEST(ParseGolden, EveryFileAgrees) { golden::RunFolder("parse", ParseAndPrint); }

}  // namespace
}  // namespace mayfly::parse
