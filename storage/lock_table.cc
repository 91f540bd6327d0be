#include "storage/lock_table.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

namespace mayfly::storage {

struct LockTable::Waiter {
  LockOwner* owner = nullptr;
  LockMode mode = LockMode::kShared;
  LockEntry* entry = nullptr;
  bool upgrade = false;
  bool granted = false;  // guarded by the shard's mutex
  std::condition_variable wake;
};

struct LockEntry {
  size_t hash = 0;
  std::string key;
  LockEntry* next = nullptr;
  LockMode mode = LockMode::kShared;
  std::vector<LockOwner*> holders;
  std::deque<LockTable::Waiter*> queue;

  bool HeldBy(const LockOwner& owner) const { return std::find(holders.begin(), holders.end(), &owner) != holders.end(); }
  bool Unused() const { return holders.empty() && queue.empty(); }
};

// A chained hash table whose entries are used again, so that taking a lock allocates nothing once warm.
struct LockTable::Shard {
  static constexpr size_t kBucketsMin = 64;
  static constexpr size_t kSparesMax = 256;

  mutable std::mutex mutex;
  std::vector<LockEntry*> buckets = std::vector<LockEntry*>(kBucketsMin);
  size_t entries = 0;
  std::vector<LockEntry*> spares;

  ~Shard() {
    for (LockEntry* entry : buckets) {
      while (entry != nullptr) delete std::exchange(entry, entry->next);
    }
    for (LockEntry* entry : spares) delete entry;
  }

  LockEntry** Find(size_t hash, std::string_view key) {
    LockEntry** link = &buckets[hash / kShards % buckets.size()];
    while (*link != nullptr && ((*link)->hash != hash || (*link)->key != key)) link = &(*link)->next;
    return link;
  }

  LockEntry& Insert(size_t hash, std::string_view key, LockEntry** link) {
    LockEntry* entry = nullptr;
    if (spares.empty()) {
      entry = new LockEntry;
    } else {
      entry = spares.back();
      spares.pop_back();
    }
    entry->hash = hash;
    entry->key.assign(key);
    entry->next = nullptr;
    *link = entry;
    if (++entries > buckets.size()) Grow();
    return *entry;
  }

  void Erase(LockEntry& entry) {
    LockEntry** link = Find(entry.hash, entry.key);
    *link = entry.next;
    --entries;
    if (spares.size() < kSparesMax) {
      spares.push_back(&entry);
    } else {
      delete &entry;
    }
  }

  void Grow() {
    std::vector<LockEntry*> old(buckets.size() * 2);
    old.swap(buckets);
    for (LockEntry* entry : old) {
      while (entry != nullptr) {
        LockEntry* following = entry->next;
        LockEntry*& head = buckets[entry->hash / kShards % buckets.size()];
        entry->next = head;
        head = entry;
        entry = following;
      }
    }
  }

  // Grants what the head of the queue, and those behind it, can have now.
  static void GrantWaiters(LockEntry& entry) {
    while (!entry.queue.empty()) {
      Waiter* waiter = entry.queue.front();
      if (waiter->upgrade) {
        if (entry.holders.size() != 1) return;  // it holds the key itself
        entry.mode = LockMode::kExclusive;
      } else if (entry.holders.empty()) {
        entry.mode = waiter->mode;
        entry.holders.push_back(waiter->owner);
      } else if (entry.mode == LockMode::kShared && waiter->mode == LockMode::kShared) {
        entry.holders.push_back(waiter->owner);
      } else {
        return;
      }
      entry.queue.pop_front();
      waiter->granted = true;
      waiter->wake.notify_one();
    }
  }
};

LockTable::LockTable() : shards_(std::make_unique<Shard[]>(kShards)) {}
LockTable::~LockTable() = default;

LockTable::Shard& LockTable::ShardOf(size_t hash) const { return shards_[hash % kShards]; }

bool LockTable::TryAcquire(LockOwner& owner, Shard& shard, size_t hash, std::string_view key, LockMode mode) {
  LockEntry** link = shard.Find(hash, key);
  LockEntry* entry = *link;
  if (entry == nullptr) {
    entry = &shard.Insert(hash, key, link);
  } else if (entry->HeldBy(owner)) {
    if (entry->mode == LockMode::kExclusive || mode == LockMode::kShared) return true;
    if (entry->holders.size() != 1) return false;
    entry->mode = LockMode::kExclusive;
    owner.grants_.push_back({entry, true});
    return true;
  } else if (entry->mode != LockMode::kShared || mode != LockMode::kShared || !entry->queue.empty()) {
    return false;
  }
  entry->mode = mode;
  entry->holders.push_back(&owner);
  owner.grants_.push_back({entry, false});
  return true;
}

Status LockTable::Acquire(LockOwner& owner, std::string_view key, LockMode mode, const LockOptions& options) {
  const size_t hash = std::hash<std::string_view>{}(key);
  Shard& shard = ShardOf(hash);
  {
    std::lock_guard lock(shard.mutex);
    if (TryAcquire(owner, shard, hash, key, mode)) return Ok();
    if (options.timeout_ms == 0) return SqlError::Make(kLockNotAvailable, "could not obtain lock");
  }
  Waiter waiter;
  waiter.owner = &owner;
  waiter.mode = mode;
  {
    std::lock_guard waits(wait_mutex_);
    {
      std::lock_guard lock(shard.mutex);
      if (TryAcquire(owner, shard, hash, key, mode)) return Ok();
      Enqueue(**shard.Find(hash, key), waiter);
    }
    waiting_[&owner] = &waiter;
    if (ClosesCycle(owner)) {
      GiveUp(shard, waiter);
      return SqlError::Make(kTRDeadlockDetected, "deadlock detected");
    }
  }
  return Await(shard, waiter, options);
}

void LockTable::Enqueue(LockEntry& entry, Waiter& waiter) {
  waiter.entry = &entry;
  waiter.upgrade = entry.HeldBy(*waiter.owner);
  if (!waiter.upgrade) {
    entry.queue.push_back(&waiter);
    return;
  }
  const auto first_other =
      std::find_if(entry.queue.begin(), entry.queue.end(), [](const Waiter* other) { return !other->upgrade; });
  entry.queue.insert(first_other, &waiter);
}

// An interrupt is a flag that nobody signals, so it is looked at from time to time.
Status LockTable::Await(Shard& shard, Waiter& waiter, const LockOptions& options) {
  using std::chrono::milliseconds;
  using std::chrono::steady_clock;
  constexpr milliseconds kInterruptPeriod{5};
  const auto deadline = steady_clock::now() + milliseconds(std::max<int64_t>(options.timeout_ms, 0));
  std::optional<SqlError> gave_up;
  {
    std::unique_lock lock(shard.mutex);
    while (!waiter.granted) {
      if (options.interrupt != nullptr && options.interrupt->requested.load(std::memory_order_acquire)) {
        gave_up = SqlError::Make(kQueryCanceled, "canceling statement due to user request");
        break;
      }
      const auto now = steady_clock::now();
      if (options.timeout_ms >= 0 && now >= deadline) {
        gave_up = SqlError::Make(kLockNotAvailable, "canceling statement due to lock timeout");
        break;
      }
      if (options.timeout_ms < 0 && options.interrupt == nullptr) {
        waiter.wake.wait(lock);
        continue;
      }
      auto until = options.timeout_ms >= 0 ? deadline : now + kInterruptPeriod;
      if (options.interrupt != nullptr) until = std::min(until, now + kInterruptPeriod);
      waiter.wake.wait_until(lock, until);
    }
  }
  std::lock_guard waits(wait_mutex_);
  if (gave_up.has_value() && GiveUp(shard, waiter)) return std::move(*gave_up);
  waiting_.erase(waiter.owner);
  waiter.owner->grants_.push_back({waiter.entry, waiter.upgrade});
  return Ok();
}

bool LockTable::GiveUp(Shard& shard, Waiter& waiter) {
  std::lock_guard lock(shard.mutex);
  if (waiter.granted) return false;
  LockEntry& entry = *waiter.entry;
  entry.queue.erase(std::find(entry.queue.begin(), entry.queue.end(), &waiter));
  waiting_.erase(waiter.owner);
  Shard::GrantWaiters(entry);
  if (entry.Unused()) shard.Erase(entry);
  return true;
}

bool LockTable::Holds(const LockOwner& owner, std::string_view key, LockMode mode) const {
  const size_t hash = std::hash<std::string_view>{}(key);
  Shard& shard = ShardOf(hash);
  std::lock_guard lock(shard.mutex);
  const LockEntry* entry = *shard.Find(hash, key);
  return entry != nullptr && entry->HeldBy(owner) && (mode == LockMode::kShared || entry->mode == LockMode::kExclusive);
}

void LockTable::ReleaseTo(LockOwner& owner, size_t mark) {
  while (owner.grants_.size() > mark) {
    const LockOwner::Grant grant = owner.grants_.back();
    owner.grants_.pop_back();
    Shard& shard = ShardOf(grant.entry->hash);
    std::lock_guard lock(shard.mutex);
    LockEntry& entry = *grant.entry;
    if (grant.upgrade) {
      entry.mode = LockMode::kShared;
    } else {
      entry.holders.erase(std::find(entry.holders.begin(), entry.holders.end(), &owner));
    }
    if (!entry.queue.empty()) Shard::GrantWaiters(entry);
    if (entry.Unused()) shard.Erase(entry);
  }
}

// Everything that must move before `owner` can: the holders of what it waits for, and who queued up earlier. Requires:
// wait_mutex_.
std::vector<const LockOwner*> LockTable::WaitsFor(const LockOwner& owner) const {
  std::vector<const LockOwner*> others;
  const auto found = waiting_.find(&owner);
  if (found == waiting_.end()) return others;
  const Waiter& waiter = *found->second;
  Shard& shard = ShardOf(waiter.entry->hash);
  std::lock_guard lock(shard.mutex);
  if (waiter.granted) return others;
  for (const LockOwner* holder : waiter.entry->holders) {
    if (holder != &owner) others.push_back(holder);
  }
  for (const Waiter* ahead : waiter.entry->queue) {
    if (ahead == &waiter) break;
    others.push_back(ahead->owner);
  }
  return others;
}

// Requires: wait_mutex_, and no shard's mutex.
bool LockTable::ClosesCycle(const LockOwner& start) const {
  std::vector<const LockOwner*> open = WaitsFor(start);
  std::unordered_set<const LockOwner*> seen;
  while (!open.empty()) {
    const LockOwner* owner = open.back();
    open.pop_back();
    if (owner == &start) return true;
    if (!seen.insert(owner).second) continue;
    for (const LockOwner* next : WaitsFor(*owner)) open.push_back(next);
  }
  return false;
}

size_t LockTable::size() const {
  size_t total = 0;
  for (size_t i = 0; i < kShards; ++i) {
    std::lock_guard lock(shards_[i].mutex);
    total += shards_[i].entries;
  }
  return total;
}

size_t LockTable::waiting() const {
  std::lock_guard waits(wait_mutex_);
  return waiting_.size();
}

}  // namespace mayfly::storage
