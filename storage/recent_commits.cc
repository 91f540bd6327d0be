#include "storage/recent_commits.h"

#include <algorithm>
#include <functional>

namespace mayfly::storage {

void RecentCommits::Record(std::string_view key, uint64_t commit) {
  const uint64_t hash = std::hash<std::string_view>{}(key);
  Shard& shard = shards_[hash % kShards];
  std::lock_guard lock(shard.mutex);
  uint64_t& newest = shard.commits[hash];
  newest = std::max(newest, commit);
  shard.by_age.emplace_back(commit, hash);
  if (shard.by_age.size() >= shard.purge_at) Purge(shard);
}

// Drops what no living version can ask for, then what is too much. Amortized: runs each time the shard has doubled.
void RecentCommits::Purge(Shard& shard) {
  const uint64_t oldest = views_.OldestVersion().value_or(LiveView::kNoVersion);
  const auto drop_front = [&shard] {
    const auto [commit, hash] = shard.by_age.front();
    const auto found = shard.commits.find(hash);
    if (found != shard.commits.end() && found->second <= commit) shard.commits.erase(found);
    shard.by_age.pop_front();
    return commit;
  };
  while (!shard.by_age.empty() && shard.by_age.front().first <= oldest) drop_front();
  while (shard.by_age.size() > keys_max_) ForgetUpTo(drop_front());
  shard.purge_at = std::max<size_t>(64, std::min(shard.by_age.size() * 2, keys_max_ + 64));
}

void RecentCommits::ForgetUpTo(uint64_t commit) {
  uint64_t forgotten = forgotten_.load(std::memory_order_acquire);
  while (forgotten < commit && !forgotten_.compare_exchange_weak(forgotten, commit, std::memory_order_acq_rel)) {
  }
}

Changed RecentCommits::ChangedSince(std::string_view key, uint64_t version) const {
  const uint64_t hash = std::hash<std::string_view>{}(key);
  const Shard& shard = shards_[hash % kShards];
  {
    std::lock_guard lock(shard.mutex);
    const auto found = shard.commits.find(hash);
    if (found != shard.commits.end() && found->second > version) return Changed::kYes;
  }
  return forgotten_.load(std::memory_order_acquire) > version ? Changed::kUnknown : Changed::kNo;
}

size_t RecentCommits::size() const {
  size_t total = 0;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    total += shard.commits.size();
  }
  return total;
}

}  // namespace mayfly::storage
