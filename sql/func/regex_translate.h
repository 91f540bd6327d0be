// PostgreSQL's advanced regular expressions rewritten in RE2's syntax.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sql/func/regex.h"

namespace mayfly::func {

struct TranslatedRegex {
  std::string pattern;
  bool ignore_case = false;
  // PostgreSQL looks for the longest of the leftmost matches, unless quantifiers are non-greedy.
  bool longest = true;
  // False where RE2's and PostgreSQL's rules for mixed greediness may find matches of different extent.
  bool extent_known = true;
  // False where alternatives overlap, as in (b|bc)(c|d)?: RE2 takes the first one that leads to the longest match, PostgreSQL the
  // longest one.
  bool groups_known = true;
  // Word boundaries are RE2's, which knows only ASCII words.
  bool ascii_text_only = false;
};

// 2201B with PostgreSQL's reasons; 0A000 for what RE2 lacks.
Result<TranslatedRegex> TranslateRegex(std::string_view pattern, RegexFlags flags);

// 2201B `invalid regular expression: REASON`.
SqlError InvalidRegex(std::string_view reason);

}  // namespace mayfly::func
