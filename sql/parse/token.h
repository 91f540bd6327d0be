// The lexical elements of SQL (PostgreSQL manual, 4.1), as far as a rewrite or a look at the source text needs them.
//
// Not a second grammar: only where a token begins and ends, and of which kind it is. Blanks and comments (nested ones too) are skipped.
// Total on any input: an unterminated string or comment ends with the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace mayfly::parse {

enum class TokenKind : uint8_t {
  kWord,              // identifier or keyword, not quoted
  kQuotedIdentifier,  // "x"
  kString,            // 'x' in plain form, standard_conforming_strings
  kSpecialString,     // E'', U&'', B'', X'', N'', U&"", $$…$$
  kNumber,
  kParameter,         // $1
  kSymbol,            // one character of anything else; :: and the like come as several
};

struct Token {
  TokenKind kind = TokenKind::kSymbol;
  size_t begin = 0;
  size_t end = 0;
  std::string_view text;

  bool IsSymbol(char c) const { return kind == TokenKind::kSymbol && !text.empty() && text[0] == c; }
  // Compares a kWord with a keyword in lower case.
  bool IsWord(std::string_view lower) const;
};

// The first token at or after `offset`; one with begin == end stands for the end of the text.
Token NextToken(std::string_view text, size_t offset);
std::vector<Token> ScanTokens(std::string_view text);
// Where the /* comment begins that the text ends in; npos where there is none.
size_t FindUnterminatedComment(std::string_view text);

}  // namespace mayfly::parse
