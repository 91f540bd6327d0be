// Writes frames (log_frame.h) into a log file that exists already, past the page cache where the file system allows it: what a
// flush costs is then the sectors that changed, not the pages, and nothing of the log takes memory from the caches.
//
//   on disk | sector | sector | sector |          written so far, the last sector padded with zeros
//   buffer                     | tail | frames that were appended since |
//
// The last sector is written again, with the same bytes in front, when more is appended.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace mayfly::storage {

// Appending and flushing may happen at once.
class LogWriter final : public rocksdb::FSWritableFile {
 public:
  static constexpr size_t kSectorBytes = 512;

  // Opens the file, which is created where it does not exist. It is made longer by `extend_bytes` at a time. Counts flushes in
  // `flushes`.
  static rocksdb::IOStatus Open(const std::string& path, uint32_t salt, size_t extend_bytes, std::atomic<uint64_t>& flushes,
                                std::unique_ptr<LogWriter>* writer);
  ~LogWriter() override;

  using FSWritableFile::Append;
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options, const rocksdb::DataVerificationInfo&,
                           rocksdb::IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  rocksdb::IOStatus Truncate(uint64_t, const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Close(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;
  // Nothing: a log that is not flushed to disk is as lost in a buffer of ours as in one of RocksDB.
  rocksdb::IOStatus Flush(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override { return rocksdb::IOStatus::OK(); }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;
  bool IsSyncThreadSafe() const override { return true; }
  // What RocksDB appended, as it believes the file to be.
  uint64_t GetFileSize(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    return appended_.load(std::memory_order_relaxed);
  }
  void PrepareWrite(size_t, size_t, const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {}

 private:
  // Memory as direct writes need it.
  class Buffer {
   public:
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { std::free(data_); }
    char* data() { return data_; }
    size_t size() const { return size_; }
    void Append(std::string_view bytes);
    // Zeros up to a whole number of sectors; not counted in size().
    size_t Pad();
    void Clear() { size_ = 0; }
    void Swap(Buffer& other) noexcept;

   private:
    void Reserve(size_t size);
    char* data_ = nullptr;
    size_t size_ = 0;
    size_t capacity_ = 0;
  };

  LogWriter(std::string path, int fd, bool direct, uint64_t size, uint32_t salt, size_t extend_bytes,
            std::atomic<uint64_t>& flushes);
  rocksdb::IOStatus WriteOut();
  rocksdb::IOStatus Extend(uint64_t end);
  rocksdb::IOStatus WriteAt(const char* bytes, size_t size, uint64_t offset);

  const std::string path_;
  int fd_;
  const uint32_t salt_;
  const size_t extend_bytes_;
  std::atomic<uint64_t>& flushes_;
  std::atomic<uint64_t> appended_{0};

  std::mutex write_mutex_;  // one writer of the file; taken before buffer_mutex_
  bool direct_;             // past the page cache
  uint64_t size_;           // of the file
  Buffer writing_;
  std::mutex buffer_mutex_;
  Buffer pending_;           // starts at a whole sector
  uint64_t pending_at_ = 0;  // where in the file
  size_t pending_tail_ = 0;  // bytes of it that are on disk
};

}  // namespace mayfly::storage
