// The server around a Protocol, for tests: fake sessions, cancel requests and refusals written down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/wire/fake_session.h"
#include "wire/handshake.h"

namespace mayfly::wire {

class FakeHost final : public ProtocolHost {
 public:
  std::optional<std::string> PasswordVerifier(std::string_view user) override { return instance.PasswordVerifier(user); }
  Result<OpenedSession> OpenSession(session::StartupRequest request) override {
    last_request = request;
    TRY(auto, session, instance.NewSession(request));
    last_session = static_cast<FakeSession*>(session.get());
    return OpenedSession{std::move(session), 42, 4711};
  }
  void CloseSession(int32_t pid) override { closed.push_back(pid); }
  void Cancel(const CancelRequest& request) override { cancelled.push_back(request); }
  void Refused(const SqlError& error, std::string_view, std::string_view) override { refusals.push_back(error); }

  FakeInstance instance;
  session::StartupRequest last_request;
  FakeSession* last_session = nullptr;
  std::vector<int32_t> closed;
  std::vector<CancelRequest> cancelled;
  std::vector<SqlError> refusals;
};

}  // namespace mayfly::wire
