// TLS as a filter between bytes and bytes, by OpenSSL over memory: no socket in sight, so that a worker thread can write a result
// through it as well as the I/O thread. An idle channel keeps no record buffers.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct ssl_ctx_st;
struct ssl_st;

namespace mayfly::wire {

// The server's certificate and key. Immutable, shared by all connections.
class TlsContext {
 public:
  // PEM files. F0000 naming the file that could not be used.
  static Result<std::unique_ptr<TlsContext>> Load(const std::string& certificate_file, const std::string& key_file);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 private:
  friend class TlsChannel;
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  ssl_ctx_st* context_;
};

// One connection's channel, the server's side. One thread at a time.
class TlsChannel {
 public:
  explicit TlsChannel(const TlsContext& context);
  ~TlsChannel();
  TlsChannel(const TlsChannel&) = delete;
  TlsChannel& operator=(const TlsChannel&) = delete;

  // Takes bytes of the peer and appends what they say to `plain`; answers of the handshake go to outgoing(). False where the peer
  // broke the protocol or ended the channel.
  bool Receive(std::string_view bytes, std::string& plain);
  // Encrypts to outgoing(). Requires: the handshake is done. False where the channel is broken.
  bool Send(std::string_view plain);
  // To be written to the peer; whoever does clears it.
  std::string& outgoing() { return outgoing_; }

 private:
  void CollectOutgoing();

  ssl_st* ssl_;
  std::string outgoing_;
};

}  // namespace mayfly::wire
