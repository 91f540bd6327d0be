// A guard against comments that the scanner of PostgreSQL's grammar takes quadratic time for.
//
// Each /* is matched together with all operator characters behind it, and then given back but for two: "/*/*/*…" of 400 kB costs a
// minute. Such texts, and only they, get their comments replaced by blanks first, which moves no position.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::parse {

// Whether `text` has a run of operator characters, long enough to matter, with /* in it.
bool HasLongComments(std::string_view text);

// Comments as blanks, all else as it stands. 42601 `unterminated /* comment …` as the grammar reports it.
Result<std::string> BlankComments(std::string_view text);

}  // namespace mayfly::parse
