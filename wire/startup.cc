#include "wire/startup.h"

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "sql/types/utf8.h"

namespace mayfly::wire {
namespace {

constexpr uint32_t kCancelCode = 80877102;
constexpr uint32_t kSslCode = 80877103;
constexpr uint32_t kGssEncCode = 80877104;
// PostgreSQL's NAMEDATALEN - 1: longer user and database names are cut.
constexpr size_t kNameBytesMax = 63;

SqlError Fatal(SqlState state, std::string message) { return SqlError::MakeText(state, std::move(message)).As(Severity::kFatal); }

std::string Unsupported(uint32_t version) {
  return fmt::format("unsupported frontend protocol {}.{}: server supports 3.0 to 3.0", version >> 16, version & 0xFFFF);
}

// Words at unescaped blanks; a backslash takes the next byte as it is.
std::vector<std::string> SplitWords(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  std::vector<std::string> words;
  size_t at = text.find_first_not_of(kBlanks);
  while (at < text.size()) {
    std::string word;
    for (; at < text.size() && kBlanks.find(text[at]) == std::string_view::npos; ++at) {
      if (text[at] == '\\' && ++at == text.size()) break;
      word.push_back(text[at]);
    }
    words.push_back(std::move(word));
    at = text.find_first_not_of(kBlanks, at);
  }
  return words;
}

// "name=value"; dashes in the name stand for underscores.
Result<std::pair<std::string, std::string>> ParseAssignment(std::string_view text, std::string_view prefix) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    return Fatal(kSyntaxError, fmt::format("{}{} requires a value", prefix, text));
  }
  std::string name(text.substr(0, equals));
  std::replace(name.begin(), name.end(), '-', '_');
  return std::pair(std::move(name), std::string(text.substr(equals + 1)));
}

// PostgreSQL's boolean words, and "database", which asks for logical replication.
Status CheckReplication(std::string_view value) {
  std::string word(value);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  for (const std::string_view off : {"off", "false", "no", "0", "f", "n"}) {
    if (word == off) return Ok();
  }
  for (const std::string_view on : {"on", "true", "yes", "1", "t", "y", "database"}) {
    if (word == on) return SqlError::NotSupported("replication").As(Severity::kFatal);
  }
  return Fatal(kInvalidParameterValue, fmt::format("invalid value for parameter \"replication\": \"{}\"", value))
      .Hint("Valid values are: \"false\", 0, \"true\", 1, \"database\".");
}

// One pair of the packet.
Status TakeParameter(std::string_view name, std::string_view value, StartupMessage& message) {
  if (name == "user") {
    message.user = types::Utf8Clip(value, kNameBytesMax);
  } else if (name == "database") {
    message.database = types::Utf8Clip(value, kNameBytesMax);
  } else if (name == "options") {
    message.options = value;
  } else if (name == "replication") {
    return CheckReplication(value);
  } else if (name.starts_with("_pq_.")) {
    message.unknown_options.emplace_back(name);
  } else {
    message.settings.emplace_back(name, value);
  }
  return Ok();
}

Status ReadParameters(std::string_view body, StartupMessage& message) {
  ByteReader reader(body);
  while (true) {
    const std::string_view name = reader.CString();
    if (!reader.ok() || name.empty()) break;
    const std::string_view value = reader.CString();
    if (!reader.ok()) break;
    for (const std::string_view text : {name, value}) {
      if (auto valid = types::ValidateUtf8(text); !valid.ok()) return std::move(valid.error()).As(Severity::kFatal);
    }
    TRY_OK(TakeParameter(name, value, message));
  }
  if (!reader.ok() || !reader.AtEnd()) {
    return Fatal(kProtocolViolation, "invalid startup packet layout: expected terminator as last byte");
  }
  return Ok();
}

Result<StartupPacket> DecodeParameters(int16_t minor_version, std::string_view body) {
  StartupMessage message;
  TRY_OK(ReadParameters(body, message));
  message.minor_version = minor_version;
  if (message.user.empty())
    return Fatal(kInvalidAuthorizationSpecification, "no PostgreSQL user name specified in startup packet");
  if (message.database.empty()) message.database = message.user;
  return StartupPacket(std::move(message));
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> ParseStartupOptions(std::string_view options) {
  std::vector<std::pair<std::string, std::string>> settings;
  const std::vector<std::string> words = SplitWords(options);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("--") && word.size() > 2) {
      TRY(auto, setting, ParseAssignment(std::string_view(word).substr(2), "--"));
      settings.push_back(std::move(setting));
    } else if (word == "-c" && i + 1 < words.size()) {
      TRY(auto, setting, ParseAssignment(words[++i], "-c "));
      settings.push_back(std::move(setting));
    } else if (word.starts_with("-c") && word.size() > 2) {
      TRY(auto, setting, ParseAssignment(std::string_view(word).substr(2), "-c "));
      settings.push_back(std::move(setting));
    } else {
      return Fatal(kSyntaxError, fmt::format("invalid command-line argument for server process: {}", word))
          .Hint("Try \"postgres --help\" for more information.");
    }
  }
  return settings;
}

Result<StartupPacket> DecodeStartup(std::string_view body, const StartupContext& context) {
  ByteReader reader(body);
  const auto code = reader.BigEndian<uint32_t>();
  if (!reader.ok()) return Fatal(kProtocolViolation, "invalid length of startup packet");
  if (code == kCancelCode) {
    const auto pid = reader.BigEndian<int32_t>();
    const auto secret = reader.BigEndian<uint32_t>();
    if (!reader.ok() || !reader.AtEnd()) return Fatal(kProtocolViolation, "invalid length of query cancel packet");
    return StartupPacket(CancelRequest{pid, secret});
  }
  if (code == kSslCode && !context.ssl_answered) return StartupPacket(SslRequest{});
  if (code == kGssEncCode && !context.gss_answered) return StartupPacket(GssEncRequest{});
  const uint32_t major = code >> 16;
  if (major < 3) return StartupPacket(AncientProtocol{Unsupported(code)});
  if (major != 3) return Fatal(kFeatureNotSupported, Unsupported(code));
  return DecodeParameters(static_cast<int16_t>(code & 0xFFFF), reader.rest());
}

}  // namespace mayfly::wire
