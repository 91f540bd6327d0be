// Any bytes as a statement: parse, print. What parses must be printable, and positions must lie inside the text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sql/parse/ast_printer.h"
#include "sql/parse/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto statements = mayfly::parse::Parse(text);
  if (!statements.ok()) {
    const mayfly::SqlError& error = statements.error();
    if (error.message.empty() || error.position.offset > static_cast<int64_t>(size)) std::abort();
    if (error.character_position < 0 || error.character_position > static_cast<int64_t>(size) + 1) std::abort();
    return 0;
  }
  for (const auto& statement : *statements) {
    if (statement->text_begin > statement->text_end || statement->text_end > size) std::abort();
    if (mayfly::parse::PrintStatement(*statement).empty()) std::abort();
  }
  return 0;
}
