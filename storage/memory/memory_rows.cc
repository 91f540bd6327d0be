#include "storage/memory/memory_rows.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/bytes.h"

namespace mayfly::storage {

namespace {

StorageId TableOf(std::string_view key) { return key.size() < 4 ? StorageId{} : StorageId{LoadBigEndian<uint32_t>(key.data())}; }

}  // namespace

uint64_t MemoryRows::last_commit() const {
  std::shared_lock lock(mutex_);
  return last_commit_;
}

const MemoryRows::Version* MemoryRows::At(const Versions& versions, uint64_t version) {
  for (auto at = versions.rbegin(); at != versions.rend(); ++at) {
    if (at->commit <= version) return at->is_delete ? nullptr : &*at;
  }
  return nullptr;
}

std::optional<std::string> MemoryRows::Get(std::string_view key, uint64_t version) const {
  std::shared_lock lock(mutex_);
  const auto found = rows_.find(key);
  if (found == rows_.end()) return std::nullopt;
  const Version* at = At(found->second, version);
  if (at == nullptr) return std::nullopt;
  return at->stored;
}

std::optional<MemoryRows::Found> MemoryRows::Seek(std::string_view from, bool skip_equal, std::string_view end,
                                                  uint64_t version) const {
  std::shared_lock lock(mutex_);
  auto at = skip_equal ? rows_.upper_bound(from) : rows_.lower_bound(from);
  for (; at != rows_.end() && (end.empty() || at->first < end); ++at) {
    if (const Version* found = At(at->second, version)) return Found{at->first, found->stored};
  }
  return std::nullopt;
}

std::optional<MemoryRows::Found> MemoryRows::SeekReverse(std::string_view before, std::string_view begin,
                                                         uint64_t version) const {
  std::shared_lock lock(mutex_);
  auto at = before.empty() ? rows_.end() : rows_.lower_bound(before);
  while (at != rows_.begin()) {
    --at;
    if (at->first < begin) return std::nullopt;
    if (const Version* found = At(at->second, version)) return Found{at->first, found->stored};
  }
  return std::nullopt;
}

int64_t MemoryRows::Counter(std::string_view counter, uint64_t version) const {
  std::shared_lock lock(mutex_);
  const auto found = counters_.find(counter);
  if (found == counters_.end()) return 0;
  for (auto at = found->second.rbegin(); at != found->second.rend(); ++at) {
    if (at->first <= version) return at->second;
  }
  return 0;
}

void MemoryRows::Add(std::string_view key, Version version) {
  auto at = rows_.lower_bound(key);
  if (at == rows_.end() || at->first != key) at = rows_.emplace_hint(at, std::string(key), Versions{});
  at->second.push_back(std::move(version));
}

uint64_t MemoryRows::Apply(const WriteSet& writes) {
  std::unique_lock lock(mutex_);
  const uint64_t commit = last_commit_ + 1;
  for (const WriteSet::Range& range : writes.ranges()) {
    for (auto at = rows_.lower_bound(range.keys.begin);
         at != rows_.end() && (range.keys.end.empty() || at->first < range.keys.end); ++at) {
      at->second.push_back({commit, true, {}});
    }
  }
  for (const auto& [key, entry] : writes.entries()) Add(key, {commit, entry.is_delete, std::string(entry.stored)});
  for (const auto& [counter, delta] : writes.counters()) {
    auto& values = counters_[counter];
    const int64_t value = values.empty() ? 0 : values.back().second;
    values.emplace_back(commit, value + delta);
  }
  last_commit_ = commit;
  return commit;
}

void MemoryRows::Drop(StorageId table) {
  std::unique_lock lock(mutex_);
  std::string begin;
  AppendBigEndian(begin, table.value);
  auto at = rows_.lower_bound(begin);
  while (at != rows_.end() && TableOf(at->first) == table) at = rows_.erase(at);
  tables_.erase(table);
}

ReadView::Size MemoryRows::SizeOf(const KeyRange& range) const {
  std::shared_lock lock(mutex_);
  ReadView::Size size;
  for (auto at = rows_.lower_bound(range.begin); at != rows_.end() && (range.end.empty() || at->first < range.end); ++at) {
    if (at->second.back().is_delete) continue;
    ++size.rows;
    size.bytes += at->first.size() + at->second.back().stored.size();
  }
  return size;
}

std::vector<std::string> MemoryRows::Split(const KeyRange& range, size_t parts) const {
  const size_t rows = SizeOf(range).rows;
  std::vector<std::string> cuts;
  if (parts < 2 || rows < parts * 2) return cuts;
  std::shared_lock lock(mutex_);
  size_t row = 0;
  for (auto at = rows_.lower_bound(range.begin); at != rows_.end() && (range.end.empty() || at->first < range.end); ++at) {
    if (at->second.back().is_delete) continue;
    if (row > 0 && row % (rows / parts) == 0 && cuts.size() + 1 < parts) cuts.push_back(at->first);
    ++row;
  }
  return cuts;
}

void MemoryRows::Register(const TableOptions& table) {
  std::unique_lock lock(mutex_);
  tables_[table.table] = table;
}

size_t MemoryRows::Compact(int64_t watermark_ms, uint64_t oldest) {
  std::unique_lock lock(mutex_);
  size_t removed = 0;
  for (auto at = rows_.begin(); at != rows_.end();) {
    Versions& versions = at->second;
    const auto first_kept =
        std::find_if(versions.rbegin(), versions.rend(), [&](const Version& v) { return v.commit <= oldest; });
    if (first_kept != versions.rend()) versions.erase(versions.begin(), first_kept.base() - 1);
    const auto table = tables_.find(TableOf(at->first));
    DecodedValue decoded;
    Version& newest = versions.back();
    if (table != tables_.end() && table->second.layout == ValueLayout::kTagged && !newest.is_delete &&
        TryDecodeValue(table->second.layout, newest.stored, decoded) &&
        IsExpired(decoded.tag, table->second.ttl_ms, watermark_ms)) {
      newest.is_delete = true;  // older versions stay hidden behind it
      newest.stored.clear();
      ++removed;
    }
    at = versions.size() == 1 && newest.is_delete && newest.commit <= oldest ? rows_.erase(at) : std::next(at);
  }
  return removed;
}

}  // namespace mayfly::storage
