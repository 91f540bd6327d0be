#include "storage/rocksdb/data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/bytes.h"

namespace mayfly::storage {

namespace {

constexpr std::string_view kFormatPrefix = "mayfly data directory format ";
constexpr size_t kSlotBytes = 24;
constexpr off_t kSlotStride = 4096;

SqlError FileError(std::string_view what, const std::string& path) {
  const int error = errno;
  return SqlError::Make(error == ENOSPC ? kDiskFull : kIoError, "could not {} \"{}\": {}", what, path, std::strerror(error));
}

Status SyncDirectory(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return FileError("open directory", path);
  const bool ok = ::fsync(fd) == 0;
  Status status = ok ? Ok() : Status(FileError("flush directory", path));
  ::close(fd);
  return status;
}

}  // namespace

Result<std::unique_ptr<DataDirectory>> DataDirectory::Open(const std::string& path, bool create_if_missing) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!create_if_missing) return SqlError::Make(kUndefinedFile, "data directory \"{}\" does not exist", path);
    fs::create_directories(path, error);
    if (error) return SqlError::Make(kIoError, "could not create data directory \"{}\": {}", path, error.message());
    ::chmod(path.c_str(), 0700);
  }
  std::unique_ptr<DataDirectory> directory(new DataDirectory(path));
  TRY_OK(directory->Lock());
  TRY_OK(directory->CheckFormat(create_if_missing));
  TRY_OK(directory->OpenClock());
  fs::remove_all(directory->scratch_path(), error);
  fs::create_directories(directory->scratch_path(), error);
  if (error) return SqlError::Make(kIoError, "could not create directory \"{}\": {}", directory->scratch_path(), error.message());
  return directory;
}

DataDirectory::~DataDirectory() {
  if (clock_fd_ >= 0) ::close(clock_fd_);
  if (lock_fd_ >= 0) ::close(lock_fd_);
}

Status DataDirectory::Lock() {
  const std::string file = path_ + "/LOCK_MAYFLY";
  lock_fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_fd_ < 0) return FileError("open lock file", file);
  if (::flock(lock_fd_, LOCK_EX | LOCK_NB) == 0) return Ok();
  if (errno != EWOULDBLOCK) return FileError("lock file", file);
  return SqlError::Make(kObjectInUse, "data directory \"{}\" is in use by another process", path_);
}

Status DataDirectory::CheckFormat(bool create) {
  const std::string file = path_ + "/FORMAT";
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    if (std::filesystem::exists(database_path(), error)) {
      return SqlError::Make(kDataCorrupted, "data directory \"{}\" has no file FORMAT", path_);
    }
    if (!create) return SqlError::Make(kUndefinedFile, "\"{}\" is not a data directory", path_);
    const std::string temporary = file + ".new";
    const std::string text = std::string(kFormatPrefix) + std::to_string(kFormat) + '\n';
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool written =
        fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(fd) == 0;
    Status status = written ? Ok() : Status(FileError("write file", temporary));
    if (fd >= 0) ::close(fd);
    TRY_OK(std::move(status));
    if (::rename(temporary.c_str(), file.c_str()) != 0) return FileError("rename file", temporary);
    return SyncDirectory(path_);
  }
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  int format = 0;
  if (!line.starts_with(kFormatPrefix) ||
      std::from_chars(line.data() + kFormatPrefix.size(), line.data() + line.size(), format).ec != std::errc()) {
    return SqlError::Make(kDataCorrupted, "file \"{}\" is damaged", file);
  }
  if (format == kFormat) return Ok();
  return SqlError::Make(kFeatureNotSupported,
                        "data directory \"{}\" has format version {}, but this server knows only version {}", path_, format,
                        kFormat);
}

Status DataDirectory::OpenClock() {
  const std::string file = path_ + "/CLOCK";
  clock_fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (clock_fd_ < 0) return FileError("open file", file);
  for (int slot = 0; slot < 2; ++slot) {
    char bytes[kSlotBytes];
    if (::pread(clock_fd_, bytes, sizeof bytes, slot * kSlotStride) != static_cast<ssize_t>(sizeof bytes)) continue;
    const int64_t mark = LoadLittleEndian<int64_t>(bytes);
    const int64_t count = LoadLittleEndian<int64_t>(bytes + 8);
    if (LoadLittleEndian<int64_t>(bytes + 16) != (mark ^ count ^ kFormat) || count <= mark_count_) continue;
    mark_ms_ = mark;
    mark_count_ = count;
  }
  return Ok();
}

Status DataDirectory::WriteClockMark(int64_t mark_ms) {
  ++mark_count_;
  std::string bytes;
  AppendLittleEndian(bytes, mark_ms);
  AppendLittleEndian(bytes, mark_count_);
  AppendLittleEndian(bytes, mark_ms ^ mark_count_ ^ int64_t{kFormat});
  if (::pwrite(clock_fd_, bytes.data(), bytes.size(), (mark_count_ % 2) * kSlotStride) != static_cast<ssize_t>(bytes.size()) ||
      ::fdatasync(clock_fd_) != 0) {
    return FileError("write file", path_ + "/CLOCK");
  }
  mark_ms_ = mark_ms;
  return Ok();
}

}  // namespace mayfly::storage
