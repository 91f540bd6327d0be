// SQLSTATE codes as values: the five characters are the code (PostgreSQL manual, appendix A).
//
// Every code is one row of sqlstate.def; nobody writes a literal. The wire prints `SqlState::code()` as it stands.
#pragma once

#include <array>
#include <string_view>

namespace mayfly {

// Five characters, compared by value. Cheap to copy; lives for ever (constants only).
class SqlState {
 public:
  consteval SqlState(const char (&code)[6])  // NOLINT(google-explicit-constructor): a literal is the value
      : code_{code[0], code[1], code[2], code[3], code[4]} {}

  constexpr std::string_view code() const { return {code_.data(), code_.size()}; }
  friend constexpr bool operator==(const SqlState&, const SqlState&) = default;

 private:
  std::array<char, 5> code_;
};

// One row of sqlstate.def: the code and PostgreSQL's name of the condition.
#define SQLSTATE(code, name) inline constexpr SqlState name{code};
#include "base/sqlstate.def"
#undef SQLSTATE

}  // namespace mayfly
