// What scripts cannot show: bytes in any pieces, statements that wait, flushing, memory, and hostile bytes.
#include "wire/protocol.h"

#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
#include "tests/wire/fake_host.h"
#include "tests/wire/script.h"

namespace mayfly::wire {
namespace {

PeerOptions TrustedPeer() {
  PeerOptions peer;
  peer.trusted = true;
  return peer;
}

std::string Startup() { return EncodeScriptLine(R"(Startup 3.0 "user" "postgres" "database" "postgres")"); }

std::string Encode(std::initializer_list<std::string_view> lines) {
  std::string bytes;
  for (const std::string_view line : lines) bytes += EncodeScriptLine(line);
  return bytes;
}

// The tags of the messages in `bytes`.
std::string Tags(std::string_view bytes) {
  std::string tags;
  while (!bytes.empty()) {
    tags.push_back(bytes[0]);
    bytes.remove_prefix(1 + LoadBigEndian<uint32_t>(bytes.data() + 1));
  }
  return tags;
}

// A protocol that has been through its startup.
struct ReadyProtocol {
  FakeHost host;
  Protocol protocol{host, TrustedPeer()};

  ReadyProtocol() {
    protocol.Feed(Startup(), false);
    protocol.TakeFlush();
    protocol.output().clear();
  }
};

TEST(ProtocolTest, BytesMayComeInAnyPieces) {
  const std::string input = Startup() + Encode({R"(Query "SELECT 1; SELECT 'a'")", R"(Parse "" "SELECT $1::int")",
                                                R"(Bind "" "" ["5"])", R"(Execute "")", "Sync", R"(Query "COPY t FROM STDIN")",
                                                R"(CopyData "1\n")", "CopyDone", R"(Query "SELEC")"});
  FakeHost whole_host;
  Protocol whole(whole_host, TrustedPeer());
  EXPECT_EQ(whole.Feed(input, true).consumed, input.size());

  for (const size_t piece : {1, 2, 3, 7, 64}) {
    FakeHost host;
    Protocol protocol(host, TrustedPeer());
    std::string pending;
    for (size_t at = 0; at < input.size(); at += piece) {
      pending += input.substr(at, piece);
      const Outcome outcome = protocol.Feed(pending, true);
      ASSERT_EQ(outcome.action, Action::kRead);
      pending.erase(0, outcome.consumed);
      ASSERT_GT(outcome.wanted, pending.size()) << "wanting what is there already would spin";
    }
    EXPECT_EQ(pending, "");
    EXPECT_EQ(protocol.output(), whole.output()) << "pieces of " << piece;
  }
}

TEST(ProtocolTest, AStatementThatWaitsIsGivenAgainOnAWorker) {
  ReadyProtocol ready;
  const std::string input = Encode({R"(Query "SELECT 1; SELECT pg_sleep(9); SELECT 2")", R"(Query "SELECT 3")"});
  const Outcome first = ready.protocol.Feed(input, false);
  EXPECT_EQ(first.action, Action::kRunOnWorker);
  EXPECT_EQ(first.consumed, 0U);
  EXPECT_EQ(Tags(ready.protocol.output()), "TDC") << "what ran already stays";
  EXPECT_FALSE(ready.protocol.TakeFlush());
}

TEST(ProtocolTest, OutputIsFlushedAtSyncFlushErrorsAndNotices) {
  struct Case {
    const char* line;
    bool flush;
  };
  for (const Case& c :
       {Case{R"(Parse "a" "SELECT 1")", false}, Case{R"(Bind "" "a" [])", false}, Case{"Flush", true}, Case{"Sync", true},
        Case{R"(Execute "nosuch")", true}, Case{R"(Execute "")", false}, Case{"Sync", true}, Case{R"(Query "ROLLBACK")", true}}) {
    static ReadyProtocol ready;
    ready.protocol.Feed(EncodeScriptLine(c.line), false);
    EXPECT_EQ(ready.protocol.TakeFlush(), c.flush) << c.line;
    EXPECT_FALSE(ready.protocol.TakeFlush()) << "only once";
  }
}

TEST(ProtocolTest, MuchOutputIsHandedOverBeforeMoreIsMade) {
  ReadyProtocol ready;
  const std::string query = EncodeScriptLine(R"x(Query "SELECT generate_series(1, 5000)")x");
  const Outcome outcome = ready.protocol.Feed(query + query, false);
  EXPECT_EQ(outcome.action, Action::kWrite);
  EXPECT_EQ(outcome.consumed, query.size());
}

TEST(ProtocolTest, AWorkerDrainsOutputOnTheWay) {
  struct CountingDrain final : OutputDrain {
    void Drain(std::string& output) override {
      ++count;
      largest = std::max(largest, output.size());
      bytes += output.size();
      output.clear();
    }
    int count = 0;
    size_t largest = 0;
    size_t bytes = 0;
  };
  FakeHost host;
  CountingDrain drain;
  Protocol protocol(host, TrustedPeer(), &drain);
  protocol.Feed(Startup(), false);
  protocol.Feed(EncodeScriptLine(R"x(Query "SELECT generate_series(1, 20000)")x"), true);
  EXPECT_GT(drain.count, 3);
  EXPECT_LT(drain.largest, kOutputHighWater + 100);
}

TEST(ProtocolTest, ATransactionOrABatchIsKnownToHoldOthersUp) {
  ReadyProtocol ready;
  EXPECT_FALSE(ready.protocol.holds_transaction());
  ready.protocol.Feed(Encode({R"(Parse "" "SELECT 1")"}), false);
  EXPECT_TRUE(ready.protocol.holds_transaction());
  ready.protocol.Feed(Encode({"Sync"}), false);
  EXPECT_FALSE(ready.protocol.holds_transaction());
  ready.protocol.Feed(Encode({R"(Query "BEGIN")"}), false);
  EXPECT_TRUE(ready.protocol.holds_transaction());
  ready.protocol.Feed(Encode({R"(Query "ROLLBACK")", R"(Query "COPY t FROM STDIN")"}), false);
  EXPECT_TRUE(ready.protocol.holds_transaction());
}

TEST(ProtocolTest, AMessageOfOursAndACallThatFailBothFailTheTransaction) {
  for (const char* line : {R"(Bytes "Q\x00\x00\x00\x06ab")", R"(Bytes "F\x00\x00\x00\x04")", R"(Query "SELECT 1/0")"}) {
    ReadyProtocol ready;
    ready.protocol.Feed(Encode({R"(Query "BEGIN")", line}), false);
    EXPECT_EQ(ready.protocol.output().back(), 'E') << line;
  }
}

TEST(ProtocolTest, FunctionCallIsRefusedByName) {
  ReadyProtocol ready;
  ready.protocol.Feed(EncodeScriptLine(R"(Bytes "F\x00\x00\x00\x04")"), false);
  EXPECT_NE(ready.protocol.output().find("0A000"), std::string::npos);
  EXPECT_NE(ready.protocol.output().find("function call message is not supported"), std::string::npos);
  EXPECT_EQ(Tags(ready.protocol.output()), "EZ");
}

TEST(ProtocolTest, CancelRequestsReachTheHostAndAreNotAnswered) {
  FakeHost host;
  Protocol protocol(host, TrustedPeer());
  const std::string request = EncodeScriptLine(R"(Bytes "\x00\x00\x00\x10\x04\xd2\x16\x2e\x00\x00\x00\x2a\x00\x00\x12\x67")");
  EXPECT_EQ(protocol.Feed(request, false).action, Action::kClose);
  EXPECT_EQ(protocol.output(), "");
  ASSERT_EQ(host.cancelled.size(), 1U);
  EXPECT_EQ(host.cancelled[0].pid, 42);
  EXPECT_EQ(host.cancelled[0].secret, 4711U);
}

TEST(ProtocolTest, ASessionIsClosedWithItsProtocol) {
  FakeHost host;
  {
    Protocol protocol(host, TrustedPeer());
    protocol.Feed(Startup(), false);
    EXPECT_TRUE(protocol.authenticated());
    EXPECT_TRUE(host.closed.empty());
  }
  EXPECT_EQ(host.closed, std::vector<int32_t>{42});
}

TEST(ProtocolTest, TlsBeginsOnlyWhereNothingWasSentAhead) {
  PeerOptions peer = TrustedPeer();
  peer.tls_available = true;
  FakeHost host;
  Protocol polite(host, peer);
  EXPECT_EQ(polite.Feed(EncodeScriptLine("SSLRequest"), false).action, Action::kStartTls);
  EXPECT_EQ(polite.output(), "S");
  Protocol hasty(host, peer);
  EXPECT_EQ(hasty.Feed(EncodeScriptLine("SSLRequest") + Startup(), false).action, Action::kClose);
  EXPECT_NE(hasty.output().find("received unencrypted data after SSL request"), std::string::npos);
}

TEST(ProtocolTest, StartupParametersReachTheSession) {
  FakeHost host;
  Protocol protocol(host, TrustedPeer());
  protocol.Feed(
      EncodeScriptLine(R"(Startup 3.0 "user" "u" "DateStyle" "ISO" "options" "-c a=b\\ c --d-e=f -cg=h" "replication" "off")"),
      false);
  EXPECT_EQ(host.last_request.user, "u");
  EXPECT_EQ(host.last_request.database, "u");
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"a", "b c"}, {"d_e", "f"}, {"g", "h"}, {"DateStyle", "ISO"}};
  EXPECT_EQ(host.last_request.settings, expected);
}

// Any bytes at all: no crash, no endless loop, and never more consumed than there is.
TEST(ProtocolTest, RandomBytesAreSurvived) {
  std::mt19937 random(7);
  const std::string tags = "QPBDECSHXdcfFpy";
  for (int round = 0; round < 20000; ++round) {
    ReadyProtocol ready;
    std::string input;
    for (int message = 0; message < 4; ++message) {
      const size_t size = random() % 24;
      input.push_back(tags[random() % tags.size()]);
      AppendBigEndian<uint32_t>(input, static_cast<uint32_t>(random() % 16 == 0 ? random() : size + 4));
      for (size_t i = 0; i < size; ++i)
        input.push_back(random() % 3 == 0 ? '\0' : static_cast<char>(random() % 4 == 0 ? random() : 'a' + random() % 26));
    }
    size_t at = 0;
    for (int step = 0; step < 20; ++step) {
      const Outcome outcome = ready.protocol.Feed(std::string_view(input).substr(at), true);
      ASSERT_LE(outcome.consumed, input.size() - at);
      at += outcome.consumed;
      if (outcome.action == Action::kClose || outcome.action == Action::kRead) break;
    }
  }
}

}  // namespace
}  // namespace mayfly::wire
