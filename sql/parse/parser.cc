#include "sql/parse/parser.h"

#include <string>

#include "sql/parse/convert.h"
#include "sql/parse/long_comments.h"
#include "sql/parse/parse_error.h"
#include "sql/parse/raw_tree.h"
#include "sql/parse/rewrite.h"
#include "sql/parse/token.h"
#include "sql/parse/utf8.h"

namespace mayfly::parse {
namespace {

// Texts from this size on are looked at for comments that would take too long.
constexpr size_t kLongTextBytes = 4096;

// Where a RawStmt stands: a length of 0 means the rest of the text. Blanks and comments in front belong to no statement.
StatementPtr ConvertRawStatement(const ::RawStmt& raw, std::string_view text, const EditList& edits) {
  const auto location = static_cast<size_t>(raw.stmt_location);
  const size_t parsed_end = raw.stmt_len == 0 ? text.size() : location + static_cast<size_t>(raw.stmt_len);
  const size_t parsed_begin = NextToken(text, location).begin;
  Converter converter{.text = text, .edits = edits, .statement_begin = parsed_begin, .statement_pos = {}, .nesting = 0};
  converter.statement_pos = converter.At(static_cast<int>(parsed_begin));
  StatementPtr statement = ConvertStatement(converter, raw.stmt);
  statement->text_begin = edits.Original(parsed_begin);
  statement->text_end = edits.Original(parsed_end);
  return statement;
}

Result<std::vector<StatementPtr>> Convert(const RawTree& tree, std::string_view text, const EditList& edits) {
  std::vector<StatementPtr> statements;
  // The converters throw, so that they read as rules; this interface answers with a Result.
  try {
    for (const ::RawStmt* raw : Items<::RawStmt>(tree.statements())) statements.push_back(ConvertRawStatement(*raw, text, edits));
  } catch (SqlException& exception) {
    return std::move(exception.error());
  }
  return statements;
}

Result<std::vector<StatementPtr>> ParseText(std::string_view text) {
  const std::string terminated(text);
  const EditList no_edits;
  const RawTree tree(terminated);
  if (!tree.error().has_value()) return Convert(tree, text, no_edits);

  const EditList edits = RewriteForeignSpellings(text);
  if (edits.empty()) return MakeParseError(*tree.error(), text, no_edits);
  const std::string rewritten = edits.Apply(text);
  const RawTree second_tree(rewritten);
  if (second_tree.error().has_value()) return MakeParseError(*second_tree.error(), text, edits);
  return Convert(second_tree, rewritten, edits);
}

}  // namespace

Result<std::vector<StatementPtr>> Parse(std::string_view text) {
  TRY_OK(CheckStatementEncoding(text));
  if (text.size() >= kLongTextBytes && HasLongComments(text)) {
    TRY(const std::string, blanked, BlankComments(text));
    return ParseText(blanked);
  }
  return ParseText(text);
}

}  // namespace mayfly::parse
