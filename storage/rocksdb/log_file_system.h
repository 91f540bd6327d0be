// A file system that gives RocksDB log files which exist at full size before they are written.
//
// RocksDB appends to its log. On a file that grows, every flush of the log also writes the file's new size, through the journal
// of the file system: several times the price of the data. Here the log is written over bytes that are already there: zeros,
// written ahead in large pieces, or the bytes of an older log, whose file is kept in log_spares/ when RocksDB deletes it, and
// renamed for the next one. Everything that is not a log file passes through.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mayfly::storage {

struct LogFileOptions {
  std::string spare_dir;
  // A file grows by this much at a time.
  size_t extend_bytes = size_t{4} << 20;
  // Spares kept; in number, and together in bytes.
  size_t spares_max = 1;
  size_t spare_bytes_max = size_t{256} << 20;
};

// Thread-safe.
class LogFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  LogFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base, LogFileOptions options);

  const char* Name() const override { return "MayflyLogFileSystem"; }
  // How often a log file was flushed to disk.
  uint64_t flushes() const { return flushes_.load(std::memory_order_relaxed); }
  // The number of the log that is written now; 0 where there is none yet.
  uint64_t newest_log() const { return newest_.load(std::memory_order_relaxed); }

  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  // Refused for log files: a link would share what is overwritten later. RocksDB copies instead.
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;

 private:
  struct Spare {
    std::string path;
    uint64_t bytes;
  };

  // A spare becomes `path`, with its bytes; false where there is none.
  bool TakeSpare(const std::string& path);
  bool KeepAsSpare(const std::string& path);

  const LogFileOptions options_;
  std::mutex mutex_;
  std::vector<Spare> spares_;
  uint64_t spare_number_ = 0;
  std::atomic<uint64_t> flushes_{0};
  std::atomic<uint64_t> newest_{0};
};

}  // namespace mayfly::storage
