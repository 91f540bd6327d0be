// Gives back the disk of expired rows, also of tables that nobody writes to.
//
// A file is dropped whole, unread, where every row in it is expired for every view, and it is of the oldest data: then nothing
// older can come to light. Where too much of what is on disk has expired it is compacted, which drops the rest.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "base/result.h"
#include "storage/rocksdb/store.h"
#include "storage/rocksdb/tag_properties.h"

namespace mayfly::storage {

// Thread-safe; one round at a time.
class Maintenance {
 public:
  explicit Maintenance(RocksStore& store) : store_(store) {}

  // How many files were dropped or rewritten.
  Result<size_t> Run();
  uint64_t files_dropped() const { return files_dropped_.load(std::memory_order_relaxed); }

 private:
  // A file of the expiring family. Newer files come before older ones, level by level.
  struct File {
    std::string name;
    int level = 0;
    uint64_t bytes = 0;
    std::string smallest;
    std::string largest;
    uint64_t smallest_sequence = 0;
    uint64_t largest_sequence = 0;
    bool compacting = false;
    const TagSummary* tags = nullptr;  // null: nothing is known
    const std::string* id = nullptr;   // for ExpiredFiles
  };
  struct Known {
    TagSummary tags;
    std::string id;
  };

  void ReleaseLogs();
  std::vector<File> ListFiles();
  void Learn(const std::vector<std::string>& names);
  Result<size_t> DropExpired(const std::vector<File>& files, int64_t watermark_ms);
  void FindSkippable(const std::vector<File>& files, int64_t watermark_ms);
  Result<size_t> CompactExpired(const std::vector<File>& files, int64_t watermark_ms);

  RocksStore& store_;
  std::mutex mutex_;
  std::map<std::string, Known> known_;
  // What each family's memtable held at the last round.
  struct Buffered {
    uint64_t rows = 0;
    uint64_t log = 0;  // the oldest log with rows of it, or one after that
  };
  std::array<Buffered, 3> buffered_{};
  std::atomic<uint64_t> files_dropped_{0};
};

}  // namespace mayfly::storage
