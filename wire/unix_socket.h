// The place of the Unix socket, as PostgreSQL's clients look for it: DIRECTORY/.s.PGSQL.PORT, and beside it a lock file that
// names the process. A socket that a dead server left is replaced; a live server's is refused.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace mayfly::wire {

class UnixSocketPlace {
 public:
  // Takes the place; afterwards no socket file is there. 58030 `Unix socket "…" is in use`, or why the directory cannot be used.
  static Result<UnixSocketPlace> Take(const std::string& directory, uint16_t port);
  // Removes socket and lock file.
  ~UnixSocketPlace();
  UnixSocketPlace(UnixSocketPlace&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  UnixSocketPlace& operator=(UnixSocketPlace&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit UnixSocketPlace(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// /var/run/postgresql where it can be written to, else /tmp: where psql looks.
std::string DefaultSocketDirectory();

}  // namespace mayfly::wire
