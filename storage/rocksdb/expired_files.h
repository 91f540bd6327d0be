// Files of which every row has expired for every view, and which hide nothing older that is still alive: reads may skip them.
#pragma once

#include <rocksdb/table_properties.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

namespace mayfly::storage {

// Thread-safe. Found anew by each round of maintenance; a set once found stays right, since time and file numbers only grow.
class ExpiredFiles {
 public:
  // By rocksdb::TableProperties: the id of the database session that wrote the file, and its number in it.
  using Ids = std::unordered_set<std::string>;
  static std::string IdOf(const rocksdb::TableProperties& properties) {
    return properties.db_session_id + '/' + std::to_string(properties.orig_file_number);
  }

  void Set(Ids ids) {
    auto next = ids.empty() ? nullptr : std::make_shared<const Ids>(std::move(ids));
    std::lock_guard lock(mutex_);
    any_.store(next != nullptr, std::memory_order_release);
    ids_ = std::move(next);
  }

  // For ReadOptions::table_filter; empty where there is nothing to skip.
  std::function<bool(const rocksdb::TableProperties&)> Filter() {
    if (!any_.load(std::memory_order_acquire)) return {};
    std::lock_guard lock(mutex_);
    if (ids_ == nullptr) return {};
    return [this, ids = ids_](const rocksdb::TableProperties& properties) {
      if (!ids->contains(IdOf(properties))) return true;
      skipped_.fetch_add(1, std::memory_order_relaxed);
      return false;
    };
  }
  uint64_t skipped() const { return skipped_.load(std::memory_order_relaxed); }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Ids> ids_;
  std::atomic<bool> any_{false};
  std::atomic<uint64_t> skipped_{0};
};

}  // namespace mayfly::storage
