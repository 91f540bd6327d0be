// The state that sessions share, and the timer of their statement timeouts.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "base/memory_account.h"
#include "sql/session/instance.h"

namespace mayfly::session {

// Interrupts sessions whose statement has run too long. One thread, started with the first deadline.
class StatementTimer {
 public:
  ~StatementTimer();
  // `session` is asked to stop (57014) in `timeout_ms`, unless disarmed before.
  void Arm(Session* session, int64_t timeout_ms);
  void Disarm(Session* session);

 private:
  using Time = std::chrono::steady_clock::time_point;
  void Run();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Session*, Time> deadlines_;
  std::thread thread_;
  bool stopping_ = false;
};

class InstanceImpl final : public Instance {
 public:
  InstanceImpl(storage::Engine& engine, const Clock& clock, std::unique_ptr<catalog::Catalog> catalog, InstanceOptions options,
               std::map<std::string, std::string> settings);

  Result<std::unique_ptr<Session>> NewSession(const StartupRequest& request) override;
  std::optional<std::string> PasswordVerifier(std::string_view user) const override;
  std::string Setting(std::string_view name) const override;

  storage::Engine& engine() { return engine_; }
  const Clock& clock() const { return clock_; }
  catalog::Catalog& catalog() { return *catalog_; }
  MemoryAccount& memory() { return memory_; }
  StatementTimer& timer() { return timer_; }

 private:
  storage::Engine& engine_;
  const Clock& clock_;
  std::unique_ptr<catalog::Catalog> catalog_;
  InstanceOptions options_;
  std::map<std::string, std::string> settings_;
  MemoryAccount memory_;
  StatementTimer timer_;
};

}  // namespace mayfly::session
