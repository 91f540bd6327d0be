// Bytes of messages: what the server writes, and what the reader refuses.
#include "wire/message.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/wire/script.h"

namespace mayfly::wire {
namespace {

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string Encoded(const BackendMessage& message) {
  std::string bytes = "before";
  Append(bytes, message);
  return Hex(std::string_view(bytes).substr(6));
}

TEST(MessageTest, BackendMessagesHaveTheBytesOfTheManual) {
  const std::string_view mechanisms[] = {"SCRAM-SHA-256"};
  const std::vector<std::string> options = {"_pq_.a"};
  const Oid types[] = {Oid{23}, Oid{25}};
  struct Case {
    const char* name;
    BackendMessage message;
    const char* hex;
  };
  const Case cases[] = {
      {"AuthenticationOk", backend::AuthenticationOk{}, "520000000800000000"},
      {"AuthenticationSASL", backend::AuthenticationSasl{mechanisms}, "52000000170000000a534352414d2d5348412d3235360000"},
      {"AuthenticationSASLContinue", backend::AuthenticationSaslContinue{"r=a"}, "520000000b0000000b723d61"},
      {"AuthenticationSASLFinal", backend::AuthenticationSaslFinal{"v=a"}, "520000000b0000000c763d61"},
      {"BackendKeyData", backend::BackendKeyData{1, 2}, "4b0000000c0000000100000002"},
      {"ParameterStatus", backend::ParameterStatus{"a", "b"}, "530000000861006200"},
      {"NegotiateProtocolVersion", backend::NegotiateProtocolVersion{options}, "760000001300030000000000015f70715f2e6100"},
      {"ReadyForQuery", backend::ReadyForQuery{'I'}, "5a0000000549"},
      {"ParseComplete", backend::ParseComplete{}, "3100000004"},
      {"BindComplete", backend::BindComplete{}, "3200000004"},
      {"CloseComplete", backend::CloseComplete{}, "3300000004"},
      {"NoData", backend::NoData{}, "6e00000004"},
      {"EmptyQueryResponse", backend::EmptyQueryResponse{}, "4900000004"},
      {"PortalSuspended", backend::PortalSuspended{}, "7300000004"},
      {"CommandComplete", backend::CommandComplete{"SET"}, "430000000853455400"},
      {"ParameterDescription", backend::ParameterDescription{types}, "740000000e00020000001700000019"},
      {"CopyInResponse", backend::CopyInResponse{{true, 2}}, "470000000b01000200010001"},
      {"CopyOutResponse", backend::CopyOutResponse{{false, 1}}, "48000000090000010000"},
      {"CopyData", backend::CopyData{"ab"}, "64000000066162"},
      {"CopyDone", backend::CopyDone{}, "6300000004"},
  };
  for (const Case& c : cases) EXPECT_EQ(Encoded(c.message), c.hex) << c.name;
}

TEST(MessageTest, RowDescriptionNamesTableColumnTypeAndFormat) {
  static const types::TypeDesc kType{.oid = Oid{1700}, .name = "numeric", .length = -1};
  const session::ResultColumn column{"n", Oid{16384}, 3, &kType, 524294};
  const Format format = Format::kBinary;
  EXPECT_EQ(Encoded(backend::RowDescription{std::span(&column, 1), std::span(&format, 1)}),
            "540000001a0001"
            "6e00"
            "00004000"
            "0003"
            "000006a4"
            "ffff"
            "00080006"
            "0001");
}

TEST(MessageTest, BindIsReadWithItsFormatsAndNulls) {
  const std::string bytes = EncodeScriptLine(R"(Bind "p" "s" ["ab", NULL, ""] formats=[1 0 1] results=[1])");
  DecodeScratch scratch;
  const auto message = DecodeFrontend('B', std::string_view(bytes).substr(5), scratch);
  ASSERT_TRUE(message.ok());
  const auto& bind = std::get<frontend::Bind>(*message);
  EXPECT_EQ(bind.portal, "p");
  EXPECT_EQ(bind.statement, "s");
  ASSERT_EQ(bind.parameters.size(), 3U);
  EXPECT_EQ(bind.parameters[0], "ab");
  EXPECT_EQ(bind.parameters[1], std::nullopt);
  EXPECT_EQ(bind.parameters[2], "");
  EXPECT_EQ(bind.parameter_formats.size(), 3U);
  EXPECT_EQ(bind.result_formats[0], Format::kBinary);
}

TEST(MessageTest, OnlyTextParametersMustBeUtf8) {
  struct Case {
    const char* line;
    bool ok;
  };
  for (const Case& c :
       {Case{R"(Bind "" "" ["\xff"])", false}, Case{R"(Bind "" "" ["\xff"] formats=[1])", true},
        Case{R"(Bind "" "" ["a", "\xff"] formats=[1])", true}, Case{R"(Bind "" "" ["\xff", "a"] formats=[0 1])", false},
        Case{R"(Bind "" "" ["\xff", "a"] formats=[1 0])", true}, Case{R"(Bind "" "" ["a\x00b"])", false}}) {
    const std::string bytes = EncodeScriptLine(c.line);
    DecodeScratch scratch;
    const auto message = DecodeFrontend('B', std::string_view(bytes).substr(5), scratch);
    EXPECT_EQ(message.ok(), c.ok) << c.line;
    if (message.ok()) continue;
    EXPECT_EQ(message.error().state, kCharacterNotInRepertoire);
    EXPECT_TRUE(message.error().context.starts_with("unnamed portal parameter $")) << message.error().context;
  }
}

// Each valid message cut at every length: an error, or where nothing is missing the message; never a read beyond the end.
TEST(MessageTest, TruncatedMessagesAreErrors) {
  for (const char* line :
       {R"(Query "SELECT 1")", R"(Parse "s" "SELECT 1" types=[23 25])", R"(Bind "p" "s" ["a", NULL] formats=[0] results=[1])",
        R"(Describe S "x")", R"(Execute "p" 5)", R"(Close P "x")", R"(CopyFail "x")"}) {
    const std::string bytes = EncodeScriptLine(line);
    for (size_t size = 0; size + 5 < bytes.size(); ++size) {
      // A copy of its own, so that the address sanitizer sees its end.
      const std::vector<char> body(bytes.begin() + 5, bytes.begin() + 5 + static_cast<ptrdiff_t>(size));
      DecodeScratch scratch;
      const auto message = DecodeFrontend(bytes[0], std::string_view(body.data(), body.size()), scratch);
      ASSERT_FALSE(message.ok()) << line << " cut to " << size;
      EXPECT_EQ(message.error().state, kProtocolViolation);
    }
  }
}

TEST(MessageTest, CountsAreBelievedOnlyAsFarAsThereAreBytes) {
  DecodeScratch scratch;
  EXPECT_FALSE(DecodeFrontend('P', std::string_view("\0\0\xff\xff", 4), scratch).ok());
  EXPECT_FALSE(DecodeFrontend('B', std::string_view("\0\0\xff\xff", 4), scratch).ok());
  EXPECT_FALSE(DecodeFrontend('B', std::string_view("\0\0\0\0\xff\xff", 6), scratch).ok());
  EXPECT_EQ(scratch.oids.capacity() + scratch.parameters.capacity() + scratch.parameter_formats.capacity(), 0U);
}

TEST(MessageTest, LengthLimitsAreThoseOfPostgreSql) {
  for (const char tag : std::string("QPBFd")) EXPECT_EQ(FrontendLengthLimit(tag), 1073741822U) << tag;
  for (const char tag : std::string("XCDEHScf")) EXPECT_EQ(FrontendLengthLimit(tag), 10000U) << tag;
  for (const char tag : std::string("pyRTZ1\0\xff", 8)) EXPECT_EQ(FrontendLengthLimit(tag), 0U) << tag;
}

}  // namespace
}  // namespace mayfly::wire
