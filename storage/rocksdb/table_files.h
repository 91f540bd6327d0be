// Table files outside of the database: written in the order of keys, read by their transaction, ingested at its commit.
#pragma once

#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rocksdb/store.h"
#include "storage/write_set.h"

namespace mayfly::storage {

// Writes one table file after the other, of about the same size. Files that nobody took are removed.
class TableFiles {
 public:
  struct File {
    std::string path;
    std::string smallest;
    std::string largest;
  };

  TableFiles(RocksStore& store, rocksdb::ColumnFamilyHandle* family) : store_(store), family_(family) {}
  ~TableFiles();
  TableFiles(const TableFiles&) = delete;
  TableFiles& operator=(const TableFiles&) = delete;

  // Requires: keys ascending.
  Status Put(std::string_view key, std::string_view stored);
  Status Delete(std::string_view key);
  Status Merge(std::string_view key, std::string_view operand);
  Status DeleteRange(std::string_view begin, std::string_view end);
  // Ends the current file, if there is one.
  Status EndFile();
  const std::vector<File>& files() const { return files_; }
  // The last key written.
  const std::string& last_key() const { return last_key_; }
  uint64_t rows() const { return rows_; }
  rocksdb::ColumnFamilyHandle* family() const { return family_; }

 private:
  Status EnsureFile();

  RocksStore& store_;
  rocksdb::ColumnFamilyHandle* family_;
  std::unique_ptr<rocksdb::SstFileWriter> writer_;
  std::vector<File> files_;
  std::string last_key_;
  uint64_t rows_ = 0;
};

// A finished load, as its transaction reads it before commit.
struct LoadedRows {
  LoadedRows(RocksStore& store, const TableOptions& table_options, uint64_t load_order)
      : table(table_options), order(load_order), files(store, store.rows(table_options.layout)) {}

  // One iterator a file, files in the order of keys. Opened when they are first read.
  Status OpenReaders(RocksStore& store);
  // The stored value of `key` in `stored`; false where it is not there.
  Result<bool> Find(RocksStore& store, std::string_view key, std::string& stored);

  const TableOptions table;
  const uint64_t order;  // deleted ranges of a higher one hide these rows
  TableFiles files;
  std::vector<std::unique_ptr<rocksdb::SstFileReader>> readers;
  std::mutex mutex;
};

// Makes loads and writes one ingestion. Returns the number of the commit.
Result<uint64_t> IngestAll(RocksStore& store, const std::vector<std::shared_ptr<LoadedRows>>& loads, const WriteSet& writes);

}  // namespace mayfly::storage
