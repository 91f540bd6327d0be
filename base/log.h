// Structured log lines, one an event, keys and values side by side ("logfmt"):
//
//   time=2026-12-01T03:21:08.123Z level=info msg="listening" address=127.0.0.1:5432
//
// A line is written by one system call, so that lines of several threads never mix. There is no global log: who logs is given
// one.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace mayfly {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError };

// "debug", "info", "warning", "error"; nullopt for other words.
std::optional<LogLevel> ParseLogLevel(std::string_view word);
std::string_view LogLevelName(LogLevel level);

// A key with a value: text, or a number.
struct LogField {
  LogField(std::string_view field_key, std::string_view text) : key(field_key), value(text) {}
  LogField(std::string_view field_key, const char* text) : key(field_key), value(text) {}
  LogField(std::string_view field_key, const std::string& text) : key(field_key), value(text) {}
  template <std::integral T>
  LogField(std::string_view field_key, T number) : key(field_key), value(fmt::format_int(number).str()) {}

  std::string_view key;
  std::string value;
};

// Thread-safe.
class Log {
 public:
  // Lines below `level` are not written. The clock outlives the log; the descriptor is borrowed.
  Log(const Clock& clock, LogLevel level, int fd) : clock_(clock), level_(level), fd_(fd) {}

  void Write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {}) const;
  void Debug(std::string_view message, std::initializer_list<LogField> fields = {}) const {
    Write(LogLevel::kDebug, message, fields);
  }
  void Info(std::string_view message, std::initializer_list<LogField> fields = {}) const {
    Write(LogLevel::kInfo, message, fields);
  }
  void Warning(std::string_view message, std::initializer_list<LogField> fields = {}) const {
    Write(LogLevel::kWarning, message, fields);
  }
  void Error(std::string_view message, std::initializer_list<LogField> fields = {}) const {
    Write(LogLevel::kError, message, fields);
  }

 private:
  const Clock& clock_;
  const LogLevel level_;
  const int fd_;
};

}  // namespace mayfly
