#include "storage/write_set.h"

#include <cstring>
#include <utility>

#include "base/check.h"

namespace mayfly::storage {

namespace {

bool Contains(const KeyRange& range, std::string_view key) {
  return key >= range.begin && (range.end.empty() || key < range.end);
}

}  // namespace

void WriteSet::Write(std::string_view key, const Entry& entry) {
  auto at = entries_.lower_bound(key);
  bytes_ += key.size() + entry.stored.size();
  if (at != entries_.end() && at->first == key) {
    Remember({Undo::Kind::kEntry, at->first, at->second});
    at->second = entry;
    return;
  }
  char* copy = Allocate(key.size());
  if (!key.empty()) std::memcpy(copy, key.data(), key.size());
  const std::string_view kept(copy, key.size());
  entries_.emplace_hint(at, kept, entry);
  Remember({Undo::Kind::kEntry, kept, std::nullopt});
}

void WriteSet::Put(ValueLayout layout, std::string_view key, std::string_view payload, Tag tag) {
  const size_t size = StoredSize(layout, payload.size());
  char* stored = Allocate(size);
  EncodeValueTo(layout, tag, payload, stored);
  Write(key, {layout, false, {stored, size}});
}

void WriteSet::Delete(ValueLayout layout, std::string_view key) { Write(key, {layout, true, {}}); }

void WriteSet::Forget(std::string_view key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  Remember({Undo::Kind::kEntry, found->first, found->second});
  entries_.erase(found);
}

void WriteSet::DeleteRange(ValueLayout layout, const KeyRange& range, uint64_t order) {
  auto at = entries_.lower_bound(range.begin);
  while (at != entries_.end() && Contains(range, at->first)) {
    Remember({Undo::Kind::kEntry, at->first, at->second});
    at = entries_.erase(at);
  }
  ranges_.push_back({layout, range, order});
  bytes_ += range.begin.size() + range.end.size();
  Remember({Undo::Kind::kRange, {}, std::nullopt});
}

void WriteSet::AddToCounter(std::string_view counter, int64_t delta) {
  auto at = counters_.lower_bound(counter);
  if (at == counters_.end() || at->first != counter) at = counters_.emplace_hint(at, std::string(counter), 0);
  at->second = static_cast<int64_t>(static_cast<uint64_t>(at->second) + static_cast<uint64_t>(delta));
  Remember({Undo::Kind::kCounter, at->first, std::nullopt, delta});
}

const WriteSet::Range* WriteSet::RangeCovering(std::string_view key, uint64_t order_min) const {
  for (const Range& range : ranges_) {
    if (range.order >= order_min && Contains(range.keys, key)) return &range;
  }
  return nullptr;
}

int64_t WriteSet::CounterDelta(std::string_view counter) const {
  const auto found = counters_.find(counter);
  return found == counters_.end() ? 0 : found->second;
}

size_t WriteSet::SetSavepoint() {
  savepoints_.push_back(undo_.size());
  return savepoints_.size() - 1;
}

void WriteSet::RollbackTo(size_t savepoint) {
  Check(savepoint < savepoints_.size(), "no such savepoint");
  const size_t keep = savepoints_[savepoint];
  while (undo_.size() > keep) {
    const Undo& undo = undo_.back();
    switch (undo.kind) {
      case Undo::Kind::kEntry:
        if (undo.entry.has_value()) {
          entries_.insert_or_assign(undo.key, *undo.entry);
        } else {
          entries_.erase(undo.key);
        }
        break;
      case Undo::Kind::kRange: ranges_.pop_back(); break;
      case Undo::Kind::kCounter: {
        const auto counter = counters_.find(undo.key);
        counter->second = static_cast<int64_t>(static_cast<uint64_t>(counter->second) - static_cast<uint64_t>(undo.delta));
        break;
      }
    }
    undo_.pop_back();
  }
  savepoints_.resize(savepoint + 1);
}

void WriteSet::Release(size_t savepoint) {
  Check(savepoint < savepoints_.size(), "no such savepoint");
  savepoints_.resize(savepoint);
  if (savepoints_.empty()) undo_.clear();
}

}  // namespace mayfly::storage
