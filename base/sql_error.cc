#include "base/sql_error.h"

namespace mayfly {

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kDebug: return "DEBUG";
    case Severity::kLog: return "LOG";
    case Severity::kInfo: return "INFO";
    case Severity::kNotice: return "NOTICE";
    case Severity::kWarning: return "WARNING";
    case Severity::kError: return "ERROR";
    case Severity::kFatal: return "FATAL";
    case Severity::kPanic: return "PANIC";
  }
  return "ERROR";
}

SqlError SqlError::MakeText(SqlState state, std::string message) {
  SqlError error;
  error.state = state;
  error.message = std::move(message);
  return error;
}

SqlError SqlError::NotSupported(std::string_view feature, SourcePos pos) {
  return MakeText(kFeatureNotSupported, fmt::format("{} is not supported", feature)).At(pos);
}

SqlError&& SqlError::At(SourcePos pos) && {
  position = pos;
  return std::move(*this);
}
SqlError&& SqlError::Detail(std::string text) && {
  detail = std::move(text);
  return std::move(*this);
}
SqlError&& SqlError::Hint(std::string text) && {
  hint = std::move(text);
  return std::move(*this);
}
SqlError&& SqlError::Context(std::string text) && {
  context = std::move(text);
  return std::move(*this);
}
SqlError&& SqlError::Table(std::string schema_name, std::string table_name) && {
  schema = std::move(schema_name);
  table = std::move(table_name);
  return std::move(*this);
}
SqlError&& SqlError::Column(std::string name) && {
  column = std::move(name);
  return std::move(*this);
}
SqlError&& SqlError::Constraint(std::string name) && {
  constraint = std::move(name);
  return std::move(*this);
}
SqlError&& SqlError::DataType(std::string name) && {
  type = std::move(name);
  return std::move(*this);
}
SqlError&& SqlError::As(Severity level) && {
  severity = level;
  return std::move(*this);
}

void Throw(SqlError error) { throw SqlException(std::move(error)); }

}  // namespace mayfly
