// One client's connection between its socket and its Protocol: reads, writes, waits, and hands statements that may wait to a
// worker.
//
// Ownership: while a statement is on a worker, the worker alone touches protocol, buffers and socket; it writes the answer itself
// and starts the next read, so that the I/O thread wakes up only when the client speaks again. Otherwise the I/O thread owns
// everything.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <memory>
#include <optional>
#include <string>

#include "wire/input_buffer.h"
#include "wire/protocol.h"
#include "wire/tls.h"
#include "wire/worker_pool.h"

namespace mayfly::wire {

using StreamSocket = boost::asio::generic::stream_protocol::socket;

// What a connection borrows of its server.
struct ConnectionContext {
  ProtocolHost& host;
  WorkerPool& workers;
  const TlsContext* tls = nullptr;
};

class Connection final : public OutputDrain, public std::enable_shared_from_this<Connection> {
 public:
  Connection(StreamSocket socket, const ConnectionContext& context, PeerOptions peer);

  // Runs until the connection is closed, whoever closes it.
  static boost::asio::awaitable<void> Serve(std::shared_ptr<Connection> connection);

  // The following are called on the connection's I/O thread, now and then.
  struct SweepOptions {
    int64_t now_ms = 0;
    int64_t authentication_timeout_ms = 60'000;
    bool stopping = false;       // idle sessions are told 57P01, running ones go on
    bool interrupt_all = false;  // running ones too
    bool close_all = false;      // no more waiting for anybody
  };
  // Looks after what no event reports: timeouts, memory of idle sessions, clients that went away while their statement runs.
  void Sweep(const SweepOptions& options);

  // OutputDrain, for workers.
  void Drain(std::string& output) override;

 private:
  enum class State : uint8_t { kReading, kBusy, kOnWorker };
  enum class Next : uint8_t { kRead, kAwaitWritable, kWorker, kClose };
  template <typename Handler>
  class WorkerJob;

  // Handles input until something has to be waited for. With may_block it waits for a slow client itself, and never answers
  // kAwaitWritable.
  Next Process(bool may_block);
  // Process(true) for a worker, and on through what a COPY's client goes on sending.
  Next ProcessOnWorker();
  void AfterFeed(const Outcome& outcome);
  // From now on output is written before anything else happens.
  void BeginWrite();
  // Writes on; true once all is written. Waits for the client only with may_block.
  bool Write(bool may_block);
  std::string& staged() { return tls_ != nullptr ? tls_->outgoing() : protocol_.output(); }

  boost::asio::mutable_buffer ReadTarget();
  // Takes what a read brought. False where that is the end of the connection.
  bool AfterRead(const boost::system::error_code& error, size_t size);
  bool TakeCipher(size_t size);
  // On a worker: reads what is there, or comes within a short while, as the I/O thread would. False where nothing did.
  bool ReadNow();
  // Does what a Sweep woke the connection up for.
  void WakeUp();
  void SetState(State state);
  void SweepReading(const SweepOptions& options, int64_t unchanged_ms);
  void SweepOnWorker(const SweepOptions& options, int64_t unchanged_ms);

  StreamSocket socket_;
  const ConnectionContext& context_;
  const int fd_;
  Protocol protocol_;
  InputBuffer input_;
  std::unique_ptr<TlsChannel> tls_;
  std::string cipher_;  // TLS records as they are read
  size_t wanted_ = 0;   // by the message at the front of the input
  size_t written_ = 0;  // of staged()
  bool writing_ = false;
  bool start_tls_ = false;
  std::optional<Next> then_;        // once all is written
  Next worker_next_ = Next::kRead;  // what a worker ended with

  // Written by the owner, read by Sweep: the count tells whether anything happened between two of them, without a clock.
  std::atomic<State> state_{State::kBusy};
  std::atomic<uint32_t> state_changes_{0};
  std::atomic<bool> broken_{false};

  enum class Wake : uint8_t { kNone, kShrink, kStop, kTimedOut };
  // I/O thread only.
  Wake wake_ = Wake::kNone;
  uint32_t swept_changes_ = 0;
  int64_t opened_ms_ = 0;
  int64_t changed_ms_ = 0;
  bool shrunk_ = false;
};

}  // namespace mayfly::wire
