// Quoting for SQL text: identifiers and literals, as quote_ident and quote_literal do it.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::func {

// Double quotes only where needed: not all lower-case letters, digits and underscores, or a keyword that cannot stand as a name.
void AppendQuotedIdentifier(std::string_view name, std::string& out);
// 'it''s'; with backslashes as E'a\\b'.
void AppendQuotedLiteral(std::string_view text, std::string& out);

}  // namespace mayfly::func
