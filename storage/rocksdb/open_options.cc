#include "storage/rocksdb/open_options.h"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/universal_compaction.h>

#include "storage/rocksdb/counter_merge.h"
#include "storage/rocksdb/store.h"
#include "storage/rocksdb/tag_properties.h"

namespace mayfly::storage {

namespace {

constexpr size_t kBlockBytes = 16 << 10;
// About 25 bits a row of 150 bytes.
constexpr double kMemtableFilterShare = 0.02;
// A read of a counter adds up what the memtable holds, so that is kept short.
constexpr size_t kCounterMemtableBytes = 512 << 10;

rocksdb::CompressionType CompressionOf(Compression compression) {
  switch (compression) {
    case Compression::kNone: return rocksdb::kNoCompression;
    case Compression::kLz4: return rocksdb::kLZ4Compression;
    case Compression::kZstd: return rocksdb::kZSTD;
  }
  return rocksdb::kNoCompression;
}

rocksdb::ColumnFamilyOptions BaseOptions(const RocksDbOptions& options, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = kBlockBytes;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.checksum = rocksdb::kXXH3;
  table.format_version = 5;
  table.index_block_restart_interval = 1;

  rocksdb::ColumnFamilyOptions family;
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  family.write_buffer_size = options.memtable_bytes;
  family.max_write_buffer_number = 3;
  // Most keys looked for are not in the memtable: new ones, before they are inserted, and those that are on disk.
  family.memtable_whole_key_filtering = true;
  family.memtable_prefix_bloom_size_ratio = kMemtableFilterShare;
  family.compression = CompressionOf(options.compression);
  family.level_compaction_dynamic_level_bytes = true;
  // Nothing happens behind our back: expired files are found by maintenance.
  family.ttl = 0;
  family.periodic_compaction_seconds = 0;
  return family;
}

}  // namespace

rocksdb::DBOptions MakeDbOptions(RocksStore& store) {
  const RocksDbOptions& options = store.options;
  rocksdb::DBOptions db;
  db.env = store.env.get();
  db.create_if_missing = true;
  db.create_missing_column_families = true;
  db.max_background_jobs = options.background_jobs;
  db.max_open_files = -1;
  db.max_total_wal_size = options.log_bytes_max;
  db.manual_wal_flush = true;
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  db.bytes_per_sync = 1 << 20;
  db.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  db.max_log_file_size = 16 << 20;
  db.keep_log_file_num = 4;
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  db.max_manifest_file_size = 16 << 20;
  db.avoid_unnecessary_blocking_io = true;
  return db;
}

std::vector<rocksdb::ColumnFamilyDescriptor> MakeFamilies(RocksStore& store) {
  const std::shared_ptr<rocksdb::Cache> cache =
      rocksdb::HyperClockCacheOptions(store.options.block_cache_bytes, kBlockBytes).MakeSharedCache();
  const rocksdb::ColumnFamilyOptions base = BaseOptions(store.options, cache);

  rocksdb::ColumnFamilyOptions rows = base;

  rocksdb::ColumnFamilyOptions expiring = base;
  expiring.compaction_style = rocksdb::kCompactionStyleUniversal;
  expiring.level_compaction_dynamic_level_bytes = false;
  expiring.compaction_options_universal.max_size_amplification_percent = 100;
  expiring.compaction_options_universal.size_ratio = 10;
  expiring.compaction_options_universal.min_merge_width = 4;
  // Its log, and a spare file for the next one, must not outweigh the rows that live.
  expiring.write_buffer_size = store.options.memtable_bytes / 2;
  expiring.level0_file_num_compaction_trigger = 8;
  expiring.level0_slowdown_writes_trigger = 24;
  expiring.level0_stop_writes_trigger = 40;
  expiring.compaction_filter_factory = NewTtlFilterFactory(store.ttl);
  expiring.table_properties_collector_factories.push_back(NewTagCollectorFactory(store.ttl));

  rocksdb::ColumnFamilyOptions counters = base;
  counters.write_buffer_size = kCounterMemtableBytes;
  counters.merge_operator = NewCounterMerge();

  return {{rocksdb::kDefaultColumnFamilyName, rows}, {"expiring", expiring}, {"counters", counters}};
}

}  // namespace mayfly::storage
