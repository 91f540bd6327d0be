// The beginning of a connection, up to the session: encryption requests, startup packet, authentication. Pure: bytes in, bytes
// out.
//
//   kStartup ──SSLRequest──> (TLS) ──> kStartup ──StartupMessage──> trusted: session
//                                                              └──> kSaslInitial ──> [kSaslFirst] ──> kSaslFinal ──> session
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sql/session/instance.h"
#include "wire/scram.h"
#include "wire/startup.h"

namespace mayfly::wire {

// What the connection has to do after bytes were looked at.
enum class Action : uint8_t {
  kRead,         // all complete messages are handled: more bytes are needed
  kRunOnWorker,  // call again with the same bytes on a worker, may_block = true
  kWrite,        // there is much output: write it, then call again with the remaining bytes
  kStartTls,     // write the output, then TLS begins
  kClose,        // write the output, then close
};

struct Outcome {
  Action action;
  size_t consumed;    // bytes that are done with
  size_t wanted = 0;  // kRead: so many bytes must be there, from `consumed` on, before calling again makes sense
};

// Who is at the other end, and what the server demands of them.
struct PeerOptions {
  bool tls_available = false;
  bool trusted = false;        // no password needed
  std::string client_address;  // empty for a Unix socket
  std::string mock_key;        // for the salts of users that do not exist
  RandomFill random = FillRandom;
};

struct OpenedSession {
  std::unique_ptr<session::Session> session;
  int32_t pid = 0;
  uint32_t secret = 0;
};

// What the protocol asks of the server around it.
class ProtocolHost {
 public:
  virtual ~ProtocolHost() = default;
  virtual std::optional<std::string> PasswordVerifier(std::string_view user) = 0;
  // Gives the session its pid and makes it known to cancel requests. FATAL errors: 53300, 57P03, and those of
  // Instance::NewSession.
  virtual Result<OpenedSession> OpenSession(session::StartupRequest request) = 0;
  // Called before the session dies: nobody may interrupt it any more.
  virtual void CloseSession(int32_t pid) = 0;
  // Interrupts the session of `pid` where `secret` is its own; nothing otherwise.
  virtual void Cancel(const CancelRequest& request) = 0;
  // A client was told that it cannot come in. For the log.
  virtual void Refused(const SqlError& error, std::string_view user, std::string_view client_address) = 0;
};

class Handshake {
 public:
  // Both outlive it.
  Handshake(ProtocolHost& host, const PeerOptions& peer) : host_(host), peer_(peer) {}

  // Handles what is complete in `input`; appends what must be sent at once.
  Outcome Feed(std::string_view input, std::string& output);
  // Set once the client is authenticated and its session open; ReadyForQuery has been written.
  std::optional<OpenedSession>& opened() { return opened_; }

 private:
  enum class Phase : uint8_t { kStartup, kSaslInitial, kSaslFirst, kSaslFinal };

  Outcome FeedStartup(std::string_view input, std::string& output);
  Outcome FeedSasl(std::string_view input, std::string& output);
  // Each of these answers what happens next; kRead means to go on.
  Action TakePacket(StartupPacket packet, bool more_input, std::string& output);
  Result<Action> TakeStartup(StartupMessage message, std::string& output);
  Result<Action> TakeSasl(std::string_view body, std::string& output);
  Result<Action> TakeSaslInitial(std::string_view body, std::string& output);
  Result<Action> TakeSaslFinal(std::string_view body, std::string& output);
  Result<Action> OpenSession(std::string& output);
  // Every error before the session is FATAL: the connection ends.
  Action Refuse(std::string& output, SqlError error);

  ProtocolHost& host_;
  const PeerOptions& peer_;
  Phase phase_ = Phase::kStartup;
  StartupContext context_;
  StartupMessage startup_;
  std::optional<ScramExchange> scram_;
  std::optional<OpenedSession> opened_;
};

}  // namespace mayfly::wire
