// The engine that stores rows in RocksDB. Includes no header of RocksDB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "storage/engine.h"

namespace mayfly::storage {

enum class Compression : uint8_t { kNone, kLz4, kZstd };

struct RocksDbOptions {
  std::string data_dir;
  bool create_if_missing = true;
  size_t block_cache_bytes = size_t{256} << 20;
  // Of one column family; a full one is written out in the background while the next one fills.
  size_t memtable_bytes = size_t{64} << 20;
  Compression compression = Compression::kLz4;
  int background_jobs = 2;
  // Runs upkeep of expired files, the flusher of buffered commits and the clock's mark by own threads. Tests call RunMaintenance.
  bool background_threads = true;
  int64_t maintenance_period_ms = 1000;
  // How long a buffered commit may wait for the log to be flushed.
  int64_t log_flush_period_ms = 200;
  // The log is written into files that exist already: they grow by this much at a time, and are used again.
  size_t log_extend_bytes = size_t{4} << 20;
  // Memtables are flushed before the log holds more than this.
  size_t log_bytes_max = size_t{96} << 20;
  // A commit of more than this becomes files of its own instead of passing through the log and the memtables.
  size_t large_commit_bytes = size_t{256} << 20;
  // Rows of a bulk load that are sorted in memory at a time.
  size_t bulk_load_bytes = size_t{128} << 20;
};

// Opens the engine on a data directory, after recovery. The clock outlives the engine.
// 55006 where another process has the directory open; 0A000 where its format is of a newer version; 58P01 where it does not exist
// and must not be created; 58030, XX001 where it cannot be read.
Result<std::unique_ptr<Engine>> OpenRocksDbEngine(const RocksDbOptions& options, Clock& clock);

}  // namespace mayfly::storage
