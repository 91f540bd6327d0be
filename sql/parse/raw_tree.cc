#include "sql/parse/raw_tree.h"

#include <pg_query.h>

#include <cstdlib>

extern "C" {
// Exported by the library; its own header for them (pg_query_internal.h) cannot be included from C++.
typedef struct MemoryContextData* MemoryContext;
typedef struct {
  List* tree;
  char* stderr_buffer;
  PgQueryError* error;
} PgQueryInternalParsetreeAndError;
PgQueryInternalParsetreeAndError pg_query_raw_parse(const char* input);
void pg_query_free_error(PgQueryError* error);
MemoryContext pg_query_enter_memory_context();
void pg_query_exit_memory_context(MemoryContext context);
}

namespace mayfly::parse {

RawTree::RawTree(const std::string& text) : memory_context_(pg_query_enter_memory_context()) {
  PgQueryInternalParsetreeAndError result = pg_query_raw_parse(text.c_str());
  std::free(result.stderr_buffer);
  if (result.error == nullptr) {
    statements_ = result.tree;
    return;
  }
  error_ = RawError{.message = result.error->message == nullptr ? "syntax error" : result.error->message,
                    .character_position = result.error->cursorpos};
  pg_query_free_error(result.error);
}

RawTree::~RawTree() { pg_query_exit_memory_context(static_cast<MemoryContext>(memory_context_)); }

}  // namespace mayfly::parse
