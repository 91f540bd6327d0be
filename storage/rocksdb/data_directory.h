// The files of a data directory that are not RocksDB's:
//
//   LOCK_MAYFLY   locked by the process that has the directory open
//   FORMAT        "mayfly data directory format N\n"
//   CLOCK         the high-water mark of ttl_now, in two slots that are written in turn: | mark: int64 LE | count: int64 LE | xor
//   | rocksdb/      the database, its log included
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace mayfly::storage {

// Holds the lock while it lives. Thread-safe for one writer of the mark.
class DataDirectory {
 public:
  static constexpr int kFormat = 1;

  // 55006, 0A000, 58P01, 58030, XX001: see OpenRocksDbEngine.
  static Result<std::unique_ptr<DataDirectory>> Open(const std::string& path, bool create_if_missing);
  ~DataDirectory();
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  std::string database_path() const { return path_ + "/rocksdb"; }
  // A directory of files that are of no use after a restart: it was emptied by Open.
  std::string scratch_path() const { return path_ + "/scratch"; }
  // The last durable mark; INT64_MIN where there is none.
  int64_t clock_mark_ms() const { return mark_ms_; }
  // Durable when it returns.
  Status WriteClockMark(int64_t mark_ms);

 private:
  explicit DataDirectory(std::string path) : path_(std::move(path)) {}
  Status Lock();
  Status CheckFormat(bool create);
  Status OpenClock();

  const std::string path_;
  int lock_fd_ = -1;
  int clock_fd_ = -1;
  int64_t mark_ms_ = INT64_MIN;
  int64_t mark_count_ = 0;
};

}  // namespace mayfly::storage
