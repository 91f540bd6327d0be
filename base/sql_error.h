// The one error value, and the exception that carries it through the stages that read as rules.
//
// Transports (docs/architecture.md, "Errors"): `Result<T>` where a caller is expected to look; `SqlException` ends a
// statement and is caught once, in sql/session. Fields are those of an ErrorResponse (manual, 55.8).
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/sql_state.h"

namespace mayfly {

// Byte offset, from 0, into the text of the statement the client sent. Only wire/ turns it into PostgreSQL's
// 1-based character index. A negative value means "no position known".
struct SourcePos {
  int32_t offset = -1;
  constexpr bool known() const { return offset >= 0; }
  friend constexpr bool operator==(SourcePos, SourcePos) = default;
};

enum class Severity : uint8_t { kDebug, kLog, kInfo, kNotice, kWarning, kError, kFatal, kPanic };

// PostgreSQL's word for a severity ("ERROR").
std::string_view SeverityName(Severity severity);

struct SqlError {
  SqlState state = kInternalError;
  std::string message;
  std::string detail;
  std::string hint;
  std::string context;
  SourcePos position;
  // Position inside `internal_query` (a view's or function's text), and that text.
  SourcePos internal_position;
  std::string internal_query;
  std::string schema;
  std::string table;
  std::string column;
  std::string type;
  std::string constraint;
  Severity severity = Severity::kError;
  // A position that the parser already counted in characters from 1; 0 = none. Wins over `position`.
  int32_t character_position = 0;

  // SqlError::Make(kUndefinedColumn, "column \"{}\" does not exist", name).At(pos).Hint("...")
  template <typename... Args>
  static SqlError Make(SqlState state, fmt::format_string<Args...> format, Args&&... args) {
    return MakeText(state, fmt::vformat(format, fmt::make_format_args(args...)));
  }
  // Same for a message that is already text.
  static SqlError MakeText(SqlState state, std::string message);
  // 0A000 "FEATURE is not supported" for what is not built yet.
  static SqlError NotSupported(std::string_view feature, SourcePos pos = {});

  SqlError&& At(SourcePos pos) &&;
  SqlError&& Detail(std::string text) &&;
  SqlError&& Hint(std::string text) &&;
  SqlError&& Context(std::string text) &&;
  SqlError&& Table(std::string schema_name, std::string table_name) &&;
  SqlError&& Column(std::string name) &&;
  SqlError&& Constraint(std::string name) &&;
  SqlError&& DataType(std::string name) &&;
  SqlError&& As(Severity level) &&;
};

// Ends the statement. Thrown in sql/ only (analyze, plan, exec, command, store, func bodies, session), caught once, in sql/session.
class SqlException : public std::exception {
 public:
  explicit SqlException(SqlError error) : error_(std::move(error)) {}
  const SqlError& error() const { return error_; }
  SqlError& error() { return error_; }
  const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  SqlError error_;
};

// throw SqlException(SqlError::Make(...)), out of line so that callers stay small.
[[noreturn]] void Throw(SqlError error);

}  // namespace mayfly
