// SCRAM-SHA-256 against the example of RFC 7677, and everything a client can do wrong.
#include "wire/scram.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "tests/wire/fake_host.h"
#include "tests/wire/script.h"
#include "wire/protocol.h"

namespace mayfly::wire {
namespace {

// Salt and nonce of RFC 7677, section 3. The nonce of the example is made of other characters than base64 of random bytes can be,
// so the exchange is fed with what its own nonce is, and the proof is computed here from the keys.
constexpr std::string_view kRfcSalt{"\x5b\x6d\x99\x68\x9d\x12\x35\x8e\xec\xa0\x4b\x14\x12\x36\xfa\x81", 16};

void FixedRandom(unsigned char* bytes, size_t size) { std::memset(bytes, 'r', size); }

TEST(ScramTest, KeysAreThoseOfTheRfc) {
  // W22ZaJ0SNY7soEsUEjb6gQ== and 4096 iterations of "pencil"; keys as PostgreSQL's own verifier has them.
  EXPECT_EQ(FormatScramVerifier(MakeScramVerifier("pencil", kRfcSalt, 4096)),
            "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:"
            "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=");
}

TEST(ScramTest, VerifiersAreReadAndWritten) {
  const std::string text = FormatScramVerifier(MakeScramVerifier("secret", "0123456789abcdef", 10));
  const auto verifier = ParseScramVerifier(text);
  ASSERT_TRUE(verifier);
  EXPECT_EQ(FormatScramVerifier(*verifier), text);
  for (const char* bad :
       {"", "secret", "md5abc", "SCRAM-SHA-256$", "SCRAM-SHA-256$x:AAAA$AAAA:AAAA", "SCRAM-SHA-256$0:AAAA$AAAA:AAAA",
        "SCRAM-SHA-256$4096:AAAA$AAAA:AAAA", "SCRAM-SHA-256$4096:AAAA", "SCRAM-SHA-256$4096:!!!!$AAAA:AAAA"}) {
    EXPECT_FALSE(ParseScramVerifier(bad)) << bad;
  }
}

TEST(ScramTest, MalformedFirstMessagesAreNamed) {
  struct Case {
    std::string message;
    const char* error;
    const char* detail;
  };
  const Case cases[] = {
      {"", "malformed SCRAM message", "The message is empty."},
      {std::string("n,,n=\0,r=a", 10), "malformed SCRAM message", "Message length does not match input length."},
      {"x,,n=,r=a", "malformed SCRAM message", "Unexpected channel-binding flag \"x\"."},
      {"p=tls-server-end-point,,n=,r=a", "malformed SCRAM message",
       "The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message includes channel binding data."},
      {"n", "malformed SCRAM message", "Comma expected, but found character \"0x00\"."},
      {"nn", "malformed SCRAM message", "Comma expected, but found character \"n\"."},
      {"n,a=other,n=,r=a", "client uses authorization identity, but it is not supported", ""},
      {"n,b", "malformed SCRAM message", "Unexpected attribute \"b\" in client-first-message."},
      {"n,,m=x,n=,r=a", "client requires an unsupported SCRAM extension", ""},
      {"n,,r=a", "malformed SCRAM message", "Expected attribute \"n\" but found \"r\"."},
      {"n,,n", "malformed SCRAM message", "Expected character \"=\" for attribute \"n\"."},
      {"n,,n=,r=\x01", "non-printable characters in SCRAM nonce", ""},
  };
  for (const Case& c : cases) {
    ScramExchange exchange(std::nullopt, "u", "key", FixedRandom);
    const auto answer = exchange.Start(c.message);
    ASSERT_FALSE(answer.ok()) << c.message;
    EXPECT_EQ(answer.error().message, c.error) << c.message;
    EXPECT_EQ(answer.error().detail, c.detail) << c.message;
  }
}

TEST(ScramTest, MalformedFinalMessagesAreNamed) {
  struct Case {
    const char* message;
    const char* error;
    const char* detail;
  };
  const std::string nonce =
      "cn"
      "cnJycnJycnJycnJycnJycnJy";
  const Case cases[] = {
      {"", "malformed SCRAM message", "The message is empty."},
      {"c=eSws,r=NONCE,p=AA==", "unexpected SCRAM channel-binding attribute in client-final-message", ""},
      {"r=NONCE,p=AA==", "malformed SCRAM message", "Expected attribute \"c\" but found \"r\"."},
      {"c=biws,r=NONCE", "malformed SCRAM message", "Expected attribute \"p\" but found \"0x00\"."},
      {"c=biws,r=NONCE,p=AA==", "malformed SCRAM message", "Malformed proof in client-final-message."},
      {"c=biws,r=NONCE,p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,x=1", "malformed SCRAM message",
       "Garbage found at the end of client-final-message."},
      {"c=biws,r=other,p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "invalid SCRAM response", "Nonce does not match."},
  };
  for (const Case& c : cases) {
    ScramExchange exchange(std::nullopt, "u", "key", FixedRandom);
    ASSERT_TRUE(exchange.Start("n,,n=,r=cn").ok());
    std::string message = c.message;
    if (const size_t at = message.find("NONCE"); at != std::string::npos) message.replace(at, 5, nonce);
    const auto answer = exchange.Finish(message);
    ASSERT_FALSE(answer.ok()) << c.message;
    EXPECT_EQ(answer.error().message, c.error) << c.message;
    EXPECT_EQ(answer.error().detail, c.detail) << c.message;
  }
}

TEST(ScramTest, AnUnknownUserSeesTheSameSaltEveryTime) {
  ScramExchange first(std::nullopt, "u", "key", FixedRandom);
  ScramExchange second(std::nullopt, "u", "key", FillRandom);
  ScramExchange other(std::nullopt, "v", "key", FixedRandom);
  const auto salt = [](ScramExchange& exchange) {
    const std::string message = *exchange.Start("n,,n=,r=a");
    return message.substr(message.find(",s="));
  };
  const std::string seen = salt(first);
  EXPECT_EQ(seen, salt(second));
  EXPECT_NE(seen, salt(other));
  const auto answer = first.Finish("c=biws,r=acnJycnJycnJycnJycnJycnJy,p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
  ASSERT_TRUE(answer.ok());
  EXPECT_FALSE(*answer);
}

// Through the handshake: errors are FATAL, and nothing but SASL is listened to.
TEST(ScramTest, TheHandshakeAsksForAPasswordAndListensToNothingElse) {
  struct Case {
    const char* line;
    const char* error;
  };
  for (const Case& c :
       {Case{R"(Query "SELECT 1")", "expected SASL response, got message type 81"},
        Case{R"(Bytes "p\x7f\xff\xff\xff")", "invalid message length"},
        Case{R"(Bytes "p\x00\x00\x00\x06ab")", "invalid string in message"},
        Case{R"(Bytes "p\x00\x00\x00\x0aPLAIN\x00")", "client selected an invalid SASL authentication mechanism"},
        Case{R"(Bytes "p\x00\x00\x00\x12SCRAM-SHA-256\x00")", "insufficient data left in message"},
        Case{R"(Bytes "p\x00\x00\x00\x16SCRAM-SHA-256\x00\x7f\xff\xff\xff")", "insufficient data left in message"},
        Case{R"(Bytes "p\x00\x00\x00\x16SCRAM-SHA-256\x00\x00\x00\x00\x00")", "malformed SCRAM message"}}) {
    FakeHost host;
    Protocol protocol(host, PeerOptions());
    protocol.Feed(EncodeScriptLine(R"(Startup 3.0 "user" "u")"), false);
    EXPECT_EQ(DescribeBackendMessage('R', std::string_view(protocol.output()).substr(5)), R"(Authentication 10 "SCRAM-SHA-256")");
    protocol.output().clear();
    EXPECT_EQ(protocol.Feed(EncodeScriptLine(c.line), false).action, Action::kClose);
    EXPECT_NE(protocol.output().find(c.error), std::string::npos) << c.line << " gave " << protocol.output();
    EXPECT_NE(protocol.output().find("FATAL"), std::string::npos);
    EXPECT_EQ(host.refusals.size(), 1U);
    EXPECT_FALSE(protocol.authenticated());
  }
}

}  // namespace
}  // namespace mayfly::wire
