// The untagged packets that begin a connection: StartupMessage, SSLRequest, GSSENCRequest, CancelRequest.
//
//   i32 length, itself included | i32 code | rest         code 3.x: pairs of strings, then one zero byte
//
// Pure and total on hostile input; nothing longer than 10,000 bytes is looked at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace mayfly::wire {

inline constexpr uint32_t kStartupPacketLimit = 10000;

struct SslRequest {};
struct GssEncRequest {};
struct CancelRequest {
  int32_t pid;
  uint32_t secret;
};
struct StartupMessage {
  int16_t minor_version = 0;
  std::string user;
  std::string database;  // the user's name where the client named none
  std::vector<std::pair<std::string, std::string>> settings;
  // More settings, to be read by ParseStartupOptions; these take effect first.
  std::string options;
  // _pq_.* options; none is known.
  std::vector<std::string> unknown_options;
};
// A protocol version before 3: it is refused in the format that such clients read.
struct AncientProtocol {
  std::string message;
};
using StartupPacket = std::variant<SslRequest, GssEncRequest, CancelRequest, StartupMessage, AncientProtocol>;

struct StartupContext {
  // A request for encryption that has been answered already is an unsupported protocol version.
  bool ssl_answered = false;
  bool gss_answered = false;
};

// `body` is the packet without its length. Errors are FATAL: 08P01, 0A000, 28000, 22021, 22023.
Result<StartupPacket> DecodeStartup(std::string_view body, const StartupContext& context);

// Splits the parameter `options` ("-c a=b --c-d=e -cf=g", blanks escaped by backslashes) into settings. 42601 for what is none.
Result<std::vector<std::pair<std::string, std::string>>> ParseStartupOptions(std::string_view options);

}  // namespace mayfly::wire
