#include "sql/func/like.h"

#include <optional>

#include "sql/func/letter_case.h"
#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

LikePattern::LikePattern(std::string_view pattern, bool bytes) : pattern_(pattern), bytes_(bytes) {
  if (pattern.find_first_of("_\\") != std::string_view::npos) return;
  const size_t begin = pattern.find_first_not_of('%');
  if (begin == std::string_view::npos) {
    shape_ = pattern.empty() ? Shape::kExact : Shape::kPrefix;
    return;
  }
  const size_t end = pattern.find_last_not_of('%') + 1;
  literal_ = pattern.substr(begin, end - begin);
  if (literal_.find('%') != std::string_view::npos) return;
  const bool open_start = begin > 0;
  const bool open_end = end < pattern.size();
  if (open_start) {
    shape_ = open_end ? Shape::kContains : Shape::kSuffix;
  } else {
    shape_ = open_end ? Shape::kPrefix : Shape::kExact;
  }
}

bool LikePattern::Matches(std::string_view text) const {
  switch (shape_) {
    case Shape::kExact: return text == literal_;
    case Shape::kPrefix: return text.starts_with(literal_);
    case Shape::kSuffix: return text.ends_with(literal_);
    case Shape::kContains: return text.find(literal_) != std::string_view::npos;
    case Shape::kGeneral: return MatchesGeneral(text);
  }
  return false;
}

// Goes back only to the last %: what an earlier one could take, a later one can as well.
bool LikePattern::MatchesGeneral(std::string_view text) const {
  constexpr size_t kNone = std::string_view::npos;
  size_t t = 0;
  size_t p = 0;
  size_t retry_p = kNone;
  size_t retry_t = 0;
  const auto step = [&](size_t at) { return bytes_ ? size_t{1} : types::Utf8Length(text[at]); };
  for (;;) {
    if (p < pattern_.size() && pattern_[p] == '%') {
      retry_p = ++p;
      retry_t = t;
      if (p == pattern_.size()) return true;
      continue;
    }
    if (t >= text.size()) return p == pattern_.size();
    if (p < pattern_.size()) {
      if (pattern_[p] == '_') {
        t += step(t);
        ++p;
        continue;
      }
      size_t literal = p;
      if (pattern_[p] == '\\' && ++literal == pattern_.size()) {
        Throw(SqlError::Make(kInvalidEscapeSequence, "LIKE pattern must not end with escape character"));
      }
      if (text[t] == pattern_[literal]) {
        ++t;
        p = literal + 1;
        continue;
      }
    }
    if (retry_p == kNone) return false;
    retry_t += step(retry_t);
    t = retry_t;
    p = retry_p;
  }
}

namespace {

void LikeKernel(const KernelCall& call, bool wanted, bool bytes = false) {
  if (call.args[1]->is_constant() && call.rows.count > 0) {
    const types::Datum constant = call.args[1]->Get(0);
    const LikePattern pattern(constant.bytes(), bytes);
    Lift<bool(std::string_view)>(call, [&](std::string_view text) { return pattern.Matches(text) == wanted; });
    return;
  }
  Lift<bool(std::string_view, std::string_view)>(
      call, [=](std::string_view text, std::string_view pattern) { return LikePattern(pattern, bytes).Matches(text) == wanted; });
}

// name has collation C, where only ASCII has case.
void AppendAsciiLower(std::string_view text, std::string& out) {
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

// ILIKE compares both sides in lower case.
void IlikeKernel(const KernelCall& call, bool wanted, bool ascii = false) {
  const auto append_lower = ascii ? AppendAsciiLower : AppendLower;
  std::string text;
  std::string pattern;
  std::optional<LikePattern> compiled;
  const bool constant = call.args[1]->is_constant();
  Lift<bool(std::string_view, std::string_view)>(call, [&](std::string_view t, std::string_view p) {
    if (!constant || !compiled) {
      pattern.clear();
      append_lower(p, pattern);
      compiled.emplace(pattern);
    }
    text.clear();
    append_lower(t, text);
    return compiled->Matches(text) == wanted;
  });
}

// Rewrites a pattern with another escape character to one with backslashes.
std::string_view LikeEscapeText(std::string_view pattern, std::string_view escape, bool bytes, std::string& out) {
  out.clear();
  if (!escape.empty() && (bytes ? escape.size() : types::Utf8Count(escape)) != 1) {
    Throw(SqlError::Make(kInvalidEscapeSequence, "invalid escape string").Hint("Escape string must be empty or one character."));
  }
  if (escape == "\\") return pattern;
  bool after_escape = false;
  for (size_t at = 0; at < pattern.size();) {
    const std::string_view character = pattern.substr(at, bytes ? 1 : types::Utf8Length(pattern[at]));
    at += character.size();
    if (!escape.empty() && character == escape && !after_escape) {
      out += '\\';
      after_escape = true;
      continue;
    }
    if (character == "\\" && !after_escape) out += '\\';
    out += character;
    after_escape = false;
  }
  return out;
}

void LikeEscapeKernel(const KernelCall& call, bool bytes) {
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view pattern, std::string_view escape) {
    const std::string_view result = LikeEscapeText(pattern, escape, bytes, scratch);
    return result.data() == scratch.data() ? Keep(call, result) : result;
  });
}

}  // namespace

void Textlike(const KernelCall& call) { LikeKernel(call, true); }
void Textnlike(const KernelCall& call) { LikeKernel(call, false); }
void Namelike(const KernelCall& call) { LikeKernel(call, true); }
void Namenlike(const KernelCall& call) { LikeKernel(call, false); }
void Bytealike(const KernelCall& call) { LikeKernel(call, true, true); }
void Byteanlike(const KernelCall& call) { LikeKernel(call, false, true); }
void Texticlike(const KernelCall& call) { IlikeKernel(call, true); }
void Texticnlike(const KernelCall& call) { IlikeKernel(call, false); }
void Nameiclike(const KernelCall& call) { IlikeKernel(call, true, true); }
void Nameicnlike(const KernelCall& call) { IlikeKernel(call, false, true); }
void LikeEscape(const KernelCall& call) { LikeEscapeKernel(call, false); }
void LikeEscapeBytea(const KernelCall& call) { LikeEscapeKernel(call, true); }

}  // namespace mayfly::func
