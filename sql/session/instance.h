// What all sessions of a server share, and where sessions come from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "sql/session/session.h"
#include "storage/engine.h"

namespace mayfly::session {

struct InstanceOptions {
  catalog::BootstrapOptions bootstrap;
  // Defaults of settings from the configuration file, by name; checked when the instance is made (22023, 42704).
  std::vector<std::pair<std::string, std::string>> settings;
  // Seeds every session's random generator together with its pid; 0 = from the operating system.
  uint64_t random_seed = 0;
  int64_t memory_limit_bytes = 0;  // 0 = none
};

// What a client asked for in its startup packet.
struct StartupRequest {
  std::string user;
  std::string database;  // empty = as user
  // Any setting, in order; `options` already split into settings. Unknown ones are FATAL 42704.
  std::vector<std::pair<std::string, std::string>> settings;
  int32_t backend_pid = 0;
  std::string client_address;  // empty for a Unix socket
};

class Instance {
 public:
  virtual ~Instance() = default;
  // 28000 `role "x" does not exist`, 3D000 `database "x" does not exist`, 42704, 22023; all FATAL.
  virtual Result<std::unique_ptr<Session>> NewSession(const StartupRequest& request) = 0;
  // The SCRAM verifier of a role for authentication; nullopt where there is no such role or it has no password.
  virtual std::optional<std::string> PasswordVerifier(std::string_view user) const = 0;
  // The value of a server setting (max_connections, ssl, …) as text; empty where unknown.
  virtual std::string Setting(std::string_view name) const = 0;
};

// Opens (or bootstraps) the catalog on `engine`. Engine and clock outlive the instance.
Result<std::unique_ptr<Instance>> OpenInstance(storage::Engine& engine, const Clock& clock, const InstanceOptions& options);

}  // namespace mayfly::session
