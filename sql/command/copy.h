// COPY: rows as text, CSV or PostgreSQL's binary format (manual, COPY), read from and written to the client. The session moves the bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sql/analyze/analyze.h"
#include "sql/exec/context.h"
#include "sql/parse/ast.h"

namespace mayfly::command {

enum class CopyFormatKind : uint8_t { kText, kCsv, kBinary };

// COPY's options, checked: 22023, 42601, 0A000 with PostgreSQL's texts and positions.
struct CopyOptions {
  CopyFormatKind format = CopyFormatKind::kText;
  bool freeze = false;
  bool header = false;
  bool header_match = false;
  std::string null_text;    // default \N, or empty for CSV
  char delimiter = '\t';
  char quote = '"';
  char escape = '"';
  bool force_quote_all = false;
  std::vector<std::string> force_quote, force_not_null, force_null;
};
CopyOptions ParseCopyOptions(const parse::CopyStatement& statement);

// COPY table FROM STDIN while the client sends. Rows are written through `context`'s transaction as they come (or, into an empty table that can be
// locked at once, through a bulk load; FREEZE asks for that, and is 55000 where it cannot be had).
class CopyIn {
 public:
  virtual ~CopyIn() = default;
  virtual CopyFormatKind format() const = 0;
  virtual size_t column_count() const = 0;
  // Any piece of the stream; need not end at a row. Throws: 22P04, 22P02, 23505 … with CONTEXT "COPY t, line 3, column a: …".
  virtual void Data(std::string_view bytes) = 0;
  // The end of the data; the number of rows.
  virtual uint64_t Finish() = 0;
  // Where it stands, for an error that is not of the data: "COPY t, line 3".
  virtual std::string Context() const = 0;
};
// `context` and what it borrows live until Finish. The table's relation lock is held shared by the caller. 42P01, 42703, 42701, 0A000 (files, programs).
std::unique_ptr<CopyIn> StartCopyIn(const parse::CopyStatement& statement, const analyze::AnalyzeContext& analysis, exec::ExecContext& context);

// Formats result rows for COPY … TO STDOUT.
class CopyOut {
 public:
  virtual ~CopyOut() = default;
  // Appends what stands before the first row (header line, binary signature).
  virtual void Begin(std::string& out) = 0;
  // Row `row` of the batch.
  virtual void Row(const types::Batch& batch, size_t row, std::string& out) = 0;
  virtual void End(std::string& out) = 0;
};
struct CopyColumn {
  std::string name;
  const types::TypeDesc* type = nullptr;
};
std::unique_ptr<CopyOut> MakeCopyOut(const CopyOptions& options, std::vector<CopyColumn> columns, const types::IoContext& io);
// The SELECT that COPY table [(columns)] TO means.
parse::StatementPtr CopySource(const parse::CopyStatement& statement, const analyze::AnalyzeContext& analysis);

}  // namespace mayfly::command
