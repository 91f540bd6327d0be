// A cursor over committed rows and the rows of finished bulk loads, for the transaction that loaded them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "storage/rocksdb/row_scan.h"
#include "storage/rocksdb/table_files.h"

namespace mayfly::storage {

// Where a key is in several places the newest one counts. Move-only.
class LoadedCursor {
 public:
  LoadedCursor(RocksStore& store, RowCursor committed, std::span<const std::shared_ptr<LoadedRows>> loads,
               const TableOptions& table, const KeyRange& range, bool reverse);

  bool Valid() const { return current_ != nullptr; }
  std::string_view key() const { return ToView(current_->iterator->key()); }
  std::string_view stored() const { return ToView(current_->iterator->value()); }
  uint64_t order() const { return current_->order; }
  void Next();
  Status status() const;

 private:
  // One file of a load, or the committed rows.
  struct Source {
    rocksdb::Iterator* iterator;
    uint64_t order;
  };
  bool InRange(const rocksdb::Iterator& iterator) const;
  void Step(Source& source) const;
  void Choose();

  std::unique_ptr<RowCursor> committed_;
  std::vector<std::unique_ptr<rocksdb::Iterator>> iterators_;
  std::vector<std::shared_ptr<LoadedRows>> keep_;
  std::vector<Source> sources_;
  Source* current_ = nullptr;
  KeyRange range_;
  bool reverse_;
  std::shared_ptr<SqlError> error_;
};

}  // namespace mayfly::storage
