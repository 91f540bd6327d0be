#include "wire/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <new>

namespace mayfly::wire {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// A session that said nothing for so long gives its memory back; a statement that runs for so long has its client looked at.
constexpr int64_t kIdleMs = 2000;
constexpr int64_t kLongStatementMs = 1000;
// So long a worker waits for the next data of a COPY before it gives the connection back to the I/O thread.
constexpr int kCopyWaitMs = 20;
constexpr size_t kCipherBytes = 16 * 1024;
constexpr size_t kIdleCipherBytes = 512;
// A buffer that a large result left is not kept.
constexpr size_t kOutputKeptBytes = 2 * kOutputHighWater;

SqlError Shutdown() {
  return SqlError::MakeText(kAdminShutdown, "terminating connection due to administrator command").As(Severity::kFatal);
}

bool PeerIsGone(int fd) {
  pollfd poll_fd{fd, POLLRDHUP, 0};
  return ::poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

}  // namespace

// A stretch of Process on a worker. Ends by starting the next read, or by waking the connection's coroutine.
template <typename Handler>
class Connection::WorkerJob final : public WorkerPool::Job {
 public:
  WorkerJob(Connection& connection, Handler handler) : connection_(connection), handler_(std::move(handler)) {}

  void Run() override {
    Connection& connection = connection_;
    const Next next = connection.ProcessOnWorker();
    connection.worker_next_ = next;
    if (next == Next::kRead) {
      const asio::mutable_buffer target = connection.ReadTarget();
      connection.SetState(State::kReading);
      // From here on the I/O thread may own the connection.
      connection.socket_.async_read_some(target, std::move(handler_));
      return;
    }
    const auto executor = asio::get_associated_executor(handler_);
    asio::post(executor, [handler = std::move(handler_)]() mutable { std::move(handler)(error_code(), size_t{0}); });
  }

 private:
  Connection& connection_;  // alive: its coroutine waits for the handler
  Handler handler_;
};

Connection::Connection(StreamSocket socket, const ConnectionContext& context, PeerOptions peer)
    : socket_(std::move(socket)),
      context_(context),
      fd_(socket_.native_handle()),
      protocol_(context.host, std::move(peer), this) {}

asio::awaitable<void> Connection::Serve(std::shared_ptr<Connection> self) {
  error_code error;
  Next next = self->Process(false);
  while (next != Next::kClose) {
    size_t size = 0;
    if (next == Next::kAwaitWritable) {
      co_await self->socket_.async_wait(StreamSocket::wait_write, asio::redirect_error(asio::use_awaitable, error));
      next = error ? Next::kClose : self->Process(false);
      continue;
    }
    if (next == Next::kRead) {
      const asio::mutable_buffer target = self->ReadTarget();
      self->SetState(State::kReading);
      size = co_await self->socket_.async_read_some(target, asio::redirect_error(asio::use_awaitable, error));
    } else {
      self->SetState(State::kOnWorker);
      auto token = asio::redirect_error(asio::use_awaitable, error);
      auto start = [connection = self.get()](auto handler) {
        const bool urgent = connection->protocol_.holds_transaction();
        connection->context_.workers.Submit(std::make_unique<WorkerJob<decltype(handler)>>(*connection, std::move(handler)),
                                            urgent);
      };
      size = co_await asio::async_initiate<decltype(token), void(error_code, size_t)>(std::move(start), token);
      if (self->worker_next_ != Next::kRead) {
        self->SetState(State::kBusy);
        next = self->worker_next_;
        continue;
      }
    }
    self->SetState(State::kBusy);
    next = self->AfterRead(error, size) ? self->Process(false) : Next::kClose;
  }
  self->socket_.shutdown(StreamSocket::shutdown_both, error);
  self->socket_.close(error);
}

Connection::Next Connection::Process(bool may_block) {
  while (true) {
    if (writing_ && !Write(may_block)) return broken_ ? Next::kClose : Next::kAwaitWritable;
    if (broken_) return Next::kClose;
    if (start_tls_) {
      start_tls_ = false;
      tls_ = std::make_unique<TlsChannel>(*context_.tls);
    }
    if (then_) {
      const Next next = *then_;
      then_.reset();
      return next;
    }
    AfterFeed(protocol_.Feed(input_.view(), may_block));
  }
}

Connection::Next Connection::ProcessOnWorker() {
  try {
    Next next = Process(true);
    while (next == Next::kRead && protocol_.in_copy() && ReadNow()) next = Process(true);
    return next;
  } catch (const std::bad_alloc&) {
    // Memory for the client's bytes was not to be had: the connection ends, the server lives on.
    broken_ = true;
    return Next::kClose;
  }
}

void Connection::AfterFeed(const Outcome& outcome) {
  input_.Consume(outcome.consumed);
  wanted_ = outcome.wanted;
  const bool flush = protocol_.TakeFlush();
  switch (outcome.action) {
    case Action::kRead: then_ = Next::kRead; break;
    case Action::kRunOnWorker: then_ = Next::kWorker; break;
    case Action::kWrite: BeginWrite(); break;
    case Action::kStartTls: start_tls_ = true; break;
    case Action::kClose: then_ = Next::kClose; break;
  }
  if (flush || outcome.action == Action::kClose) BeginWrite();
}

void Connection::BeginWrite() {
  if (tls_ != nullptr && !protocol_.output().empty()) {
    if (!tls_->Send(protocol_.output())) broken_ = true;
    protocol_.output().clear();
  }
  writing_ = !staged().empty();
}

bool Connection::Write(bool may_block) {
  std::string& bytes = staged();
  while (written_ < bytes.size()) {
    const ssize_t size = ::send(fd_, bytes.data() + written_, bytes.size() - written_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size >= 0) {
      written_ += static_cast<size_t>(size);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!may_block) return false;
      pollfd poll_fd{fd_, POLLOUT, 0};
      ::poll(&poll_fd, 1, -1);
    } else if (errno != EINTR) {
      broken_ = true;
      break;
    }
  }
  written_ = 0;
  writing_ = false;
  bytes.clear();
  if (bytes.capacity() > kOutputKeptBytes) bytes = std::string();
  return !broken_;
}

void Connection::Drain(std::string& output) {
  if (!broken_) {
    BeginWrite();
    Write(true);
    if (broken_) protocol_.Interrupt(SqlError::MakeText(kConnectionFailure, "connection to client lost").As(Severity::kFatal));
  }
  output.clear();
}

asio::mutable_buffer Connection::ReadTarget() {
  if (tls_ != nullptr) {
    cipher_.resize(shrunk_ ? kIdleCipherBytes : kCipherBytes);
    return asio::buffer(cipher_);
  }
  input_.Reserve(wanted_);
  return asio::buffer(input_.space(), input_.space_size());
}

bool Connection::ReadNow() {
  const asio::mutable_buffer target = ReadTarget();
  ssize_t size = ::recv(fd_, target.data(), target.size(), MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    pollfd poll_fd{fd_, POLLIN, 0};
    if (::poll(&poll_fd, 1, kCopyWaitMs) != 1) return false;
    size = ::recv(fd_, target.data(), target.size(), MSG_DONTWAIT);
  }
  // The end and errors are seen again by the read that follows.
  return size > 0 && AfterRead(error_code(), static_cast<size_t>(size));
}

bool Connection::AfterRead(const error_code& error, size_t size) {
  if (error == asio::error::operation_aborted && wake_ != Wake::kNone) {
    WakeUp();
    return true;
  }
  if (error) return false;
  shrunk_ = false;
  if (tls_ != nullptr) return TakeCipher(size);
  const bool filled = size == input_.space_size();
  input_.Received(size);
  if (filled) input_.GrowForMore();
  return true;
}

bool Connection::TakeCipher(size_t size) {
  std::string plain;
  if (!tls_->Receive({cipher_.data(), size}, plain)) {
    // The peer is told why where the protocol has something to tell (an alert).
    writing_ = !staged().empty();
    if (writing_) Write(false);
    return false;
  }
  input_.Append(plain);
  if (!staged().empty()) writing_ = true;
  return true;
}

void Connection::WakeUp() {
  const Wake wake = wake_;
  wake_ = Wake::kNone;
  if (wake == Wake::kShrink) {
    if (!input_.view().empty()) return;
    shrunk_ = true;
    input_.Shrink();
    protocol_.Shrink();
    cipher_ = std::string();
    return;
  }
  if (wake == Wake::kStop) protocol_.Terminate(Shutdown());
  if (wake == Wake::kTimedOut) protocol_.Terminate(SqlError::MakeText(kQueryCanceled, "canceling authentication due to timeout"));
  BeginWrite();
  then_ = Next::kClose;
}

void Connection::SetState(State state) {
  state_changes_.fetch_add(1, std::memory_order_relaxed);
  state_.store(state, std::memory_order_release);
}

void Connection::Sweep(const SweepOptions& options) {
  const State state = state_.load(std::memory_order_acquire);
  const uint32_t changes = state_changes_.load(std::memory_order_relaxed);
  if (opened_ms_ == 0) opened_ms_ = options.now_ms;
  if (changes != swept_changes_ || changed_ms_ == 0) {
    swept_changes_ = changes;
    changed_ms_ = options.now_ms;
  }
  const int64_t unchanged_ms = options.now_ms - changed_ms_;
  if (options.close_all) {
    broken_ = true;
    ::shutdown(fd_, SHUT_RDWR);
    if (state == State::kReading) socket_.cancel();
    return;
  }
  if (state == State::kReading) SweepReading(options, unchanged_ms);
  if (state == State::kOnWorker) SweepOnWorker(options, unchanged_ms);
}

void Connection::SweepReading(const SweepOptions& options, int64_t unchanged_ms) {
  if (options.stopping) {
    wake_ = Wake::kStop;
  } else if (!protocol_.authenticated()) {
    if (options.now_ms - opened_ms_ < options.authentication_timeout_ms) return;
    wake_ = Wake::kTimedOut;
  } else {
    if (shrunk_ || unchanged_ms < kIdleMs) return;
    wake_ = Wake::kShrink;
  }
  // A worker may be just about to start the read: then the next sweep wakes it up.
  error_code ignored;
  socket_.cancel(ignored);
}

void Connection::SweepOnWorker(const SweepOptions& options, int64_t unchanged_ms) {
  // The session is there, and stays, while a statement is on a worker.
  if (options.interrupt_all) {
    protocol_.Interrupt(Shutdown());
  } else if (unchanged_ms >= kLongStatementMs && PeerIsGone(fd_)) {
    broken_ = true;
    protocol_.Interrupt(SqlError::MakeText(kConnectionFailure, "connection to client lost").As(Severity::kFatal));
  }
}

}  // namespace mayfly::wire
