// The server: listens on TCP and on a Unix socket, and runs every connection to its end.
//
//   one io_context and thread a core ──> connections, spread in turn; statements that cannot wait run right there
//   worker pool                      ──> statements that may wait
//
// Asio stays behind this header.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "sql/session/instance.h"

namespace mayfly::wire {

enum class Authentication : uint8_t {
  kAuto,   // trust for loopback and Unix sockets, SCRAM-SHA-256 for all others
  kTrust,  // trust; only loopback addresses may be listened on
  kScram,  // SCRAM-SHA-256 for everybody
};

struct ServerOptions {
  // Names or addresses; "*" = all. Empty = no TCP.
  std::vector<std::string> hosts = {"127.0.0.1"};
  uint16_t port = 5432;  // 0 = any free one, for tests
  // Empty = no Unix socket.
  std::string socket_directory;
  Authentication authentication = Authentication::kAuto;
  // Verifiers by role, over those of the instance.
  std::map<std::string, std::string, std::less<>> verifiers;
  // Both or none.
  std::string ssl_cert_file;
  std::string ssl_key_file;
  size_t connections_max = 10000;
  size_t workers_max = 256;
  size_t io_threads = 0;  // 0 = one a core
  int64_t authentication_timeout_ms = 60'000;
  // After Stop: how long running statements may go on before they are interrupted.
  int64_t drain_ms = 5000;
  // Refused connections and lost ones are told here; null = nowhere. Outlives the server.
  const Log* log = nullptr;
};

class Server {
 public:
  // Listens, and serves from then on in threads of its own. 58030 where an address is in use or cannot be listened on, 22023 for
  // options that would be insecure, F0000 for TLS files. `instance` outlives the server.
  static Result<std::unique_ptr<Server>> Start(session::Instance& instance, const ServerOptions& options);
  // Stops.
  ~Server();

  // Of TCP; the one that was given, or found.
  uint16_t port() const;
  // Where it listens, for people.
  std::vector<std::string> addresses() const;
  size_t session_count() const;

  // No new connections; idle sessions end with 57P01; running statements have drain_ms, then they are interrupted. Returns when
  // the last connection is closed. Idempotent.
  void Stop();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace mayfly::wire
