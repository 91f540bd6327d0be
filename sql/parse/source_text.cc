#include "sql/parse/source_text.h"

#include <algorithm>
#include <array>

#include "sql/parse/token.h"

namespace mayfly::parse {
namespace {

constexpr std::array<std::string_view, 11> kConstraintStarts = {"not",        "null",    "constraint", "primary",    "unique",   "check",
                                                                "references", "default", "generated",  "deferrable", "initially"};

// DEFAULT takes a restricted expression (b_expr), so that NOT begins the next constraint, except in IS NOT DISTINCT FROM.
bool StartsConstraint(const Token& token, const Token& before, bool first) {
  if (first) return false;  // DEFAULT NULL
  if (token.IsWord("collate")) return true;
  const bool listed = std::ranges::any_of(kConstraintStarts, [&](std::string_view word) { return token.IsWord(word); });
  return listed && !(token.IsWord("not") && before.IsWord("is")) && !before.IsSymbol('.');
}

}  // namespace

std::string DefaultExpressionText(std::string_view text, size_t keyword_offset) {
  const Token keyword = NextToken(text, keyword_offset);
  const Token first = NextToken(text, keyword.end);
  size_t end = first.begin;
  int depth = 0;  // parentheses, brackets, CASE … END
  Token before = keyword;
  for (Token token = first; token.begin != token.end; token = NextToken(text, token.end)) {
    const bool closes = token.IsSymbol(')') || token.IsSymbol(']') || token.IsWord("end");
    if (depth == 0 && (closes || token.IsSymbol(',') || token.IsSymbol(';'))) break;
    if (depth == 0 && StartsConstraint(token, before, token.begin == first.begin)) break;
    if (closes) --depth;
    if (token.IsSymbol('(') || token.IsSymbol('[') || token.IsWord("case")) ++depth;
    end = token.end;
    before = token;
  }
  return std::string(text.substr(first.begin, end - first.begin));
}

size_t FindDefaultKeyword(std::string_view text, size_t from, size_t offset) {
  size_t found = offset;
  for (Token token = NextToken(text, from); token.begin != token.end && token.begin < offset; token = NextToken(text, token.end)) {
    if (token.IsWord("default")) found = token.begin;
  }
  return found;
}

}  // namespace mayfly::parse
