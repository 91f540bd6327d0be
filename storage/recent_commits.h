// Remembers which keys were committed lately, so that a transaction which locks a key learns whether it changed since the
// transaction's version was taken. Kept by 64-bit hash only while an older version lives, and in bounded number; past the bound
// the oldest are forgotten, and the answer becomes "unknown", which the caller settles by comparing the stored values.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "storage/live_views.h"

namespace mayfly::storage {

enum class Changed : uint8_t { kNo, kYes, kUnknown };

// Thread-safe.
class RecentCommits {
 public:
  static constexpr size_t kKeysMax = size_t{1} << 20;

  explicit RecentCommits(const LiveViews& views, size_t keys_max = kKeysMax) : views_(views), keys_max_(keys_max / kShards) {}

  // Called after `commit` became visible and before the locks on the keys are released.
  void Record(std::string_view key, uint64_t commit);
  // The commit changed more than can be remembered by key.
  void ForgetUpTo(uint64_t commit);
  // Whether a commit after `version` wrote `key`.
  Changed ChangedSince(std::string_view key, uint64_t version) const;

  size_t size() const;

 private:
  static constexpr size_t kShards = 16;
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::unordered_map<uint64_t, uint64_t> commits;    // hash of key -> newest commit
    std::deque<std::pair<uint64_t, uint64_t>> by_age;  // (commit, hash), about in order of commits
    size_t purge_at = 64;
  };
  void Purge(Shard& shard);

  const LiveViews& views_;
  const size_t keys_max_;
  std::array<Shard, kShards> shards_;
  std::atomic<uint64_t> forgotten_{0};  // commits up to this one may be missing
};

}  // namespace mayfly::storage
