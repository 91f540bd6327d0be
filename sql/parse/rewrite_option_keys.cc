#include "sql/parse/rewrite_option_keys.h"

#include <string>
#include <string_view>

namespace mayfly::parse {
namespace {

constexpr size_t kIdentifierBytesMax = 63;

bool IsKeyString(const Token& token) {
  if (token.kind != TokenKind::kString || token.text.size() < 3 || token.text.back() != '\'') return false;
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  return inside.size() <= kIdentifierBytesMax && inside.find_first_of("'\"\n\r") == std::string_view::npos;
}

void QuoteAsIdentifier(const Token& token, std::vector<Edit>& edits) {
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  edits.push_back({.begin = token.begin, .deleted_size = token.text.size(), .inserted = std::string("\"").append(inside).append("\"")});
}

// `open` is the index of the parenthesis behind WITH, SET or RESET; the answer is the index behind its partner.
size_t RewriteList(std::span<const Token> tokens, size_t open, std::vector<Edit>& edits) {
  int depth = 0;
  size_t at = open;
  for (; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.IsSymbol('(')) ++depth;
    if (token.IsSymbol(')') && --depth == 0) return at + 1;
    const bool key_position = at > open && depth == 1 && (tokens[at - 1].IsSymbol('(') || tokens[at - 1].IsSymbol(','));
    if (key_position && IsKeyString(token)) QuoteAsIdentifier(token, edits);
  }
  return at;
}

}  // namespace

void RewriteOptionKeys(std::span<const Token> tokens, std::vector<Edit>& edits) {
  bool statement_begins = true;
  bool applies = false;
  for (size_t at = 0; at < tokens.size();) {
    const Token& token = tokens[at];
    if (statement_begins) applies = token.IsWord("create") || token.IsWord("alter");
    statement_begins = token.IsSymbol(';');
    const bool opens = applies && (token.IsWord("with") || token.IsWord("set") || token.IsWord("reset")) && at + 1 < tokens.size() &&
                       tokens[at + 1].IsSymbol('(');
    at = opens ? RewriteList(tokens, at + 1, edits) : at + 1;
  }
}

}  // namespace mayfly::parse
