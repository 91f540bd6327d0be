#include "storage/serial_log.h"

#include <algorithm>
#include <utility>

namespace mayfly::storage {

namespace {

SqlError Conflict() {
  return SqlError::Make(kTRSerializationFailure, "could not serialize access due to read/write dependencies among transactions")
      .Detail("Reason code: a row that the transaction read was changed by a transaction that committed first.")
      .Hint("The transaction might succeed if retried.");
}

}  // namespace

std::string CounterKey(std::string_view counter) { return "\xff\xff\xff\xff" + std::string(counter); }

void ReadSet::Add(std::string_view begin, std::string_view end) {
  std::lock_guard lock(mutex_);
  auto at = ranges_.lower_bound(begin);
  if (at == ranges_.end() || at->first != begin) at = ranges_.emplace_hint(at, begin, end);
  if (end.empty() || (!at->second.empty() && at->second < end)) at->second = end;
}

void ReadSet::AddKey(std::string_view key) {
  std::string end(key);
  end.push_back('\0');
  Add(key, end);
}

void ReadSet::Seal() {
  auto at = ranges_.begin();
  while (at != ranges_.end()) {
    auto next = std::next(at);
    if (next == ranges_.end()) return;
    if (!at->second.empty() && at->second < next->first) {
      at = next;
      continue;
    }
    if (next->second.empty() || (!at->second.empty() && at->second < next->second)) at->second = next->second;
    ranges_.erase(next);
  }
}

bool ReadSet::Contains(std::string_view key) const {
  auto at = ranges_.upper_bound(key);
  if (at == ranges_.begin()) return false;
  --at;
  return at->second.empty() || key < at->second;
}

bool ReadSet::Overlaps(const KeyRange& range) const {
  if (Contains(range.begin)) return true;
  const auto at = ranges_.lower_bound(range.begin);
  return at != ranges_.end() && (range.end.empty() || at->first < range.end);
}

void SerialLog::Enter(uint64_t id) {
  std::lock_guard lock(mutex_);
  if (versions_.emplace(id, 0).second) active_.fetch_add(1, std::memory_order_seq_cst);
}

void SerialLog::SetVersion(uint64_t id, uint64_t version) {
  std::lock_guard lock(mutex_);
  versions_[id] = version;
}

void SerialLog::Leave(uint64_t id) {
  std::lock_guard lock(mutex_);
  if (versions_.erase(id) == 0) return;
  active_.fetch_sub(1, std::memory_order_seq_cst);
  Purge();
}

Status SerialLog::Validate(const ReadSet& reads, uint64_t version) const {
  std::lock_guard lock(mutex_);
  if (forgotten_ > version) return Conflict();
  for (auto commit = commits_.rbegin(); commit != commits_.rend(); ++commit) {
    if (commit->number <= version) continue;
    for (const std::string& key : commit->keys) {
      if (reads.Contains(key)) return Conflict();
    }
    for (const KeyRange& range : commit->ranges) {
      if (reads.Overlaps(range)) return Conflict();
    }
  }
  return Ok();
}

void SerialLog::Append(const WriteSet& writes, uint64_t commit) {
  Commit logged{.number = commit, .keys = {}, .ranges = {}};
  logged.keys.reserve(writes.entries().size());
  for (const auto& [key, entry] : writes.entries()) logged.keys.emplace_back(key);
  for (const WriteSet::Range& range : writes.ranges()) logged.ranges.push_back(range.keys);
  for (const auto& [counter, delta] : writes.counters()) logged.keys.push_back(CounterKey(counter));
  std::lock_guard lock(mutex_);
  keys_ += logged.keys.size() + 1;
  commits_.push_back(std::move(logged));
  Purge();
}

void SerialLog::AppendUnknown(uint64_t commit) {
  std::lock_guard lock(mutex_);
  forgotten_ = std::max(forgotten_, commit);
}

// Drops what no living transaction can be refused for, then what is too much. Requires: mutex_.
void SerialLog::Purge() {
  uint64_t oldest = LiveView::kNoVersion;
  for (const auto& [id, version] : versions_) oldest = std::min(oldest, version);
  while (!commits_.empty() && (commits_.front().number <= oldest || keys_ > kKeysMax)) {
    if (commits_.front().number > oldest) forgotten_ = std::max(forgotten_, commits_.front().number);
    keys_ -= commits_.front().keys.size() + 1;
    commits_.pop_front();
  }
}

}  // namespace mayfly::storage
