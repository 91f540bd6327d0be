// The storage interface: bytes only. The in-memory and the RocksDB engine pass one conformance suite over it, and a
// distributed engine shall be able to stand behind it (docs/architecture.md, "Storage").
//
//   Engine ──NewReadView()────────> ReadView      a version and a fixed ttl_now; sees nothing later
//          ──NewTransaction()─────> Transaction   a view that sees its own writes, locks, savepoints, commit
//
// Rules (each a test of storage_conformance_test):
//   * Visibility is a pure function of (stored value, TableOptions, the view's ttl_now). Whether compaction has run never shows.
//   * ttl_now is fixed per view and never goes backwards, over restarts too.
//   * Keys are memcomparable bytes that start with the table's StorageId, 4 bytes big-endian; engines compare them with memcmp.
//   * Bytes handed out live as long as the buffer or call that the declaration names, never longer.
//   * No handle is bound to a thread. A ReadView may be read from several threads at once; a Transaction is used by one at a time,
//     except that scans and gets of one statement may run in parallel while nothing writes.
//   * Errors: conflict 40001, deadlock 40P01, lock not available 55P03, cancelled 57014, outcome unknown 08007, snapshot too old
//     72000, too large 54000, read-only 25006, unavailable 57P03, disk full 53100, I/O error 58030, damaged data XX001.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "base/result.h"
#include "base/strong_id.h"
#include "storage/value_layout.h"

namespace mayfly::storage {

// What the engine must know of a table to read its values. Cheap to copy; kept by the catalog's table descriptor.
struct TableOptions {
  StorageId table;
  ValueLayout layout = ValueLayout::kPlain;
  // Lifetime in milliseconds; rows are expired iff tag + ttl_ms <= ttl_now (saturating). Meaningful for kTagged only.
  int64_t ttl_ms = 0;
};

// [begin, end) in memcmp order. An empty `end` means "to the end of the key space".
struct KeyRange {
  std::string begin;
  std::string end;
};

// A stored row as a view shows it. Borrowed bytes.
struct StoredRow {
  std::string_view key;
  std::string_view payload;
  Tag tag = kNeverTag;  // kNeverTag for ValueLayout::kPlain
};

// Holds what a Get found; reuse one to avoid allocation. `row()` is valid until the next use of the buffer or its end.
class GetBuffer {
 public:
  GetBuffer();
  ~GetBuffer();
  GetBuffer(GetBuffer&&) noexcept;
  GetBuffer& operator=(GetBuffer&&) noexcept;
  // payload and tag of the last Get that found a row; `key` is not set.
  const StoredRow& row() const { return row_; }

  // For engines: a place to pin or copy the value in. Opaque to callers.
  struct Pin {
    virtual ~Pin() = default;
  };
  StoredRow row_;
  std::unique_ptr<Pin> pin_;
  std::string copy_;
};

// Called once a row, in key order of the scan. The row's bytes live for the call only.
using RowFn = FunctionRef<void(const StoredRow& row)>;
// Called once for each key found, with its index in the list of keys, in any order. Bytes live for the call only.
using MultiGetFn = FunctionRef<void(size_t index, const StoredRow& row)>;

// A cursor over one range of one view. The view outlives it. One thread at a time.
class Scan {
 public:
  virtual ~Scan() = default;
  // Hands up to `rows_max` further visible rows to `fn`. Returns how many; fewer than rows_max only at the end of the range.
  virtual Result<size_t> NextPage(size_t rows_max, RowFn fn) = 0;
};

struct ScanOptions {
  bool reverse = false;
  // Payloads are not wanted: rows come with an empty payload (an engine may then save reading them).
  bool keys_only = false;
  // Expected to read much: the engine may read ahead and shall not let the blocks push others out of its cache.
  bool bulk = false;
};

// A consistent state of everything committed before it was made.
class ReadView {
 public:
  virtual ~ReadView() = default;

  // Milliseconds since the Unix epoch; decides expiry for everything read through this view.
  virtual int64_t ttl_now_ms() const = 0;

  // True, and the row in `buffer`, where `key` exists and is not expired.
  virtual Result<bool> Get(const TableOptions& table, std::string_view key, GetBuffer& buffer) const = 0;
  // Get for many keys of one table, in one round trip.
  virtual Status MultiGet(const TableOptions& table, std::span<const std::string_view> keys, MultiGetFn fn) const = 0;
  // The visible rows of `range`, which must lie inside the table.
  virtual std::unique_ptr<Scan> NewScan(const TableOptions& table, KeyRange range, ScanOptions options) const = 0;
  // Up to `parts` - 1 keys that cut `range` into pieces of about the same work, ascending; empty where it is not worth it.
  virtual std::vector<std::string> SplitRange(const TableOptions& table, const KeyRange& range, size_t parts) const = 0;
  // Estimated number of stored rows and bytes in `range`, expired ones included. For planning only.
  struct Size {
    uint64_t rows = 0;
    uint64_t bytes = 0;
  };
  virtual Size EstimateSize(const TableOptions& table, const KeyRange& range) const = 0;
  // The value of a transactional counter (0 where it was never added to). Counters live outside tables, by name.
  virtual Result<int64_t> ReadCounter(std::string_view counter) const = 0;
};

enum class LockMode : uint8_t {
  kShared,
  kExclusive,
};

// Tells waiting operations to give up. `requested` may be set by any thread.
struct Interrupt {
  std::atomic<bool> requested{false};
};

struct LockOptions {
  // Nothing waits longer than this (lock_timeout); negative = no limit, 0 = do not wait at all (NOWAIT, SKIP LOCKED): 55P03.
  int64_t timeout_ms = -1;
  // Looked at while waiting: 57014. May be null.
  const Interrupt* interrupt = nullptr;
};

enum class Durability : uint8_t {
  kFlushed,   // on disk when Commit returns; concurrent commits share a flush
  kBuffered,  // in the log soon after (synchronous_commit = off): a crash may lose it whole, never in part or out of order
};

enum class Isolation : uint8_t { kReadCommitted, kRepeatableRead, kSerializable };

struct TransactionOptions {
  Isolation isolation = Isolation::kReadCommitted;
  bool read_only = false;  // writes and exclusive locks are refused: 25006
};

// Receives rows in any order and makes them part of its transaction without passing them through the write path one by one.
// The table must be locked exclusively by the transaction, and no view but its own may need to read the table before commit.
class BulkLoad {
 public:
  virtual ~BulkLoad() = default;
  virtual Status Append(std::string_view key, std::string_view payload, Tag tag) = 0;
  // Must be called once, after the last row and before commit. Returns the first key given twice, or found in the table already;
  // then nothing of the load is kept and the transaction can only roll back. nullopt where all keys were new.
  virtual Result<std::optional<std::string>> Finish() = 0;
};

// A view that sees its own writes. Destroying it rolls it back. After a failed Commit only destruction is allowed.
class Transaction : public ReadView {
 public:
  // READ COMMITTED: takes a new version and ttl_now, at the start of each statement. A no-op in the other isolation levels once
  // the first view was taken.
  virtual void BeginStatement() = 0;
  // Locks `key` until the end of the transaction (or the savepoint it was taken under is rolled back). Any bytes may be locked, tables
  // and advisory names too. Re-entrant; kShared is upgraded. Returns false where another transaction committed a write of
  // the key after this view's version was taken: READ COMMITTED then re-checks, the others fail with 40001 (here, not later).
  // Waits as `options` say: 55P03, 57014; 40P01 where the wait would close a cycle (this transaction is the victim).
  virtual Result<bool> Lock(std::string_view key, LockMode mode, const LockOptions& options) = 0;
  // Get of this transaction's own write, or else of the newest committed version, whatever this view's version is; expiry by this view's ttl_now.
  // For uniqueness checks and re-checks of a locked row.
  virtual Result<bool> GetNewest(const TableOptions& table, std::string_view key, GetBuffer& buffer) const = 0;
  // SERIALIZABLE only: what was read, so that a dangerous pattern is found at commit. Others ignore it.
  virtual void RecordRead(const KeyRange& range) = 0;

  // Writes. The key must be locked exclusively by this transaction (tables under an exclusive table lock: any key of theirs).
  // 54000 where key, value or transaction pass `Limits`; 25006 in a read-only transaction.
  virtual Status Put(const TableOptions& table, std::string_view key, std::string_view payload, Tag tag) = 0;
  virtual Status Delete(const TableOptions& table, std::string_view key) = 0;
  // Everything in the range, at commit. The table must be locked exclusively.
  virtual Status DeleteRange(const TableOptions& table, const KeyRange& range) = 0;
  virtual Status AddToCounter(std::string_view counter, int64_t delta) = 0;
  virtual Result<std::unique_ptr<BulkLoad>> NewBulkLoad(const TableOptions& table) = 0;

  // Savepoints nest. RollbackTo keeps the savepoint itself, as SQL does; Release merges it into the one below.
  virtual size_t SetSavepoint() = 0;
  virtual Status RollbackToSavepoint(size_t savepoint) = 0;
  virtual void ReleaseSavepoint(size_t savepoint) = 0;

  // True once anything was written: then commit has something to make durable.
  virtual bool has_writes() const = 0;
  // Atomic over all tables, counters and bulk loads. 40001, 08007 (it is unknown whether it is durable), 53100, 58030.
  virtual Status Commit(Durability durability) = 0;
  virtual void Rollback() = 0;
};

struct Limits {
  size_t key_bytes_max = 64 * 1024;
  size_t value_bytes_max = size_t{1} << 30;
  size_t transaction_bytes_max = size_t{16} << 30;
};

struct Capabilities {
  bool counters = true;
  bool bulk_load = true;
  bool serializable = true;
  bool local = true;  // a Get costs microseconds, not a network round trip
};

// What the engine counted since it was opened. Monotone.
struct EngineStats {
  uint64_t rows_expired_removed = 0;   // by compaction
  uint64_t files_expired_dropped = 0;  // whole, without being read
  uint64_t files_skipped = 0;          // by reads, since everything in them had expired
  uint64_t damaged_values = 0;         // too short for their layout: kept and reported
  uint64_t commits = 0;
  uint64_t log_flushes = 0;            // < commits where commits shared a flush
  uint64_t bytes_on_disk = 0;          // now, not monotone
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual const Limits& limits() const = 0;
  virtual const Capabilities& capabilities() const = 0;

  // A current reading: monotone over the engine's life and over restarts, milliseconds since the Unix epoch.
  virtual int64_t TtlNowMs() = 0;

  virtual std::unique_ptr<ReadView> NewReadView() = 0;
  virtual std::unique_ptr<Transaction> NewTransaction(const TransactionOptions& options) = 0;
  // NewReadView()->Get(...) for one key, without the cost of a view. Never waits for a lock or for another session.
  virtual Result<bool> GetLatest(const TableOptions& table, std::string_view key, GetBuffer& buffer) = 0;

  // Tells the engine which tables exist: only then may compaction remove their expired rows. Called at start and after the commit that
  // creates a table, before its first row.
  virtual void RegisterTable(const TableOptions& table) = 0;
  // Gives the space of a table back that no catalog names any more. Idempotent; safe to call again after a crash.
  virtual Status DropTable(StorageId table) = 0;

  // Makes everything committed so far durable and the log short (CHECKPOINT).
  virtual Status Checkpoint() = 0;
  // One round of upkeep: finds files past their rows' expiry and compacts or drops them. Called by the engine's own timer where
  // it has one, and by tests. Returns how many files were rewritten or dropped.
  virtual Result<size_t> RunMaintenance() = 0;
  // Compacts the table whole. For tests and operators.
  virtual Status CompactTable(StorageId table) = 0;
  virtual Status FlushMemtables() = 0;

  virtual EngineStats stats() const = 0;
};

}  // namespace mayfly::storage
