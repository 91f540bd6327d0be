#include "wire/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>

#include "base/check.h"

namespace mayfly::wire {
namespace {

// OpenSSL's reason for its last error.
std::string Reason() {
  std::array<char, 256> text{};
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "unknown error";
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

}  // namespace

Result<std::unique_ptr<TlsContext>> TlsContext::Load(const std::string& certificate_file, const std::string& key_file) {
  std::unique_ptr<TlsContext> context(new TlsContext(SSL_CTX_new(TLS_server_method())));
  Check(context->context_ != nullptr, "SSL_CTX_new failed");
  SSL_CTX* ssl = context->context_;
  SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION);
  SSL_CTX_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(ssl, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  if (SSL_CTX_use_certificate_chain_file(ssl, certificate_file.c_str()) != 1) {
    return SqlError::Make(kConfigFileError, "could not load server certificate file \"{}\": {}", certificate_file, Reason());
  }
  if (SSL_CTX_use_PrivateKey_file(ssl, key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    return SqlError::Make(kConfigFileError, "could not load private key file \"{}\": {}", key_file, Reason());
  }
  if (SSL_CTX_check_private_key(ssl) != 1) {
    return SqlError::Make(kConfigFileError, "check of private key \"{}\" failed: {}", key_file, Reason());
  }
  return context;
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

TlsChannel::TlsChannel(const TlsContext& context) : ssl_(SSL_new(context.context_)) {
  Check(ssl_ != nullptr, "SSL_new failed");
  SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_accept_state(ssl_);
}

TlsChannel::~TlsChannel() { SSL_free(ssl_); }

bool TlsChannel::Receive(std::string_view bytes, std::string& plain) {
  if (!bytes.empty()) BIO_write(SSL_get_rbio(ssl_), bytes.data(), static_cast<int>(bytes.size()));
  std::array<char, 16384> chunk;
  while (true) {
    ERR_clear_error();
    const int size = SSL_read(ssl_, chunk.data(), static_cast<int>(chunk.size()));
    if (size > 0) {
      plain.append(chunk.data(), static_cast<size_t>(size));
      continue;
    }
    CollectOutgoing();
    return SSL_get_error(ssl_, size) == SSL_ERROR_WANT_READ;
  }
}

bool TlsChannel::Send(std::string_view plain) {
  while (!plain.empty()) {
    ERR_clear_error();
    const int size = SSL_write(ssl_, plain.data(), static_cast<int>(std::min<size_t>(plain.size(), 1U << 20)));
    if (size <= 0) return false;
    plain.remove_prefix(static_cast<size_t>(size));
  }
  CollectOutgoing();
  return true;
}

void TlsChannel::CollectOutgoing() {
  BIO* bio = SSL_get_wbio(ssl_);
  const size_t pending = BIO_ctrl_pending(bio);
  if (pending == 0) return;
  const size_t start = outgoing_.size();
  outgoing_.resize(start + pending);
  BIO_read(bio, outgoing_.data() + start, static_cast<int>(pending));
}

}  // namespace mayfly::wire
