// Durable commits share a flush: while one group of them is being flushed the next ones queue up, and the first of these writes
// all of them as one batch. RocksDB groups writers too, but lets each of them spin for a dozen microseconds before it sleeps,
// which costs more CPU than the commit; here they sleep at once.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "base/result.h"
#include "storage/write_set.h"

namespace rocksdb {
class WriteBatch;
}

namespace mayfly::storage {

struct RocksStore;

// Appends the writes to a batch. Returns how many sequence numbers they take.
uint32_t AddToBatch(const RocksStore& store, const WriteSet& writes, rocksdb::WriteBatch& batch);
// A batch with room for the writes.
rocksdb::WriteBatch MakeBatch(const WriteSet& writes);

// Thread-safe.
class CommitQueue {
 public:
  explicit CommitQueue(RocksStore& store) : store_(store) {}

  // Durable and visible when it returns; the number of the commit. Requires: writes that are not empty.
  Result<uint64_t> Commit(const WriteSet& writes);

 private:
  struct Request {
    const WriteSet* writes = nullptr;
    std::condition_variable wake;
    bool leads = false;
    std::optional<Result<uint64_t>> result;
  };

  // A result for each request.
  std::vector<Result<uint64_t>> WriteGroup(const std::deque<Request*>& group);
  std::deque<Request*> TakeGroup();

  RocksStore& store_;
  std::mutex mutex_;
  std::deque<Request*> queue_;  // without the group that is being written
  bool busy_ = false;
};

}  // namespace mayfly::storage
