// One text parsed by libpg_query, and the memory that its raw tree lives in.
//
// The tree is PostgreSQL's own List of RawStmt (sql/parse/pg_nodes.h); it dies with this object. Parsing needs no lock and leaves nothing
// behind on the thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

struct List;

namespace mayfly::parse {

// What the grammar or the scanner said, before it becomes a SqlError.
struct RawError {
  std::string message;
  int32_t character_position = 0;  // from 1; 0 = none
};

class RawTree {
 public:
  // Requires: `text` has no NUL byte inside, and is valid UTF-8.
  explicit RawTree(const std::string& text);
  ~RawTree();
  RawTree(const RawTree&) = delete;
  RawTree& operator=(const RawTree&) = delete;

  // Null for a text without statements, and after an error.
  const ::List* statements() const { return statements_; }
  const std::optional<RawError>& error() const { return error_; }

 private:
  void* memory_context_;
  const ::List* statements_ = nullptr;
  std::optional<RawError> error_;
};

}  // namespace mayfly::parse
