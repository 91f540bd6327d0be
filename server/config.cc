#include "server/config.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace mayfly::server {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

SqlError Bad(std::string message) { return SqlError::MakeText(kConfigFileError, std::move(message)); }

bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

void SkipBlanks(std::string_view& rest) { rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size())); }

// Reads the value at the start of `rest`, quoted or bare.
Result<std::string> TakeValue(std::string_view& rest) {
  std::string value;
  if (!rest.starts_with('\'')) {
    const size_t end = std::min(rest.find_first_of(" \t\r\f\v#"), rest.size());
    value = rest.substr(0, end);
    rest.remove_prefix(end);
    if (value.empty()) return Bad("a value is missing");
    return value;
  }
  rest.remove_prefix(1);
  while (!rest.empty()) {
    const char c = rest[0];
    rest.remove_prefix(1);
    if (c == '\'' && !rest.starts_with('\'')) return value;
    if (c == '\'') rest.remove_prefix(1);
    value.push_back(c);
  }
  return Bad("a quote is not closed");
}

Result<ConfigLine> ParseLine(std::string_view rest) {
  ConfigLine line;
  const auto end = std::find_if_not(rest.begin(), rest.end(), IsNameByte);
  line.name.assign(rest.begin(), end);
  if (line.name.empty()) return Bad("a name is expected");
  rest.remove_prefix(line.name.size());
  std::transform(line.name.begin(), line.name.end(), line.name.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  SkipBlanks(rest);
  if (rest.starts_with('=')) rest.remove_prefix(1);
  SkipBlanks(rest);
  TRY(std::string, value, TakeValue(rest));
  line.value = std::move(value);
  SkipBlanks(rest);
  if (!rest.empty() && rest[0] != '#') return Bad(fmt::format("\"{}\" is not understood", rest));
  return line;
}

// A number with one of the units, in the smallest of them.
struct Unit {
  std::string_view name;
  int64_t factor;
};
Result<int64_t> ParseWithUnit(std::string_view text, std::span<const Unit> units, int64_t plain_factor) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return Bad(fmt::format("\"{}\" is not a number with a unit", text));
  std::string_view name(end, static_cast<size_t>(text.data() + text.size() - end));
  SkipBlanks(name);
  int64_t factor = name.empty() ? plain_factor : 0;
  for (const Unit& unit : units) {
    if (unit.name == name) factor = unit.factor;
  }
  if (factor == 0) return Bad(fmt::format("\"{}\" is not a unit that is known here", name));
  if (number > std::numeric_limits<int64_t>::max() / factor) return Bad(fmt::format("\"{}\" is too large", text));
  return number * factor;
}

Result<int64_t> ParseInteger(std::string_view text, int64_t least, int64_t most) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most) {
    return Bad(fmt::format("\"{}\" is not a number from {} to {}", text, least, most));
  }
  return number;
}

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view word = text.substr(0, comma);
    SkipBlanks(word);
    while (!word.empty() && kBlanks.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    if (!word.empty()) words.emplace_back(word);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

Result<wire::Authentication> ParseAuthentication(std::string_view text) {
  if (text == "auto") return wire::Authentication::kAuto;
  if (text == "trust") return wire::Authentication::kTrust;
  if (text == "scram-sha-256") return wire::Authentication::kScram;
  return Bad(fmt::format("\"{}\" is none of auto, trust, scram-sha-256", text));
}

Result<storage::Compression> ParseCompression(std::string_view text) {
  if (text == "none") return storage::Compression::kNone;
  if (text == "lz4") return storage::Compression::kLz4;
  if (text == "zstd") return storage::Compression::kZstd;
  return Bad(fmt::format("\"{}\" is none of none, lz4, zstd", text));
}

Result<LogLevel> ParseLevel(std::string_view text) {
  if (const auto level = ParseLogLevel(text)) return *level;
  return Bad(fmt::format("\"{}\" is none of debug, info, warning, error", text));
}

// Stores a parsed value.
template <typename T, typename U>
Status Store(Result<U> parsed, T& target) {
  if (!parsed.ok()) return std::move(parsed).error();
  target = static_cast<T>(*std::move(parsed));
  return Ok();
}

using Apply = Status (*)(const std::string& value, Config& config);
struct Entry {
  std::string_view name;
  Apply apply;
};

constexpr Entry kEntries[] = {
    {"authentication", [](const std::string& v, Config& c) { return Store(ParseAuthentication(v), c.server.authentication); }},
    {"authentication_timeout",
     [](const std::string& v, Config& c) { return Store(ParseDuration(v), c.server.authentication_timeout_ms); }},
    {"background_jobs", [](const std::string& v, Config& c) { return Store(ParseInteger(v, 1, 64), c.storage.background_jobs); }},
    {"block_cache_size", [](const std::string& v, Config& c) { return Store(ParseSize(v), c.storage.block_cache_bytes); }},
    {"compression", [](const std::string& v, Config& c) { return Store(ParseCompression(v), c.storage.compression); }},
    {"data_directory", [](const std::string& v, Config& c) { return Store(Result<std::string>(v), c.data_dir); }},
    {"drain_timeout", [](const std::string& v, Config& c) { return Store(ParseDuration(v), c.server.drain_ms); }},
    {"initial_database", [](const std::string& v, Config& c) { return Store(Result<std::string>(v), c.database); }},
    {"initial_superuser", [](const std::string& v, Config& c) { return Store(Result<std::string>(v), c.superuser); }},
    {"io_threads", [](const std::string& v, Config& c) { return Store(ParseInteger(v, 0, 1024), c.server.io_threads); }},
    {"listen_addresses",
     [](const std::string& v, Config& c) { return Store(Result<std::vector<std::string>>(SplitList(v)), c.server.hosts); }},
    {"log_level", [](const std::string& v, Config& c) { return Store(ParseLevel(v), c.log_level); }},
    {"max_connections",
     [](const std::string& v, Config& c) { return Store(ParseInteger(v, 1, 262'143), c.server.connections_max); }},
    {"max_wal_size", [](const std::string& v, Config& c) { return Store(ParseSize(v), c.storage.log_bytes_max); }},
    {"memory_limit", [](const std::string& v, Config& c) { return Store(ParseSize(v), c.memory_limit_bytes); }},
    {"memtable_size", [](const std::string& v, Config& c) { return Store(ParseSize(v), c.storage.memtable_bytes); }},
    {"password_file", [](const std::string& v, Config& c) { return Store(Result<std::string>(v), c.password_file); }},
    {"port", [](const std::string& v, Config& c) { return Store(ParseInteger(v, 1, 65535), c.server.port); }},
    {"ssl_cert_file", [](const std::string& v, Config& c) { return Store(Result<std::string>(v), c.server.ssl_cert_file); }},
    {"ssl_key_file", [](const std::string& v, Config& c) { return Store(Result<std::string>(v), c.server.ssl_key_file); }},
    {"unix_socket_directory",
     [](const std::string& v, Config& c) { return Store(Result<std::string>(v), c.server.socket_directory); }},
    {"worker_threads", [](const std::string& v, Config& c) { return Store(ParseInteger(v, 1, 10'000), c.server.workers_max); }},
};

SqlError AtLine(int number, const SqlError& error) { return Bad(fmt::format("line {}: {}", number, error.message)); }

}  // namespace

Result<std::vector<ConfigLine>> ParseConfig(std::string_view text) {
  std::vector<ConfigLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    SkipBlanks(rest);
    if (rest.empty() || rest[0] == '#') continue;
    auto line = ParseLine(rest);
    if (!line.ok()) return AtLine(number, line.error());
    line->number = number;
    lines.push_back(*std::move(line));
  }
  return lines;
}

std::vector<std::string_view> ServerConfigNames() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kEntries) names.push_back(entry.name);
  return names;
}

Status ApplyConfig(const std::vector<ConfigLine>& lines, Config& config) {
  for (const ConfigLine& line : lines) {
    const auto entry =
        std::find_if(std::begin(kEntries), std::end(kEntries), [&](const Entry& e) { return e.name == line.name; });
    if (entry == std::end(kEntries)) {
      config.settings.push_back(line);
    } else if (auto applied = entry->apply(line.value, config); !applied.ok()) {
      return AtLine(line.number, Bad(fmt::format("{}: {}", line.name, applied.error().message)));
    }
  }
  return Ok();
}

Result<size_t> ParseSize(std::string_view text) {
  constexpr Unit kUnits[] = {{"B", 1}, {"kB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"TB", int64_t{1} << 40}};
  TRY(const int64_t, bytes, ParseWithUnit(text, kUnits, 1));
  return static_cast<size_t>(bytes);
}

Result<int64_t> ParseDuration(std::string_view text) {
  constexpr Unit kUnits[] = {{"ms", 1}, {"s", 1000}, {"min", 60'000}, {"h", 3'600'000}};
  return ParseWithUnit(text, kUnits, 1000);
}

}  // namespace mayfly::server
