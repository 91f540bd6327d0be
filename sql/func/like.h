// LIKE patterns: % any text, _ any character, \ takes the next character as it is.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::func {

// A pattern, looked at once so that the common shapes ('abc', 'abc%', '%abc', '%abc%') need no matching loop. Borrows the
// pattern.
class LikePattern {
 public:
  // `bytes`: _ stands for a byte, not a character (bytea).
  explicit LikePattern(std::string_view pattern, bool bytes = false);

  // Throws 22025 where matching reaches an escape character at the pattern's end.
  bool Matches(std::string_view text) const;

 private:
  enum class Shape { kExact, kPrefix, kSuffix, kContains, kGeneral };
  bool MatchesGeneral(std::string_view text) const;

  std::string_view pattern_;
  bool bytes_;
  Shape shape_ = Shape::kGeneral;
  std::string_view literal_;
};

}  // namespace mayfly::func
