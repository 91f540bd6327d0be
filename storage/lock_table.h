// Locks on byte strings: shared and exclusive, re-entrant, upgradable, granted in the order of arrival.
//
//   shard (by hash of the key) ──> entry ──holders──> owners
//                                        ──queue────> waiters, the first one granted first; an upgrade goes before all others
//
// A waiter that would close a cycle of waits is refused (40P01): it looks for the cycle right after it has queued up. Searches
// are serialized by one mutex, under which alone a waiter gives up; a wait seen once during a search therefore lasts until it is
// granted, and a member of a cycle is never granted. So every deadlock is found, by exactly one of its members, and none is
// imagined.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "storage/engine.h"

namespace mayfly::storage {

class LockTable;
struct LockEntry;

// Who holds locks: one per transaction, used by one thread at a time. Empty when destroyed.
class LockOwner {
 public:
  LockOwner() = default;
  LockOwner(const LockOwner&) = delete;
  LockOwner& operator=(const LockOwner&) = delete;

  // A mark to release back to. Grows with every lock and every upgrade taken.
  size_t mark() const { return grants_.size(); }

 private:
  friend class LockTable;
  struct Grant {
    LockEntry* entry;
    bool upgrade;  // was held shared before
  };
  std::vector<Grant> grants_;
};

class LockTable {
 public:
  LockTable();
  ~LockTable();
  LockTable(const LockTable&) = delete;
  LockTable& operator=(const LockTable&) = delete;

  // Takes `key` for `owner`, or finds that it has it already. 55P03, 57014, 40P01 leave everything as it was.
  Status Acquire(LockOwner& owner, std::string_view key, LockMode mode, const LockOptions& options);
  // True where `owner` has `key` in `mode` or a stronger one.
  bool Holds(const LockOwner& owner, std::string_view key, LockMode mode) const;
  // Gives back what was taken after `mark`, newest first. An upgrade becomes a shared lock again.
  void ReleaseTo(LockOwner& owner, size_t mark);
  void ReleaseAll(LockOwner& owner) { ReleaseTo(owner, 0); }

  // Locked keys, waited-for ones included. For tests and statistics.
  size_t size() const;
  // Owners that wait now.
  size_t waiting() const;

 private:
  friend struct LockEntry;
  struct Shard;
  struct Waiter;

  static constexpr size_t kShards = 64;

  Shard& ShardOf(size_t hash) const;
  static bool TryAcquire(LockOwner& owner, Shard& shard, size_t hash, std::string_view key, LockMode mode);
  static void Enqueue(LockEntry& entry, Waiter& waiter);
  Status Await(Shard& shard, Waiter& waiter, const LockOptions& options);
  // Takes the waiter out of its queue, unless it was granted meanwhile: then false. Requires: wait_mutex_.
  bool GiveUp(Shard& shard, Waiter& waiter);
  bool ClosesCycle(const LockOwner& start) const;
  std::vector<const LockOwner*> WaitsFor(const LockOwner& owner) const;

  std::unique_ptr<Shard[]> shards_;
  // Guards waiting_; taken before a shard's mutex.
  mutable std::mutex wait_mutex_;
  std::unordered_map<const LockOwner*, Waiter*> waiting_;
};

}  // namespace mayfly::storage
