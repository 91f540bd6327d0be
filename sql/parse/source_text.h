// The client's own text of an expression, which the raw tree only knows the beginning of.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::parse {

// The text of the DEFAULT expression whose keyword DEFAULT is the first token at `keyword_offset`, trimmed. It ends where the grammar's
// does: at a comma, closing parenthesis or semicolon, and, in a column definition, at the next column constraint.
std::string DefaultExpressionText(std::string_view text, size_t keyword_offset);

// Byte offset of the last keyword DEFAULT before `offset`, looking from `from`; `offset` where there is none.
size_t FindDefaultKeyword(std::string_view text, size_t from, size_t offset);

}  // namespace mayfly::parse
