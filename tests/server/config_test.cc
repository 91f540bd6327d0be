// The configuration file: what it may say, and which line is blamed.
#include "server/config.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace mayfly::server {
namespace {

TEST(ConfigTest, LinesAreReadAsInPostgreSql) {
  struct Case {
    const char* text;
    const char* name;
    const char* value;
  };
  for (const Case& c : {Case{"port = 5433", "port", "5433"}, Case{"port 5433", "port", "5433"},
                        Case{"  port=5433  # why", "port", "5433"}, Case{"Port='54''33'", "port", "54'33"},
                        Case{"a.b = ''", "a.b", ""}, Case{"x = '#'", "x", "#"}, Case{"\n# c\n\nx = y\r", "x", "y"}}) {
    const auto lines = ParseConfig(c.text);
    ASSERT_TRUE(lines.ok()) << c.text << ": " << lines.error().message;
    ASSERT_EQ(lines->size(), 1U) << c.text;
    EXPECT_EQ((*lines)[0].name, c.name) << c.text;
    EXPECT_EQ((*lines)[0].value, c.value) << c.text;
  }
}

TEST(ConfigTest, BadLinesAreNamed) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& c : {Case{"port", "line 1: a value is missing"}, Case{"# c\n= 5", "line 2: a name is expected"},
                        Case{"x = 'y", "line 1: a quote is not closed"}, Case{"x = y z", "line 1: \"z\" is not understood"}}) {
    const auto lines = ParseConfig(c.text);
    ASSERT_FALSE(lines.ok()) << c.text;
    EXPECT_EQ(lines.error().message, c.message);
    EXPECT_EQ(lines.error().state, kConfigFileError);
  }
}

TEST(ConfigTest, BadValuesAreNamedWithTheirLine) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& c :
       {Case{"\nport = 0", "line 2: port: \"0\" is not a number from 1 to 65535"},
        Case{"port = x", "line 1: port: \"x\" is not a number from 1 to 65535"},
        Case{"block_cache_size = 5PB", "line 1: block_cache_size: \"PB\" is not a unit that is known here"},
        Case{"block_cache_size = -1", "line 1: block_cache_size: \"-1\" is not a number with a unit"},
        Case{"block_cache_size = 9223372036854775807TB", "line 1: block_cache_size: \"9223372036854775807TB\" is too large"},
        Case{"drain_timeout = 5 days", "line 1: \"days\" is not understood"},
        Case{"authentication = none", "line 1: authentication: \"none\" is none of auto, trust, scram-sha-256"},
        Case{"compression = gzip", "line 1: compression: \"gzip\" is none of none, lz4, zstd"},
        Case{"log_level = loud", "line 1: log_level: \"loud\" is none of debug, info, warning, error"}}) {
    Config config;
    const auto lines = ParseConfig(c.text);
    if (!lines.ok()) {
      EXPECT_EQ(lines.error().message, c.message);
      continue;
    }
    const auto applied = ApplyConfig(*lines, config);
    ASSERT_FALSE(applied.ok()) << c.text;
    EXPECT_EQ(applied.error().message, c.message);
  }
}

TEST(ConfigTest, ValuesArriveWhereTheyBelong) {
  Config config;
  const auto lines = ParseConfig(
      "listen_addresses = 'localhost, 10.0.0.1'\nport = 1\nauthentication = scram-sha-256\nauthentication_timeout = 5min\n"
      "block_cache_size = 2GB\nmemtable_size = 16MB\ncompression = zstd\nmax_connections = 7\nport = 2\nwork_mem = 8MB\n");
  ASSERT_TRUE(lines.ok());
  ASSERT_TRUE(ApplyConfig(*lines, config).ok());
  EXPECT_EQ(config.server.hosts, (std::vector<std::string>{"localhost", "10.0.0.1"}));
  EXPECT_EQ(config.server.port, 2);
  EXPECT_EQ(config.server.authentication, wire::Authentication::kScram);
  EXPECT_EQ(config.server.authentication_timeout_ms, 300'000);
  EXPECT_EQ(config.storage.block_cache_bytes, size_t{2} << 30);
  EXPECT_EQ(config.storage.memtable_bytes, size_t{16} << 20);
  EXPECT_EQ(config.storage.compression, storage::Compression::kZstd);
  EXPECT_EQ(config.server.connections_max, 7U);
  ASSERT_EQ(config.settings.size(), 1U);
  EXPECT_EQ(config.settings[0].name, "work_mem");
  EXPECT_EQ(config.settings[0].number, 10);
}

// The sample says what there is: every name, once, with the default that holds without it.
TEST(ConfigTest, TheSampleFileNamesEverythingWithItsDefault) {
  std::ifstream file(MAYFLY_SOURCE_DIR "/docs/mayfly.conf.sample");
  std::string line;
  std::string settings;
  std::vector<std::string> names;
  while (std::getline(file, line)) {
    if (line.size() < 2 || line[0] != '#' || line[1] == ' ') {
      EXPECT_TRUE(line.empty() || line[0] == '#') << "the sample sets something: " << line;
      continue;
    }
    const auto parsed = ParseConfig(line.substr(1));
    ASSERT_TRUE(parsed.ok()) << line;
    names.push_back((*parsed)[0].name);
    if (names.back() != "unix_socket_directory") settings += line.substr(1) + "\n";
  }
  for (const std::string_view name : ServerConfigNames()) EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;

  Config config;
  ASSERT_TRUE(ApplyConfig(*ParseConfig(settings), config).ok());
  const Config defaults;
  EXPECT_EQ(config.data_dir, defaults.data_dir);
  EXPECT_EQ(config.superuser, defaults.superuser);
  EXPECT_EQ(config.database, defaults.database);
  EXPECT_EQ(config.log_level, defaults.log_level);
  EXPECT_EQ(config.password_file, defaults.password_file);
  EXPECT_EQ(config.memory_limit_bytes, defaults.memory_limit_bytes);
  EXPECT_EQ(config.server.hosts, defaults.server.hosts);
  EXPECT_EQ(config.server.port, defaults.server.port);
  EXPECT_EQ(config.server.connections_max, defaults.server.connections_max);
  EXPECT_EQ(config.server.authentication, defaults.server.authentication);
  EXPECT_EQ(config.server.authentication_timeout_ms, defaults.server.authentication_timeout_ms);
  EXPECT_EQ(config.server.io_threads, defaults.server.io_threads);
  EXPECT_EQ(config.server.workers_max, defaults.server.workers_max);
  EXPECT_EQ(config.server.drain_ms, defaults.server.drain_ms);
  EXPECT_EQ(config.storage.block_cache_bytes, defaults.storage.block_cache_bytes);
  EXPECT_EQ(config.storage.memtable_bytes, defaults.storage.memtable_bytes);
  EXPECT_EQ(config.storage.log_bytes_max, defaults.storage.log_bytes_max);
  EXPECT_EQ(config.storage.compression, defaults.storage.compression);
  EXPECT_EQ(config.storage.background_jobs, defaults.storage.background_jobs);
}

}  // namespace
}  // namespace mayfly::server
