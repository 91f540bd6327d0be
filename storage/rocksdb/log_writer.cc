#include "storage/rocksdb/log_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "storage/rocksdb/log_frame.h"

namespace mayfly::storage {

namespace {

using rocksdb::IOStatus;

constexpr size_t kAlignment = 4096;
// Appended bytes are written out, though not flushed, when there are this many.
constexpr size_t kPendingBytesMax = size_t{1} << 20;

IOStatus FileError(const char* what, const std::string& path) {
  const int error = errno;
  const std::string message = std::string(what) + " \"" + path + "\": " + std::strerror(error);
  return error == ENOSPC ? IOStatus::NoSpace(message) : IOStatus::IOError(message);
}

}  // namespace

void LogWriter::Buffer::Reserve(size_t size) {
  if (size <= capacity_) return;
  const size_t capacity = std::max((size + kAlignment - 1) / kAlignment * kAlignment, 2 * capacity_);
  auto* grown = static_cast<char*>(std::aligned_alloc(kAlignment, capacity));
  if (grown == nullptr) throw std::bad_alloc();
  if (size_ > 0) std::memcpy(grown, data_, size_);
  std::free(data_);
  data_ = grown;
  capacity_ = capacity;
}

void LogWriter::Buffer::Append(std::string_view bytes) {
  Reserve(size_ + bytes.size());
  std::memcpy(data_ + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
}

size_t LogWriter::Buffer::Pad() {
  const size_t padded = (size_ + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
  Reserve(padded);
  std::memset(data_ + size_, 0, padded - size_);
  return padded;
}

void LogWriter::Buffer::Swap(Buffer& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
}

IOStatus LogWriter::Open(const std::string& path, uint32_t salt, size_t extend_bytes, std::atomic<uint64_t>& flushes,
                         std::unique_ptr<LogWriter>* writer) {
  int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_DIRECT, 0644);
  const bool direct = fd >= 0;
  if (!direct) fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return FileError("could not open", path);
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    IOStatus status = FileError("could not look at", path);
    ::close(fd);
    return status;
  }
  // A size that is no whole number of sectors was not made here; what lies past the last one is written anew.
  const uint64_t size = static_cast<uint64_t>(info.st_size) / kAlignment * kAlignment;
  writer->reset(new LogWriter(path, fd, direct, size, salt, extend_bytes, flushes));
  return IOStatus::OK();
}

LogWriter::LogWriter(std::string path, int fd, bool direct, uint64_t size, uint32_t salt, size_t extend_bytes,
                     std::atomic<uint64_t>& flushes)
    : path_(std::move(path)),
      fd_(fd),
      salt_(salt),
      extend_bytes_(std::max(kAlignment, extend_bytes / kAlignment * kAlignment)),
      flushes_(flushes),
      direct_(direct),
      size_(size) {}

LogWriter::~LogWriter() {
  if (fd_ >= 0) ::close(fd_);
}

IOStatus LogWriter::Append(const rocksdb::Slice& data, const rocksdb::IOOptions&, rocksdb::IODebugContext*) {
  bool full = false;
  {
    std::lock_guard lock(buffer_mutex_);
    for (std::string_view rest(data.data(), data.size()); !rest.empty();) {
      const std::string_view part = rest.substr(0, kLogFrameBytesMax);
      char head[kLogFrameHeadBytes];
      EncodeLogFrameHead(salt_, pending_at_ + pending_.size(), part, head);
      pending_.Append({head, sizeof head});
      pending_.Append(part);
      rest.remove_prefix(part.size());
    }
    full = pending_.size() >= kPendingBytesMax;
  }
  appended_.fetch_add(data.size(), std::memory_order_relaxed);
  if (!full) return IOStatus::OK();
  std::lock_guard lock(write_mutex_);
  return WriteOut();
}

IOStatus LogWriter::Sync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) {
  std::lock_guard lock(write_mutex_);
  if (IOStatus status = WriteOut(); !status.ok()) return status;
  flushes_.fetch_add(1, std::memory_order_relaxed);
  return ::fdatasync(fd_) == 0 ? IOStatus::OK() : FileError("could not flush", path_);
}

IOStatus LogWriter::Close(const rocksdb::IOOptions&, rocksdb::IODebugContext*) {
  std::lock_guard lock(write_mutex_);
  IOStatus status = WriteOut();
  if (::close(std::exchange(fd_, -1)) != 0 && status.ok()) return FileError("could not close", path_);
  return status;
}

// Requires: write_mutex_. Appending goes on meanwhile, into a buffer that starts with the last sector.
IOStatus LogWriter::WriteOut() {
  uint64_t at = 0;
  {
    std::lock_guard lock(buffer_mutex_);
    if (pending_.size() == pending_tail_) return IOStatus::OK();
    writing_.Clear();
    writing_.Swap(pending_);
    at = pending_at_;
    const size_t whole = writing_.size() / kSectorBytes * kSectorBytes;
    pending_tail_ = writing_.size() - whole;
    pending_at_ = at + whole;
    pending_.Append({writing_.data() + whole, pending_tail_});
  }
  const size_t padded = writing_.Pad();
  if (at + padded > size_) {
    if (IOStatus status = Extend(at + padded); !status.ok()) return status;
  }
  return WriteAt(writing_.data(), padded, at);
}

// Zeros up to `end` and one piece more. The next flush also writes the file's new size, later ones only what is put over the
// zeros.
IOStatus LogWriter::Extend(uint64_t end) {
  constexpr size_t kPieceBytes = size_t{256} << 10;
  Buffer zeros;
  zeros.Append(std::string(kPieceBytes, '\0'));
  const uint64_t until = (end / extend_bytes_ + 1) * extend_bytes_;
  while (size_ < until) {
    const auto piece = static_cast<size_t>(std::min<uint64_t>(kPieceBytes, until - size_));
    if (IOStatus status = WriteAt(zeros.data(), piece, size_); !status.ok()) return status;
    size_ += piece;
  }
  return IOStatus::OK();
}

IOStatus LogWriter::WriteAt(const char* bytes, size_t size, uint64_t offset) {
  while (size > 0) {
    // Without direct writes, small ones keep the pages small that a flush has to write.
    const size_t step = direct_ ? size : std::min(size, kAlignment);
    const ssize_t written = ::pwrite(fd_, bytes, step, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EINVAL && direct_) {
      // The device wants larger sectors than ours.
      direct_ = false;
      if (::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) & ~O_DIRECT) != 0) return FileError("could not set up", path_);
      continue;
    }
    if (written <= 0) return FileError("could not write to", path_);
    bytes += written;
    size -= static_cast<size_t>(written);
    offset += static_cast<uint64_t>(written);
  }
  return IOStatus::OK();
}

}  // namespace mayfly::storage
