// The server on real sockets, with fake sessions.
#include "wire/server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "tests/wire/fake_session.h"
#include "tests/wire/scram_client.h"
#include "tests/wire/socket_client.h"
#include "wire/scram.h"
#include "wire/unix_socket.h"

namespace mayfly::wire {
namespace {

// A directory of its own for each test.
class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string path = ::testing::TempDir() + "mayfly_wire_XXXXXX";
    ASSERT_NE(::mkdtemp(path.data()), nullptr);
    directory_ = path;
    options_.port = 0;
    options_.socket_directory = directory_;
    options_.io_threads = 2;
    options_.drain_ms = 200;
  }
  void TearDown() override {
    server_.reset();
    std::filesystem::remove_all(directory_);
  }
  void Start() {
    auto server = Server::Start(instance_, options_);
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
  }
  SocketClient Tcp() const { return {"127.0.0.1", server_->port()}; }
  SocketClient Unix() const { return {directory_, server_->port()}; }

  std::string directory_;
  FakeInstance instance_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

constexpr const char* kSelectOne =
    "RowDescription [\"?column?\" type=23 length=4 typmod=-1 format=0]\nDataRow [\"1\"]\nCommandComplete \"SELECT "
    "1\"\nReadyForQuery I\n";

TEST_F(ServerTest, ServesTcpAndUnixSockets) {
  Start();
  SocketClient tcp = Tcp();
  SocketClient local = Unix();
  EXPECT_NE(tcp.LogIn().find("ReadyForQuery I"), std::string::npos);
  EXPECT_NE(local.LogIn().find("ReadyForQuery I"), std::string::npos);
  EXPECT_EQ(tcp.Ask(R"(Query "SELECT 1")"), kSelectOne);
  EXPECT_EQ(local.Ask(R"(Query "SELECT 1")"), kSelectOne);
  EXPECT_EQ(server_->session_count(), 2U);
}

TEST_F(ServerTest, LargeResultsAndLargeMessagesPass) {
  Start();
  SocketClient client = Tcp();
  client.LogIn();
  const std::string rows = client.Ask(R"x(Query "SELECT generate_series(1, 100000)")x");
  EXPECT_NE(rows.find("DataRow [\"100000\"]\nCommandComplete \"SELECT 100000\""), std::string::npos);
  const std::string text(3 << 20, 'x');
  EXPECT_NE(client.Ask("Query \"SELECT '" + text + "'\"").find(text), std::string::npos);
}

TEST_F(ServerTest, ACancelRequestEndsTheStatementAndTheSessionLivesOn) {
  Start();
  SocketClient client = Tcp();
  client.Connect();
  client.Send(EncodeScriptLine(R"(Startup 3.0 "user" "postgres")"));
  client.ReadTo('K');
  const std::string key = client.last();
  client.ReadTo('Z');
  auto answer = std::async(std::launch::async, [&] { return client.Ask("Query \"SELECT pg_sleep(20)\""); });
  // Until it has begun a cancel is without effect: repeat.
  while (answer.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) {
    SocketClient canceller = Unix();
    canceller.Connect();
    canceller.Send(std::string("\0\0\0\x10\x04\xd2\x16\x2e", 8) + key);
    std::string nothing;
    EXPECT_FALSE(canceller.Receive(nothing)) << "a cancel request is not answered";
  }
  EXPECT_EQ(answer.get(), "ErrorResponse S=ERROR C=57014 M=\"canceling statement due to user request\"\nReadyForQuery I\n");
  EXPECT_EQ(client.Ask(R"(Query "SELECT 1")"), kSelectOne);
}

TEST_F(ServerTest, AStatementThatWaitsHoldsNobodyElseUp) {
  options_.io_threads = 1;
  options_.workers_max = 1;
  Start();
  SocketClient sleeper = Tcp();
  sleeper.LogIn();
  sleeper.Send(EncodeScriptLine("Query \"SELECT pg_sleep(20)\""));
  SocketClient other = Tcp();
  other.LogIn();
  EXPECT_EQ(other.Ask(R"(Query "SELECT 1")"), kSelectOne);
  // The only worker is taken, but a session in a transaction gets another one.
  SocketClient holder = Unix();
  holder.LogIn();
  holder.Ask(R"(Query "BEGIN")");
  holder.Send(EncodeScriptLine("Query \"SELECT pg_sleep(20)\""));
}

TEST_F(ServerTest, AClientThatGoesAwayHasItsStatementInterrupted) {
  Start();
  {
    SocketClient client = Tcp();
    client.LogIn();
    client.Send(EncodeScriptLine("Query \"SELECT pg_sleep(20)\""));
  }
  const auto begin = std::chrono::steady_clock::now();
  while (server_->session_count() != 0) std::this_thread::yield();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(ServerTest, StopTellsIdleSessionsAndInterruptsRunningOnes) {
  Start();
  SocketClient idle = Tcp();
  idle.LogIn();
  SocketClient silent = Unix();
  silent.Connect();
  SocketClient running = Tcp();
  running.LogIn();
  running.Send(EncodeScriptLine("Query \"SELECT pg_sleep(20)\""));
  const uint16_t port = server_->port();
  server_->Stop();
  constexpr const char* kGoodBye =
      "ErrorResponse S=FATAL C=57P01 M=\"terminating connection due to administrator command\"\nClosed\n";
  EXPECT_EQ(idle.ReadTo('Z'), kGoodBye);
  EXPECT_EQ(silent.ReadTo('Z'), kGoodBye);
  EXPECT_EQ(running.ReadTo('Z'), kGoodBye);
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/.s.PGSQL." + std::to_string(port)));
  EXPECT_THROW(SocketClient("127.0.0.1", port).Connect(), std::runtime_error);
}

TEST_F(ServerTest, TooManyConnectionsAreRefused) {
  options_.connections_max = 1;
  Start();
  SocketClient first = Tcp();
  first.LogIn();
  SocketClient second = Tcp();
  EXPECT_EQ(second.LogIn(), "Authentication 0\nErrorResponse S=FATAL C=53300 M=\"sorry, too many clients already\"\nClosed\n");
  first.Close();
  while (server_->session_count() != 0) std::this_thread::yield();
  EXPECT_NE(second.LogIn().find("ReadyForQuery"), std::string::npos);
}

TEST_F(ServerTest, AuthenticationHasATimeLimit) {
  options_.authentication_timeout_ms = 1;
  Start();
  SocketClient client = Tcp();
  client.Connect();
  EXPECT_EQ(client.ReadTo('Z'), "ErrorResponse S=FATAL C=57014 M=\"canceling authentication due to timeout\"\nClosed\n");
}

// Logs in by SCRAM, and tells what came of it.
std::string ScramLogIn(SocketClient& client, const std::string& user, const std::string& password) {
  const auto respond = [&](std::string body) {
    std::string message = "p";
    AppendBigEndian<uint32_t>(message, static_cast<uint32_t>(body.size() + 4));
    client.Send(message + body);
  };
  client.Connect();
  client.Send(EncodeScriptLine("Startup 3.0 \"user\" \"" + user + "\""));
  client.ReadTo('R');
  ScramClient scram(password);
  std::string initial("SCRAM-SHA-256\0", 14);
  AppendBigEndian<uint32_t>(initial, static_cast<uint32_t>(scram.First().size()));
  respond(initial + scram.First());
  client.ReadTo('R');
  respond(scram.Final(client.last().substr(4)));
  std::string lines = client.ReadTo('R');
  if (lines.starts_with("Authentication 12")) {
    EXPECT_EQ(client.last().substr(4), scram.ExpectedServerFinal());
    lines = client.ReadTo('Z');
  }
  return lines;
}

TEST_F(ServerTest, PasswordsAreAskedForAndChecked) {
  options_.authentication = Authentication::kScram;
  instance_.verifiers["alice"] = FormatScramVerifier(MakeScramVerifier("secret", "0123456789abcdef", 4096));
  Start();
  SocketClient client = Tcp();
  EXPECT_NE(ScramLogIn(client, "alice", "secret").find("ReadyForQuery I"), std::string::npos);
  EXPECT_EQ(ScramLogIn(client, "alice", "wrong"),
            "ErrorResponse S=FATAL C=28P01 M=\"password authentication failed for user \\\"alice\\\"\"\nClosed\n");
  EXPECT_EQ(ScramLogIn(client, "mallory", "secret"),
            "ErrorResponse S=FATAL C=28P01 M=\"password authentication failed for user \\\"mallory\\\"\"\nClosed\n");
  SocketClient local = Unix();
  EXPECT_NE(ScramLogIn(local, "alice", "secret").find("ReadyForQuery I"), std::string::npos);
}

TEST_F(ServerTest, TrustIsRefusedOutsideOfLoopback) {
  options_.authentication = Authentication::kTrust;
  options_.hosts = {"0.0.0.0"};
  const auto server = Server::Start(instance_, options_);
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error().state, kInvalidParameterValue);
}

TEST_F(ServerTest, APortOrSocketInUseIsRefused) {
  Start();
  ServerOptions second = options_;
  second.port = server_->port();
  second.socket_directory.clear();
  const auto taken = Server::Start(instance_, second);
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().message, fmt::format("could not listen on 127.0.0.1:{}: Address already in use", second.port));

  second.hosts.clear();
  second.socket_directory = directory_;
  const auto socket_taken = Server::Start(instance_, second);
  ASSERT_FALSE(socket_taken.ok());
  EXPECT_NE(socket_taken.error().message.find("is in use by another server"), std::string::npos);
}

TEST_F(ServerTest, ASocketThatADeadServerLeftIsReplaced) {
  options_.hosts.clear();
  options_.port = 7777;
  const std::string path = directory_ + "/.s.PGSQL.7777";
  {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(fd);
    std::ofstream(path + ".lock") << "1\n";
  }
  Start();
  SocketClient client = Unix();
  EXPECT_NE(client.LogIn().find("ReadyForQuery"), std::string::npos);
}

TEST_F(ServerTest, TlsFilesThatCannotBeUsedAreNamed) {
  options_.ssl_cert_file = directory_ + "/nosuch.pem";
  options_.ssl_key_file = directory_ + "/nosuch.key";
  const auto server = Server::Start(instance_, options_);
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error().state, kConfigFileError);
  EXPECT_NE(server.error().message.find("nosuch.pem"), std::string::npos);
}

}  // namespace
}  // namespace mayfly::wire
