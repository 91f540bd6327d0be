// What the parts of the RocksDB engine share: the open database and what is kept beside it.
//
//   default    rows of plain tables           leveled: reads look into few files
//   expiring   rows of tagged tables          size-tiered: rows are written few times before they expire
//   counters   counters, by name              added up by a merge operator
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <array>
#include <atomic>
#include <memory>
#include <string_view>
#include <utility>

#include "storage/local_state.h"
#include "storage/rocksdb/commit_queue.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/expired_files.h"
#include "storage/rocksdb/log_file_system.h"
#include "storage/rocksdb/rocksdb_engine.h"
#include "storage/rocksdb/ttl_filter.h"

namespace mayfly::storage {

struct RocksStore {
  RocksStore(const RocksDbOptions& open_options, Clock& clock, std::unique_ptr<DataDirectory> data_directory)
      : options(open_options),
        directory(std::move(data_directory)),
        state(clock, directory->clock_mark_ms(), [this](int64_t mark_ms) { return directory->WriteClockMark(mark_ms); }) {}

  rocksdb::ColumnFamilyHandle* rows(ValueLayout layout) const {
    return layout == ValueLayout::kTagged ? families[1].get() : families[0].get();
  }
  rocksdb::ColumnFamilyHandle* expiring() const { return families[1].get(); }
  rocksdb::ColumnFamilyHandle* counters() const { return families[2].get(); }

  // Opens the database, recovers its log.
  Status Open();
  void Close();
  // Writes as one commit; returns its number.
  Result<uint64_t> Write(rocksdb::WriteBatch& batch, Durability durability);
  // Makes buffered commits durable.
  Status FlushLog();

  const RocksDbOptions options;
  // Destroyed last: everything below uses it.
  std::unique_ptr<DataDirectory> directory;
  LocalState state;
  TtlFilterContext ttl{state.views, {}, {}, {}};
  ExpiredFiles expired_files;
  std::shared_ptr<LogFileSystem> log_files;
  std::unique_ptr<rocksdb::Env> env;
  std::unique_ptr<rocksdb::DB> db;
  std::array<std::unique_ptr<rocksdb::ColumnFamilyHandle>, 3> families;
  CommitQueue commit_queue{*this};
  // Commits that are in the log's buffer only.
  std::atomic<bool> unflushed{false};
  std::atomic<uint64_t> scratch_files{0};
  // Set when RocksDB stopped to take writes after an error.
  std::atomic<bool> failed{false};
  std::atomic<bool> closing{false};
};

inline rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
inline std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

}  // namespace mayfly::storage
