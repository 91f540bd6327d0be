// The client's side of SCRAM-SHA-256, for tests: written from the RFC, apart from the server's code.
#pragma once

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <string>
#include <string_view>

namespace mayfly::wire {

class ScramClient {
 public:
  explicit ScramClient(std::string password) : password_(std::move(password)) {}

  std::string First() const { return "n,," + first_bare_; }

  // Answers the server's first message.
  std::string Final(const std::string& server_first) {
    const std::string nonce = Attribute(server_first, "r=");
    const std::string salt = Decode(Attribute(server_first, "s="));
    const int iterations = std::stoi(Attribute(server_first, "i="));
    std::string salted(32, '\0');
    PKCS5_PBKDF2_HMAC(password_.data(), static_cast<int>(password_.size()), Bytes(salt), static_cast<int>(salt.size()),
                      iterations, EVP_sha256(), 32, reinterpret_cast<unsigned char*>(salted.data()));
    const std::string without_proof = "c=biws,r=" + nonce;
    const std::string signed_text = first_bare_ + "," + server_first + "," + without_proof;
    std::string proof = Hmac(salted, "Client Key");
    const std::string signature = Hmac(Hash(proof), signed_text);
    for (size_t i = 0; i < proof.size(); ++i) proof[i] = static_cast<char>(proof[i] ^ signature[i]);
    server_signature_ = Encode(Hmac(Hmac(salted, "Server Key"), signed_text));
    return without_proof + ",p=" + Encode(proof);
  }
  // What the server must prove that it knows.
  std::string ExpectedServerFinal() const { return "v=" + server_signature_; }

 private:
  static const unsigned char* Bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
  static std::string Hmac(const std::string& key, std::string_view text) {
    std::string digest(32, '\0');
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Bytes(text), text.size(),
         reinterpret_cast<unsigned char*>(digest.data()), nullptr);
    return digest;
  }
  static std::string Hash(std::string_view text) {
    std::string digest(32, '\0');
    SHA256(Bytes(text), text.size(), reinterpret_cast<unsigned char*>(digest.data()));
    return digest;
  }
  static std::string Encode(std::string_view bytes) {
    std::string text(bytes.size() * 2 + 8, '\0');
    text.resize(static_cast<size_t>(
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), Bytes(bytes), static_cast<int>(bytes.size()))));
    return text;
  }
  static std::string Decode(const std::string& text) {
    std::string bytes(text.size(), '\0');
    const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), Bytes(text), static_cast<int>(text.size()));
    const size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
    bytes.resize(static_cast<size_t>(size) - padding);
    return bytes;
  }
  static std::string Attribute(const std::string& message, const std::string& name) {
    const size_t start = message.find(name) + name.size();
    return message.substr(start, message.find(',', start) - start);
  }

  const std::string password_;
  const std::string first_bare_ = "n=,r=rOprNGfwEbeRWgbNEkqO";
  std::string server_signature_;
};

}  // namespace mayfly::wire
