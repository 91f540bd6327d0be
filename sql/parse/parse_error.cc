#include "sql/parse/parse_error.h"

#include <string>
#include <string_view>

#include "sql/parse/token.h"
#include "sql/parse/utf8.h"

namespace mayfly::parse {
namespace {

// Messages of gram.y and scan.l that do not mean 42601, or that come with a hint. `part` stands anywhere in the message.
struct MessageRule {
  std::string_view part;
  SqlState state;
  std::string_view hint;
};

constexpr MessageRule kRules[] = {
    {"LIMIT #,# syntax is not supported", kSyntaxError, "Use separate LIMIT and OFFSET clauses."},
    {"VALUES in FROM must have an alias", kSyntaxError, "For example, FROM (VALUES ...) [AS] foo."},
    {"subquery in FROM must have an alias", kSyntaxError, "For example, FROM (SELECT ...) [AS] foo."},
    {"missing argument", kSyntaxError, "Use NONE to denote the missing argument of a unary operator."},
    {"invalid Unicode escape value", kSyntaxError, ""},
    {"invalid Unicode escape character", kSyntaxError, ""},
    {"invalid Unicode escape", kInvalidEscapeSequence, "Unicode escapes must be \\uXXXX or \\UXXXXXXXX."},
    {"unsafe use of \\'", kNonstandardUseOfEscapeCharacter,
     "Use '' to write quotes in strings. \\' is insecure in client-only encodings."},
    {"invalid byte sequence", kCharacterNotInRepertoire, ""},
    {"cannot be marked", kFeatureNotSupported, ""},
    {"no longer supported", kFeatureNotSupported, ""},
    {"no longer required", kFeatureNotSupported, "Update your data type."},
    {"not yet implemented", kFeatureNotSupported, ""},
    {"CREATE SCHEMA IF NOT EXISTS cannot include schema elements", kFeatureNotSupported, ""},
    {"current database cannot be changed", kFeatureNotSupported, ""},
    {"is only supported for ON DELETE actions", kFeatureNotSupported, ""},
    {"CREATE OR REPLACE CONSTRAINT TRIGGER is not supported", kFeatureNotSupported, ""},
    {"aggregates cannot have output arguments", kFeatureNotSupported, ""},
    {"an ordered-set aggregate with a VARIADIC direct argument", kFeatureNotSupported, ""},
    {"not supported on recursive views", kFeatureNotSupported, ""},
    {"column number must be in range", kInvalidParameterValue, ""},
    {"precision for type float must be", kInvalidParameterValue, ""},
    {"frame start", kWindowingError, ""},
    {"frame end", kWindowingError, ""},
    {"cannot be used as a role name here", kReservedName, ""},
    {"role name \"", kReservedName, ""},
};

// `… at or near "token"` of a token that a rewrite has put there, said of the client's own token instead.
std::string WithClientToken(const std::string& message, std::string_view text, const Edit& edit) {
  const size_t near = message.find(" at or near \"");
  if (near == std::string::npos) return message;
  return fmt::format("{} at or near \"{}\"", std::string_view(message).substr(0, near), NextToken(text, edit.begin).text);
}

// The message names the first letter behind the number only; PostgreSQL from 15.3 on names the whole word.
std::string WithWholeWord(const std::string& message, std::string_view text, size_t offset) {
  size_t end = NextToken(text, offset).end;
  while (end < text.size() && NextToken(text, end).begin == end && NextToken(text, end).kind == TokenKind::kWord) end = NextToken(text, end).end;
  const size_t near = message.find(" at or near \"");
  return fmt::format("{} at or near \"{}\"", std::string_view(message).substr(0, near), text.substr(offset, end - offset));
}

// Whether the token around `offset` is U&'…' or U&"…".
bool InUnicodeString(std::string_view text, size_t offset) {
  for (Token token = NextToken(text, 0); token.begin != token.end && token.begin <= offset; token = NextToken(text, token.end)) {
    if (offset < token.end) return token.text.starts_with("U&") || token.text.starts_with("u&");
  }
  return false;
}

void ApplyRules(std::string_view text, size_t offset, SqlError& error) {
  if (error.message.starts_with("syntax error")) return;
  if (error.message.starts_with("trailing junk after numeric literal")) error.message = WithWholeWord(error.message, text, offset);
  if (error.message == "invalid Unicode escape" && InUnicodeString(text, offset)) {
    error.hint = "Unicode escapes must be \\XXXX or \\+XXXXXX.";
    return;
  }
  for (const MessageRule& rule : kRules) {
    if (error.message.find(rule.part) == std::string::npos) continue;
    error.state = rule.state;
    error.hint = rule.hint;
    return;
  }
}

}  // namespace

SqlError MakeParseError(const RawError& raw, std::string_view text, const EditList& edits) {
  // bison's own stack is at its end: the text nests too deeply. Differs: PostgreSQL calls that a syntax error, 42601.
  if (raw.message.starts_with("memory exhausted")) return StackDepthExceeded();

  std::string message = raw.message;
  int32_t position = raw.character_position;
  if (!edits.empty() && position > 0) {
    const size_t parsed_offset = CharacterOffset(edits.Apply(text), static_cast<size_t>(position - 1));
    position = static_cast<int32_t>(CharactersBefore(text, edits.Original(parsed_offset))) + 1;
    if (const Edit* edit = edits.Covering(parsed_offset); edit != nullptr) message = WithClientToken(message, text, *edit);
  }

  SqlError error = SqlError::MakeText(kSyntaxError, std::move(message));
  ApplyRules(text, position > 0 ? CharacterOffset(text, static_cast<size_t>(position - 1)) : 0, error);
  error.character_position = position;
  return error;
}

SqlError StackDepthExceeded() {
  return SqlError::MakeText(kStatementTooComplex, "stack depth limit exceeded")
      .Hint("Increase the configuration parameter \"max_stack_depth\" (currently 2048kB), after ensuring the platform's stack depth limit is "
            "adequate.");
}

}  // namespace mayfly::parse
