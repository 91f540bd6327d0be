// Rows loaded in bulk: sorted, written as table files that do not overlap, read by the transaction from there, and made part of
// the database by one ingestion at commit, together with everything else the transaction wrote.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "storage/rocksdb/row_sorter.h"
#include "storage/rocksdb/table_files.h"

namespace mayfly::storage {

class RocksTransaction;

class RocksBulkLoad final : public BulkLoad {
 public:
  RocksBulkLoad(RocksStore& store, RocksTransaction& transaction, const TableOptions& table);

  Status Append(std::string_view key, std::string_view payload, Tag tag) override;
  Result<std::optional<std::string>> Finish() override;

 private:
  Status AppendToFiles(std::string_view key, std::string_view payload, Tag tag);
  Status StreamMemory();
  Result<std::optional<std::string>> PutAll();
  Status WriteFiles();
  Result<std::optional<std::string>> FindExisting();
  Result<std::optional<std::string>> FindExistingByKey();
  void ForgetDeletes();

  RocksStore& store_;
  RocksTransaction& transaction_;
  std::shared_ptr<LoadedRows> rows_;
  std::unique_ptr<RowSorter> sorter_;
  // While rows come in ascending order they are written straight to files, once there are enough of them.
  bool ascending_ = true;
  bool streaming_ = false;
  std::string last_key_;
  std::string value_;
  std::optional<std::string> duplicate_;
};

}  // namespace mayfly::storage
