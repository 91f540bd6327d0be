#include "storage/rocksdb/log_file_system.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "storage/rocksdb/log_frame.h"
#include "storage/rocksdb/log_writer.h"

namespace mayfly::storage {

namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

// The number of "…/000123.log"; nullopt for any other file.
std::optional<uint64_t> LogNumber(const std::string& path) {
  constexpr std::string_view kSuffix = ".log";
  if (!path.ends_with(kSuffix)) return std::nullopt;
  const size_t slash = path.rfind('/');
  const char* begin = path.data() + (slash == std::string::npos ? 0 : slash + 1);
  const char* end = path.data() + path.size() - kSuffix.size();
  uint64_t number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Stands for a log file after recovery, which RocksDB opens only to cut it off.
class ClosedLog final : public rocksdb::FSWritableFile {
 public:
  using FSWritableFile::Append;
  IOStatus Append(const rocksdb::Slice&, const IOOptions&, IODebugContext*) override {
    return IOStatus::NotSupported("a log file is not written to after recovery");
  }
  IOStatus Truncate(uint64_t, const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
};

// Hands out the bytes of the frames, up to the first one that does not fit.
class LogReader final : public rocksdb::FSSequentialFile {
 public:
  LogReader(std::unique_ptr<rocksdb::FSSequentialFile> file, uint32_t salt) : file_(std::move(file)), salt_(salt) {}

  IOStatus Read(size_t size, const IOOptions& options, rocksdb::Slice* result, char* scratch, IODebugContext* debug) override {
    size_t filled = 0;
    while (filled < size) {
      if (frame_.size() == taken_) {
        if (at_end_) break;
        if (IOStatus status = ReadFrame(options, debug); !status.ok()) return status;
        continue;
      }
      const size_t step = std::min(size - filled, frame_.size() - taken_);
      std::memcpy(scratch + filled, frame_.data() + taken_, step);
      filled += step;
      taken_ += step;
    }
    *result = rocksdb::Slice(scratch, filled);
    return IOStatus::OK();
  }
  IOStatus Skip(uint64_t size) override {
    std::string scratch(size, '\0');
    rocksdb::Slice result;
    return Read(size, IOOptions(), &result, scratch.data(), nullptr);
  }

 private:
  IOStatus ReadFrame(const IOOptions& options, IODebugContext* debug) {
    frame_.clear();
    taken_ = 0;
    at_end_ = true;
    char head[kLogFrameHeadBytes];
    size_t got = 0;
    if (IOStatus status = ReadFully(head, sizeof head, got, options, debug); !status.ok()) return status;
    const uint32_t size = got == sizeof head ? LogFrameSize(salt_, head) : 0;
    if (size == 0) return IOStatus::OK();
    frame_.resize(size);
    if (IOStatus status = ReadFully(frame_.data(), size, got, options, debug); !status.ok()) return status;
    if (got != size || !IsLogFrame(salt_, offset_, head, frame_)) {
      frame_.clear();
      return IOStatus::OK();
    }
    offset_ += sizeof head + size;
    at_end_ = false;
    return IOStatus::OK();
  }

  // Through a buffer, since most frames are small.
  IOStatus ReadFully(char* out, size_t size, size_t& got, const IOOptions& options, IODebugContext* debug) {
    got = 0;
    while (got < size) {
      if (buffer_at_ == buffered_.size()) {
        buffer_.resize(size_t{256} << 10);
        if (IOStatus status = file_->Read(buffer_.size(), options, &buffered_, buffer_.data(), debug); !status.ok())
          return status;
        buffer_at_ = 0;
        if (buffered_.empty()) return IOStatus::OK();
      }
      const size_t step = std::min(size - got, buffered_.size() - buffer_at_);
      std::memcpy(out + got, buffered_.data() + buffer_at_, step);
      got += step;
      buffer_at_ += step;
    }
    return IOStatus::OK();
  }

  std::unique_ptr<rocksdb::FSSequentialFile> file_;
  const uint32_t salt_;
  uint64_t offset_ = 0;
  std::string frame_;
  size_t taken_ = 0;
  bool at_end_ = false;
  std::string buffer_;
  rocksdb::Slice buffered_;
  size_t buffer_at_ = 0;
};

}  // namespace

LogFileSystem::LogFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base, LogFileOptions options)
    : FileSystemWrapper(base), options_(std::move(options)) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(options_.spare_dir, error);
  for (const fs::directory_entry& entry : fs::directory_iterator(options_.spare_dir, error)) {
    const std::string name = entry.path().filename().string();
    uint64_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    spare_number_ = std::max(spare_number_, number + 1);
    spares_.push_back({entry.path().string(), entry.file_size(error)});
  }
}

rocksdb::IOStatus LogFileSystem::NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                                   std::unique_ptr<rocksdb::FSSequentialFile>* file, IODebugContext* debug) {
  const std::optional<uint64_t> number = LogNumber(path);
  IOStatus status = FileSystemWrapper::NewSequentialFile(path, options, file, debug);
  if (!status.ok() || !number.has_value()) return status;
  *file = std::make_unique<LogReader>(std::move(*file), LogSalt(*number));
  return status;
}

rocksdb::IOStatus LogFileSystem::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                                 std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) {
  const std::optional<uint64_t> number = LogNumber(path);
  if (!number.has_value()) return FileSystemWrapper::NewWritableFile(path, options, file, debug);
  TakeSpare(path);
  std::unique_ptr<LogWriter> writer;
  IOStatus status = LogWriter::Open(path, LogSalt(*number), options_.extend_bytes, flushes_, &writer);
  *file = std::move(writer);
  if (status.ok()) newest_.store(*number, std::memory_order_relaxed);
  return status;
}

rocksdb::IOStatus LogFileSystem::ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                                    std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) {
  if (!LogNumber(path).has_value()) return FileSystemWrapper::ReopenWritableFile(path, options, file, debug);
  *file = std::make_unique<ClosedLog>();
  return IOStatus::OK();
}

rocksdb::IOStatus LogFileSystem::DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) {
  if (LogNumber(path).has_value() && KeepAsSpare(path)) return IOStatus::OK();
  return FileSystemWrapper::DeleteFile(path, options, debug);
}

rocksdb::IOStatus LogFileSystem::LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                                          IODebugContext* debug) {
  if (LogNumber(from).has_value()) return IOStatus::NotSupported("log files are not linked");
  return FileSystemWrapper::LinkFile(from, to, options, debug);
}

bool LogFileSystem::TakeSpare(const std::string& path) {
  std::lock_guard lock(mutex_);
  while (!spares_.empty()) {
    const Spare spare = std::move(spares_.back());
    spares_.pop_back();
    if (::rename(spare.path.c_str(), path.c_str()) == 0) return true;
  }
  return false;
}

bool LogFileSystem::KeepAsSpare(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || info.st_size == 0) return false;
  const auto bytes = static_cast<uint64_t>(info.st_size);
  std::lock_guard lock(mutex_);
  uint64_t kept = bytes;
  for (const Spare& spare : spares_) kept += spare.bytes;
  if (spares_.size() >= options_.spares_max || kept > options_.spare_bytes_max) return false;
  Spare spare{options_.spare_dir + '/' + std::to_string(spare_number_++), bytes};
  if (::rename(path.c_str(), spare.path.c_str()) != 0) return false;
  spares_.push_back(std::move(spare));
  return true;
}

}  // namespace mayfly::storage
