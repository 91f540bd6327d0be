// Text to syntax trees, through PostgreSQL 15's own grammar (libpg_query).
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/parse/ast.h"

namespace mayfly::parse {

// All statements of `text`, in order; empty for blanks and comments only. Foreign spellings (WITH ('key' = …)) are rewritten only after a
// plain syntax error; positions always refer to `text`.
// 42601 with PostgreSQL's wording and position; 54001 where the text nests deeper than the server allows; 0A000 with the name and
// position of syntax that is not supported; 22021 for invalid UTF-8.
Result<std::vector<StatementPtr>> Parse(std::string_view text);

}  // namespace mayfly::parse
