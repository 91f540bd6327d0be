// The stream of COPY FROM taken apart: rows of fields, whatever pieces it came in.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sql/command/copy.h"

namespace mayfly::command {

// One row: fields without escapes and quotes (text, CSV) or as raw bytes (binary); nullopt = NULL. Borrowed for the call.
struct CopyRow {
  std::span<const std::optional<std::string_view>> fields;
  std::string_view line;   // as it came, for error contexts; empty for binary
  uint64_t line_number = 0;
};
using CopyRowFn = std::function<void(const CopyRow& row)>;

class CopyReader {
 public:
  virtual ~CopyReader() = default;
  // Calls `fn` for each complete row. Errors are thrown (22P04, …).
  virtual void Feed(std::string_view bytes, const CopyRowFn& fn) = 0;
  // The stream is over: the last row may lack its newline.
  virtual void Finish(const CopyRowFn& fn) = 0;
  // Line (or row, binary) that is being read; for error contexts.
  virtual uint64_t line_number() const = 0;
  // What stands before the first row is being read: errors of it have no line.
  virtual bool in_header() const { return false; }
  // A last line that does not end as it should; for error contexts.
  virtual std::string_view unfinished_line() const { return {}; }
};

// `not_null_fields`, `null_fields`: FORCE_NOT_NULL and FORCE_NULL by field; one each.
std::unique_ptr<CopyReader> MakeCopyReader(const CopyOptions& options, std::vector<bool> not_null_fields, std::vector<bool> null_fields);

}  // namespace mayfly::command
