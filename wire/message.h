// The messages of protocol 3.0 as data: one struct a message, one sum for each direction (tags collide between directions).
//
//   byte tag | i32 length, itself included | body          all integers big-endian, strings end with a zero byte
//
// Decoding is pure and total on hostile input: whatever the bytes, the answer is a message or a SqlError (08P01, 22021). Strings
// must be valid UTF-8. See "Message Formats" in PostgreSQL's manual (55.7).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/strong_id.h"
#include "sql/session/session.h"

namespace mayfly::wire {

using session::Format;

// Largest length field of a frontend message: big ones (Query, Parse, Bind, FunctionCall, CopyData), all others, and those of
// SASL.
inline constexpr uint32_t kLargeMessageLimit = (1U << 30) - 2;
inline constexpr uint32_t kSmallMessageLimit = 10000;
inline constexpr uint32_t kSaslMessageLimit = 1024;

// What clients send once they are authenticated. Everything borrows from the body, or from the DecodeScratch.
namespace frontend {
struct Query {
  std::string_view text;
};
struct Parse {
  std::string_view statement;
  std::string_view text;
  std::span<const Oid> parameter_types;
};
struct Bind {
  std::string_view portal;
  std::string_view statement;
  std::span<const Format> parameter_formats;
  std::span<const std::optional<std::string_view>> parameters;
  std::span<const Format> result_formats;
};
enum class Target : char { kStatement = 'S', kPortal = 'P' };
struct Describe {
  Target target;
  std::string_view name;
};
struct Execute {
  std::string_view portal;
  int32_t rows_max;
};
struct Close {
  Target target;
  std::string_view name;
};
struct Sync {};
struct Flush {};
struct CopyData {
  std::string_view bytes;
};
struct CopyDone {};
struct CopyFail {
  std::string_view message;
};
struct FunctionCall {};  // not looked into: it is not supported
struct Terminate {};
}  // namespace frontend

using FrontendMessage = std::variant<frontend::Query, frontend::Parse, frontend::Bind, frontend::Describe, frontend::Execute,
                                     frontend::Close, frontend::Sync, frontend::Flush, frontend::CopyData, frontend::CopyDone,
                                     frontend::CopyFail, frontend::FunctionCall, frontend::Terminate>;

// Holds the lists of a decoded message; used again for the next one, so that decoding does not allocate.
struct DecodeScratch {
  std::vector<Oid> oids;
  std::vector<Format> parameter_formats;
  std::vector<Format> result_formats;
  std::vector<std::optional<std::string_view>> parameters;
  // Gives back what a huge message left.
  void Shrink();
};

// Largest length field that a message of this tag may have; 0 for a tag that clients do not send.
uint32_t FrontendLengthLimit(char tag);

// Requires: FrontendLengthLimit(tag) != 0. `body` is the message without tag and length.
Result<FrontendMessage> DecodeFrontend(char tag, std::string_view body, DecodeScratch& scratch);

// What the server sends. Rows, row descriptions and errors are written by result_writer and error_fields.
namespace backend {
struct AuthenticationOk {};
struct AuthenticationSasl {
  std::span<const std::string_view> mechanisms;
};
struct AuthenticationSaslContinue {
  std::string_view data;
};
struct AuthenticationSaslFinal {
  std::string_view data;
};
struct BackendKeyData {
  int32_t pid;
  uint32_t secret;
};
struct ParameterStatus {
  std::string_view name;
  std::string_view value;
};
struct NegotiateProtocolVersion {
  std::span<const std::string> unknown_options;
};
struct ReadyForQuery {
  char status;
};
struct ParseComplete {};
struct BindComplete {};
struct CloseComplete {};
struct NoData {};
struct EmptyQueryResponse {};
struct PortalSuspended {};
struct CommandComplete {
  std::string_view tag;
};
struct ParameterDescription {
  std::span<const Oid> types;
};
struct RowDescription {
  std::span<const session::ResultColumn> columns;
  std::span<const Format> formats;
};
struct CopyInResponse {
  session::CopyFormat format;
};
struct CopyOutResponse {
  session::CopyFormat format;
};
struct CopyData {
  std::string_view bytes;
};
struct CopyDone {};
}  // namespace backend

using BackendMessage =
    std::variant<backend::AuthenticationOk, backend::AuthenticationSasl, backend::AuthenticationSaslContinue,
                 backend::AuthenticationSaslFinal, backend::BackendKeyData, backend::ParameterStatus,
                 backend::NegotiateProtocolVersion, backend::ReadyForQuery, backend::ParseComplete, backend::BindComplete,
                 backend::CloseComplete, backend::NoData, backend::EmptyQueryResponse, backend::PortalSuspended,
                 backend::CommandComplete, backend::ParameterDescription, backend::RowDescription, backend::CopyInResponse,
                 backend::CopyOutResponse, backend::CopyData, backend::CopyDone>;

// Appends the message's bytes.
void Append(std::string& out, const BackendMessage& message);

// Writes a message whose length is known only at its end: the length is filled in when the writer goes.
class MessageWriter {
 public:
  MessageWriter(std::string& out, char tag) : out_(out), start_(out.size() + 1) { out.append({tag, 0, 0, 0, 0}); }
  ~MessageWriter();
  MessageWriter(const MessageWriter&) = delete;
  MessageWriter& operator=(const MessageWriter&) = delete;

  // With the zero byte that ends a string.
  void String(std::string_view text) {
    out_.append(text);
    out_.push_back('\0');
  }

 private:
  std::string& out_;
  size_t start_;
};

}  // namespace mayfly::wire
