// The catalog over storage: the published state, and the transactions that change it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "catalog/change_log.h"
#include "catalog/number_sequence.h"

namespace mayfly::catalog {

class StoredCatalog final : public Catalog {
 public:
  explicit StoredCatalog(storage::Engine& engine);

  SnapshotPtr Current() const override {
    return std::static_pointer_cast<const Snapshot>(published_.load(std::memory_order_acquire));
  }
  CatalogVersion version() const override { return CatalogVersion{version_.load(std::memory_order_acquire)}; }
  std::unique_ptr<CatalogTransaction> Begin() override;

  // Reads the catalog, or makes one; then registers tables and drops garbage.
  Status Open(const BootstrapOptions& options);

 private:
  friend class StoredCatalogTransaction;

  using StatePtr = std::shared_ptr<const CatalogState>;

  Status Bootstrap(const BootstrapOptions& options);
  // False where storage holds no catalog.
  Result<bool> Load();
  Status LoadObject(const storage::StoredRow& row, CatalogState& state, bool& found);
  // What may go wrong is tried again when the catalog is opened next.
  void DropGarbage(const std::set<StorageId>& garbage);
  void Publish(const std::vector<Change>& changes);
  // A number for a state of the catalog, published or not: plans that were made with it know it again.
  CatalogVersion NewVersion() { return CatalogVersion{last_version_.fetch_add(1, std::memory_order_relaxed) + 1}; }

  storage::Engine& engine_;
  NumberSequence oids_;
  NumberSequence storage_ids_;
  std::atomic<uint64_t> last_version_{0};
  std::atomic<uint64_t> version_{0};
  std::atomic<StatePtr> published_;
  std::mutex publish_mutex_;
  std::set<StorageId> stored_garbage_;  // found by Load
};

}  // namespace mayfly::catalog
