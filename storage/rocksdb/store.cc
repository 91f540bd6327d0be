#include "storage/rocksdb/store.h"

#include <rocksdb/listener.h>

#include "base/bytes.h"
#include "storage/rocksdb/open_options.h"
#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

class ErrorListener final : public rocksdb::EventListener {
 public:
  explicit ErrorListener(std::atomic<bool>& failed) : failed_(failed) {}
  void OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status* status) override {
    if (!status->ok()) failed_.store(true, std::memory_order_release);
  }
  void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) override {
    if (info.new_bg_error.ok()) failed_.store(false, std::memory_order_release);
  }

 private:
  std::atomic<bool>& failed_;
};

}  // namespace

Status RocksStore::Open() {
  log_files = std::make_shared<LogFileSystem>(
      rocksdb::FileSystem::Default(),
      LogFileOptions{.spare_dir = options.data_dir + "/log_spares", .extend_bytes = options.log_extend_bytes});
  env = rocksdb::NewCompositeEnv(log_files);
  rocksdb::DBOptions db_options = MakeDbOptions(*this);
  db_options.listeners.push_back(std::make_shared<ErrorListener>(failed));
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(db_options, directory->database_path(), MakeFamilies(*this), &handles, &opened);
  if (!status.ok()) return TranslateStatus(status, "could not open data directory \"" + options.data_dir + "\"");
  db.reset(opened);
  for (size_t i = 0; i < families.size(); ++i) families[i].reset(handles[i]);
  return Ok();
}

void RocksStore::Close() {
  if (db == nullptr) return;
  static_cast<void>(FlushLog());
  for (auto& family : families) family.reset();
  db->Close().PermitUncheckedError();
  db.reset();
  static_cast<void>(state.clock.Close());
}

Status RocksStore::FlushLog() {
  unflushed.store(false, std::memory_order_seq_cst);
  rocksdb::Status status = db->FlushWAL(true);
  if (!status.ok()) unflushed.store(true, std::memory_order_seq_cst);
  return ToStatus(status, "could not flush the log");
}

Result<uint64_t> RocksStore::Write(rocksdb::WriteBatch& batch, Durability durability) {
  rocksdb::WriteOptions write;
  write.sync = durability == Durability::kFlushed;
  const bool failed_before = failed.load(std::memory_order_acquire);
  const rocksdb::Status status = db->Write(write, &batch);
  if (!status.ok()) {
    SqlError error = TranslateStatus(status, "could not write to the log");
    // Something may have reached the disk before the error did.
    if (error.state == kIoError && !failed_before) error.state = kTransactionResolutionUnknown;
    return error;
  }
  if (!write.sync && !unflushed.load(std::memory_order_relaxed)) unflushed.store(true, std::memory_order_seq_cst);
  // RocksDB has put the sequence number of the first write into the batch's head.
  return LoadLittleEndian<uint64_t>(batch.Data().data()) + batch.Count() - 1;
}

}  // namespace mayfly::storage
