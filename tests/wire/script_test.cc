// Runs tests/wire/scripts against the pure protocol with a fake session and with real ones, tests/wire/session_scripts with real ones only;
// both against a real PostgreSQL where PGHOST and PGPORT name one. With MAYFLY_REWRITE set, the scripts are rewritten with what PostgreSQL answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/clock.h"
#include "storage/memory/memory_engine.h"
#include "tests/wire/fake_host.h"
#include "tests/wire/script.h"
#include "tests/wire/socket_client.h"
#include "wire/protocol.h"
#include "wire/session_registry.h"

namespace mayfly::wire {
namespace {

std::vector<std::string> FilesOf(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(MAYFLY_SOURCE_DIR "/tests/wire/" + folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> ScriptFiles() { return FilesOf("scripts"); }

std::vector<std::string> AllScriptFiles() {
  std::vector<std::string> files = ScriptFiles();
  for (std::string& file : FilesOf("session_scripts")) files.push_back(std::move(file));
  return files;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The protocol without a socket. Output counts as sent only when the protocol says that it must be flushed.
class PureTransport final : public ScriptTransport {
 public:
  explicit PureTransport(ProtocolHost& host) : host_(host) {}

  void Connect() override {
    PeerOptions peer;
    peer.trusted = true;
    protocol_ = std::make_unique<Protocol>(host_, std::move(peer));
    input_.clear();
    sent_.clear();
    closed_ = false;
  }

  void Send(std::string_view bytes) override {
    if (closed_) return;
    input_.append(bytes);
    bool may_block = false;
    while (true) {
      const Outcome outcome = protocol_->Feed(input_, may_block);
      input_.erase(0, outcome.consumed);
      may_block = outcome.action == Action::kRunOnWorker;
      closed_ = outcome.action == Action::kClose;
      if (protocol_->TakeFlush() || outcome.action == Action::kWrite || closed_) {
        sent_ += protocol_->output();
        protocol_->output().clear();
      }
      if (outcome.action == Action::kRead || closed_) return;
    }
  }

  bool Receive(std::string& bytes) override {
    bytes += sent_;
    const bool any = !sent_.empty();
    sent_.clear();
    return any;
  }

 private:
  ProtocolHost& host_;
  std::unique_ptr<Protocol> protocol_;
  std::string input_;
  std::string sent_;
  bool closed_ = false;
};

void Expect(const std::string& file, const std::vector<ScriptFailure>& failures) {
  for (const ScriptFailure& failure : failures) {
    ADD_FAILURE_AT(file.c_str(), failure.line) << "expected:\n" << failure.expected << "actual:\n" << failure.actual;
  }
}

TEST(ScriptTest, TheProtocolAnswersAsTheScriptsSay) {
  for (const std::string& file : ScriptFiles()) {
    FakeHost host;
    PureTransport transport(host);
    Expect(file, RunScript(ReadFile(file), "mayfly", transport));
  }
}

// The server around the real thing.
class RealHost final : public ProtocolHost {
 public:
  explicit RealHost(session::Instance& instance) : registry_(instance, 10) {}
  std::optional<std::string> PasswordVerifier(std::string_view) override { return std::nullopt; }
  Result<OpenedSession> OpenSession(session::StartupRequest request) override { return registry_.Open(std::move(request)); }
  void CloseSession(int32_t pid) override { registry_.Close(pid); }
  void Cancel(const CancelRequest& request) override { registry_.Cancel(request); }
  void Refused(const SqlError&, std::string_view, std::string_view) override {}

 private:
  SessionRegistry registry_;
};

TEST(ScriptTest, RealSessionsAnswerAsTheScriptsSay) {
  SystemClock clock;
  const auto engine = storage::NewMemoryEngine(clock);
  session::InstanceOptions options;
  options.bootstrap = {"postgres", "postgres"};
  const auto instance = session::OpenInstance(*engine, clock, options);
  ASSERT_TRUE(instance.ok()) << instance.error().message;
  for (const std::string& file : AllScriptFiles()) {
    RealHost host(**instance);
    PureTransport transport(host);
    Expect(file, RunScript(ReadFile(file), "mayfly", transport));
  }
}

TEST(ScriptTest, PostgreSqlAnswersAsTheScriptsSay) {
  const char* host = std::getenv("PGHOST");
  const char* port = std::getenv("PGPORT");
  if (host == nullptr || port == nullptr) {
    GTEST_SKIP() << "PGHOST and PGPORT do not name a PostgreSQL 15 (TCP, trust for user postgres, without TLS)";
  }
  for (const std::string& file : AllScriptFiles()) {
    SocketClient transport(host, static_cast<uint16_t>(std::stoi(port)));
    if (std::getenv("MAYFLY_REWRITE") != nullptr) {
      const std::string text = RewriteScript(ReadFile(file), "postgresql", transport);
      std::ofstream(file, std::ios::binary) << text;
    } else {
      Expect(file, RunScript(ReadFile(file), "postgresql", transport));
    }
  }
}

}  // namespace
}  // namespace mayfly::wire
