// A read view on a RocksDB snapshot.
#pragma once

#include "storage/rocksdb/store.h"

namespace mayfly::storage {

class RocksView final : public ReadView {
 public:
  explicit RocksView(RocksStore& store);
  ~RocksView() override;
  RocksView(const RocksView&) = delete;
  RocksView& operator=(const RocksView&) = delete;

  int64_t ttl_now_ms() const override { return live_.ttl_now_ms; }
  Result<bool> Get(const TableOptions& table, std::string_view key, GetBuffer& buffer) const override;
  Status MultiGet(const TableOptions& table, std::span<const std::string_view> keys, MultiGetFn fn) const override;
  std::unique_ptr<Scan> NewScan(const TableOptions& table, KeyRange range, ScanOptions options) const override;
  std::vector<std::string> SplitRange(const TableOptions& table, const KeyRange& range, size_t parts) const override;
  Size EstimateSize(const TableOptions& table, const KeyRange& range) const override;
  Result<int64_t> ReadCounter(std::string_view counter) const override;

 private:
  RocksStore& store_;
  LiveView live_;
  rocksdb::ReadOptions read_;
};

}  // namespace mayfly::storage
