// A client's socket, for tests.
#pragma once

#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "tests/wire/script.h"

namespace mayfly::wire {

// `host` is an address, or the directory of a Unix socket. Reading gives up after ten seconds.
class SocketClient final : public ScriptTransport {
 public:
  SocketClient(std::string host, uint16_t port) : host_(std::move(host)), port_(port) {}
  ~SocketClient() override { Close(); }
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;

  void Connect() override {
    Close();
    const bool connected = host_.starts_with('/') ? ConnectUnix() : ConnectTcp();
    if (!connected) throw std::runtime_error("could not connect to " + host_);
    const timeval timeout{10, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  }
  void Send(std::string_view bytes) override { ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  bool Receive(std::string& bytes) override {
    char chunk[4096];
    const ssize_t size = ::recv(fd_, chunk, sizeof chunk, 0);
    if (size <= 0) return false;
    bytes.append(chunk, static_cast<size_t>(size));
    return true;
  }
  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

  // Reads to the first message of this tag, or to the end; gives all messages as script lines.
  std::string ReadTo(char tag) {
    std::string lines;
    while (true) {
      while (received_.size() < 5 || received_.size() < 1 + LoadBigEndian<uint32_t>(received_.data() + 1)) {
        if (!Receive(received_)) return lines + "Closed\n";
      }
      const size_t total = 1 + LoadBigEndian<uint32_t>(received_.data() + 1);
      const char got = received_[0];
      last_ = received_.substr(5, total - 5);
      lines += DescribeBackendMessage(got, last_) + "\n";
      received_.erase(0, total);
      if (got == tag) return lines;
    }
  }
  // The body of the last message read.
  const std::string& last() const { return last_; }
  std::string Ask(std::string_view script_line) {
    Send(EncodeScriptLine(script_line));
    return ReadTo('Z');
  }
  // Connects and logs in as postgres, by trust.
  std::string LogIn() {
    Connect();
    return Ask(R"(Startup 3.0 "user" "postgres")");
  }

 private:
  bool ConnectUnix() {
    fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = host_ + "/.s.PGSQL." + std::to_string(port_);
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  bool ConnectTcp() {
    addrinfo* found = nullptr;
    if (::getaddrinfo(host_.c_str(), std::to_string(port_).c_str(), nullptr, &found) != 0) return false;
    fd_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int result = ::connect(fd_, found->ai_addr, found->ai_addrlen);
    ::freeaddrinfo(found);
    return result == 0;
  }

  const std::string host_;
  const uint16_t port_;
  int fd_ = -1;
  std::string received_;
  std::string last_;
};

}  // namespace mayfly::wire
