// PostgreSQL's regular expressions on RE2: linear time, whatever the pattern (PostgreSQL manual, 9.7.3).
//
// A pattern is translated to RE2's syntax (regex_translate.h) and compiled once a thread. What RE2 cannot express
// (backreferences, lookahead) is 0A000, not a wrong answer; so is finding where a match ends when that depends on PostgreSQL's
// rules for mixed greediness.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace mayfly::func {

struct RegexFlags {
  bool ignore_case = false;
  bool newline_stops = false;    // . and [^…] do not match a newline
  bool newline_anchors = false;  // ^ and $ match at lines
  bool expanded = false;         // blanks and comments in the pattern are skipped
  bool literal = false;          // the pattern is plain text
  bool ascii = false;            // classes know ASCII only: name has collation C
  bool global = false;           // of the function, not of the pattern
  friend bool operator==(const RegexFlags&, const RegexFlags&) = default;
};

// 22023 `invalid regular expression option: "z"`, thrown.
RegexFlags ParseRegexFlags(std::string_view flags);

class Regex {
 public:
  virtual ~Regex() = default;
  // Capturing groups.
  virtual int group_count() const = 0;
  virtual bool Matches(std::string_view text) const = 0;
  // The leftmost match that starts at byte `start` or later: groups[0] all of it, then the groups; one that took no part has a
  // null data(). At most groups.size() are filled. Throws 0A000 where the extent of a match cannot be told as PostgreSQL would.
  virtual bool Find(std::string_view text, size_t start, std::span<std::string_view> groups) const = 0;
};

// From this thread's cache where it is there. Throws 2201B `invalid regular expression: …`, 0A000.
std::shared_ptr<const Regex> CompileRegex(std::string_view pattern, const RegexFlags& flags);

}  // namespace mayfly::func
