// SERIALIZABLE by backward validation: a transaction commits only if nothing that it read was written by a transaction that
// committed after its version was taken; else 40001. So each one could have run alone at the moment of its commit, and commit
// order is the serial order; a transaction that only reads stands at its version, which is a prefix of that order, and is never
// refused.
//
// Serializable commits validate and write one after the other, under one mutex; that is the price. Commits of other isolation
// levels are looked at too where a serializable transaction was alive when they began to commit, but wait for nobody.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storage/live_views.h"
#include "storage/write_set.h"

namespace mayfly::storage {

// The key under which reads and writes of a counter meet; no table has this storage id.
std::string CounterKey(std::string_view counter);

// The key ranges that a transaction has read. Thread-safe while it grows.
class ReadSet {
 public:
  void Add(std::string_view begin, std::string_view end);
  void AddKey(std::string_view key);
  // Requires: nobody adds any more. Sorts and merges.
  void Seal();
  // Requires: sealed.
  bool Contains(std::string_view key) const;
  bool Overlaps(const KeyRange& range) const;

 private:
  std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> ranges_;  // begin -> end; "" = no end
};

// Thread-safe.
class SerialLog {
 public:
  static constexpr size_t kKeysMax = size_t{1} << 21;

  // The transaction lives, at a version not yet known (0), known, and no longer.
  void Enter(uint64_t id);
  void SetVersion(uint64_t id, uint64_t version);
  void Leave(uint64_t id);
  bool any() const { return active_.load(std::memory_order_seq_cst) > 0; }

  // Held by a serializable transaction from its validation until its commit is in the log.
  std::unique_lock<std::mutex> LockCommits() { return std::unique_lock(commit_mutex_); }
  // 40001 where a commit after `version` wrote into `reads`. Requires: the lock of LockCommits.
  Status Validate(const ReadSet& reads, uint64_t version) const;
  void Append(const WriteSet& writes, uint64_t commit);
  // Everything after `version` is taken for a conflict by those whose version is older.
  void AppendUnknown(uint64_t commit);

 private:
  struct Commit {
    uint64_t number;
    std::vector<std::string> keys;
    std::vector<KeyRange> ranges;
  };
  void Purge();

  std::mutex commit_mutex_;
  mutable std::mutex mutex_;
  std::map<uint64_t, uint64_t> versions_;  // by id
  std::deque<Commit> commits_;
  size_t keys_ = 0;
  uint64_t forgotten_ = 0;
  std::atomic<uint64_t> active_{0};
};

}  // namespace mayfly::storage
