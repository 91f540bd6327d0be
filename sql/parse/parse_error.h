// The errors of the grammar, the scanner and the depth limit, as PostgreSQL reports them.
#pragma once

#include "base/sql_error.h"
#include "sql/parse/edit_list.h"
#include "sql/parse/raw_tree.h"

namespace mayfly::parse {

// libpg_query gives message and position but no SQLSTATE, so the code follows from the message. `text` is the client's text; an error
// inside a rewritten place is reported at the client's token and with its text.
SqlError MakeParseError(const RawError& raw, std::string_view text, const EditList& edits);

// 54001 `stack depth limit exceeded` with PostgreSQL's hint.
SqlError StackDepthExceeded();

}  // namespace mayfly::parse
