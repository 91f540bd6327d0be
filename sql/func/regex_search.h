// All matches of a regular expression in one text, by PostgreSQL's rules; what regexp_matches, regexp_split and their kin share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/func/kernel.h"
#include "sql/func/regex.h"
#include "sql/types/array.h"

namespace mayfly::func {

// Compiles only when the pattern or the flags change from row to row.
class RegexSource {
 public:
  const Regex& Get(std::string_view pattern, const RegexFlags& flags) {
    if (regex_ == nullptr || pattern != pattern_ || !(flags == flags_)) {
      regex_ = CompileRegex(pattern, flags);
      pattern_.assign(pattern);
      flags_ = flags;
    }
    return *regex_;
  }

 private:
  std::shared_ptr<const Regex> regex_;
  std::string pattern_;
  RegexFlags flags_;
};

// The groups of one match: all of it first. Borrow from the text; a group that took no part has a null data().
using RegexMatchGroups = std::vector<std::string_view>;

struct RegexSearch {
  bool global = false;
  // For splitting: empty matches at the start, at the end and right after another match do not count.
  bool ignore_empty_at_edges = false;
  size_t start = 0;  // byte offset
  bool with_groups = true;
};
std::vector<RegexMatchGroups> FindRegexMatches(const Regex& regex, std::string_view text, const RegexSearch& search);

// The groups as a text[]; the whole match where the pattern has none.
types::Datum MatchToArray(const RegexMatchGroups& match, const types::TypeDesc& text, Arena& arena);

// What is left between the matches.
std::vector<std::string_view> SplitByRegex(const Regex& regex, std::string_view text);

struct RegexReplace {
  size_t start = 0;   // byte offset
  int32_t which = 1;  // the match to replace, from 1; 0 = all
};
// `replacement` may name groups: \1 … \9, \& all of it, \\ a backslash.
void ReplaceByRegex(const Regex& regex, std::string_view text, std::string_view replacement, const RegexReplace& options,
                    std::string& out);

}  // namespace mayfly::func
