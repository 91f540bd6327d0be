// Bugs of ours, never of a client: Check(cond) aborts in debug builds and throws XX000 in release builds, which closes the session.
#pragma once

#include <source_location>
#include <string_view>

namespace mayfly {

// Debug: prints and aborts. Release: throws SqlException XX000 with the place.
[[noreturn]] void CheckFailed(std::string_view what, std::source_location where);

// Nothing that a client can send may make `condition` false.
inline void Check(bool condition, std::string_view what = "internal check failed",
                  std::source_location where = std::source_location::current()) {
  if (!condition) [[unlikely]] CheckFailed(what, where);
}

[[noreturn]] inline void Unreachable(std::source_location where = std::source_location::current()) {
  CheckFailed("unreachable code was reached", where);
}

}  // namespace mayfly
