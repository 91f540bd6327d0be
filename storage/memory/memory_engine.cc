#include "storage/memory/memory_engine.h"

#include <atomic>
#include <utility>

#include "storage/local_transaction.h"
#include "storage/memory/memory_rows.h"
#include "storage/overlay_scan.h"

namespace mayfly::storage {

namespace {

struct Memory {
  explicit Memory(Clock& clock) : state(clock, std::numeric_limits<int64_t>::min(), {}) {}
  LocalState state;
  MemoryRows rows;
  std::atomic<uint64_t> removed{0};
};

// Steps from row to row, looking each one up anew.
class MemoryCursor {
 public:
  MemoryCursor(const MemoryRows& rows, KeyRange range, bool reverse, uint64_t version)
      : rows_(rows), range_(std::move(range)), reverse_(reverse), version_(version) {
    row_ =
        reverse_ ? rows_.SeekReverse(range_.end, range_.begin, version_) : rows_.Seek(range_.begin, false, range_.end, version_);
  }
  bool Valid() const { return row_.has_value(); }
  std::string_view key() const { return row_->key; }
  std::string_view stored() const { return row_->stored; }
  void Next() {
    row_ = reverse_ ? rows_.SeekReverse(row_->key, range_.begin, version_) : rows_.Seek(row_->key, true, range_.end, version_);
  }
  Status status() const { return Ok(); }
  uint64_t order() const { return 0; }

 private:
  const MemoryRows& rows_;
  KeyRange range_;
  bool reverse_;
  uint64_t version_;
  std::optional<MemoryRows::Found> row_;
};

const WriteSet& NoWrites() {
  static const WriteSet empty;
  return empty;
}

Result<bool> GetAt(Memory& memory, const TableOptions& table, std::string_view key, uint64_t version, int64_t ttl_now_ms,
                   GetBuffer& buffer) {
  std::optional<std::string> stored = memory.rows.Get(key, version);
  if (!stored.has_value()) return false;
  buffer.copy_ = std::move(*stored);
  bool damaged = false;
  const bool visible = IsVisible(table, ttl_now_ms, buffer.copy_, buffer.row_, damaged);
  if (damaged) return DamagedValue(memory.state, table, buffer.copy_);
  return visible;
}

Status MultiGetBy(const ReadView& view, const TableOptions& table, std::span<const std::string_view> keys, MultiGetFn fn) {
  GetBuffer buffer;
  for (size_t i = 0; i < keys.size(); ++i) {
    TRY(const bool, found, view.Get(table, keys[i], buffer));
    if (!found) continue;
    StoredRow row = buffer.row();
    row.key = keys[i];
    fn(i, row);
  }
  return Ok();
}

class MemoryView final : public ReadView {
 public:
  explicit MemoryView(Memory& memory) : memory_(memory) {
    memory_.state.views.Enter(live_);
    memory_.state.views.AnnounceVersion(live_);
    live_.version.store(memory_.rows.last_commit());
  }
  ~MemoryView() override { memory_.state.views.Leave(live_); }

  int64_t ttl_now_ms() const override { return live_.ttl_now_ms; }
  Result<bool> Get(const TableOptions& table, std::string_view key, GetBuffer& buffer) const override {
    return GetAt(memory_, table, key, live_.version, live_.ttl_now_ms, buffer);
  }
  Status MultiGet(const TableOptions& table, std::span<const std::string_view> keys, MultiGetFn fn) const override {
    return MultiGetBy(*this, table, keys, fn);
  }
  std::unique_ptr<Scan> NewScan(const TableOptions& table, KeyRange range, ScanOptions options) const override {
    MemoryCursor base(memory_.rows, range, options.reverse, live_.version);
    return std::make_unique<OverlayScan<MemoryCursor>>(memory_.state, table, NoWrites(), std::move(range), options,
                                                       live_.ttl_now_ms, std::move(base));
  }
  std::vector<std::string> SplitRange(const TableOptions&, const KeyRange& range, size_t parts) const override {
    return memory_.rows.Split(range, parts);
  }
  Size EstimateSize(const TableOptions&, const KeyRange& range) const override { return memory_.rows.SizeOf(range); }
  Result<int64_t> ReadCounter(std::string_view counter) const override { return memory_.rows.Counter(counter, live_.version); }

 private:
  Memory& memory_;
  LiveView live_;
};

class MemoryTransaction final : public LocalTransaction {
 public:
  MemoryTransaction(Memory& memory, const TransactionOptions& options)
      : LocalTransaction(memory.state, options), memory_(memory) {}
  ~MemoryTransaction() override { Finish(); }

  Result<bool> Get(const TableOptions& table, std::string_view key, GetBuffer& buffer) const override {
    TRY(const std::optional<bool>, own, GetOwn(table, key, buffer));
    if (own.has_value()) return *own;
    if (ReadsNewest(key)) return GetAt(memory_, table, key, memory_.rows.last_commit(), ttl_now_ms(), buffer);
    EnsureVersion();
    RecordKey(key);
    return GetAt(memory_, table, key, version_, ttl_now_ms(), buffer);
  }
  Result<bool> GetNewest(const TableOptions& table, std::string_view key, GetBuffer& buffer) const override {
    TRY(const std::optional<bool>, own, GetOwn(table, key, buffer));
    if (own.has_value()) return *own;
    RecordNewest(key);
    return GetAt(memory_, table, key, memory_.rows.last_commit(), ttl_now_ms(), buffer);
  }
  Status MultiGet(const TableOptions& table, std::span<const std::string_view> keys, MultiGetFn fn) const override {
    return MultiGetBy(*this, table, keys, fn);
  }
  std::unique_ptr<Scan> NewScan(const TableOptions& table, KeyRange range, ScanOptions options) const override {
    EnsureVersion();
    RecordRange(range);
    MemoryCursor base(memory_.rows, range, options.reverse, version_);
    return std::make_unique<OverlayScan<MemoryCursor>>(state_, table, writes_, std::move(range), options, ttl_now_ms(),
                                                       std::move(base));
  }
  std::vector<std::string> SplitRange(const TableOptions&, const KeyRange& range, size_t parts) const override {
    return memory_.rows.Split(range, parts);
  }
  Size EstimateSize(const TableOptions&, const KeyRange& range) const override { return memory_.rows.SizeOf(range); }
  Result<int64_t> ReadCounter(std::string_view counter) const override {
    EnsureVersion();
    RecordKey(CounterKey(counter));
    return memory_.rows.Counter(counter, version_) + writes_.CounterDelta(counter);
  }
  Result<std::unique_ptr<BulkLoad>> NewBulkLoad(const TableOptions& table) override;

 private:
  friend class MemoryBulkLoad;
  uint64_t TakeVersion() const override { return version_ = memory_.rows.last_commit(); }
  void DropVersion() const override {}
  Result<uint64_t> Apply(const WriteSet& writes, Durability) override { return memory_.rows.Apply(writes); }
  Result<bool> DiffersFromNewest(std::string_view key) const override {
    return memory_.rows.Get(key, version_) != memory_.rows.Get(key, memory_.rows.last_commit());
  }

  Memory& memory_;
  mutable uint64_t version_ = 0;
};

// Writes row by row: nothing to gain in memory.
class MemoryBulkLoad final : public BulkLoad {
 public:
  MemoryBulkLoad(MemoryTransaction& transaction, const TableOptions& table) : transaction_(transaction), table_(table) {}

  Status Append(std::string_view key, std::string_view payload, Tag tag) override {
    if (!duplicate_.has_value()) {
      TRY(const bool, found, transaction_.Get(table_, key, buffer_));
      if (found || !keys_.emplace(key, true).second) duplicate_ = std::string(key);
    }
    return transaction_.Put(table_, key, payload, tag);
  }
  Result<std::optional<std::string>> Finish() override { return std::move(duplicate_); }

 private:
  MemoryTransaction& transaction_;
  const TableOptions table_;
  GetBuffer buffer_;
  std::map<std::string, bool, std::less<>> keys_;  // an expired row given twice is a duplicate too
  std::optional<std::string> duplicate_;
};

Result<std::unique_ptr<BulkLoad>> MemoryTransaction::NewBulkLoad(const TableOptions& table) {
  TRY_OK(CheckWritable());
  return std::unique_ptr<BulkLoad>(std::make_unique<MemoryBulkLoad>(*this, table));
}

class MemoryEngine final : public Engine {
 public:
  explicit MemoryEngine(Clock& clock) : memory_(clock) {}

  const Limits& limits() const override { return memory_.state.limits; }
  const Capabilities& capabilities() const override { return capabilities_; }
  int64_t TtlNowMs() override { return memory_.state.clock.NowMs(); }
  std::unique_ptr<ReadView> NewReadView() override { return std::make_unique<MemoryView>(memory_); }
  std::unique_ptr<Transaction> NewTransaction(const TransactionOptions& options) override {
    return std::make_unique<MemoryTransaction>(memory_, options);
  }
  Result<bool> GetLatest(const TableOptions& table, std::string_view key, GetBuffer& buffer) override {
    const int64_t ttl_now_ms = TtlNowMs();
    return GetAt(memory_, table, key, memory_.rows.last_commit(), ttl_now_ms, buffer);
  }
  void RegisterTable(const TableOptions& table) override { memory_.rows.Register(table); }
  Status DropTable(StorageId table) override {
    memory_.rows.Drop(table);
    return Ok();
  }
  Status Checkpoint() override { return Ok(); }
  Result<size_t> RunMaintenance() override { return Compact(); }
  Status CompactTable(StorageId) override {
    Compact();
    return Ok();
  }
  Status FlushMemtables() override { return Ok(); }
  EngineStats stats() const override {
    return {.rows_expired_removed = memory_.removed.load(),
            .damaged_values = memory_.state.damaged_values.load(),
            .commits = memory_.state.commits.load()};
  }

 private:
  size_t Compact() {
    const int64_t watermark_ms = memory_.state.views.Watermark();
    const uint64_t newest = memory_.rows.last_commit();
    const uint64_t oldest = std::min(newest, memory_.state.views.OldestVersion().value_or(newest));
    const size_t removed = memory_.rows.Compact(watermark_ms, oldest);
    memory_.removed += removed;
    return removed;
  }

  Memory memory_;
  Capabilities capabilities_;
};

}  // namespace

std::unique_ptr<Engine> NewMemoryEngine(Clock& clock) { return std::make_unique<MemoryEngine>(clock); }

}  // namespace mayfly::storage
