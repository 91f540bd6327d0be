#include "storage/rocksdb/rocksdb_view.h"

#include <utility>

#include "storage/rocksdb/reader.h"
#include "storage/rocksdb/row_scan.h"

namespace mayfly::storage {

// ttl_now first: what is visible at the snapshot was not removed by a later watermark.
RocksView::RocksView(RocksStore& store) : store_(store) {
  store_.state.views.Enter(live_);
  read_.snapshot = store_.db->GetSnapshot();
}

RocksView::~RocksView() {
  store_.db->ReleaseSnapshot(read_.snapshot);
  store_.state.views.Leave(live_);
}

Result<bool> RocksView::Get(const TableOptions& table, std::string_view key, GetBuffer& buffer) const {
  return GetRow(store_, read_, table, key, live_.ttl_now_ms, buffer);
}

Status RocksView::MultiGet(const TableOptions& table, std::span<const std::string_view> keys, MultiGetFn fn) const {
  return MultiGetRows(store_, read_, table, keys, live_.ttl_now_ms, fn);
}

std::unique_ptr<Scan> RocksView::NewScan(const TableOptions& table, KeyRange range, ScanOptions options) const {
  return NewRowScan(store_, read_, table, std::move(range), options, live_.ttl_now_ms);
}

std::vector<std::string> RocksView::SplitRange(const TableOptions& table, const KeyRange& range, size_t parts) const {
  return storage::SplitRange(store_, table, range, parts);
}

ReadView::Size RocksView::EstimateSize(const TableOptions& table, const KeyRange& range) const {
  return storage::EstimateSize(store_, table, range);
}

Result<int64_t> RocksView::ReadCounter(std::string_view counter) const { return GetCounter(store_, read_, counter); }

}  // namespace mayfly::storage
