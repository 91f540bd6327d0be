#include "sql/parse/token.h"

#include <gtest/gtest.h>

#include <string>

namespace mayfly::parse {
namespace {

std::string Scan(std::string_view text) {
  constexpr std::string_view kLetters = "wqsSnp.";  // by TokenKind
  std::string out;
  for (const Token& token : ScanTokens(text)) {
    if (!out.empty()) out += ' ';
    out += kLetters[static_cast<size_t>(token.kind)];
    out += ':';
    out += token.text;
  }
  return out;
}

TEST(Token, KindsAndEnds) {
  const std::pair<const char*, const char*> cases[] = {
      {"SELECT a1_$ \"b\"\"c\"", "w:SELECT w:a1_$ q:\"b\"\"c\""},
      {"'it''s' 'a\\' b", "s:'it''s' s:'a\\' w:b"},
      {"E'a\\'b' e'x' N'n' B'1' X'f' U&'u' u&\"v\"", "S:E'a\\'b' S:e'x' S:N'n' S:B'1' S:X'f' S:U&'u' S:u&\"v\""},
      {"$$a'$$ $t$ $$ $t$ $1 $", "S:$$a'$$ S:$t$ $$ $t$ p:$1 .:$"},
      {"a$b$c", "w:a$b$c"},
      {"1 1.5 .5 1e10 1e-3 1e 1..2", "n:1 n:1.5 n:.5 n:1e10 n:1e-3 n:1 w:e n:1 .:. n:.2"},
      {"a--x\nb/*y/*z*/*/c", "w:a w:b w:c"},
      {"a::b(c,d);", "w:a .:: .:: w:b .:( w:c .:, w:d .:) .:;"},
      {"ü\"ä\"", "w:ü q:\"ä\""},
      {"u & e 'x'", "w:u .:& w:e s:'x'"},
      {"'open", "s:'open"},
      {"E'open\\", "S:E'open\\"},
      {"\"open", "q:\"open"},
      {"$t$open", "S:$t$open"},
      {"a /* open /* */", "w:a"},
      {"a -- open", "w:a"},
      {"", ""},
  };
  for (const auto& [text, tokens] : cases) EXPECT_EQ(Scan(text), tokens) << text;
}

TEST(Token, KeywordsAreComparedInAnyCase) {
  EXPECT_TRUE(NextToken("  WiTh", 0).IsWord("with"));
  EXPECT_FALSE(NextToken("\"with\"", 0).IsWord("with"));
  EXPECT_FALSE(NextToken("withx", 0).IsWord("with"));
  EXPECT_FALSE(NextToken("", 0).IsSymbol('('));
}

}  // namespace
}  // namespace mayfly::parse
