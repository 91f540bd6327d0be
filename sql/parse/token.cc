#include "sql/parse/token.h"

#include <algorithm>

namespace mayfly::parse {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool IsWordStart(char c) { return (Lower(c) >= 'a' && Lower(c) <= 'z') || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool IsWordPart(char c) { return IsWordStart(c) || IsDigit(c) || c == '$'; }

// Behind the comment whose /* is at `at`, nested ones included; npos where it never ends.
size_t EndOfComment(std::string_view text, size_t at) {
  for (size_t depth = 0; at < text.size();) {
    const std::string_view two = text.substr(at, 2);
    if (two == "/*") {
      ++depth;
      at += 2;
    } else if (two == "*/") {
      at += 2;
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  return std::string_view::npos;
}

// Past blanks, -- and nested /* */ comments.
size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (IsBlank(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "--") {
      at = std::min(text.find_first_of("\n\r", at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      at = std::min(EndOfComment(text, at), text.size());
    } else {
      break;
    }
  }
  return at;
}

// `at` is behind the opening quote; the answer is behind the closing one. A doubled quote stands for itself.
size_t EndOfQuoted(std::string_view text, size_t at, char quote, bool backslash_escapes) {
  while (at < text.size()) {
    if (backslash_escapes && text[at] == '\\') {
      at += 2;
    } else if (text[at] != quote) {
      ++at;
    } else if (at + 1 < text.size() && text[at + 1] == quote) {
      at += 2;
    } else {
      return at + 1;
    }
  }
  return text.size();
}

// $tag$ … $tag$ at `at`; 0 where no dollar quote begins.
size_t EndOfDollarQuoted(std::string_view text, size_t at) {
  size_t tag_end = at + 1;
  if (tag_end < text.size() && IsDigit(text[tag_end])) return 0;
  while (tag_end < text.size() && IsWordPart(text[tag_end]) && text[tag_end] != '$') ++tag_end;
  if (tag_end >= text.size() || text[tag_end] != '$') return 0;
  const std::string_view tag = text.substr(at, tag_end + 1 - at);
  const size_t close = text.find(tag, tag_end + 1);
  return close == std::string_view::npos ? text.size() : close + tag.size();
}

size_t EndOfNumber(std::string_view text, size_t at) {
  while (at < text.size() && IsDigit(text[at])) ++at;
  if (at < text.size() && text[at] == '.' && text.substr(at, 2) != "..") {
    ++at;
    while (at < text.size() && IsDigit(text[at])) ++at;
  }
  if (at < text.size() && Lower(text[at]) == 'e') {
    size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent < text.size() && IsDigit(text[exponent])) {
      at = exponent;
      while (at < text.size() && IsDigit(text[at])) ++at;
    }
  }
  return at;
}

// A string with a letter in front (E'', B'', X'', N'', U&'', U&""); 0 where the word is a plain one.
size_t EndOfPrefixedString(std::string_view text, size_t at) {
  const char letter = Lower(text[at]);
  if (text.substr(at + 1, 1) == "'" && (letter == 'e' || letter == 'b' || letter == 'x' || letter == 'n')) {
    return EndOfQuoted(text, at + 2, '\'', letter == 'e');
  }
  if (letter == 'u' && text.substr(at + 1, 1) == "&" && at + 2 < text.size() && (text[at + 2] == '\'' || text[at + 2] == '"')) {
    return EndOfQuoted(text, at + 3, text[at + 2], false);
  }
  return 0;
}

struct KindAndEnd {
  TokenKind kind;
  size_t end;
};

KindAndEnd Classify(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == '\'') return {TokenKind::kString, EndOfQuoted(text, at + 1, '\'', false)};
  if (c == '"') return {TokenKind::kQuotedIdentifier, EndOfQuoted(text, at + 1, '"', false)};
  if (IsWordStart(c)) {
    if (const size_t end = EndOfPrefixedString(text, at); end != 0) return {TokenKind::kSpecialString, end};
    size_t end = at + 1;
    while (end < text.size() && IsWordPart(text[end])) ++end;
    return {TokenKind::kWord, end};
  }
  if (IsDigit(c) || (c == '.' && at + 1 < text.size() && IsDigit(text[at + 1]))) return {TokenKind::kNumber, EndOfNumber(text, at)};
  if (c == '$') {
    if (const size_t end = EndOfDollarQuoted(text, at); end != 0) return {TokenKind::kSpecialString, end};
    size_t end = at + 1;
    while (end < text.size() && IsDigit(text[end])) ++end;
    if (end > at + 1) return {TokenKind::kParameter, end};
  }
  return {TokenKind::kSymbol, at + 1};
}

}  // namespace

bool Token::IsWord(std::string_view lower) const {
  return kind == TokenKind::kWord && std::ranges::equal(text, lower, {}, Lower);
}

Token NextToken(std::string_view text, size_t offset) {
  const size_t begin = SkipBlanks(text, offset);
  if (begin >= text.size()) return {.begin = text.size(), .end = text.size(), .text = {}};
  const auto [kind, end_unclipped] = Classify(text, begin);
  const size_t end = std::min(end_unclipped, text.size());
  return {.kind = kind, .begin = begin, .end = end, .text = text.substr(begin, end - begin)};
}

size_t FindUnterminatedComment(std::string_view text) {
  size_t last_end = 0;
  for (Token token = NextToken(text, 0); token.begin != token.end; token = NextToken(text, token.end)) last_end = token.end;
  while (last_end < text.size()) {
    const std::string_view two = text.substr(last_end, 2);
    if (two == "/*" && EndOfComment(text, last_end) == std::string_view::npos) return last_end;
    last_end = two == "/*" ? EndOfComment(text, last_end) : two == "--" ? std::min(text.find_first_of("\n\r", last_end), text.size()) : last_end + 1;
  }
  return std::string_view::npos;
}

std::vector<Token> ScanTokens(std::string_view text) {
  std::vector<Token> tokens;
  for (Token token = NextToken(text, 0); token.begin != token.end; token = NextToken(text, token.end)) tokens.push_back(token);
  return tokens;
}

}  // namespace mayfly::parse
