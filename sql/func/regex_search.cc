#include "sql/func/regex_search.h"

#include <algorithm>

#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

// Where the search goes on after a match: past it, and past one more character where it was empty.
size_t NextStart(std::string_view text, size_t begin, size_t end) {
  if (begin != end) return end;
  return end < text.size() ? end + types::Utf8Length(text[end]) : end + 1;
}

}  // namespace

std::vector<RegexMatchGroups> FindRegexMatches(const Regex& regex, std::string_view text, const RegexSearch& search) {
  if (text.data() == nullptr) text = "";
  std::vector<RegexMatchGroups> matches;
  RegexMatchGroups groups(search.with_groups ? static_cast<size_t>(regex.group_count()) + 1 : 1);
  size_t previous_end = 0;
  size_t start = search.start;
  while (start <= text.size() && regex.Find(text, start, groups)) {
    const auto begin = static_cast<size_t>(groups[0].data() - text.data());
    const size_t end = begin + groups[0].size();
    if (!search.ignore_empty_at_edges || (begin < text.size() && end > previous_end)) matches.push_back(groups);
    previous_end = end;
    if (!search.global) break;
    start = NextStart(text, begin, end);
  }
  return matches;
}

types::Datum MatchToArray(const RegexMatchGroups& match, const types::TypeDesc& text, Arena& arena) {
  types::ArrayBuilder builder(text);
  for (size_t i = match.size() > 1 ? 1 : 0; i < match.size(); ++i) {
    builder.Append(match[i].data() == nullptr ? types::Datum::Null() : types::Datum(match[i]));
  }
  return builder.Finish(arena);
}

std::vector<std::string_view> SplitByRegex(const Regex& regex, std::string_view text) {
  if (text.data() == nullptr) text = "";
  std::vector<std::string_view> pieces;
  size_t done = 0;
  for (const RegexMatchGroups& match :
       FindRegexMatches(regex, text, {.global = true, .ignore_empty_at_edges = true, .with_groups = false})) {
    const auto begin = static_cast<size_t>(match[0].data() - text.data());
    pieces.push_back(text.substr(done, begin - done));
    done = begin + match[0].size();
  }
  pieces.push_back(text.substr(done));
  return pieces;
}

namespace {

bool NamesGroup(std::string_view replacement) {
  for (size_t at = 0; at + 1 < replacement.size(); ++at) {
    if (replacement[at] == '\\' && replacement[at + 1] >= '1' && replacement[at + 1] <= '9') return true;
  }
  return false;
}

void AppendReplacement(std::string_view replacement, const RegexMatchGroups& groups, std::string& out) {
  for (size_t at = 0; at < replacement.size(); ++at) {
    if (replacement[at] != '\\' || at + 1 == replacement.size()) {
      out += replacement[at];
      continue;
    }
    const char next = replacement[at + 1];
    if (next >= '1' && next <= '9') {
      const auto group = static_cast<size_t>(next - '0');
      if (group < groups.size()) out += groups[group];
    } else if (next == '&') {
      out += groups[0];
    } else if (next == '\\') {
      out += '\\';
    } else {
      out += '\\';  // nothing special: both stay
      continue;
    }
    ++at;
  }
}

}  // namespace

void ReplaceByRegex(const Regex& regex, std::string_view text, std::string_view replacement, const RegexReplace& options,
                    std::string& out) {
  if (text.data() == nullptr) text = "";
  RegexMatchGroups groups(NamesGroup(replacement) ? std::min<size_t>(static_cast<size_t>(regex.group_count()), 9) + 1 : 1);
  size_t copied = 0;
  int32_t number = 0;
  size_t start = options.start;
  while (start <= text.size() && regex.Find(text, start, groups)) {
    const auto begin = static_cast<size_t>(groups[0].data() - text.data());
    const size_t end = begin + groups[0].size();
    start = NextStart(text, begin, end);
    if (options.which > 0 && ++number != options.which) continue;
    out += text.substr(copied, begin - copied);
    AppendReplacement(replacement, groups, out);
    copied = end;
    if (options.which > 0) break;
  }
  out += text.substr(copied);
}

}  // namespace mayfly::func
