// All open sessions by pid: hands out pids and secrets, counts against max_connections, and finds the session that a cancel
// request names.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "wire/handshake.h"

namespace mayfly::wire {

// Thread-safe.
class SessionRegistry {
 public:
  SessionRegistry(session::Instance& instance, size_t sessions_max) : instance_(instance), sessions_max_(sessions_max) {}

  // Makes a session with a pid of its own. FATAL 53300 where there are too many, 57P03 after RefuseNew.
  Result<OpenedSession> Open(session::StartupRequest request);
  void Close(int32_t pid);
  void Cancel(const CancelRequest& request);
  // The server stops.
  void RefuseNew();
  size_t count() const;

 private:
  struct Entry {
    session::Session* session = nullptr;  // null while it is being made
    uint32_t secret = 0;
  };
  Result<int32_t> Reserve();

  session::Instance& instance_;
  const size_t sessions_max_;
  mutable std::mutex mutex_;
  std::unordered_map<int32_t, Entry> sessions_;
  int32_t last_pid_ = 0;
  bool refuse_new_ = false;
};

}  // namespace mayfly::wire
