#include "storage/rocksdb/rocksdb_engine.h"

#include <rocksdb/convenience.h>

#include <utility>

#include "base/bytes.h"
#include "storage/rocksdb/background.h"
#include "storage/rocksdb/maintenance.h"
#include "storage/rocksdb/reader.h"
#include "storage/rocksdb/rocksdb_transaction.h"
#include "storage/rocksdb/rocksdb_view.h"
#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

const rocksdb::ReadOptions kNewest;

class RocksEngine final : public Engine {
 public:
  RocksEngine(const RocksDbOptions& options, Clock& clock, std::unique_ptr<DataDirectory> directory)
      : store_(options, clock, std::move(directory)), maintenance_(store_) {}
  ~RocksEngine() override {
    store_.closing.store(true);
    background_.Stop();
    store_.Close();
  }

  Status Open() {
    TRY_OK(store_.Open());
    if (!store_.options.background_threads) return Ok();
    background_.Every(store_.options.log_flush_period_ms, [this] {
      if (store_.unflushed.load(std::memory_order_seq_cst)) static_cast<void>(store_.FlushLog());
      store_.state.clock.ExtendAhead();
    });
    background_.Every(store_.options.maintenance_period_ms, [this] {
      // A disk that was full may have room again.
      if (store_.failed.load(std::memory_order_acquire) && store_.db->Resume().ok()) store_.failed.store(false);
      static_cast<void>(maintenance_.Run());
    });
    return Ok();
  }

  const Limits& limits() const override { return store_.state.limits; }
  const Capabilities& capabilities() const override { return capabilities_; }
  int64_t TtlNowMs() override { return store_.state.clock.NowMs(); }
  std::unique_ptr<ReadView> NewReadView() override { return std::make_unique<RocksView>(store_); }
  std::unique_ptr<Transaction> NewTransaction(const TransactionOptions& options) override {
    return std::make_unique<RocksTransaction>(store_, options);
  }

  // The clock is read first: a row that a later watermark removed was expired at a moment of this call.
  Result<bool> GetLatest(const TableOptions& table, std::string_view key, GetBuffer& buffer) override {
    const int64_t ttl_now_ms = table.layout == ValueLayout::kTagged ? store_.state.clock.NowMs() : 0;
    return GetRow(store_, kNewest, table, key, ttl_now_ms, buffer);
  }

  void RegisterTable(const TableOptions& table) override { store_.ttl.tables.Register(table); }

  // Files that hold nothing else go at once. The range tombstone comes last: it must outlive them.
  Status DropTable(StorageId table) override {
    store_.ttl.tables.Drop(table);
    std::string begin;
    std::string end;
    AppendBigEndian(begin, table.value);
    AppendBigEndian(end, table.value + 1);
    const rocksdb::Slice begin_slice(begin);
    const rocksdb::Slice end_slice(end);
    const rocksdb::RangePtr range(&begin_slice, &end_slice);
    rocksdb::WriteBatch batch;
    for (const ValueLayout layout : {ValueLayout::kPlain, ValueLayout::kTagged}) {
      TRY_OK(ToStatus(rocksdb::DeleteFilesInRanges(store_.db.get(), store_.rows(layout), &range, 1, false),
                      "could not drop a table"));
      batch.DeleteRange(store_.rows(layout), begin, end);
    }
    TRY_OK(store_.Write(batch, Durability::kBuffered));
    return Ok();
  }

  Status Checkpoint() override {
    TRY_OK(store_.FlushLog());
    return FlushMemtables();
  }
  Result<size_t> RunMaintenance() override { return maintenance_.Run(); }

  Status CompactTable(StorageId table) override {
    std::string begin;
    std::string end;
    AppendBigEndian(begin, table.value);
    AppendBigEndian(end, table.value + 1);
    const rocksdb::Slice begin_slice(begin);
    const rocksdb::Slice end_slice(end);
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    options.canceled = &store_.closing;
    for (const ValueLayout layout : {ValueLayout::kPlain, ValueLayout::kTagged}) {
      TRY_OK(
          ToStatus(store_.db->CompactRange(options, store_.rows(layout), &begin_slice, &end_slice), "could not compact a table"));
    }
    return Ok();
  }

  Status FlushMemtables() override {
    const std::vector<rocksdb::ColumnFamilyHandle*> families = {store_.rows(ValueLayout::kPlain), store_.expiring(),
                                                                store_.counters()};
    return ToStatus(store_.db->Flush(rocksdb::FlushOptions(), families), "could not flush memtables");
  }

  EngineStats stats() const override {
    EngineStats stats;
    stats.rows_expired_removed = store_.ttl.rows_removed.load();
    stats.files_expired_dropped = maintenance_.files_dropped();
    stats.files_skipped = store_.expired_files.skipped();
    stats.damaged_values = store_.state.damaged_values.load() + store_.ttl.damaged_values.load();
    stats.commits = store_.state.commits.load();
    stats.log_flushes = store_.log_files->flushes();
    for (const auto& family : store_.families) {
      uint64_t bytes = 0;
      store_.db->GetIntProperty(family.get(), rocksdb::DB::Properties::kTotalSstFilesSize, &bytes);
      stats.bytes_on_disk += bytes;
    }
    return stats;
  }

 private:
  RocksStore store_;
  Maintenance maintenance_;
  Background background_;
  Capabilities capabilities_;
};

}  // namespace

Result<std::unique_ptr<Engine>> OpenRocksDbEngine(const RocksDbOptions& options, Clock& clock) {
  TRY(std::unique_ptr<DataDirectory>, directory, DataDirectory::Open(options.data_dir, options.create_if_missing));
  auto engine = std::make_unique<RocksEngine>(options, clock, std::move(directory));
  TRY_OK(engine->Open());
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace mayfly::storage
