// Scans over committed rows: one that goes straight through an iterator, and a cursor for scans with own writes laid over it.
#pragma once

#include <rocksdb/db.h>

#include <memory>

#include "storage/rocksdb/store.h"

namespace mayfly::storage {

// An iterator over [begin, end), at its first row in scan order. Move-only.
class RowCursor {
 public:
  // `read` carries the snapshot.
  RowCursor(RocksStore& store, const rocksdb::ReadOptions& read, ValueLayout layout, KeyRange range, ScanOptions options);

  bool Valid() const { return iterator_->Valid(); }
  std::string_view key() const { return ToView(iterator_->key()); }
  std::string_view stored() const { return ToView(iterator_->value()); }
  void Next() {
    if (reverse_) {
      iterator_->Prev();
    } else {
      iterator_->Next();
    }
  }
  Status status() const;
  uint64_t order() const { return 0; }
  rocksdb::Iterator& iterator() { return *iterator_; }

 private:
  // The iterator borrows the bounds.
  struct Bounds {
    KeyRange keys;
    rocksdb::Slice begin;
    rocksdb::Slice end;
  };
  std::unique_ptr<Bounds> bounds_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  bool reverse_;
};

// The rows of `range` that are visible at `ttl_now_ms`.
std::unique_ptr<Scan> NewRowScan(RocksStore& store, const rocksdb::ReadOptions& read, const TableOptions& table, KeyRange range,
                                 ScanOptions options, int64_t ttl_now_ms);

}  // namespace mayfly::storage
