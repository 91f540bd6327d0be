// Opens engines for tests: in a directory of their own, under a clock that the test moves, without threads of their own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "storage/engine.h"
#include "storage/memory/memory_engine.h"
#include "storage/rocksdb/rocksdb_engine.h"

namespace mayfly::storage {

enum class EngineKind { kMemory, kRocksDb };

inline std::string EngineName(EngineKind kind) { return kind == EngineKind::kMemory ? "Memory" : "RocksDb"; }

// A directory that is gone at the end.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "mayfly-storage-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~ScratchDirectory() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline RocksDbOptions SmallOptions(const std::string& data_dir) {
  RocksDbOptions options;
  options.data_dir = data_dir;
  options.block_cache_bytes = 8 << 20;
  options.memtable_bytes = 1 << 20;
  options.background_threads = false;
  options.log_extend_bytes = 64 << 10;
  options.bulk_load_bytes = 8 << 20;
  options.large_commit_bytes = 4 << 20;
  return options;
}

template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) ADD_FAILURE() << result.error().state.code() << ' ' << result.error().message;
  return std::move(result).value();
}
inline void Must(Status status) {
  if (!status.ok()) ADD_FAILURE() << status.error().state.code() << ' ' << status.error().message;
}
// "" where it went well.
template <typename T>
std::string StateOf(const Result<T>& result) {
  return result.ok() ? std::string() : std::string(result.error().state.code());
}

inline constexpr int64_t kStartMs = 1'700'000'000'000;
inline constexpr TableOptions kPlainTable{.table = {7}, .layout = ValueLayout::kPlain};
// Rows live a second.
inline constexpr TableOptions kTtlTable{.table = {9}, .layout = ValueLayout::kTagged, .ttl_ms = 1000};

inline std::string Key(const TableOptions& table, std::string_view name) {
  std::string key;
  AppendBigEndian(key, table.table.value);
  return key.append(name);
}
inline KeyRange Whole(const TableOptions& table) {
  KeyRange range;
  AppendBigEndian(range.begin, table.table.value);
  AppendBigEndian(range.end, table.table.value + 1);
  return range;
}

class EngineHarness {
 public:
  explicit EngineHarness(EngineKind kind) : kind_(kind), clock_(kStartMs * 1000) { Open(); }

  void Open() {
    if (kind_ == EngineKind::kMemory) {
      engine_ = NewMemoryEngine(clock_);
    } else {
      engine_ = Must(OpenRocksDbEngine(SmallOptions(directory_.path()), clock_));
    }
    engine_->RegisterTable(kPlainTable);
    engine_->RegisterTable(kTtlTable);
  }
  // Only for engines that keep anything.
  void Reopen() {
    engine_.reset();
    Open();
  }
  bool persistent() const { return kind_ == EngineKind::kRocksDb; }

  Engine& engine() { return *engine_; }
  ManualClock& clock() { return clock_; }
  const std::string& directory() const { return directory_.path(); }
  void AdvanceMs(int64_t ms) { clock_.Advance(ms * 1000); }
  int64_t NowMs() const { return clock_.NowMicros() / 1000; }

  std::unique_ptr<Transaction> Begin(Isolation isolation = Isolation::kReadCommitted) {
    return engine_->NewTransaction({.isolation = isolation});
  }
  void Put(const TableOptions& table, std::string_view name, std::string_view payload, Tag tag = kNeverTag) {
    auto txn = Begin();
    EXPECT_TRUE(Must(txn->Lock(Key(table, name), LockMode::kExclusive, {})));
    Must(txn->Put(table, Key(table, name), payload, tag));
    Must(txn->Commit(Durability::kFlushed));
  }
  void Delete(const TableOptions& table, std::string_view name) {
    auto txn = Begin();
    EXPECT_TRUE(Must(txn->Lock(Key(table, name), LockMode::kExclusive, {})));
    Must(txn->Delete(table, Key(table, name)));
    Must(txn->Commit(Durability::kFlushed));
  }

  static std::string Get(const ReadView& view, const TableOptions& table, std::string_view name) {
    GetBuffer buffer;
    return Must(view.Get(table, Key(table, name), buffer)) ? std::string(buffer.row().payload) : "(none)";
  }
  std::string Latest(const TableOptions& table, std::string_view name) {
    GetBuffer buffer;
    return Must(engine_->GetLatest(table, Key(table, name), buffer)) ? std::string(buffer.row().payload) : "(none)";
  }
  // "a=1 b=2": what a scan of the whole table shows.
  static std::string Rows(const ReadView& view, const TableOptions& table, ScanOptions options = {}, size_t page = 3) {
    return Rows(view, table, Whole(table), options, page);
  }
  static std::string Rows(const ReadView& view, const TableOptions& table, const KeyRange& range, ScanOptions options = {},
                          size_t page = 3) {
    std::string text;
    auto scan = view.NewScan(table, range, options);
    const auto append = [&](const StoredRow& row) {
      if (!text.empty()) text += ' ';
      text.append(row.key.substr(4)).append("=").append(row.payload);
    };
    while (Must(scan->NextPage(page, append)) == page) {
    }
    return text;
  }
  std::string Rows(const TableOptions& table) { return Rows(*engine_->NewReadView(), table); }

 private:
  ScratchDirectory directory_;
  const EngineKind kind_;
  ManualClock clock_;
  std::unique_ptr<Engine> engine_;
};

// A test that runs on every engine.
class EveryEngine : public testing::TestWithParam<EngineKind> {
 protected:
  EngineHarness db_{GetParam()};
};

inline std::string EngineParamName(const testing::TestParamInfo<EngineKind>& info) { return EngineName(info.param); }

}  // namespace mayfly::storage
