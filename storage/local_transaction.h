// The part of a transaction that is the same for every local engine: when views are taken, locks, own writes, savepoints, limits,
// and the order of steps at commit. The engine adds how committed rows are read and how a write set becomes part of them.
//
// Order at commit: validate (SERIALIZABLE) ── apply: durable, then visible ── remember the keys ── release locks.
//
// No version is taken before it is needed. A transaction that locks, writes and commits takes none; nor does one that reads only
// keys that it has locked: they cannot change any more, so the newest committed state of them is the state at any version it may
// take later.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/local_state.h"
#include "storage/write_set.h"

namespace mayfly::storage {

class LocalTransaction : public Transaction {
 public:
  LocalTransaction(LocalState& state, const TransactionOptions& options) : state_(state), options_(options) {}

  int64_t ttl_now_ms() const override;
  void BeginStatement() override;
  Result<bool> Lock(std::string_view key, LockMode mode, const LockOptions& options) override;
  void RecordRead(const KeyRange& range) override;
  Status Put(const TableOptions& table, std::string_view key, std::string_view payload, Tag tag) override;
  Status Delete(const TableOptions& table, std::string_view key) override;
  Status DeleteRange(const TableOptions& table, const KeyRange& range) override;
  Status AddToCounter(std::string_view counter, int64_t delta) override;
  size_t SetSavepoint() override;
  Status RollbackToSavepoint(size_t savepoint) override;
  void ReleaseSavepoint(size_t savepoint) override;
  bool has_writes() const override { return !writes_.empty() || HasBulkLoads(); }
  Status Commit(Durability durability) override;
  void Rollback() override;

 protected:
  // Takes a version of everything committed, and returns its number. Commits with a greater number are not seen.
  virtual uint64_t TakeVersion() const = 0;
  // Also called where none was taken.
  virtual void DropVersion() const = 0;
  // Makes the writes and bulk loads durable and visible, as one. Returns the number of the commit.
  virtual Result<uint64_t> Apply(const WriteSet& writes, Durability durability) = 0;
  // Whether the stored value of `key` at the version is another one than the newest. Requires: a version.
  virtual Result<bool> DiffersFromNewest(std::string_view key) const = 0;
  // Bulk loads are kept by the engine, in the order in which they finished.
  virtual bool HasBulkLoads() const { return false; }
  virtual size_t BulkLoadMark() const { return 0; }
  virtual void DropBulkLoadsAfter(size_t /*mark*/) {}

  // Call from the destructor of the engine's class, which Rollback needs.
  void Finish();

  void EnsureEntered() const {
    if (!entered_.load(std::memory_order_acquire)) Enter();
  }
  void EnsureVersion() const {
    if (!has_version_.load(std::memory_order_acquire)) TakeVersionOnce();
  }
  bool has_version() const { return has_version_.load(std::memory_order_acquire); }
  // Whether `key` may be read from the newest committed state, see above.
  bool ReadsNewest(std::string_view key) const {
    return !has_version() && owner_.mark() > 0 && state_.locks.Holds(owner_, key, LockMode::kShared);
  }
  void RecordKey(std::string_view key) const {
    if (serializable()) reads_.AddKey(key);
  }
  // A read of the newest version counts as one at the view's version, unless a lock keeps the key as it is.
  void RecordNewest(std::string_view key) const {
    if (!serializable() || state_.locks.Holds(owner_, key, LockMode::kShared)) return;
    EnsureVersion();
    reads_.AddKey(key);
  }
  void RecordRange(const KeyRange& range) const {
    if (serializable()) reads_.Add(range.begin, range.end);
  }
  bool serializable() const { return options_.isolation == Isolation::kSerializable; }
  // The row of `key` among own writes: true and the row; false where it was deleted; nullopt where the view decides.
  Result<std::optional<bool>> GetOwn(const TableOptions& table, std::string_view key, GetBuffer& buffer) const;
  Status CheckWritable() const;

  LocalState& state_;
  WriteSet writes_;
  // What bulk loads and deleted ranges are put in order by.
  uint64_t order_ = 0;

 private:
  struct SavepointMarks {
    size_t locks;
    size_t bulk_loads;
  };

  void Enter() const;
  void TakeVersionOnce() const;
  Status CheckSize(std::string_view key, std::string_view payload) const;
  Result<uint64_t> ValidateAndApply(Durability durability);
  void RememberKeys(uint64_t commit);

  const TransactionOptions options_;
  mutable std::mutex mutex_;  // parallel readers of one statement take the version once
  mutable LiveView live_;
  mutable std::atomic<bool> entered_{false};
  mutable std::atomic<bool> has_version_{false};
  LockOwner owner_;
  mutable ReadSet reads_;
  std::vector<SavepointMarks> savepoints_;
  mutable uint64_t serial_id_ = 0;
  bool finished_ = false;
};

}  // namespace mayfly::storage
