#include "wire/session_registry.h"

#include <limits>

namespace mayfly::wire {

Result<int32_t> SessionRegistry::Reserve() {
  const std::lock_guard lock(mutex_);
  if (refuse_new_) {
    return SqlError::MakeText(kCannotConnectNow, "the database system is shutting down").As(Severity::kFatal);
  }
  if (sessions_.size() >= sessions_max_) {
    return SqlError::MakeText(kTooManyConnections, "sorry, too many clients already").As(Severity::kFatal);
  }
  do {
    last_pid_ = last_pid_ == std::numeric_limits<int32_t>::max() ? 1 : last_pid_ + 1;
  } while (sessions_.contains(last_pid_));
  sessions_[last_pid_] = {};
  return last_pid_;
}

Result<OpenedSession> SessionRegistry::Open(session::StartupRequest request) {
  TRY(const int32_t, pid, Reserve());
  request.backend_pid = pid;
  auto session = instance_.NewSession(request);
  if (!session.ok()) {
    Close(pid);
    return std::move(session).error();
  }
  uint32_t secret = 0;
  FillRandom(reinterpret_cast<unsigned char*>(&secret), sizeof secret);
  const std::lock_guard lock(mutex_);
  sessions_[pid] = {session->get(), secret};
  return OpenedSession{*std::move(session), pid, secret};
}

void SessionRegistry::Close(int32_t pid) {
  const std::lock_guard lock(mutex_);
  sessions_.erase(pid);
}

void SessionRegistry::Cancel(const CancelRequest& request) {
  // The lock keeps the session alive: Close comes before its end.
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(request.pid);
  if (found == sessions_.end() || found->second.session == nullptr || found->second.secret != request.secret) return;
  found->second.session->RequestInterrupt(SqlError::MakeText(kQueryCanceled, "canceling statement due to user request"));
}

void SessionRegistry::RefuseNew() {
  const std::lock_guard lock(mutex_);
  refuse_new_ = true;
}

size_t SessionRegistry::count() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

}  // namespace mayfly::wire
