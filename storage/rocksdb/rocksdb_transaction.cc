#include "storage/rocksdb/rocksdb_transaction.h"

#include <utility>

#include "storage/overlay_scan.h"
#include "storage/rocksdb/loaded_cursor.h"
#include "storage/rocksdb/reader.h"
#include "storage/rocksdb/row_scan.h"
#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

const rocksdb::ReadOptions kNewest;

}  // namespace

uint64_t RocksTransaction::TakeVersion() const {
  DropVersion();
  read_.snapshot = store_.db->GetSnapshot();
  return read_.snapshot->GetSequenceNumber();
}

void RocksTransaction::DropVersion() const {
  if (read_.snapshot == nullptr) return;
  store_.db->ReleaseSnapshot(read_.snapshot);
  read_.snapshot = nullptr;
}

Result<std::optional<bool>> RocksTransaction::GetOwnOrLoaded(const TableOptions& table, std::string_view key,
                                                             GetBuffer& buffer) const {
  TRY(std::optional<bool>, own, GetOwn(table, key, buffer));
  if (own.has_value() || loads_.empty()) return own;
  for (auto load = loads_.rbegin(); load != loads_.rend(); ++load) {
    if ((*load)->table.table != table.table) continue;
    TRY(const bool, found, (*load)->Find(store_, key, buffer.copy_));
    if (!found) continue;
    if (writes_.RangeCovering(key, (*load)->order) != nullptr) return std::optional<bool>(false);
    bool damaged = false;
    const bool visible = IsVisible(table, ttl_now_ms(), buffer.copy_, buffer.row_, damaged);
    if (damaged) return DamagedValue(state_, table, buffer.copy_);
    return std::optional<bool>(visible);
  }
  if (writes_.RangeCovering(key) != nullptr) return std::optional<bool>(false);
  return std::optional<bool>();
}

Result<bool> RocksTransaction::Get(const TableOptions& table, std::string_view key, GetBuffer& buffer) const {
  EnsureEntered();
  if (has_writes()) {
    TRY(const std::optional<bool>, own, GetOwnOrLoaded(table, key, buffer));
    if (own.has_value()) return *own;
  }
  if (ReadsNewest(key)) return GetRow(store_, kNewest, table, key, ttl_now_ms(), buffer);
  EnsureVersion();
  RecordKey(key);
  return GetRow(store_, read_, table, key, ttl_now_ms(), buffer);
}

Result<bool> RocksTransaction::GetNewest(const TableOptions& table, std::string_view key, GetBuffer& buffer) const {
  EnsureEntered();
  if (has_writes()) {
    TRY(const std::optional<bool>, own, GetOwnOrLoaded(table, key, buffer));
    if (own.has_value()) return *own;
  }
  RecordNewest(key);
  return GetRow(store_, kNewest, table, key, ttl_now_ms(), buffer);
}

Status RocksTransaction::MultiGet(const TableOptions& table, std::span<const std::string_view> keys, MultiGetFn fn) const {
  EnsureVersion();
  if (!has_writes()) {
    for (const std::string_view key : keys) RecordKey(key);
    return MultiGetRows(store_, read_, table, keys, ttl_now_ms(), fn);
  }
  GetBuffer buffer;
  for (size_t i = 0; i < keys.size(); ++i) {
    TRY(const bool, found, Get(table, keys[i], buffer));
    if (!found) continue;
    StoredRow row = buffer.row();
    row.key = keys[i];
    fn(i, row);
  }
  return Ok();
}

std::unique_ptr<Scan> RocksTransaction::NewScan(const TableOptions& table, KeyRange range, ScanOptions options) const {
  EnsureVersion();
  RecordRange(range);
  return ScanWith(read_, table, std::move(range), options);
}

std::unique_ptr<Scan> RocksTransaction::NewNewestScan(const TableOptions& table, const KeyRange& range) const {
  return ScanWith(kNewest, table, range, {});
}

std::unique_ptr<Scan> RocksTransaction::ScanWith(const rocksdb::ReadOptions& read, const TableOptions& table, KeyRange range,
                                                 ScanOptions options) const {
  if (!has_writes()) return NewRowScan(store_, read, table, std::move(range), options, ttl_now_ms());
  RowCursor committed(store_, read, table.layout, range, options);
  if (loads_.empty()) {
    return std::make_unique<OverlayScan<RowCursor>>(state_, table, writes_, std::move(range), options, ttl_now_ms(),
                                                    std::move(committed));
  }
  LoadedCursor all(store_, std::move(committed), loads_, table, range, options.reverse);
  return std::make_unique<OverlayScan<LoadedCursor>>(state_, table, writes_, std::move(range), options, ttl_now_ms(),
                                                     std::move(all));
}

std::vector<std::string> RocksTransaction::SplitRange(const TableOptions& table, const KeyRange& range, size_t parts) const {
  return storage::SplitRange(store_, table, range, parts);
}

ReadView::Size RocksTransaction::EstimateSize(const TableOptions& table, const KeyRange& range) const {
  Size size = storage::EstimateSize(store_, table, range);
  for (const auto& load : loads_) {
    if (load->table.table == table.table) size.rows += load->files.rows();
  }
  return size;
}

Result<int64_t> RocksTransaction::ReadCounter(std::string_view counter) const {
  EnsureVersion();
  RecordKey(CounterKey(counter));
  TRY(const int64_t, committed, GetCounter(store_, read_, counter));
  return committed + writes_.CounterDelta(counter);
}

Result<std::unique_ptr<BulkLoad>> RocksTransaction::NewBulkLoad(const TableOptions& table) {
  TRY_OK(CheckWritable());
  return std::unique_ptr<BulkLoad>(std::make_unique<RocksBulkLoad>(store_, *this, table));
}

// The values may be equal though other transactions wrote in between; then the transaction may as well have come after them.
Result<bool> RocksTransaction::DiffersFromNewest(std::string_view key) const {
  for (const ValueLayout layout : {ValueLayout::kPlain, ValueLayout::kTagged}) {
    rocksdb::PinnableSlice mine;
    rocksdb::PinnableSlice newest;
    const rocksdb::Status at_version = store_.db->Get(read_, store_.rows(layout), ToSlice(key), &mine);
    const rocksdb::Status at_end = store_.db->Get(kNewest, store_.rows(layout), ToSlice(key), &newest);
    for (const rocksdb::Status* status : {&at_version, &at_end}) {
      if (!status->ok() && !status->IsNotFound()) return TranslateStatus(*status, "could not read from storage");
    }
    if (at_version.ok() != at_end.ok() || (at_end.ok() && mine != newest)) return true;
  }
  return false;
}

Result<uint64_t> RocksTransaction::Apply(const WriteSet& writes, Durability durability) {
  if (!loads_.empty() || writes.bytes() > store_.options.large_commit_bytes) return IngestAll(store_, loads_, writes);
  if (writes.empty()) return store_.db->GetLatestSequenceNumber();
  if (durability == Durability::kFlushed) return store_.commit_queue.Commit(writes);
  rocksdb::WriteBatch batch = MakeBatch(writes);
  AddToBatch(store_, writes, batch);
  return store_.Write(batch, durability);
}

}  // namespace mayfly::storage
