// A session with the server under test, through libpq.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mayfly::slt {

// What a statement did: an error, or a result with as many rows as it returned or changed.
struct Outcome {
  std::string sqlstate;  // empty: it succeeded
  std::string message;
  bool returns_rows = false;
  std::int64_t affected = 0;
  std::vector<std::string> names;
  std::vector<Oid> types;
  std::vector<std::vector<std::optional<std::string>>> rows;

  bool ok() const { return sqlstate.empty() && message.empty(); }
};

class Client {
 public:
  // Connects by a libpq connection string; ok() tells whether it worked, error() why not.
  explicit Client(const std::string& conninfo);

  bool ok() const { return PQstatus(connection_.get()) == CONNECTION_OK; }
  std::string error() const { return PQerrorMessage(connection_.get()); }

  // Sends `sql` by the simple query protocol and reads the last statement's result. A lost connection is SQLSTATE 08006.
  Outcome Run(const std::string& sql);

 private:
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

}  // namespace mayfly::slt
