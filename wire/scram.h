// The server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), as PostgreSQL does it: no channel binding, the user name of the
// startup packet counts, and an unknown user goes through the whole exchange before it fails, so that nobody learns which users
// exist.
//
//   client-first    n,,n=user,r=CNONCE
//   server-first    r=CNONCE SNONCE,s=SALT,i=ITERATIONS
//   client-final    c=biws,r=CNONCE SNONCE,p=PROOF
//   server-final    v=SIGNATURE
//
// Passwords are taken as their bytes: SASLprep leaves ASCII as it is, and PostgreSQL itself falls back to the bytes where it
// fails.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::wire {

inline constexpr std::string_view kScramMechanism = "SCRAM-SHA-256";
inline constexpr int kScramIterations = 4096;

using Sha256 = std::array<unsigned char, 32>;

// Fills memory with random bytes; tests give their own.
using RandomFill = void (*)(unsigned char* bytes, size_t size);
// From the operating system, through OpenSSL.
void FillRandom(unsigned char* bytes, size_t size);

// What is kept of a password: SCRAM-SHA-256$ITERATIONS:SALT$STOREDKEY:SERVERKEY, base64.
struct ScramVerifier {
  int iterations = kScramIterations;
  std::string salt;
  Sha256 stored_key{};
  Sha256 server_key{};
};
// nullopt where `text` is none.
std::optional<ScramVerifier> ParseScramVerifier(std::string_view text);
std::string FormatScramVerifier(const ScramVerifier& verifier);
ScramVerifier MakeScramVerifier(std::string_view password, std::string_view salt, int iterations);

// One exchange. Calls in order: Start, Finish. Errors are 08P01 for what is malformed; a wrong proof is a plain `false`.
class ScramExchange {
 public:
  // `verifier` nullopt: there is no such user, or it has no password; the salt is then made from `mock_key` and the user's name.
  ScramExchange(const std::optional<ScramVerifier>& verifier, std::string_view user, std::string_view mock_key,
                RandomFill random);

  // client-first -> server-first.
  Result<std::string> Start(std::string_view client_first);
  // client-final -> server-final; nullopt where the proof is wrong, or the user was unknown.
  Result<std::optional<std::string>> Finish(std::string_view client_final);

 private:
  Status ReadHeader(std::string_view& rest);

  ScramVerifier verifier_;
  bool known_user_;
  RandomFill random_;
  char binding_flag_ = 'n';
  std::string nonce_;
  std::string client_first_bare_;
  std::string server_first_;
};

}  // namespace mayfly::wire
