// The TLS channel against OpenSSL's own client, all in memory.
#include "wire/tls.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace mayfly::wire {
namespace {

// A self-signed certificate and its key, as files.
class TlsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string path = ::testing::TempDir() + "mayfly_tls_XXXXXX";
    ASSERT_NE(::mkdtemp(path.data()), nullptr);
    directory_ = path;
    WriteCertificate("server");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void WriteCertificate(const std::string& name) {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
    std::FILE* file = std::fopen(File(name + ".crt").c_str(), "w");
    PEM_write_X509(file, certificate);
    std::fclose(file);
    file = std::fopen(File(name + ".key").c_str(), "w");
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  std::string File(const std::string& name) const { return directory_ + "/" + name; }

  std::string directory_;
};

// The other end.
class Client {
 public:
  Client() : context_(SSL_CTX_new(TLS_client_method())), ssl_(SSL_new(context_)) {
    SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(ssl_);
  }
  ~Client() {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
  }
  bool Handshake() { return SSL_do_handshake(ssl_) == 1; }
  void Write(const std::string& text) { SSL_write(ssl_, text.data(), static_cast<int>(text.size())); }
  void Take(std::string& bytes) {
    BIO_write(SSL_get_rbio(ssl_), bytes.data(), static_cast<int>(bytes.size()));
    bytes.clear();
  }
  std::string Read() {
    std::string text;
    char chunk[4096];
    for (int size = 0; (size = SSL_read(ssl_, chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<size_t>(size));
    return text;
  }
  std::string Outgoing() {
    std::string bytes(BIO_ctrl_pending(SSL_get_wbio(ssl_)), '\0');
    if (!bytes.empty()) BIO_read(SSL_get_wbio(ssl_), bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }

 private:
  SSL_CTX* context_;
  SSL* ssl_;
};

TEST_F(TlsTest, BytesPassBothWaysInAnyPieces) {
  const auto context = TlsContext::Load(File("server.crt"), File("server.key"));
  ASSERT_TRUE(context.ok()) << context.error().message;
  TlsChannel channel(**context);
  Client client;
  std::string plain;
  bool connected = false;
  for (int round = 0; round < 10 && !connected; ++round) {
    connected = client.Handshake();
    for (const char byte : client.Outgoing()) ASSERT_TRUE(channel.Receive(std::string_view(&byte, 1), plain));
    client.Take(channel.outgoing());
  }
  ASSERT_TRUE(connected);
  EXPECT_EQ(plain, "");

  const std::string large(100'000, 'x');
  client.Write("hello");
  client.Write(large);
  ASSERT_TRUE(channel.Receive(client.Outgoing(), plain));
  EXPECT_EQ(plain, "hello" + large);
  ASSERT_TRUE(channel.Send(large));
  ASSERT_TRUE(channel.Send("bye"));
  client.Take(channel.outgoing());
  EXPECT_EQ(client.Read(), large + "bye");
}

TEST_F(TlsTest, WhatIsNoTlsBreaksTheChannel) {
  const auto context = TlsContext::Load(File("server.crt"), File("server.key"));
  TlsChannel channel(**context);
  std::string plain;
  EXPECT_FALSE(channel.Receive("GET / HTTP/1.0\r\n\r\n", plain));
  EXPECT_EQ(plain, "");
}

TEST_F(TlsTest, FilesThatDoNotFitAreNamed) {
  WriteCertificate("other");
  std::ofstream(File("empty")) << "";
  struct Case {
    const char* certificate;
    const char* key;
    const char* named;
  };
  for (const Case& c :
       {Case{"nosuch", "server.key", "nosuch"}, Case{"empty", "server.key", "empty"}, Case{"server.crt", "nosuch", "nosuch"},
        Case{"server.crt", "server.crt", "server.crt"}, Case{"server.crt", "other.key", "other.key"}}) {
    const auto context = TlsContext::Load(File(c.certificate), File(c.key));
    ASSERT_FALSE(context.ok()) << c.certificate << " " << c.key;
    EXPECT_EQ(context.error().state, kConfigFileError);
    EXPECT_NE(context.error().message.find(c.named), std::string::npos) << context.error().message;
  }
}

}  // namespace
}  // namespace mayfly::wire
