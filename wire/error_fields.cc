#include "wire/error_fields.h"

#include <fmt/format.h>

#include "sql/types/utf8.h"
#include "wire/message.h"

namespace mayfly::wire {
namespace {

class FieldWriter {
 public:
  FieldWriter(std::string& out, char tag) : out_(out), message_(out, tag) {}
  void Always(char field, std::string_view text) {
    out_.push_back(field);
    message_.String(text.substr(0, text.find('\0')));
  }
  void Optional(char field, std::string_view text) {
    if (!text.empty()) Always(field, text);
  }
  void Position(char field, int32_t position) {
    if (position > 0) Always(field, fmt::format_int(position).c_str());
  }
  void End() { out_.push_back('\0'); }

 private:
  std::string& out_;
  MessageWriter message_;
};

void AppendFields(std::string& out, char tag, const SqlError& error, std::string_view statement) {
  FieldWriter fields(out, tag);
  fields.Always('S', SeverityName(error.severity));
  fields.Always('V', SeverityName(error.severity));
  fields.Always('C', error.state.code());
  fields.Always('M', error.message);
  fields.Optional('D', error.detail);
  fields.Optional('H', error.hint);
  fields.Optional('W', error.context);
  fields.Optional('s', error.schema);
  fields.Optional('t', error.table);
  fields.Optional('c', error.column);
  fields.Optional('d', error.type);
  fields.Optional('n', error.constraint);
  fields.Position('P', error.character_position > 0 ? error.character_position : CharacterPosition(statement, error.position));
  fields.Position('p', CharacterPosition(error.internal_query, error.internal_position));
  fields.Optional('q', error.internal_query);
  // Where the error was reported to the client. PostgreSQL names the place of its own source that raised it; a SqlError does not
  // carry one, and some clients insist on the three fields.
  fields.Always('F', "error_fields.cc");
  fields.Always('L', fmt::format_int(__LINE__).c_str());
  fields.Always('R', "AppendFields");
  fields.End();
}

}  // namespace

void AppendErrorResponse(std::string& out, const SqlError& error, std::string_view statement) {
  AppendFields(out, 'E', error, statement);
}

void AppendNoticeResponse(std::string& out, const SqlError& notice, std::string_view statement) {
  AppendFields(out, 'N', notice, statement);
}

void AppendAncientError(std::string& out, std::string_view message) {
  out.append("EFATAL:  ").append(message).append("\n").push_back('\0');
}

int32_t CharacterPosition(std::string_view statement, SourcePos position) {
  if (!position.known() || statement.empty() || static_cast<size_t>(position.offset) > statement.size()) return 0;
  return static_cast<int32_t>(types::Utf8Count(statement.substr(0, static_cast<size_t>(position.offset)))) + 1;
}

}  // namespace mayfly::wire
