#include "storage/live_views.h"

#include <algorithm>

namespace mayfly::storage {

namespace {

// Threads are spread over the shards in the order in which they first come here.
size_t ShardOfThread(size_t shards) {
  static std::atomic<size_t> threads{0};
  thread_local const size_t mine = threads.fetch_add(1, std::memory_order_relaxed);
  return mine % shards;
}

}  // namespace

void LiveViews::Enter(LiveView& view) {
  if (view.entered) return;
  view.shard = ShardOfThread(shards_.size());
  Shard& shard = shards_[view.shard];
  std::lock_guard lock(shard.mutex);
  view.ttl_now_ms = clock_.NowMs();
  view.previous = nullptr;
  view.next = shard.first;
  if (shard.first != nullptr) shard.first->previous = &view;
  shard.first = &view;
  view.entered = true;
}

void LiveViews::Leave(LiveView& view) {
  if (!view.entered) return;
  DropVersion(view);
  Shard& shard = shards_[view.shard];
  std::lock_guard lock(shard.mutex);
  (view.previous != nullptr ? view.previous->next : shard.first) = view.next;
  if (view.next != nullptr) view.next->previous = view.previous;
  view.entered = false;
}

void LiveViews::AnnounceVersion(LiveView& view) {
  if (view.version.load(std::memory_order_relaxed) == LiveView::kNoVersion) versions_.fetch_add(1, std::memory_order_seq_cst);
  view.version.store(0, std::memory_order_seq_cst);
}

void LiveViews::DropVersion(LiveView& view) {
  if (view.version.exchange(LiveView::kNoVersion, std::memory_order_seq_cst) == LiveView::kNoVersion) return;
  versions_.fetch_sub(1, std::memory_order_seq_cst);
}

std::optional<uint64_t> LiveViews::OldestVersion() const {
  uint64_t oldest = LiveView::kNoVersion;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    for (const LiveView* view = shard.first; view != nullptr; view = view->next) {
      oldest = std::min(oldest, view->version.load(std::memory_order_seq_cst));
    }
  }
  if (oldest == LiveView::kNoVersion) return std::nullopt;
  return oldest;
}

int64_t LiveViews::Watermark() const {
  int64_t oldest = clock_.NowMs();
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    for (const LiveView* view = shard.first; view != nullptr; view = view->next) oldest = std::min(oldest, view->ttl_now_ms);
  }
  return oldest;
}

}  // namespace mayfly::storage
