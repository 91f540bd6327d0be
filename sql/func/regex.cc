#include "sql/func/regex.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sql/func/regex_translate.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

RegexFlags ParseRegexFlags(std::string_view text) {
  RegexFlags flags;
  for (size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case 'g': flags.global = true; break;
      case 'c': flags.ignore_case = false; break;
      case 'i': flags.ignore_case = true; break;
      case 'm':
      case 'n': flags.newline_stops = flags.newline_anchors = true; break;
      case 'p':
        flags.newline_stops = true;
        flags.newline_anchors = false;
        break;
      case 'w':
        flags.newline_stops = false;
        flags.newline_anchors = true;
        break;
      case 's': flags.newline_stops = flags.newline_anchors = false; break;
      case 'q': flags.literal = true; break;
      case 't': flags.expanded = false; break;
      case 'x': flags.expanded = true; break;
      case 'b':
      case 'e': Throw(SqlError::NotSupported(fmt::format("regular expression option \"{}\"", text[at])));
      default:
        Throw(SqlError::Make(kInvalidParameterValue, "invalid regular expression option: \"{}\"",
                             text.substr(at, types::Utf8Length(text[at]))));
    }
  }
  return flags;
}

namespace {

constexpr size_t kCacheEntries = 32;
constexpr int kGroupsMax = 100;

std::string_view Reason(RE2::ErrorCode code) {
  switch (code) {
    case RE2::ErrorBadEscape:
    case RE2::ErrorTrailingBackslash: return "invalid escape \\ sequence";
    case RE2::ErrorBadCharClass: return "invalid character class";
    case RE2::ErrorBadCharRange: return "invalid character range";
    case RE2::ErrorMissingBracket: return "brackets [] not balanced";
    case RE2::ErrorMissingParen: return "parentheses () not balanced";
    case RE2::ErrorRepeatArgument:
    case RE2::ErrorRepeatOp: return "quantifier operand invalid";
    case RE2::ErrorRepeatSize: return "invalid repetition count(s)";
    default: return "regular expression is too complex";
  }
}

class Re2Regex final : public Regex {
 public:
  Re2Regex(const TranslatedRegex& translated, const RE2::Options& options)
      : re2_(translated.pattern, options),
        extent_known_(translated.extent_known),
        groups_known_(translated.groups_known),
        ascii_text_only_(translated.ascii_text_only) {}

  const RE2& re2() const { return re2_; }
  int group_count() const override { return re2_.NumberOfCapturingGroups(); }
  bool Matches(std::string_view text) const override {
    CheckText(text);
    return re2_.Match(Piece(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
  }

  bool Find(std::string_view text, size_t start, std::span<std::string_view> groups) const override {
    if (!extent_known_)
      Throw(SqlError::NotSupported("the extent of a match of a regular expression that mixes greedy and non-greedy quantifiers"));
    CheckText(text);
    std::array<re2::StringPiece, kGroupsMax + 1> pieces;
    const size_t count = std::min(groups.size(), static_cast<size_t>(group_count()) + 1);
    if (count > 1 && !groups_known_) Throw(SqlError::NotSupported("groups of a regular expression whose alternatives overlap"));
    if (!re2_.Match(Piece(text), start, text.size(), RE2::UNANCHORED, pieces.data(), static_cast<int>(count))) return false;
    for (size_t i = 0; i < groups.size(); ++i) {
      groups[i] =
          i < count && pieces[i].data() != nullptr ? std::string_view(pieces[i].data(), pieces[i].size()) : std::string_view();
    }
    return true;
  }

 private:
  // Never a null pointer: that marks a group that took no part.
  static re2::StringPiece Piece(std::string_view text) {
    return text.data() == nullptr ? re2::StringPiece("", 0) : re2::StringPiece(text.data(), text.size());
  }

  RE2 re2_;
  void CheckText(std::string_view text) const {
    if (ascii_text_only_ && !types::IsAscii(text)) {
      Throw(SqlError::NotSupported("a word boundary in a regular expression on text beyond ASCII"));
    }
  }

  bool extent_known_;
  bool groups_known_;
  bool ascii_text_only_;
};

struct CacheEntry {
  std::string pattern;
  RegexFlags flags;
  std::shared_ptr<const Regex> regex;
};

std::shared_ptr<const Regex> Compile(std::string_view pattern, const RegexFlags& flags) {
  const TranslatedRegex translated = TranslateRegex(pattern, flags).value();
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(!translated.ignore_case);
  options.set_longest_match(translated.longest);
  auto regex = std::make_shared<const Re2Regex>(translated, options);
  if (!regex->re2().ok()) Throw(InvalidRegex(Reason(regex->re2().error_code())));
  if (regex->group_count() > kGroupsMax) Throw(SqlError::NotSupported("a regular expression with more than 100 groups"));
  return regex;
}

}  // namespace

// Most recently used first, as PostgreSQL's cache.
std::shared_ptr<const Regex> CompileRegex(std::string_view pattern, const RegexFlags& flags) {
  static thread_local std::vector<CacheEntry> cache;
  RegexFlags key = flags;
  key.global = false;
  const auto found = std::find_if(cache.begin(), cache.end(),
                                  [&](const CacheEntry& entry) { return entry.flags == key && entry.pattern == pattern; });
  if (found != cache.end()) {
    std::rotate(cache.begin(), found, found + 1);
    return cache.front().regex;
  }
  std::shared_ptr<const Regex> regex = Compile(pattern, key);
  if (cache.size() >= kCacheEntries) cache.pop_back();
  cache.insert(cache.begin(), CacheEntry{std::string(pattern), key, regex});
  return regex;
}

}  // namespace mayfly::func
