#include "storage/rocksdb/bulk_load.h"

#include <utility>

#include "storage/overlay_scan.h"
#include "storage/rocksdb/reader.h"
#include "storage/rocksdb/rocksdb_transaction.h"
#include "storage/rocksdb/row_scan.h"
#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

// A load of less than this is written like any other rows; its files would cost more than they save.
constexpr size_t kFileLoadBytesMin = size_t{4} << 20;

}  // namespace

RocksBulkLoad::RocksBulkLoad(RocksStore& store, RocksTransaction& transaction, const TableOptions& table)
    : store_(store),
      transaction_(transaction),
      rows_(std::make_shared<LoadedRows>(store, table, ++transaction.order_)),
      sorter_(std::make_unique<RowSorter>(
          store.directory->scratch_path() + "/run" + std::to_string(store.scratch_files.fetch_add(1)) + '.',
          store.options.bulk_load_bytes)) {}

Status RocksBulkLoad::Append(std::string_view key, std::string_view payload, Tag tag) {
  TRY_OK(transaction_.CheckWritable());
  if (key.size() > store_.state.limits.key_bytes_max || payload.size() > store_.state.limits.value_bytes_max) {
    return SqlError::Make(kProgramLimitExceeded, "row of {} bytes exceeds the maximum", key.size() + payload.size());
  }
  if (ascending_) {
    if (key == last_key_ && !key.empty() && !duplicate_.has_value()) duplicate_ = std::string(key);
    ascending_ = key > last_key_;
    last_key_.assign(key);
    if (ascending_ && streaming_) return AppendToFiles(key, payload, tag);
    if (ascending_ && sorter_->memory_bytes() >= kFileLoadBytesMin) {
      TRY_OK(StreamMemory());
      return AppendToFiles(key, payload, tag);
    }
  }
  const ValueLayout layout = rows_->table.layout;
  TRY(char* const, out, sorter_->Add(key, StoredSize(layout, payload.size())));
  EncodeValueTo(layout, tag, payload, out);
  return Ok();
}

Status RocksBulkLoad::AppendToFiles(std::string_view key, std::string_view payload, Tag tag) {
  value_.clear();
  EncodeValue(rows_->table.layout, tag, payload, value_);
  return rows_->files.Put(key, value_);
}

// The rows so far came in order: they go to files, and so do the next ones.
Status RocksBulkLoad::StreamMemory() {
  streaming_ = true;
  return sorter_->ForEachSorted([this](std::string_view key, std::string_view stored) -> Result<bool> {
    TRY_OK(rows_->files.Put(key, stored));
    return true;
  });
}

Result<std::optional<std::string>> RocksBulkLoad::Finish() {
  if (duplicate_.has_value()) return std::move(duplicate_);
  if (!streaming_ && !sorter_->has_runs() && sorter_->memory_bytes() < kFileLoadBytesMin) return PutAll();
  TRY_OK(WriteFiles());
  if (duplicate_.has_value()) return std::move(duplicate_);
  TRY(std::optional<std::string>, existing, FindExisting());
  if (existing.has_value()) return existing;
  ForgetDeletes();
  transaction_.loads_.push_back(std::move(rows_));
  return std::optional<std::string>();
}

Result<std::optional<std::string>> RocksBulkLoad::PutAll() {
  GetBuffer buffer;
  std::optional<std::string> previous;
  TRY_OK(sorter_->ForEachSorted([&](std::string_view key, std::string_view stored) -> Result<bool> {
    TRY(const bool, exists, transaction_.GetNewest(rows_->table, key, buffer));
    if (exists || previous == key) {
      duplicate_ = std::string(key);
      return false;
    }
    previous = std::string(key);
    DecodedValue decoded;
    TryDecodeValue(rows_->table.layout, stored, decoded);
    TRY_OK(transaction_.Put(rows_->table, key, decoded.payload, decoded.tag));
    return true;
  }));
  return std::move(duplicate_);
}

// Everything that is not in files yet, merged with what is where rows stopped to come in order.
Status RocksBulkLoad::WriteFiles() {
  if (streaming_ && sorter_->memory_bytes() > 0) {
    TRY_OK(rows_->files.EndFile());
    TRY_OK(rows_->OpenReaders(store_));
    for (const auto& reader : rows_->readers) {
      const std::unique_ptr<rocksdb::Iterator> row(reader->NewIterator(rocksdb::ReadOptions()));
      for (row->SeekToFirst(); row->Valid(); row->Next()) {
        TRY(char* const, out, sorter_->Add(ToView(row->key()), row->value().size()));
        std::copy_n(row->value().data(), row->value().size(), out);
      }
      TRY_OK(ToStatus(row->status(), "could not read a table file"));
    }
    rows_ = std::make_shared<LoadedRows>(store_, rows_->table, rows_->order);
  }
  TRY_OK(sorter_->ForEachSorted([this](std::string_view key, std::string_view stored) -> Result<bool> {
    if (rows_->files.rows() > 0 && key == rows_->files.last_key()) {
      duplicate_ = std::string(key);
      return false;
    }
    TRY_OK(rows_->files.Put(key, stored));
    return true;
  }));
  sorter_.reset();
  return rows_->files.EndFile();
}

// A loaded key that the table has already, by stepping through both where the table is not much larger.
Result<std::optional<std::string>> RocksBulkLoad::FindExisting() {
  const auto& files = rows_->files.files();
  KeyRange range{files.front().smallest, files.back().largest + '\0'};
  if (EstimateSize(store_, rows_->table, range).rows > 4 * rows_->files.rows()) return FindExistingByKey();
  std::unique_ptr<Scan> existing = transaction_.NewNewestScan(rows_->table, range);
  std::optional<std::string> found;
  std::unique_ptr<rocksdb::Iterator> loaded;
  size_t file = 0;
  SqlError error;
  bool failed = false;
  const auto compare = [&](const StoredRow& row) {
    while (!failed && !found.has_value() && file < files.size() && row.key > files[file].largest) {
      ++file;
      loaded.reset();
    }
    if (failed || found.has_value() || file == files.size() || row.key < files[file].smallest) return;
    if (loaded == nullptr) {
      loaded.reset(rows_->readers[file]->NewIterator(rocksdb::ReadOptions()));
      loaded->Seek(ToSlice(row.key));
    }
    while (loaded->Valid() && ToView(loaded->key()) < row.key) loaded->Next();
    if (loaded->Valid() && ToView(loaded->key()) == row.key) found = std::string(row.key);
    if (!loaded->status().ok()) {
      error = TranslateStatus(loaded->status(), "could not read a table file");
      failed = true;
    }
  };
  TRY_OK(rows_->OpenReaders(store_));
  constexpr size_t kPage = 1024;
  while (!found.has_value() && !failed) {
    TRY(const size_t, rows, existing->NextPage(kPage, compare));
    if (rows < kPage) break;
  }
  if (failed) return error;
  return found;
}

Result<std::optional<std::string>> RocksBulkLoad::FindExistingByKey() {
  TRY_OK(rows_->OpenReaders(store_));
  GetBuffer buffer;
  for (const auto& reader : rows_->readers) {
    const std::unique_ptr<rocksdb::Iterator> row(reader->NewIterator(rocksdb::ReadOptions()));
    for (row->SeekToFirst(); row->Valid(); row->Next()) {
      TRY(const bool, exists, transaction_.GetNewest(rows_->table, ToView(row->key()), buffer));
      if (exists) return std::optional<std::string>(row->key().ToString());
    }
    TRY_OK(ToStatus(row->status(), "could not read a table file"));
  }
  return std::optional<std::string>();
}

// Keys that the transaction deleted and now loaded anew exist again.
void RocksBulkLoad::ForgetDeletes() {
  const auto& files = rows_->files.files();
  std::vector<std::string> forget;
  std::string stored;
  const WriteSet::Entries& entries = transaction_.writes_.entries();
  for (auto at = entries.lower_bound(files.front().smallest); at != entries.end() && at->first <= files.back().largest; ++at) {
    const Result<bool> found = rows_->Find(store_, at->first, stored);
    if (found.ok() && *found) forget.emplace_back(at->first);
  }
  for (const std::string& key : forget) transaction_.writes_.Forget(key);
}

}  // namespace mayfly::storage
