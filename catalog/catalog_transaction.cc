// Collecting, showing, storing and publishing the changes of one transaction.
#include "catalog/catalog_transaction.h"

#include "base/check.h"

namespace mayfly::catalog {

SnapshotPtr StoredCatalogTransaction::snapshot() const {
  const StoredCatalog::StatePtr base = catalog_.published_.load(std::memory_order_acquire);
  if (changes_.empty()) return base;
  if (cached_ != nullptr && cached_base_ == base->version() && cached_changes_ == changes_.size()) return cached_;
  const bool grows = cached_ != nullptr && cached_base_ == base->version() && cached_changes_ < changes_.size();
  auto state = std::make_shared<CatalogState>(grows ? *cached_ : *base);
  for (size_t i = grows ? cached_changes_ : 0; i < changes_.size(); ++i) ApplyChange(changes_[i], *state);
  state->set_version(catalog_.NewVersion());
  cached_ = std::move(state);
  cached_base_ = base->version();
  cached_changes_ = changes_.size();
  return cached_;
}

void StoredCatalogTransaction::PutTable(TableDescriptor table) {
  const StorageId garbage = GarbageOf(table.oid, table.storage);
  const Oid oid = table.oid;
  changes_.push_back({oid, std::make_shared<const TableDescriptor>(std::move(table)), garbage});
}
void StoredCatalogTransaction::DropTable(Oid table) {
  const StorageId garbage = GarbageOf(table, StorageId{});
  changes_.push_back({table, TablePtr{}, garbage});
}
void StoredCatalogTransaction::PutSchema(SchemaDescriptor schema) {
  const Oid oid = schema.oid;
  changes_.push_back({oid, std::make_shared<const SchemaDescriptor>(std::move(schema)), {}});
}
void StoredCatalogTransaction::DropSchema(Oid schema) {
  changes_.push_back({schema, std::shared_ptr<const SchemaDescriptor>{}, {}});
}
void StoredCatalogTransaction::PutRole(RoleDescriptor role) {
  const Oid oid = role.oid;
  changes_.push_back({oid, std::make_shared<const RoleDescriptor>(std::move(role)), {}});
}
void StoredCatalogTransaction::DropRole(Oid role) { changes_.push_back({role, std::shared_ptr<const RoleDescriptor>{}, {}}); }
void StoredCatalogTransaction::PutDatabase(DatabaseDescriptor database) {
  const Oid oid = database.oid;
  changes_.push_back({oid, std::make_shared<const DatabaseDescriptor>(std::move(database)), {}});
}

void StoredCatalogTransaction::RollbackToSavepoint(size_t savepoint) {
  Check(savepoint <= changes_.size(), "a catalog savepoint that was rolled back already");
  if (savepoint == changes_.size()) return;
  changes_.resize(savepoint);
  cached_ = nullptr;
}

StorageId StoredCatalogTransaction::GarbageOf(Oid table, StorageId storage) const {
  const TablePtr before = snapshot()->FindTable(table);
  return before == nullptr || before->storage == storage ? StorageId{} : before->storage;
}

std::set<StorageId> StoredCatalogTransaction::Garbage() const {
  std::set<StorageId> garbage;
  for (const Change& change : changes_) {
    if (change.garbage.valid()) garbage.insert(change.garbage);
  }
  return garbage;
}

std::vector<const Change*> StoredCatalogTransaction::FinalChanges() const {
  std::map<std::pair<ObjectKind, Oid>, const Change*> last;
  for (const Change& change : changes_) last[{KindOf(change.object), change.oid}] = &change;
  std::vector<const Change*> changes;
  for (const auto& entry : last) changes.push_back(entry.second);
  return changes;
}

Status StoredCatalogTransaction::WriteTo(storage::Transaction& txn) {
  const storage::TableOptions options = CatalogStorage();
  for (const Change* change : FinalChanges()) {
    const std::string key = ObjectKey(KindOf(change->object), change->oid.value);
    // Whether someone else wrote the object since this transaction's view is the business of the caller's object locks.
    TRY_OK(txn.Lock(key, storage::LockMode::kExclusive, {}));
    const std::optional<std::string> value = EncodeObject(change->object);
    TRY_OK(value.has_value() ? txn.Put(options, key, *value, storage::kNeverTag) : txn.Delete(options, key));
  }
  for (const StorageId id : Garbage()) {
    const std::string key = ObjectKey(ObjectKind::kGarbage, id.value);
    TRY_OK(txn.Lock(key, storage::LockMode::kExclusive, {}));
    TRY_OK(txn.Put(options, key, {}, storage::kNeverTag));
  }
  return Ok();
}

void StoredCatalogTransaction::Publish() {
  if (changes_.empty()) return;
  for (const Change* change : FinalChanges()) {
    const auto* table = std::get_if<TablePtr>(&change->object);
    if (table != nullptr && *table != nullptr && (*table)->storage.valid())
      catalog_.engine_.RegisterTable((*table)->storage_options());
  }
  catalog_.Publish(changes_);
  if (const std::set<StorageId> garbage = Garbage(); !garbage.empty()) catalog_.DropGarbage(garbage);
  changes_.clear();
  cached_ = nullptr;
}

}  // namespace mayfly::catalog
