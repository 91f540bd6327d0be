// The configuration file: `name = value` a line, as postgresql.conf has it, and what the server itself takes from it. All other
// names are defaults of session settings. docs/mayfly.conf.sample lists every name with its default.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "storage/rocksdb/rocksdb_engine.h"
#include "wire/server.h"

namespace mayfly::server {

struct ConfigLine {
  std::string name;
  std::string value;
  int number = 0;
};

// Blank lines and `#` comments are skipped; the equals sign may be missing; a value may stand in single quotes, where '' is one
// quote. F0000 naming the line that is something else.
Result<std::vector<ConfigLine>> ParseConfig(std::string_view text);

struct Config {
  std::string data_dir = "mayfly-data";
  wire::ServerOptions server;
  storage::RocksDbOptions storage;
  LogLevel log_level = LogLevel::kInfo;
  int64_t memory_limit_bytes = 0;
  std::string password_file;  // empty = none
  std::string superuser;  // empty = named as the user who runs the server, as initdb has it
  std::string database = "mayfly";
  // Defaults of session settings, by name.
  std::vector<ConfigLine> settings;
};

// The names that ApplyConfig takes for the server itself.
std::vector<std::string_view> ServerConfigNames();

// Puts the lines into `config`, later ones over earlier ones. F0000 naming the line for a value that is none.
Status ApplyConfig(const std::vector<ConfigLine>& lines, Config& config);

// "64MB", "1GB", "512kB", "4096" (bytes). F0000.
Result<size_t> ParseSize(std::string_view text);
// "60s", "5min", "500ms", "1h"; a plain number means seconds. Milliseconds. F0000.
Result<int64_t> ParseDuration(std::string_view text);

}  // namespace mayfly::server
