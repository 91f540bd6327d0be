#include "wire/server.h"

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <future>
#include <optional>
#include <thread>
#include <unordered_set>

#include "wire/connection.h"
#include "wire/session_registry.h"
#include "wire/unix_socket.h"

namespace mayfly::wire {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using asio::local::stream_protocol;
using boost::system::error_code;

constexpr auto kSweepInterval = std::chrono::milliseconds(500);
constexpr auto kStoppingSweepInterval = std::chrono::milliseconds(20);
// After the interrupt, sockets are shut so that nobody waits for a client any more.
constexpr int64_t kCloseAllMs = 5000;
constexpr size_t kMockKeyBytes = 32;

int64_t SteadyMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

SqlError ListenError(const std::string& address, const error_code& error) {
  return SqlError::Make(kIoError, "could not listen on {}: {}", address, error.message());
}

// One I/O thread and its connections. The set is touched on that thread only.
struct Loop {
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  asio::steady_timer timer{context};
  std::unordered_set<Connection*> connections;
  bool sweeping = true;  // its SweepLoop runs
  std::thread thread;
};

}  // namespace

class Server::Impl final : public ProtocolHost {
 public:
  Impl(session::Instance& instance, const ServerOptions& options)
      : instance_(instance),
        options_(options),
        registry_(instance, options.connections_max),
        workers_(options.workers_max),
        context_{*this, workers_, nullptr},
        mock_key_(kMockKeyBytes, '\0') {
    FillRandom(reinterpret_cast<unsigned char*>(mock_key_.data()), mock_key_.size());
  }
  ~Impl() override { Stop(); }

  Status Start();
  void Stop();
  uint16_t port() const { return port_; }
  const std::vector<std::string>& addresses() const { return addresses_; }
  size_t session_count() const { return registry_.count(); }

  std::optional<std::string> PasswordVerifier(std::string_view user) override {
    const auto found = options_.verifiers.find(user);
    return found != options_.verifiers.end() ? found->second : instance_.PasswordVerifier(user);
  }
  Result<OpenedSession> OpenSession(session::StartupRequest request) override { return registry_.Open(std::move(request)); }
  void CloseSession(int32_t pid) override { registry_.Close(pid); }
  void Cancel(const CancelRequest& request) override { registry_.Cancel(request); }
  void Refused(const SqlError& error, std::string_view user, std::string_view client_address) override {
    if (options_.log == nullptr) return;
    options_.log->Warning("connection refused",
                          {{"sqlstate", error.state.code()},
                           {"reason", error.message},
                           {"user", user},
                           {"client", client_address.empty() ? std::string_view("local") : client_address}});
  }

 private:
  Status LoadTls();
  Status ListenTcp(const std::string& host);
  Status ListenOn(const tcp::endpoint& endpoint);
  Status ListenUnix();
  void Run();

  asio::awaitable<void> AcceptTcp(tcp::acceptor& acceptor);
  asio::awaitable<void> AcceptUnix(stream_protocol::acceptor& acceptor);
  // Waits a little where accepting failed for want of something.
  asio::awaitable<void> AfterAcceptError(error_code error);
  void Begin(Loop& loop, StreamSocket socket, PeerOptions peer);
  asio::awaitable<void> Serve(Loop& loop, std::shared_ptr<Connection> connection);
  asio::awaitable<void> SweepLoop(Loop& loop);
  Loop& NextLoop() { return *loops_[next_loop_++ % loops_.size()]; }
  PeerOptions Peer(bool loopback, std::string address) const;

  session::Instance& instance_;
  const ServerOptions options_;
  SessionRegistry registry_;
  WorkerPool workers_;
  std::unique_ptr<TlsContext> tls_;
  ConnectionContext context_;
  std::string mock_key_;
  std::vector<std::unique_ptr<Loop>> loops_;
  size_t next_loop_ = 0;
  std::vector<tcp::acceptor> tcp_acceptors_;
  std::optional<UnixSocketPlace> unix_place_;
  std::optional<stream_protocol::acceptor> unix_acceptor_;
  uint16_t port_ = 0;
  std::vector<std::string> addresses_;
  bool running_ = false;
  bool accepting_ = true;  // looked at on the first loop, where connections are accepted
  std::atomic<bool> stopping_{false};
  std::atomic<int64_t> stopping_since_ms_{0};
};

Status Server::Impl::Start() {
  TRY_OK(LoadTls());
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (size_t i = 0; i < (options_.io_threads != 0 ? options_.io_threads : cores); ++i)
    loops_.push_back(std::make_unique<Loop>());
  port_ = options_.port;
  for (const std::string& host : options_.hosts) TRY_OK(ListenTcp(host));
  TRY_OK(ListenUnix());
  Run();
  return Ok();
}

Status Server::Impl::LoadTls() {
  if (options_.ssl_cert_file.empty() && options_.ssl_key_file.empty()) return Ok();
  TRY(auto, tls, TlsContext::Load(options_.ssl_cert_file, options_.ssl_key_file));
  tls_ = std::move(tls);
  context_.tls = tls_.get();
  return Ok();
}

Status Server::Impl::ListenTcp(const std::string& host) {
  error_code error;
  if (host == "*") return ListenOn(tcp::endpoint(tcp::v6(), port_));
  tcp::resolver resolver(loops_[0]->context);
  const auto found = resolver.resolve(host, std::to_string(port_), tcp::resolver::passive, error);
  if (error) return ListenError(fmt::format("\"{}\"", host), error);
  for (const auto& entry : found) {
    tcp::endpoint endpoint = entry.endpoint();
    endpoint.port(port_);
    TRY_OK(ListenOn(endpoint));
  }
  return Ok();
}

Status Server::Impl::ListenOn(const tcp::endpoint& endpoint) {
  const std::string text = fmt::format("{}:{}", endpoint.address().to_string(), endpoint.port());
  if (options_.authentication == Authentication::kTrust && !endpoint.address().is_loopback()) {
    return SqlError::Make(kInvalidParameterValue, "authentication \"trust\" is allowed on loopback addresses only, not on {}",
                          text)
        .Hint("Use \"auto\" or \"scram-sha-256\".");
  }
  tcp::acceptor acceptor(loops_[0]->context);
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  // All addresses: IPv4 comes through the same socket.
  if (!error && endpoint.address().is_v6()) {
    acceptor.set_option(asio::ip::v6_only(!endpoint.address().is_unspecified()), error);
  }
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return ListenError(text, error);
  port_ = acceptor.local_endpoint().port();
  addresses_.push_back(fmt::format("{}:{}", endpoint.address().to_string(), port_));
  tcp_acceptors_.push_back(std::move(acceptor));
  return Ok();
}

Status Server::Impl::ListenUnix() {
  if (options_.socket_directory.empty()) return Ok();
  TRY(auto, place, UnixSocketPlace::Take(options_.socket_directory, port_));
  unix_place_.emplace(std::move(place));
  unix_acceptor_.emplace(loops_[0]->context);
  error_code error;
  unix_acceptor_->open(stream_protocol(), error);
  if (!error) unix_acceptor_->bind(stream_protocol::endpoint(unix_place_->path()), error);
  if (!error) unix_acceptor_->listen(asio::socket_base::max_listen_connections, error);
  if (error) return ListenError(unix_place_->path(), error);
  addresses_.push_back(unix_place_->path());
  return Ok();
}

void Server::Impl::Run() {
  const auto ignore = [](std::exception_ptr) {};
  for (tcp::acceptor& acceptor : tcp_acceptors_) asio::co_spawn(loops_[0]->context, AcceptTcp(acceptor), ignore);
  if (unix_acceptor_) asio::co_spawn(loops_[0]->context, AcceptUnix(*unix_acceptor_), ignore);
  for (const auto& loop : loops_) {
    asio::co_spawn(loop->context, SweepLoop(*loop), ignore);
    loop->thread = std::thread([context = &loop->context] { context->run(); });
  }
  running_ = true;
}

void Server::Impl::Stop() {
  if (!running_) return;
  running_ = false;
  registry_.RefuseNew();
  // First no new connections, so that the sweeps that follow see all there are.
  std::promise<void> closed;
  asio::post(loops_[0]->context, [this, &closed] {
    error_code ignored;
    accepting_ = false;
    for (tcp::acceptor& acceptor : tcp_acceptors_) acceptor.close(ignored);
    if (unix_acceptor_) unix_acceptor_->close(ignored);
    closed.set_value();
  });
  closed.get_future().wait();
  stopping_since_ms_ = SteadyMs();
  stopping_ = true;
  for (const auto& loop : loops_) {
    asio::post(loop->context, [loop = loop.get()] { loop->timer.cancel(); });
    loop->work.reset();
  }
  // A loop ends with its last connection.
  for (const auto& loop : loops_) loop->thread.join();
  workers_.Stop();
  tcp_acceptors_.clear();
  unix_acceptor_.reset();
  unix_place_.reset();
}

asio::awaitable<void> Server::Impl::AcceptTcp(tcp::acceptor& acceptor) {
  error_code error;
  while (acceptor.is_open()) {
    Loop& loop = NextLoop();
    tcp::socket socket = co_await acceptor.async_accept(loop.context, asio::redirect_error(asio::use_awaitable, error));
    if (error) {
      co_await AfterAcceptError(error);
      continue;
    }
    socket.set_option(tcp::no_delay(true), error);
    socket.set_option(asio::socket_base::keep_alive(true), error);
    const tcp::endpoint peer = socket.remote_endpoint(error);
    if (error) continue;  // gone already
    asio::ip::address address = peer.address();
    if (address.is_v6() && address.to_v6().is_v4_mapped())
      address = asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
    Begin(loop, StreamSocket(std::move(socket)), Peer(address.is_loopback(), address.to_string()));
  }
}

asio::awaitable<void> Server::Impl::AcceptUnix(stream_protocol::acceptor& acceptor) {
  error_code error;
  while (acceptor.is_open()) {
    Loop& loop = NextLoop();
    stream_protocol::socket socket =
        co_await acceptor.async_accept(loop.context, asio::redirect_error(asio::use_awaitable, error));
    if (error) {
      co_await AfterAcceptError(error);
      continue;
    }
    Begin(loop, StreamSocket(std::move(socket)), Peer(true, {}));
  }
}

asio::awaitable<void> Server::Impl::AfterAcceptError(error_code error) {
  if (error == asio::error::operation_aborted || error == asio::error::connection_aborted) co_return;
  // Out of file descriptors or memory: connections that end make room.
  asio::steady_timer timer(loops_[0]->context, std::chrono::milliseconds(50));
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
}

PeerOptions Server::Impl::Peer(bool loopback, std::string address) const {
  PeerOptions peer;
  // As in PostgreSQL, a Unix socket is never encrypted.
  peer.tls_available = tls_ != nullptr && !address.empty();
  peer.trusted = loopback && options_.authentication != Authentication::kScram;
  peer.client_address = std::move(address);
  peer.mock_key = mock_key_;
  return peer;
}

void Server::Impl::Begin(Loop& loop, StreamSocket socket, PeerOptions peer) {
  // Accepted in the very moment of the stop: its loop may have ended already.
  if (!accepting_) return;
  auto connection = std::make_shared<Connection>(std::move(socket), context_, std::move(peer));
  asio::co_spawn(loop.context, Serve(loop, std::move(connection)), [](std::exception_ptr) {
    // An exception here is memory that was not to be had: the connection is closed, the server lives on.
  });
}

asio::awaitable<void> Server::Impl::Serve(Loop& loop, std::shared_ptr<Connection> connection) {
  struct Membership {
    Loop& loop;
    Connection* connection;
    ~Membership() { loop.connections.erase(connection); }
  };
  loop.connections.insert(connection.get());
  const Membership membership{loop, connection.get()};
  // Accepted just before the stop, and started only after the loop's last sweep.
  if (!std::exchange(loop.sweeping, true)) asio::co_spawn(loop.context, SweepLoop(loop), [](std::exception_ptr) {});
  co_await Connection::Serve(connection);
}

asio::awaitable<void> Server::Impl::SweepLoop(Loop& loop) {
  error_code error;
  while (true) {
    Connection::SweepOptions sweep;
    sweep.now_ms = SteadyMs();
    sweep.authentication_timeout_ms = options_.authentication_timeout_ms;
    sweep.stopping = stopping_;
    const int64_t stopping_ms = sweep.now_ms - stopping_since_ms_;
    sweep.interrupt_all = sweep.stopping && stopping_ms >= options_.drain_ms;
    sweep.close_all = sweep.stopping && stopping_ms >= options_.drain_ms + kCloseAllMs;
    for (Connection* connection : loop.connections) connection->Sweep(sweep);
    if (sweep.stopping && loop.connections.empty()) {
      loop.sweeping = false;
      co_return;
    }
    if (sweep.stopping) {
      loop.timer.expires_after(kStoppingSweepInterval);
    } else {
      loop.timer.expires_after(kSweepInterval);
    }
    co_await loop.timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
  }
}

Result<std::unique_ptr<Server>> Server::Start(session::Instance& instance, const ServerOptions& options) {
  auto impl = std::make_unique<Impl>(instance, options);
  TRY_OK(impl->Start());
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;
uint16_t Server::port() const { return impl_->port(); }
std::vector<std::string> Server::addresses() const { return impl_->addresses(); }
size_t Server::session_count() const { return impl_->session_count(); }
void Server::Stop() { impl_->Stop(); }

}  // namespace mayfly::wire
