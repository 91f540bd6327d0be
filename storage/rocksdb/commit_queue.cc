#include "storage/rocksdb/commit_queue.h"

#include <utility>
#include <vector>

#include "storage/rocksdb/counter_merge.h"
#include "storage/rocksdb/store.h"

namespace mayfly::storage {

namespace {

const std::string kKeySpaceEnd(16, '\xff');
// A batch's head: sequence number and count.
constexpr size_t kBatchHeadBytes = 12;
// What one more write costs in a batch besides its bytes, at most.
constexpr size_t kBatchEntryBytes = 16;
// A group is not made larger than this: its first commit would wait too long.
constexpr size_t kGroupBytesMax = size_t{1} << 20;

}  // namespace

rocksdb::WriteBatch MakeBatch(const WriteSet& writes) {
  return rocksdb::WriteBatch(kBatchHeadBytes + writes.bytes() + kBatchEntryBytes * (writes.entries().size() + 1));
}

uint32_t AddToBatch(const RocksStore& store, const WriteSet& writes, rocksdb::WriteBatch& batch) {
  const uint32_t before = batch.Count();
  for (const WriteSet::Range& range : writes.ranges()) {
    batch.DeleteRange(store.rows(range.layout), range.keys.begin, range.keys.end.empty() ? kKeySpaceEnd : range.keys.end);
  }
  for (const auto& [key, entry] : writes.entries()) {
    if (entry.is_delete) {
      batch.Delete(store.rows(entry.layout), ToSlice(key));
    } else {
      batch.Put(store.rows(entry.layout), ToSlice(key), ToSlice(entry.stored));
    }
  }
  for (const auto& [counter, delta] : writes.counters()) batch.Merge(store.counters(), counter, EncodeCounter(delta));
  return batch.Count() - before;
}

Result<uint64_t> CommitQueue::Commit(const WriteSet& writes) {
  Request mine;
  mine.writes = &writes;
  std::unique_lock lock(mutex_);
  queue_.push_back(&mine);
  if (busy_) {
    mine.wake.wait(lock, [&mine] { return mine.leads || mine.result.has_value(); });
    if (mine.result.has_value()) return std::move(*mine.result);
  }
  busy_ = true;
  const std::deque<Request*> group = TakeGroup();
  lock.unlock();
  std::vector<Result<uint64_t>> results = WriteGroup(group);
  lock.lock();
  // The next leader is woken first: its flush takes longest. The others' requests are gone once they have seen their results,
  // which they cannot before the mutex is released.
  busy_ = !queue_.empty();
  if (busy_) {
    queue_.front()->leads = true;
    queue_.front()->wake.notify_one();
  }
  for (size_t i = 1; i < group.size(); ++i) {
    group[i]->result = std::move(results[i]);
    group[i]->wake.notify_one();
  }
  return std::move(results.front());
}

// From the front of the queue, which is the caller's own request. Requires: mutex_.
std::deque<CommitQueue::Request*> CommitQueue::TakeGroup() {
  std::deque<Request*> group;
  size_t bytes = 0;
  while (!queue_.empty() && (group.empty() || bytes + queue_.front()->writes->bytes() <= kGroupBytesMax)) {
    bytes += queue_.front()->writes->bytes();
    group.push_back(queue_.front());
    queue_.pop_front();
  }
  return group;
}

std::vector<Result<uint64_t>> CommitQueue::WriteGroup(const std::deque<Request*>& group) {
  rocksdb::WriteBatch batch = MakeBatch(*group.front()->writes);
  std::vector<uint32_t> counts;
  for (const Request* request : group) counts.push_back(AddToBatch(store_, *request->writes, batch));
  const Result<uint64_t> last = store_.Write(batch, Durability::kFlushed);
  std::vector<Result<uint64_t>> results;
  uint64_t commit = last.ok() ? *last - batch.Count() : 0;
  for (const uint32_t count : counts) {
    commit += count;
    results.push_back(last.ok() ? Result<uint64_t>(commit) : Result<uint64_t>(last.error()));
  }
  return results;
}

}  // namespace mayfly::storage
