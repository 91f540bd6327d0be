// The `mayfly` program: options, configuration file, log, signals; then engine, instance and server, one above the other.

#include <pwd.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "server/config.h"
#include "server/password_file.h"
#include "sql/session/instance.h"
#include "storage/rocksdb/rocksdb_engine.h"
#include "wire/server.h"
#include "wire/unix_socket.h"

namespace mayfly::server {
namespace {

constexpr const char* kVersion = "mayfly 0.1.0 (compatible with PostgreSQL 15)";
constexpr const char* kConfigName = "mayfly.conf";

// What the command line says; it wins over the configuration file.
struct CommandLine {
  std::string config_file;
  std::vector<ConfigLine> settings;
  std::optional<std::string> socket_directory;
};

// Parses the options, or answers with the exit code that they ask for (--help, --version, errors).
std::optional<int> ParseCommandLine(int argc, char** argv, CommandLine& line) {
  CLI::App app("Mayfly: a PostgreSQL-compatible SQL server whose tables can forget.", "mayfly");
  app.set_version_flag("--version", kVersion);
  std::string data_dir;
  std::string host;
  std::string port;
  std::string log_level;
  std::string socket_directory;
  app.add_option("--data-dir", data_dir, "Directory of the data; made where it is missing [mayfly-data]");
  app.add_option("--host", host, "Addresses to listen on, separated by commas; * = all, empty = no TCP [127.0.0.1]");
  app.add_option("--port", port, "Port, of TCP and of the Unix socket's name [5432]");
  CLI::Option* socket_option = app.add_option("--socket-dir", socket_directory,
                                              "Directory of the Unix socket; empty = none [/var/run/postgresql, or /tmp]");
  app.add_option("--config", line.config_file, "Configuration file [DATA-DIR/mayfly.conf, where it exists]");
  app.add_option("--log-level", log_level, "debug, info, warning or error [info]");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (app.count("--data-dir") != 0) line.settings.push_back({"data_directory", data_dir});
  if (app.count("--host") != 0) line.settings.push_back({"listen_addresses", host});
  if (app.count("--port") != 0) line.settings.push_back({"port", port});
  if (app.count("--log-level") != 0) line.settings.push_back({"log_level", log_level});
  if (socket_option->count() != 0) line.socket_directory = socket_directory;
  return std::nullopt;
}

Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return SqlError::Make(kConfigFileError, "could not read configuration file \"{}\"", path);
  return text;
}

SqlError InFile(const std::string& path, const SqlError& error) {
  return SqlError::Make(kConfigFileError, "configuration file \"{}\", {}", path, error.message);
}

// The file's path, or empty where there is none.
Result<std::string> FindConfigFile(const CommandLine& line) {
  if (!line.config_file.empty()) return line.config_file;
  Config early;
  TRY_OK(ApplyConfig(line.settings, early));
  const std::string path = early.data_dir + "/" + kConfigName;
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) ? path : std::string();
}

Result<Config> LoadConfig(const CommandLine& line, std::string& path) {
  Config config;
  config.server.socket_directory = wire::DefaultSocketDirectory();
  TRY(std::string, found, FindConfigFile(line));
  path = std::move(found);
  if (!path.empty()) {
    TRY(const std::string, text, ReadFile(path));
    auto lines = ParseConfig(text);
    if (!lines.ok()) return InFile(path, lines.error());
    if (auto applied = ApplyConfig(*lines, config); !applied.ok()) return InFile(path, applied.error());
  }
  TRY_OK(ApplyConfig(line.settings, config));
  if (line.socket_directory) config.server.socket_directory = *line.socket_directory;
  config.storage.data_dir = config.data_dir;
  return config;
}

// Defaults of settings are checked by the instance: its error names the setting, and so finds the line.
SqlError NameConfigLine(const SqlError& error, const Config& config, const std::string& path) {
  std::string message = error.message;
  std::transform(message.begin(), message.end(), message.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const ConfigLine& line : config.settings) {
    if (message.find("\"" + line.name + "\"") != std::string::npos) {
      return InFile(path, SqlError::Make(error.state, "line {}: {}", line.number, error.message));
    }
  }
  return error;
}

// Every connection is a file descriptor.
void RaiseFileLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// The signals that Run waits for. Blocked before any thread starts, so that all inherit it.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return signals;
}

void WaitForStop(const sigset_t& signals, const Log& log) {
  while (true) {
    int number = 0;
    ::sigwait(&signals, &number);
    if (number != SIGHUP) {
      log.Info("stopping", {{"signal", number == SIGTERM ? "SIGTERM" : "SIGINT"}});
      return;
    }
  }
}

// The operating system's name of the user who runs the server.
std::string UserName() {
  const passwd* user = ::getpwuid(::geteuid());
  return user != nullptr ? user->pw_name : "postgres";
}

Status Run(const Config& config, const std::string& config_path, const sigset_t& signals) {
  SystemClock clock;
  const Log log(clock, config.log_level, STDERR_FILENO);
  log.Info("starting", {{"version", kVersion}, {"data_dir", config.data_dir}, {"config", config_path}, {"pid", ::getpid()}});
  TRY(auto, engine, storage::OpenRocksDbEngine(config.storage, clock));

  session::InstanceOptions options;
  options.bootstrap = {config.superuser.empty() ? UserName() : config.superuser, config.database};
  options.memory_limit_bytes = config.memory_limit_bytes;
  options.settings.emplace_back("max_connections", std::to_string(config.server.connections_max));
  for (const ConfigLine& line : config.settings) options.settings.emplace_back(line.name, line.value);
  auto instance = session::OpenInstance(*engine, clock, options);
  if (!instance.ok()) return NameConfigLine(instance.error(), config, config_path);

  wire::ServerOptions server_options = config.server;
  server_options.log = &log;
  if (!config.password_file.empty()) {
    TRY(auto, verifiers, LoadPasswordFile(config.password_file));
    server_options.verifiers = std::move(verifiers);
  }
  TRY(auto, server, wire::Server::Start(**instance, server_options));
  for (const std::string& address : server->addresses()) log.Info("listening", {{"address", address}});
  log.Info("ready");
  WaitForStop(signals, log);
  log.Info("draining", {{"sessions", server->session_count()}});
  server->Stop();
  server.reset();
  instance->reset();
  engine.reset();
  log.Info("stopped");
  return Ok();
}

int Fail(const SqlError& error) {
  fmt::print(stderr, "mayfly: {}\n", error.message);
  if (!error.detail.empty()) fmt::print(stderr, "detail: {}\n", error.detail);
  if (!error.hint.empty()) fmt::print(stderr, "hint: {}\n", error.hint);
  return 1;
}

int Main(int argc, char** argv) {
  CommandLine line;
  if (const auto exit_code = ParseCommandLine(argc, argv, line)) return *exit_code;
  std::string config_path;
  const auto config = LoadConfig(line, config_path);
  if (!config.ok()) return Fail(config.error());
  RaiseFileLimit();
  const sigset_t signals = BlockSignals();
  const auto result = Run(*config, config_path, signals);
  return result.ok() ? 0 : Fail(result.error());
}

}  // namespace
}  // namespace mayfly::server

int main(int argc, char** argv) { return mayfly::server::Main(argc, argv); }
