// Which tables exist, for the threads of compaction: only rows of a registered table may be removed.
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "base/bytes.h"
#include "storage/engine.h"

namespace mayfly::storage {

inline StorageId TableOfKey(std::string_view key) {
  return key.size() < sizeof(uint32_t) ? StorageId{} : StorageId{LoadBigEndian<uint32_t>(key.data())};
}

// Thread-safe. Readers take an immutable copy.
class TableRegistry {
 public:
  using Tables = std::unordered_map<StorageId, TableOptions>;

  std::shared_ptr<const Tables> tables() const {
    std::lock_guard lock(mutex_);
    return tables_;
  }
  void Register(const TableOptions& table) {
    std::lock_guard lock(mutex_);
    auto next = std::make_shared<Tables>(*tables_);
    next->insert_or_assign(table.table, table);
    tables_ = std::move(next);
  }
  void Drop(StorageId table) {
    std::lock_guard lock(mutex_);
    auto next = std::make_shared<Tables>(*tables_);
    next->erase(table);
    tables_ = std::move(next);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Tables> tables_ = std::make_shared<Tables>();
};

}  // namespace mayfly::storage
