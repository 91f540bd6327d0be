// The changes of one transaction, over whatever the others have published meanwhile.
#pragma once

#include <map>
#include <set>

#include "catalog/stored_catalog.h"

namespace mayfly::catalog {

class StoredCatalogTransaction final : public CatalogTransaction {
 public:
  explicit StoredCatalogTransaction(StoredCatalog& catalog) : catalog_(catalog) {}

  SnapshotPtr snapshot() const override;
  Oid NewOid() override { return Oid{catalog_.oids_.Next().value()}; }
  StorageId NewStorageId() override { return StorageId{catalog_.storage_ids_.Next().value()}; }

  void PutTable(TableDescriptor table) override;
  void DropTable(Oid table) override;
  void PutSchema(SchemaDescriptor schema) override;
  void DropSchema(Oid schema) override;
  void PutRole(RoleDescriptor role) override;
  void DropRole(Oid role) override;
  void PutDatabase(DatabaseDescriptor database) override;

  bool has_changes() const override { return !changes_.empty(); }
  size_t SetSavepoint() override { return changes_.size(); }
  void RollbackToSavepoint(size_t savepoint) override;
  Status WriteTo(storage::Transaction& txn) override;
  void Publish() override;

 private:
  // The storage that `table` has now and would not have any more with `storage`.
  StorageId GarbageOf(Oid table, StorageId storage) const;
  std::set<StorageId> Garbage() const;
  // The last change of each object.
  std::vector<const Change*> FinalChanges() const;

  StoredCatalog& catalog_;
  std::vector<Change> changes_;
  // snapshot() of `cached_base_` with the first `cached_changes_` changes.
  mutable std::shared_ptr<const CatalogState> cached_;
  mutable CatalogVersion cached_base_;
  mutable size_t cached_changes_ = 0;
};

}  // namespace mayfly::catalog
