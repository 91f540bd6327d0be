#include "sql/parse/long_comments.h"

#include <algorithm>

#include "sql/parse/token.h"
#include "sql/parse/utf8.h"

namespace mayfly::parse {
namespace {

constexpr size_t kRunBytesMax = 1024;

bool IsOperatorCharacter(char c) { return std::string_view("~!@#^&|`?+-*/%<>=").find(c) != std::string_view::npos; }

}  // namespace

bool HasLongComments(std::string_view text) {
  size_t run_begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && IsOperatorCharacter(text[at])) continue;
    if (at - run_begin > kRunBytesMax && text.substr(run_begin, at - run_begin).find("/*") != std::string_view::npos) return true;
    run_begin = at + 1;
  }
  return false;
}

Result<std::string> BlankComments(std::string_view text) {
  std::string out(text.size(), ' ');
  for (Token token = NextToken(text, 0); token.begin != token.end; token = NextToken(text, token.end)) {
    std::ranges::copy(token.text, out.begin() + static_cast<std::ptrdiff_t>(token.begin));
  }
  if (const size_t open = FindUnterminatedComment(text); open != std::string_view::npos) {
    SqlError error = SqlError::Make(kSyntaxError, "unterminated /* comment at or near \"{}\"", text.substr(open));
    error.character_position = static_cast<int32_t>(CharactersBefore(text, open)) + 1;
    return error;
  }
  return out;
}

}  // namespace mayfly::parse
