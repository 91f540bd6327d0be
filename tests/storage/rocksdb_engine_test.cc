// What only an engine with files can do: recovery, the data directory, the log, giving disk back.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "storage/rocksdb/maintenance.h"
#include "storage/rocksdb/store.h"
#include "tests/storage/engine_harness.h"

namespace mayfly::storage {
namespace {

namespace fs = std::filesystem;

class RocksDbEngineTest : public testing::Test {
 protected:
  // What is on disk now, as after a crash of the machine's programs: no file is closed or flushed by the engine first.
  std::unique_ptr<ScratchDirectory> CrashCopy() {
    auto copy = std::make_unique<ScratchDirectory>();
    fs::copy(db_.directory(), copy->path(), fs::copy_options::recursive);
    return copy;
  }
  std::unique_ptr<Engine> OpenAt(const std::string& path) {
    auto engine = Must(OpenRocksDbEngine(SmallOptions(path), db_.clock()));
    engine->RegisterTable(kPlainTable);
    engine->RegisterTable(kTtlTable);
    return engine;
  }
  static std::string RowsOf(Engine& engine, const TableOptions& table) {
    return EngineHarness::Rows(*engine.NewReadView(), table);
  }

  EngineHarness db_{EngineKind::kRocksDb};
};

TEST_F(RocksDbEngineTest, EverythingCommittedSurvivesReopening) {
  db_.Put(kPlainTable, "a", "1");
  db_.Put(kTtlTable, "b", "2", kStartMs);
  auto txn = db_.Begin();
  Must(txn->AddToCounter("c", 7));
  Must(txn->Put(kPlainTable, Key(kPlainTable, "buffered"), "3", kNeverTag));
  Must(txn->Commit(Durability::kBuffered));
  for (int i = 0; i < 3; ++i) {
    db_.Reopen();
    EXPECT_EQ(db_.Rows(kPlainTable), "a=1 buffered=3");
    EXPECT_EQ(db_.Rows(kTtlTable), "b=2");
    EXPECT_EQ(Must(db_.engine().NewReadView()->ReadCounter("c")), 7);
  }
  db_.AdvanceMs(1000);
  EXPECT_EQ(db_.Rows(kTtlTable), "") << "a lifetime is not extended by a restart";
}

TEST_F(RocksDbEngineTest, FlushedCommitsSurviveACrashAndUncommittedOnesDoNot) {
  for (int i = 0; i < 200; ++i)
    db_.Put(i % 2 == 0 ? kPlainTable : kTtlTable, std::to_string(1000 + i), std::string(100, 'x'), kStartMs + 10'000);
  auto txn = db_.Begin();
  Must(txn->Put(kPlainTable, Key(kPlainTable, "uncommitted"), "1", kNeverTag));
  const auto copy = CrashCopy();
  const auto engine = OpenAt(copy->path());
  EXPECT_EQ(RowsOf(*engine, kPlainTable), db_.Rows(kPlainTable));
  EXPECT_EQ(RowsOf(*engine, kTtlTable), db_.Rows(kTtlTable));
  EXPECT_EQ(RowsOf(*engine, kPlainTable).find("uncommitted"), std::string::npos);
}

TEST_F(RocksDbEngineTest, AKilledProcessLosesNothingThatItSaidIsCommitted) {
  ScratchDirectory directory;
  int pipe_fds[2];
  ASSERT_EQ(::pipe(pipe_fds), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe_fds[0]);
    ManualClock clock(kStartMs * 1000);
    auto opened = OpenRocksDbEngine(SmallOptions(directory.path()), clock);
    if (!opened.ok()) ::_exit(1);
    for (int i = 0; i < 500; ++i) {
      auto txn = (*opened)->NewTransaction({});
      if (!txn->Put(kPlainTable, Key(kPlainTable, std::to_string(1000 + i)), std::string(500, 'x'), kNeverTag).ok()) ::_exit(1);
      if (!txn->Commit(Durability::kFlushed).ok()) ::_exit(1);
      if (::write(pipe_fds[1], &i, sizeof i) != sizeof i) ::_exit(1);
    }
    ::_exit(0);  // no destructor runs
  }
  ::close(pipe_fds[1]);
  int said = -1;
  while (::read(pipe_fds[0], &said, sizeof said) == sizeof said) {
  }
  ::close(pipe_fds[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  const auto engine = OpenAt(directory.path());
  GetBuffer buffer;
  for (int i = 0; i <= said; ++i) {
    EXPECT_TRUE(Must(engine->GetLatest(kPlainTable, Key(kPlainTable, std::to_string(1000 + i)), buffer))) << i;
  }
}

// Log files are used again; recovery must not take the rows of an older log for its own, nor stop too early.
TEST_F(RocksDbEngineTest, UsedLogFilesAreRecoveredExactly) {
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 30; ++i) db_.Put(kPlainTable, std::to_string(100 * round + i), std::string(3000, 'x'));
    if (round % 2 == 1) db_.Delete(kPlainTable, std::to_string(100 * round));
    const auto copy = CrashCopy();
    const auto engine = OpenAt(copy->path());
    EXPECT_EQ(RowsOf(*engine, kPlainTable), db_.Rows(kPlainTable)) << round;
    Must(db_.engine().FlushMemtables());
  }
  EXPECT_FALSE(fs::is_empty(db_.directory() + "/log_spares")) << "the test was to use log files again";
}

TEST_F(RocksDbEngineTest, ATornEndOfTheLogLosesWholeCommitsOnly) {
  db_.Put(kPlainTable, "first", "1");
  auto txn = db_.Begin();
  for (int i = 0; i < 100; ++i)
    Must(txn->Put(kPlainTable, Key(kPlainTable, std::to_string(i)), std::string(1000, 'y'), kNeverTag));
  Must(txn->Put(kTtlTable, Key(kTtlTable, "t"), "1", kStartMs));
  Must(txn->Commit(Durability::kFlushed));
  const auto copy = CrashCopy();
  std::string log;
  for (const auto& entry : fs::directory_iterator(copy->path() + "/rocksdb")) {
    if (entry.path().extension() == ".log") log = entry.path();
  }
  {
    std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(50'000);
    file.write("torn", 4);
  }
  const auto engine = OpenAt(copy->path());
  EXPECT_EQ(RowsOf(*engine, kPlainTable), "first=1");
  EXPECT_EQ(RowsOf(*engine, kTtlTable), "");
}

TEST_F(RocksDbEngineTest, ABulkLoadIsDurableWithEverythingCommittedBefore) {
  auto before = db_.Begin();
  Must(before->Put(kPlainTable, Key(kPlainTable, "before"), "1", kNeverTag));
  Must(before->Commit(Durability::kBuffered));
  auto txn = db_.Begin();
  auto load = Must(txn->NewBulkLoad(kTtlTable));
  for (int i = 0; i < 60'000; ++i)
    Must(load->Append(Key(kTtlTable, std::to_string(100'000 + i)), std::string(100, 'x'), kStartMs + 10'000));
  EXPECT_EQ(Must(load->Finish()), std::nullopt);
  Must(txn->Put(kPlainTable, Key(kPlainTable, "with it"), "2", kNeverTag));
  Must(txn->Commit(Durability::kFlushed));
  const auto copy = CrashCopy();
  const auto engine = OpenAt(copy->path());
  EXPECT_EQ(RowsOf(*engine, kPlainTable), "before=1 with it=2");
  GetBuffer buffer;
  EXPECT_TRUE(Must(engine->GetLatest(kTtlTable, Key(kTtlTable, "159999"), buffer)));
}

TEST_F(RocksDbEngineTest, ALargeCommitBecomesFilesAndIsOneCommitAllTheSame) {
  db_.Put(kPlainTable, "5", "old");
  db_.Put(kPlainTable, "deleted", "old");
  const auto view = db_.engine().NewReadView();
  auto txn = db_.Begin();
  for (int i = 0; i < 50; ++i)
    Must(txn->Put(kPlainTable, Key(kPlainTable, std::to_string(i)), std::string(100'000, 'x'), kNeverTag));
  Must(txn->Delete(kPlainTable, Key(kPlainTable, "deleted")));
  Must(txn->Put(kTtlTable, Key(kTtlTable, "t"), "1", kStartMs + 10'000));
  Must(txn->AddToCounter("c", 2));
  const uint64_t flushes = db_.engine().stats().log_flushes;
  Must(txn->Commit(Durability::kFlushed));
  EXPECT_LE(db_.engine().stats().log_flushes, flushes + 1);
  EXPECT_EQ(db_.Rows(*view, kPlainTable), "5=old deleted=old");
  const auto copy = CrashCopy();
  const auto engine = OpenAt(copy->path());
  for (Engine* one : {&db_.engine(), engine.get()}) {
    GetBuffer buffer;
    EXPECT_TRUE(Must(one->GetLatest(kPlainTable, Key(kPlainTable, "5"), buffer)));
    EXPECT_EQ(buffer.row().payload.size(), 100'000u);
    EXPECT_FALSE(Must(one->GetLatest(kPlainTable, Key(kPlainTable, "deleted"), buffer)));
    EXPECT_EQ(RowsOf(*one, kTtlTable), "t=1");
    EXPECT_EQ(Must(one->NewReadView()->ReadCounter("c")), 2);
  }
}

TEST_F(RocksDbEngineTest, TimeIsMonotoneOverRestartsAndCrashes) {
  db_.AdvanceMs(100'000);
  const int64_t handed_out = db_.engine().TtlNowMs();
  const auto copy = CrashCopy();
  db_.clock().Set(kStartMs * 1000);
  db_.Reopen();
  EXPECT_EQ(db_.engine().TtlNowMs(), handed_out) << "a clean end keeps the last time handed out";
  const int64_t after_crash = OpenAt(copy->path())->TtlNowMs();
  EXPECT_GE(after_crash, handed_out);
  EXPECT_LE(after_crash, handed_out + 1000);
}

TEST_F(RocksDbEngineTest, ASecondOpenerIsRefused) {
  const auto second = OpenRocksDbEngine(SmallOptions(db_.directory()), db_.clock());
  ASSERT_EQ(StateOf(second), "55006");
  EXPECT_EQ(second.error().message, "data directory \"" + db_.directory() + "\" is in use by another process");
}

TEST_F(RocksDbEngineTest, ANewerFormatIsRefusedByName) {
  ScratchDirectory directory;
  OpenAt(directory.path()).reset();
  std::ofstream(directory.path() + "/FORMAT") << "mayfly data directory format 99\n";
  const auto newer = OpenRocksDbEngine(SmallOptions(directory.path()), db_.clock());
  ASSERT_EQ(StateOf(newer), "0A000");
  EXPECT_NE(newer.error().message.find("format version 99"), std::string::npos) << newer.error().message;
  std::ofstream(directory.path() + "/FORMAT") << "rubbish\n";
  EXPECT_EQ(StateOf(OpenRocksDbEngine(SmallOptions(directory.path()), db_.clock())), "XX001");
  fs::remove(directory.path() + "/FORMAT");
  EXPECT_EQ(StateOf(OpenRocksDbEngine(SmallOptions(directory.path()), db_.clock())), "XX001");
}

TEST_F(RocksDbEngineTest, AMissingDirectoryIsCreatedOnlyWhereAsked) {
  ScratchDirectory directory;
  RocksDbOptions options = SmallOptions(directory.path() + "/new/deep");
  options.create_if_missing = false;
  EXPECT_EQ(StateOf(OpenRocksDbEngine(options, db_.clock())), "58P01");
  options.create_if_missing = true;
  EXPECT_EQ(StateOf(OpenRocksDbEngine(options, db_.clock())), "");
  options.data_dir = directory.path() + "/file";
  std::ofstream(options.data_dir) << "x";
  EXPECT_EQ(StateOf(OpenRocksDbEngine(options, db_.clock())), "58030");
}

// Three bytes where a tag of eight should be.
TEST_F(RocksDbEngineTest, DamagedValuesAreKeptCountedAndReported) {
  ScratchDirectory directory;
  {
    RocksStore store(SmallOptions(directory.path()), db_.clock(), Must(DataDirectory::Open(directory.path(), true)));
    Must(store.Open());
    rocksdb::WriteBatch batch;
    batch.Put(store.expiring(), Key(kTtlTable, "a"), "abc");
    Must(store.Write(batch, Durability::kFlushed));
    store.Close();
  }
  const auto engine = OpenAt(directory.path());
  db_.AdvanceMs(1'000'000);
  GetBuffer buffer;
  for (int i = 1; i <= 2; ++i) {
    const auto read = engine->GetLatest(kTtlTable, Key(kTtlTable, "a"), buffer);
    ASSERT_EQ(StateOf(read), "XX001");
    EXPECT_EQ(read.error().message, "stored value of 3 bytes is too short for KV format version 2");
    EXPECT_EQ(engine->stats().damaged_values, static_cast<uint64_t>(2 * i - 1));
    const auto view = engine->NewReadView();
    EXPECT_EQ(StateOf(view->NewScan(kTtlTable, Whole(kTtlTable), {})->NextPage(10, [](const StoredRow&) {})), "XX001");
  }
  Must(engine->FlushMemtables());
  Must(engine->CompactTable(kTtlTable.table));
  Must(engine->RunMaintenance());
  EXPECT_GT(engine->stats().damaged_values, 4u) << "compaction counts it";
  EXPECT_EQ(StateOf(engine->GetLatest(kTtlTable, Key(kTtlTable, "a"), buffer)), "XX001") << "and keeps it";
}

TEST_F(RocksDbEngineTest, AFewRowsDoNotKeepOldLogs) {
  ScratchDirectory directory;
  RocksStore store(SmallOptions(directory.path()), db_.clock(), Must(DataDirectory::Open(directory.path(), true)));
  Must(store.Open());
  Maintenance maintenance(store);
  const auto put = [&](rocksdb::ColumnFamilyHandle* family, const TableOptions& table, std::string_view name) {
    rocksdb::WriteBatch batch;
    batch.Put(family, Key(table, name), "a value of some bytes");
    Must(store.Write(batch, Durability::kFlushed));
  };
  const auto rows_in_log_only = [&] {
    uint64_t rows = 0;
    EXPECT_TRUE(store.db->GetIntProperty(store.rows(ValueLayout::kPlain), rocksdb::DB::Properties::kNumEntriesActiveMemTable, &rows));
    return rows;
  };
  put(store.rows(ValueLayout::kPlain), kPlainTable, "a");
  const uint64_t first = store.log_files->newest_log();
  for (int round = 0; round < 2; ++round) Must(maintenance.Run());
  EXPECT_EQ(store.log_files->newest_log(), first) << "there is no other log";

  put(store.expiring(), kTtlTable, "a");
  ASSERT_TRUE(store.db->Flush({}, store.expiring()).ok());
  EXPECT_GT(store.log_files->newest_log(), first);
  EXPECT_EQ(rows_in_log_only(), 1u);
  put(store.expiring(), kTtlTable, "b");
  for (int round = 0; round < 2; ++round) Must(maintenance.Run());
  EXPECT_EQ(rows_in_log_only(), 0u) << "the first log is free";

  // Once in a while is enough: while the other family's rows are as old, a flush would release nothing.
  const uint64_t newest = store.log_files->newest_log();
  for (int round = 0; round < 6; ++round) {
    if (round % 3 == 0) put(store.rows(ValueLayout::kPlain), kPlainTable, std::to_string(round));
    Must(maintenance.Run());
  }
  EXPECT_EQ(store.log_files->newest_log(), newest);
  store.Close();
}

TEST_F(RocksDbEngineTest, IdleTablesGiveTheirDiskBackWithoutAnyWrite) {
  for (int round = 0; round < 4; ++round) {
    auto txn = db_.Begin();
    for (int i = 0; i < 2000; ++i) {
      Must(txn->Put(kTtlTable, Key(kTtlTable, std::to_string(round) + '/' + std::to_string(i)), std::string(100, 'x'),
                    db_.NowMs()));
    }
    Must(txn->Commit(Durability::kFlushed));
    Must(db_.engine().FlushMemtables());
  }
  const uint64_t before = db_.engine().stats().bytes_on_disk;
  EXPECT_GT(before, 0u);
  EXPECT_EQ(Must(db_.engine().RunMaintenance()), 0u) << "nothing has expired";
  db_.AdvanceMs(2000);
  EXPECT_GT(Must(db_.engine().RunMaintenance()), 0u);
  EXPECT_EQ(db_.engine().stats().bytes_on_disk, 0u);
  EXPECT_EQ(db_.engine().stats().rows_expired_removed, 8000u);
  EXPECT_GT(db_.engine().stats().files_expired_dropped, 0u);
}

TEST_F(RocksDbEngineTest, MixedFilesAreCompactedOnceMostOfThemHasExpired) {
  auto txn = db_.Begin();
  for (int i = 0; i < 3000; ++i) {
    Must(txn->Put(kTtlTable, Key(kTtlTable, std::to_string(i)), std::string(100, 'x'), i % 10 == 0 ? kNeverTag : db_.NowMs()));
  }
  Must(txn->Commit(Durability::kFlushed));
  Must(db_.engine().FlushMemtables());
  const uint64_t before = db_.engine().stats().bytes_on_disk;
  db_.AdvanceMs(2000);
  EXPECT_GT(Must(db_.engine().RunMaintenance()), 0u);
  EXPECT_LT(db_.engine().stats().bytes_on_disk, before / 2);
  EXPECT_EQ(db_.engine().stats().files_expired_dropped, 0u);
  EXPECT_EQ(db_.engine().stats().rows_expired_removed, 2700u);
}

// The newest file has expired whole, but an older one still holds a living version of its key: it is neither dropped nor skipped.
TEST_F(RocksDbEngineTest, AFileThatHidesOlderLivingRowsIsNeitherDroppedNorSkipped) {
  db_.Put(kTtlTable, "a", "old", kStartMs + 1'000'000);
  Must(db_.engine().FlushMemtables());
  db_.Put(kTtlTable, "a", "new", kStartMs);
  Must(db_.engine().FlushMemtables());
  const auto pin = db_.engine().NewReadView();  // holds maintenance back
  db_.AdvanceMs(5000);
  Must(db_.engine().RunMaintenance());
  EXPECT_EQ(db_.Rows(kTtlTable), "");
  EXPECT_EQ(db_.engine().stats().files_skipped, 0u);
  EXPECT_EQ(db_.engine().stats().files_expired_dropped, 0u);
}

TEST_F(RocksDbEngineTest, ExpiredFilesThatHideNothingAreSkippedByScans) {
  // Deepest, and alive, but of other keys: what lies above it cannot be dropped by itself.
  db_.Put(kTtlTable, "z", "lives", kNeverTag);
  Must(db_.engine().FlushMemtables());
  db_.Put(kTtlTable, "z2", "lives", kNeverTag);
  Must(db_.engine().FlushMemtables());
  auto txn = db_.Begin();
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string payload;
    for (int j = 0; j < 12; ++j) AppendLittleEndian(payload, random());
    Must(txn->Put(kTtlTable, Key(kTtlTable, "live" + std::to_string(i)), payload, kNeverTag));
  }
  Must(txn->Commit(Durability::kFlushed));
  Must(db_.engine().FlushMemtables());
  db_.Put(kTtlTable, "a", "1", kStartMs);
  Must(db_.engine().FlushMemtables());
  db_.AdvanceMs(5000);
  Must(db_.engine().RunMaintenance());
  ASSERT_EQ(db_.engine().stats().rows_expired_removed, 0u) << "too little has expired for a compaction";
  const auto view = db_.engine().NewReadView();
  EXPECT_EQ(db_.Rows(*view, kTtlTable, KeyRange{Key(kTtlTable, "a"), Key(kTtlTable, "b")}), "");
  EXPECT_GT(db_.engine().stats().files_skipped, 0u);
}

TEST_F(RocksDbEngineTest, ADroppedTableGivesItsDiskBack) {
  auto txn = db_.Begin();
  for (int i = 0; i < 20'000; ++i)
    Must(txn->Put(kPlainTable, Key(kPlainTable, std::to_string(i)), std::string(100, 'x'), kNeverTag));
  Must(txn->Commit(Durability::kFlushed));
  Must(db_.engine().FlushMemtables());
  Must(db_.engine().CompactTable(kPlainTable.table));
  EXPECT_GT(db_.engine().stats().bytes_on_disk, 10'000u);
  Must(db_.engine().DropTable(kPlainTable.table));
  EXPECT_LT(db_.engine().stats().bytes_on_disk, 10'000u);
  db_.Reopen();
  EXPECT_EQ(db_.Rows(kPlainTable), "");
}

TEST_F(RocksDbEngineTest, TheEnginesOwnThreadsFlushBufferedCommitsAndDropExpiredFiles) {
  ScratchDirectory directory;
  RocksDbOptions options = SmallOptions(directory.path());
  options.background_threads = true;
  options.log_flush_period_ms = 1;
  options.maintenance_period_ms = 1;
  const auto engine = Must(OpenRocksDbEngine(options, db_.clock()));
  engine->RegisterTable(kTtlTable);
  const uint64_t flushes = engine->stats().log_flushes;
  auto txn = engine->NewTransaction({});
  Must(txn->Put(kTtlTable, Key(kTtlTable, "a"), "1", kStartMs));
  Must(txn->Commit(Durability::kBuffered));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const auto await = [&](auto done) {
    while (!done() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    return done();
  };
  EXPECT_TRUE(await([&] { return engine->stats().log_flushes > flushes; }));
  Must(engine->FlushMemtables());
  db_.AdvanceMs(5000);
  EXPECT_TRUE(await([&] { return engine->stats().files_expired_dropped == 1; }));
}

TEST_F(RocksDbEngineTest, ConcurrentCommitsShareFlushes) {
  const uint64_t before = db_.engine().stats().log_flushes;
  db_.Put(kPlainTable, "a", "1");
  EXPECT_EQ(db_.engine().stats().log_flushes, before + 1);
  auto txn = db_.Begin();
  Must(txn->Put(kPlainTable, Key(kPlainTable, "b"), "1", kNeverTag));
  Must(txn->Commit(Durability::kBuffered));
  EXPECT_EQ(db_.engine().stats().log_flushes, before + 1) << "a buffered commit flushes nothing";
  Must(db_.engine().Checkpoint());
  EXPECT_GT(db_.engine().stats().log_flushes, before + 1);
}

}  // namespace
}  // namespace mayfly::storage
