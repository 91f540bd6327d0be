// What a transaction has written and not committed: an ordered overlay over a view, with savepoints.
//
//   entries   key -> put or delete; always newer than every range below
//   ranges    deleted ranges; making one drops the entries inside it
//   counters  name -> sum of what was added
//
// Bytes live in the set's arena until the set dies, also those that were overwritten or rolled back.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine.h"

namespace mayfly::storage {

// Used by one thread at a time; reads may run in parallel.
class WriteSet {
 public:
  struct Entry {
    ValueLayout layout = ValueLayout::kPlain;
    bool is_delete = false;
    std::string_view stored;  // as value_layout encodes it
  };
  struct Range {
    ValueLayout layout = ValueLayout::kPlain;
    KeyRange keys;
    uint64_t order = 0;  // bulk loads of a lower order are deleted too
  };
  using Entries = std::pmr::map<std::string_view, Entry>;

  WriteSet() {}
  WriteSet(const WriteSet&) = delete;
  WriteSet& operator=(const WriteSet&) = delete;

  void Put(ValueLayout layout, std::string_view key, std::string_view payload, Tag tag);
  void Delete(ValueLayout layout, std::string_view key);
  void DeleteRange(ValueLayout layout, const KeyRange& range, uint64_t order);
  // Takes an entry back out, as if it had not been written.
  void Forget(std::string_view key);
  void AddToCounter(std::string_view counter, int64_t delta);

  // The newest write of `key`, nullptr where there is none. A deleted range counts as a deleted key, see RangeCovering.
  const Entry* Find(std::string_view key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  // The deleted range of order >= `order_min` that holds `key`; nullptr where there is none.
  const Range* RangeCovering(std::string_view key, uint64_t order_min = 0) const;
  int64_t CounterDelta(std::string_view counter) const;

  const Entries& entries() const { return entries_; }
  const std::vector<Range>& ranges() const { return ranges_; }
  const std::map<std::string, int64_t, std::less<>>& counters() const { return counters_; }
  bool empty() const { return entries_.empty() && ranges_.empty() && counters_.empty(); }
  // Keys and values written, overwritten ones included.
  size_t bytes() const { return bytes_; }

  size_t SetSavepoint();
  void RollbackTo(size_t savepoint);
  void Release(size_t savepoint);
  size_t savepoints() const { return savepoints_.size(); }

 private:
  // How to take one write back: an entry that was there before (or was not), a range or a counter that was added.
  struct Undo {
    enum class Kind : uint8_t { kEntry, kRange, kCounter } kind;
    std::string_view key;
    std::optional<Entry> entry;
    int64_t delta = 0;
  };

  char* Allocate(size_t size) { return static_cast<char*>(arena_.allocate(size, 1)); }
  void Write(std::string_view key, const Entry& entry);
  void Remember(Undo undo) {
    if (!savepoints_.empty()) undo_.push_back(std::move(undo));
  }

  std::array<std::byte, 512> first_;
  std::pmr::monotonic_buffer_resource arena_{first_.data(), first_.size()};
  Entries entries_{&arena_};
  std::vector<Range> ranges_;
  std::map<std::string, int64_t, std::less<>> counters_;
  std::vector<Undo> undo_;
  std::vector<size_t> savepoints_;  // sizes of undo_
  size_t bytes_ = 0;
};

}  // namespace mayfly::storage
