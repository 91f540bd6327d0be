// WITH ('key' = 'value'), SET ('key' = …), RESET ('key') of CREATE and ALTER statements: the SQL-table spelling of options.
//
//   WITH ('table.kv.row.ttl' = '1h')   ->   WITH ("table.kv.row.ttl" = '1h')
//
// A string in key position becomes a quoted identifier of the same length, so positions stay as they are. Left alone, and so a syntax
// error as before: keys with a quote or a newline in them, keys of another string syntax (E'', $$), keys longer than an identifier may be.
#pragma once

#include <span>
#include <vector>

#include "sql/parse/edit_list.h"
#include "sql/parse/token.h"

namespace mayfly::parse {

void RewriteOptionKeys(std::span<const Token> tokens, std::vector<Edit>& edits);

}  // namespace mayfly::parse
