#include "wire/scram.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <charconv>

#include "base/check.h"

namespace mayfly::wire {
namespace {

constexpr size_t kSaltBytes = 16;
constexpr size_t kNonceBytes = 18;

const unsigned char* Bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
std::string_view View(const Sha256& digest) { return {reinterpret_cast<const char*>(digest.data()), digest.size()}; }

Sha256 Hmac(std::string_view key, std::string_view text) {
  Sha256 digest;
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Bytes(text), text.size(), digest.data(), &size);
  return digest;
}

Sha256 Hash(std::string_view text) {
  Sha256 digest;
  SHA256(Bytes(text), text.size(), digest.data());
  return digest;
}

std::string EncodeBase64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), Bytes(bytes), static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(size));
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), Bytes(text), static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  // OpenSSL decodes the padding to zero bytes.
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<size_t>(size) - padding);
  return bytes;
}

bool DecodeDigest(std::string_view text, Sha256& digest) {
  const auto bytes = DecodeBase64(text);
  if (!bytes || bytes->size() != digest.size()) return false;
  std::copy(bytes->begin(), bytes->end(), digest.begin());
  return true;
}

SqlError Malformed(std::string detail) {
  return SqlError::MakeText(kProtocolViolation, "malformed SCRAM message").Detail(std::move(detail));
}

// A byte as PostgreSQL shows it in these errors.
std::string Shown(std::string_view rest) {
  if (rest.empty()) return "0x00";
  const auto byte = static_cast<unsigned char>(rest[0]);
  return byte >= 0x21 && byte <= 0x7E ? std::string(1, rest[0]) : fmt::format("0x{:02x}", byte);
}

// "x=value" up to a comma or the end; `rest` goes behind the comma.
Result<std::string_view> ReadAttribute(char name, std::string_view& rest) {
  if (rest.empty() || rest[0] != name)
    return Malformed(fmt::format("Expected attribute \"{}\" but found \"{}\".", name, Shown(rest)));
  if (rest.size() < 2 || rest[1] != '=') return Malformed(fmt::format("Expected character \"=\" for attribute \"{}\".", name));
  const size_t end = rest.find(',');
  const std::string_view value = rest.substr(2, end == std::string_view::npos ? end : end - 2);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return value;
}

Status CheckText(std::string_view message) {
  if (message.empty()) return Malformed("The message is empty.");
  if (message.find('\0') != std::string_view::npos) return Malformed("Message length does not match input length.");
  return Ok();
}

bool IsNonce(std::string_view nonce) {
  for (const char c : nonce) {
    if (c < 0x21 || c > 0x7E) return false;
  }
  return true;
}

std::string MakeNonce(RandomFill random) {
  std::array<unsigned char, kNonceBytes> bytes;
  random(bytes.data(), bytes.size());
  return EncodeBase64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

void FillRandom(unsigned char* bytes, size_t size) {
  Check(RAND_bytes(bytes, static_cast<int>(size)) == 1, "no random bytes from the operating system");
}

std::optional<ScramVerifier> ParseScramVerifier(std::string_view text) {
  constexpr std::string_view kPrefix = "SCRAM-SHA-256$";
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  const size_t colon = text.find(':');
  const size_t dollar = text.find('$');
  if (colon == std::string_view::npos || dollar == std::string_view::npos || colon > dollar) return std::nullopt;
  const size_t second_colon = text.find(':', dollar);
  if (second_colon == std::string_view::npos) return std::nullopt;

  ScramVerifier verifier;
  const auto [end, error] = std::from_chars(text.data(), text.data() + colon, verifier.iterations);
  if (error != std::errc() || end != text.data() + colon || verifier.iterations < 1) return std::nullopt;
  auto salt = DecodeBase64(text.substr(colon + 1, dollar - colon - 1));
  if (!salt) return std::nullopt;
  verifier.salt = std::move(*salt);
  if (!DecodeDigest(text.substr(dollar + 1, second_colon - dollar - 1), verifier.stored_key)) return std::nullopt;
  if (!DecodeDigest(text.substr(second_colon + 1), verifier.server_key)) return std::nullopt;
  return verifier;
}

std::string FormatScramVerifier(const ScramVerifier& verifier) {
  return fmt::format("SCRAM-SHA-256${}:{}${}:{}", verifier.iterations, EncodeBase64(verifier.salt),
                     EncodeBase64(View(verifier.stored_key)), EncodeBase64(View(verifier.server_key)));
}

ScramVerifier MakeScramVerifier(std::string_view password, std::string_view salt, int iterations) {
  Sha256 salted;
  PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()), Bytes(salt), static_cast<int>(salt.size()), iterations,
                    EVP_sha256(), static_cast<int>(salted.size()), salted.data());
  ScramVerifier verifier;
  verifier.iterations = iterations;
  verifier.salt = salt;
  verifier.stored_key = Hash(View(Hmac(View(salted), "Client Key")));
  verifier.server_key = Hmac(View(salted), "Server Key");
  return verifier;
}

ScramExchange::ScramExchange(const std::optional<ScramVerifier>& verifier, std::string_view user, std::string_view mock_key,
                             RandomFill random)
    : known_user_(verifier.has_value()), random_(random) {
  if (verifier) {
    verifier_ = *verifier;
  } else {
    // The same salt at every attempt, as a real user has.
    verifier_.salt = View(Hmac(mock_key, user)).substr(0, kSaltBytes);
    random_(verifier_.stored_key.data(), verifier_.stored_key.size());
  }
}

// The GS2 header: channel binding flag and authorization identity.
Status ScramExchange::ReadHeader(std::string_view& rest) {
  binding_flag_ = rest[0];
  if (binding_flag_ == 'p') {
    return Malformed(
        "The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message includes channel binding data.");
  }
  if (binding_flag_ != 'n' && binding_flag_ != 'y') {
    return Malformed(fmt::format("Unexpected channel-binding flag \"{}\".", Shown(rest)));
  }
  rest.remove_prefix(1);
  if (rest.empty() || rest[0] != ',') return Malformed(fmt::format("Comma expected, but found character \"{}\".", Shown(rest)));
  rest.remove_prefix(1);
  if (!rest.empty() && rest[0] == 'a') {
    return SqlError::MakeText(kFeatureNotSupported, "client uses authorization identity, but it is not supported");
  }
  if (rest.empty() || rest[0] != ',') {
    return Malformed(fmt::format("Unexpected attribute \"{}\" in client-first-message.", Shown(rest)));
  }
  rest.remove_prefix(1);
  return Ok();
}

Result<std::string> ScramExchange::Start(std::string_view client_first) {
  TRY_OK(CheckText(client_first));
  std::string_view rest = client_first;
  TRY_OK(ReadHeader(rest));
  client_first_bare_ = rest;
  if (rest.starts_with('m')) return SqlError::MakeText(kFeatureNotSupported, "client requires an unsupported SCRAM extension");
  TRY_OK(ReadAttribute('n', rest));  // PostgreSQL takes the user from the startup packet
  TRY(const std::string_view, client_nonce, ReadAttribute('r', rest));
  if (!IsNonce(client_nonce)) return SqlError::MakeText(kProtocolViolation, "non-printable characters in SCRAM nonce");
  nonce_ = std::string(client_nonce) + MakeNonce(random_);
  server_first_ = fmt::format("r={},s={},i={}", nonce_, EncodeBase64(verifier_.salt), verifier_.iterations);
  return server_first_;
}

Result<std::optional<std::string>> ScramExchange::Finish(std::string_view client_final) {
  TRY_OK(CheckText(client_final));
  std::string_view rest = client_final;
  TRY(const std::string_view, binding, ReadAttribute('c', rest));
  // base64 of "n,," and "y,,"
  if (binding != (binding_flag_ == 'n' ? "biws" : "eSws")) {
    return SqlError::MakeText(kProtocolViolation, "unexpected SCRAM channel-binding attribute in client-final-message");
  }
  TRY(const std::string_view, nonce, ReadAttribute('r', rest));
  std::string_view without_proof = client_final.substr(0, client_final.size() - rest.size());
  while (!rest.empty() && rest[0] != 'p') {
    TRY_OK(ReadAttribute(rest[0], rest));
    without_proof = client_final.substr(0, client_final.size() - rest.size());
  }
  TRY(const std::string_view, proof_text, ReadAttribute('p', rest));
  Sha256 proof;
  if (!DecodeDigest(proof_text, proof)) return Malformed("Malformed proof in client-final-message.");
  if (!rest.empty()) return Malformed("Garbage found at the end of client-final-message.");
  if (nonce != nonce_) return SqlError::MakeText(kProtocolViolation, "invalid SCRAM response").Detail("Nonce does not match.");

  without_proof.remove_suffix(1);  // the comma
  const std::string signed_text = client_first_bare_ + ',' + server_first_ + ',' + std::string(without_proof);
  const Sha256 signature = Hmac(View(verifier_.stored_key), signed_text);
  Sha256 client_key;
  for (size_t i = 0; i < client_key.size(); ++i) client_key[i] = static_cast<unsigned char>(proof[i] ^ signature[i]);
  const Sha256 stored_key = Hash(View(client_key));
  const bool same = CRYPTO_memcmp(stored_key.data(), verifier_.stored_key.data(), stored_key.size()) == 0;
  if (!same || !known_user_) return std::optional<std::string>();
  return std::optional<std::string>("v=" + EncodeBase64(View(Hmac(View(verifier_.server_key), signed_text))));
}

}  // namespace mayfly::wire
