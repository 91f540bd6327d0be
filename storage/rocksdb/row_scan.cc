#include "storage/rocksdb/row_scan.h"

#include <utility>

#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

class RowScan final : public Scan {
 public:
  RowScan(RocksStore& store, const TableOptions& table, ScanOptions options, int64_t ttl_now_ms, RowCursor cursor)
      : store_(store), table_(table), options_(options), ttl_now_ms_(ttl_now_ms), cursor_(std::move(cursor)) {}

  Result<size_t> NextPage(size_t rows_max, RowFn fn) override {
    if (table_.layout == ValueLayout::kPlain) {
      return options_.reverse ? Page<true, false>(rows_max, fn) : Page<false, false>(rows_max, fn);
    }
    return options_.reverse ? Page<true, true>(rows_max, fn) : Page<false, true>(rows_max, fn);
  }

 private:
  template <bool kReverse, bool kTagged>
  Result<size_t> Page(size_t rows_max, RowFn fn) {
    constexpr ValueLayout kLayout = kTagged ? ValueLayout::kTagged : ValueLayout::kPlain;
    rocksdb::Iterator& rows = cursor_.iterator();
    size_t shown = 0;
    StoredRow row;
    DecodedValue decoded;
    while (shown < rows_max && rows.Valid()) {
      const std::string_view stored = ToView(rows.value());
      if (!TryDecodeValue(kLayout, stored, decoded)) [[unlikely]]
        return DamagedValue(store_.state, table_, stored);
      if (!kTagged || !IsExpired(decoded.tag, table_.ttl_ms, ttl_now_ms_)) {
        row.key = ToView(rows.key());
        row.payload = options_.keys_only ? std::string_view() : decoded.payload;
        row.tag = decoded.tag;
        fn(row);
        ++shown;
      }
      if constexpr (kReverse) {
        rows.Prev();
      } else {
        rows.Next();
      }
    }
    if (shown < rows_max) TRY_OK(cursor_.status());
    return shown;
  }

  RocksStore& store_;
  const TableOptions table_;
  const ScanOptions options_;
  const int64_t ttl_now_ms_;
  RowCursor cursor_;
};

}  // namespace

RowCursor::RowCursor(RocksStore& store, const rocksdb::ReadOptions& read, ValueLayout layout, KeyRange range, ScanOptions options)
    : bounds_(std::make_unique<Bounds>()), reverse_(options.reverse) {
  bounds_->keys = std::move(range);
  bounds_->begin = bounds_->keys.begin;
  bounds_->end = bounds_->keys.end;
  rocksdb::ReadOptions mine = read;
  mine.iterate_lower_bound = &bounds_->begin;
  if (!bounds_->keys.end.empty()) mine.iterate_upper_bound = &bounds_->end;
  if (options.bulk) {
    mine.fill_cache = false;
    mine.readahead_size = size_t{2} << 20;
  }
  if (layout == ValueLayout::kTagged) mine.table_filter = store.expired_files.Filter();
  iterator_.reset(store.db->NewIterator(mine, store.rows(layout)));
  if (!reverse_) {
    iterator_->Seek(bounds_->begin);
  } else {
    iterator_->SeekToLast();
  }
}

Status RowCursor::status() const { return ToStatus(iterator_->status(), "could not read from storage"); }

std::unique_ptr<Scan> NewRowScan(RocksStore& store, const rocksdb::ReadOptions& read, const TableOptions& table, KeyRange range,
                                 ScanOptions options, int64_t ttl_now_ms) {
  return std::make_unique<RowScan>(store, table, options, ttl_now_ms,
                                   RowCursor(store, read, table.layout, std::move(range), options));
}

}  // namespace mayfly::storage
