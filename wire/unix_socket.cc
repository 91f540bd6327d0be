#include "wire/unix_socket.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

namespace mayfly::wire {
namespace {

SqlError SystemError(const std::string& what) { return SqlError::Make(kIoError, "{}: {}", what, std::strerror(errno)); }

// Whether somebody accepts connections there.
bool IsLive(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int result = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  // EAGAIN: a full backlog, so somebody listens.
  const bool live = result == 0 || errno == EAGAIN;
  ::close(fd);
  return live;
}

// The process that a lock file names, where it is alive and not this one; 0 otherwise.
pid_t LivingOwner(const std::string& lock_path) {
  std::ifstream file(lock_path);
  std::string line;
  if (!std::getline(file, line)) return 0;
  pid_t pid = 0;
  std::from_chars(line.data(), line.data() + line.size(), pid);
  if (pid < 0) pid = -pid;
  if (pid == 0 || pid == ::getpid()) return 0;
  return ::kill(pid, 0) == 0 || errno == EPERM ? pid : 0;
}

}  // namespace

Result<UnixSocketPlace> UnixSocketPlace::Take(const std::string& directory, uint16_t port) {
  const std::string path = fmt::format("{}/.s.PGSQL.{}", directory, port);
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return SqlError::Make(kIoError, "Unix socket path \"{}\" is too long (maximum {} bytes)", path,
                          sizeof(sockaddr_un::sun_path) - 1);
  }
  const std::string lock_path = path + ".lock";
  // A process id alone proves nothing after a restart of the machine: the socket must answer too.
  if (IsLive(path)) {
    const pid_t owner = LivingOwner(lock_path);
    return SqlError::Make(kIoError, "Unix socket \"{}\" is in use by another server{}", path,
                          owner == 0 ? std::string() : fmt::format(" (process {})", owner));
  }
  ::unlink(path.c_str());
  ::unlink(lock_path.c_str());
  const int fd = ::open(lock_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return SystemError(fmt::format("could not create lock file \"{}\"", lock_path));
  const std::string pid = fmt::format("{}\n", ::getpid());
  const bool written = ::write(fd, pid.data(), pid.size()) == static_cast<ssize_t>(pid.size());
  ::close(fd);
  if (!written) return SystemError(fmt::format("could not write lock file \"{}\"", lock_path));
  return UnixSocketPlace(path);
}

UnixSocketPlace::~UnixSocketPlace() {
  if (path_.empty()) return;
  ::unlink(path_.c_str());
  ::unlink((path_ + ".lock").c_str());
}

std::string DefaultSocketDirectory() {
  constexpr const char* kDistribution = "/var/run/postgresql";
  return ::access(kDistribution, W_OK) == 0 ? kDistribution : "/tmp";
}

}  // namespace mayfly::wire
