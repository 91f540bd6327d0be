// A transaction over RocksDB: one write batch at commit, or one ingestion of files where rows were loaded in bulk.
#pragma once

#include <memory>
#include <vector>

#include "storage/local_transaction.h"
#include "storage/rocksdb/bulk_load.h"
#include "storage/rocksdb/store.h"

namespace mayfly::storage {

class RocksTransaction final : public LocalTransaction {
 public:
  RocksTransaction(RocksStore& store, const TransactionOptions& options)
      : LocalTransaction(store.state, options), store_(store) {}
  ~RocksTransaction() override { Finish(); }

  Result<bool> Get(const TableOptions& table, std::string_view key, GetBuffer& buffer) const override;
  Result<bool> GetNewest(const TableOptions& table, std::string_view key, GetBuffer& buffer) const override;
  Status MultiGet(const TableOptions& table, std::span<const std::string_view> keys, MultiGetFn fn) const override;
  std::unique_ptr<Scan> NewScan(const TableOptions& table, KeyRange range, ScanOptions options) const override;
  std::vector<std::string> SplitRange(const TableOptions& table, const KeyRange& range, size_t parts) const override;
  Size EstimateSize(const TableOptions& table, const KeyRange& range) const override;
  Result<int64_t> ReadCounter(std::string_view counter) const override;
  Result<std::unique_ptr<BulkLoad>> NewBulkLoad(const TableOptions& table) override;

 private:
  friend class RocksBulkLoad;

  uint64_t TakeVersion() const override;
  void DropVersion() const override;
  Result<uint64_t> Apply(const WriteSet& writes, Durability durability) override;
  Result<bool> DiffersFromNewest(std::string_view key) const override;
  bool HasBulkLoads() const override { return !loads_.empty(); }
  size_t BulkLoadMark() const override { return loads_.size(); }
  void DropBulkLoadsAfter(size_t mark) override { loads_.resize(mark); }

  // The rows of `range` as GetNewest would find them.
  std::unique_ptr<Scan> NewNewestScan(const TableOptions& table, const KeyRange& range) const;
  std::unique_ptr<Scan> ScanWith(const rocksdb::ReadOptions& read, const TableOptions& table, KeyRange range,
                                 ScanOptions options) const;
  // The row among own writes and bulk loads, as GetOwn.
  Result<std::optional<bool>> GetOwnOrLoaded(const TableOptions& table, std::string_view key, GetBuffer& buffer) const;

  RocksStore& store_;
  mutable rocksdb::ReadOptions read_;
  std::vector<std::shared_ptr<LoadedRows>> loads_;
};

}  // namespace mayfly::storage
