// Rows and counters with all their versions, in one ordered map under one mutex.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/write_set.h"

namespace mayfly::storage {

// Thread-safe.
class MemoryRows {
 public:
  struct Found {
    std::string key;
    std::string stored;
  };

  uint64_t last_commit() const;
  // The stored value of `key` at `version`.
  std::optional<std::string> Get(std::string_view key, uint64_t version) const;
  // The first row at or after `from` (after it, where `skip_equal`) and before `end`; reverse: the last one before `from` and at
  // or after `end`.
  std::optional<Found> Seek(std::string_view from, bool skip_equal, std::string_view end, uint64_t version) const;
  std::optional<Found> SeekReverse(std::string_view before, std::string_view begin, uint64_t version) const;
  int64_t Counter(std::string_view counter, uint64_t version) const;

  // Adds the writes as one commit and returns its number.
  uint64_t Apply(const WriteSet& writes);
  void Drop(StorageId table);
  // Stored rows, and bytes of keys and values, of the newest versions in the range.
  ReadView::Size SizeOf(const KeyRange& range) const;
  std::vector<std::string> Split(const KeyRange& range, size_t parts) const;

  void Register(const TableOptions& table);
  // Removes rows that are expired at `watermark_ms`, and versions that no view at `oldest` or later reads. Returns the removed
  // rows.
  size_t Compact(int64_t watermark_ms, uint64_t oldest);

 private:
  struct Version {
    uint64_t commit;
    bool is_delete;
    std::string stored;
  };
  using Versions = std::vector<Version>;  // oldest first
  using Map = std::map<std::string, Versions, std::less<>>;

  static const Version* At(const Versions& versions, uint64_t version);
  void Add(std::string_view key, Version version);

  mutable std::shared_mutex mutex_;
  Map rows_;
  std::map<std::string, std::vector<std::pair<uint64_t, int64_t>>, std::less<>> counters_;
  std::unordered_map<StorageId, TableOptions> tables_;
  uint64_t last_commit_ = 1;
};

}  // namespace mayfly::storage
