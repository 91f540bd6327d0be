#include "base/log.h"

#include <unistd.h>

#include <ctime>

namespace mayfly {
namespace {

constexpr std::string_view kNames[] = {"debug", "info", "warning", "error"};

void AppendTime(std::string& line, int64_t micros) {
  int64_t seconds = micros / 1'000'000;
  int64_t rest = micros % 1'000'000;
  if (rest < 0) {
    rest += 1'000'000;
    --seconds;
  }
  const auto time = static_cast<time_t>(seconds);
  std::tm utc{};
  gmtime_r(&time, &utc);
  fmt::format_to(std::back_inserter(line), "time={:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                 utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, rest / 1000);
}

void AppendQuoted(std::string& line, std::string_view text) {
  line.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      line.push_back('\\');
      line.push_back(c);
    } else if (c == '\n') {
      line.append("\\n");
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(line), "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      line.push_back(c);
    }
  }
  line.push_back('"');
}

// Plain where nobody could misread it.
void AppendValue(std::string& line, std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c == '"' || c == '=' || c == '\\' || c == 0x7F) return AppendQuoted(line, text);
  }
  if (text.empty()) return AppendQuoted(line, text);
  line.append(text);
}

}  // namespace

std::optional<LogLevel> ParseLogLevel(std::string_view word) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (word == kNames[i]) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

std::string_view LogLevelName(LogLevel level) { return kNames[static_cast<size_t>(level)]; }

void Log::Write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) const {
  if (level < level_) return;
  std::string line;
  AppendTime(line, clock_.NowMicros());
  line.append(" level=").append(LogLevelName(level)).append(" msg=");
  AppendQuoted(line, message);
  for (const LogField& field : fields) {
    line.append(" ").append(field.key).append("=");
    AppendValue(line, field.value);
  }
  line.push_back('\n');
  // A log that cannot be written must not stop the server.
  [[maybe_unused]] const ssize_t written = ::write(fd_, line.data(), line.size());
}

}  // namespace mayfly
