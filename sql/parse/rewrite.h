// Foreign spellings that PostgreSQL's grammar refuses, turned into ones it takes. Runs only after a syntax error, so that no statement
// that is valid in PostgreSQL changes its meaning and none pays for it.
//
// Each rewrite looks at the tokens of the text and says which bytes to replace; positions map back through the EditList.
#pragma once

#include <string_view>

#include "sql/parse/edit_list.h"

namespace mayfly::parse {

// The edits of all rewrites, in order of position; empty where none applies.
EditList RewriteForeignSpellings(std::string_view text);

}  // namespace mayfly::parse
