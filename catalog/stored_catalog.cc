// Opening, making and publishing the catalog.
#include "catalog/stored_catalog.h"

#include "catalog/catalog_transaction.h"

namespace mayfly::catalog {

namespace {

// OIDs that PostgreSQL gives the objects of a new cluster.
constexpr Oid kPostgresDatabase{5};
// The role that clients expect beside the superuser who made the cluster. Below the OIDs of users' objects, and none of PostgreSQL's own.
constexpr Oid kPostgresRole{16383};
constexpr std::string_view kPostgresRoleName = "postgres";

storage::KeyRange WholeCatalog() {
  std::string begin;
  std::string end;
  AppendBigEndian(begin, kCatalogStorage.value);
  AppendBigEndian(end, kCatalogStorage.value + 1);
  return {std::move(begin), std::move(end)};
}

SqlError DamagedKey() { return SqlError::Make(kDataCorrupted, "the catalog holds a key that is damaged"); }

Status CheckFormat(std::string_view value) {
  ByteReader in(value);
  const uint64_t format = in.Varint();
  if (!in.ok() || !in.AtEnd() || format == 0) return SqlError::Make(kDataCorrupted, "the catalog's format number is damaged");
  if (format <= kCatalogFormat) return Ok();
  return SqlError::Make(kFeatureNotSupported, "the catalog has format {}, but this server knows formats up to {} only", format,
                        kCatalogFormat)
      .Hint("Use the newer server that wrote this data directory.");
}

}  // namespace

StoredCatalog::StoredCatalog(storage::Engine& engine)
    : engine_(engine),
      oids_(engine, NumberSequence::Which::kOid, kFirstUserOid),
      storage_ids_(engine, NumberSequence::Which::kStorage, kFirstUserStorage) {}

Status StoredCatalog::Open(const BootstrapOptions& options) {
  engine_.RegisterTable(CatalogStorage());
  TRY(const bool, exists, Load());
  if (!exists) {
    TRY_OK(Bootstrap(options));
    TRY(const bool, made, Load());
    if (!made) return DamagedKey();
  }
  for (const TablePtr& table : Current()->Tables()) {
    if (table->storage.valid()) engine_.RegisterTable(table->storage_options());
  }
  DropGarbage(stored_garbage_);
  stored_garbage_.clear();
  return Ok();
}

Status StoredCatalog::Bootstrap(const BootstrapOptions& options) {
  const std::unique_ptr<storage::Transaction> txn = engine_.NewTransaction({});
  txn->BeginStatement();
  const auto put = [&](ObjectKind kind, uint32_t number, std::string_view value) -> Status {
    const std::string key = ObjectKey(kind, number);
    TRY_OK(txn->Lock(key, storage::LockMode::kExclusive, {}));
    return txn->Put(CatalogStorage(), key, value, storage::kNeverTag);
  };
  std::string format;
  AppendVarint(format, kCatalogFormat);
  TRY_OK(put(ObjectKind::kFormat, 0, format));
  const RoleDescriptor role{
      .oid = kBootstrapRole, .name = options.superuser, .superuser = true, .can_login = true, .password_verifier = {}};
  TRY_OK(put(ObjectKind::kRole, role.oid.value, EncodeRole(role)));
  if (role.name != kPostgresRoleName) {
    RoleDescriptor postgres = role;
    postgres.oid = kPostgresRole;
    postgres.name = kPostgresRoleName;
    TRY_OK(put(ObjectKind::kRole, postgres.oid.value, EncodeRole(postgres)));
  }
  const SchemaDescriptor schema{
      .oid = kPublicSchema, .name = "public", .owner = kBootstrapRole, .comment = "standard public schema"};
  TRY_OK(put(ObjectKind::kSchema, schema.oid.value, EncodeSchema(schema)));
  const DatabaseDescriptor database{.oid = kPostgresDatabase, .name = options.database, .owner = kBootstrapRole, .comment = {}};
  TRY_OK(put(ObjectKind::kDatabase, database.oid.value, EncodeDatabase(database)));
  return txn->Commit(storage::Durability::kFlushed);
}

Result<bool> StoredCatalog::Load() {
  auto state = std::make_shared<CatalogState>();
  const std::unique_ptr<storage::ReadView> view = engine_.NewReadView();
  const std::unique_ptr<storage::Scan> scan = view->NewScan(CatalogStorage(), WholeCatalog(), {});
  bool found = false;
  Status status;
  constexpr size_t kPageRows = 256;
  for (size_t count = kPageRows; count == kPageRows && status.ok();) {
    TRY(const size_t, got, scan->NextPage(kPageRows, [&](const storage::StoredRow& row) {
      if (status.ok()) status = LoadObject(row, *state, found);
    }));
    count = got;
  }
  if (!status.ok()) return std::move(status).error();
  if (!found) return false;
  const CatalogVersion version = NewVersion();
  state->set_version(version);
  published_.store(std::move(state), std::memory_order_release);
  version_.store(version.value, std::memory_order_release);
  return true;
}

// The format number is not always the first row (kinds are letters), so newer formats of single objects are checked by
// themselves.
Status StoredCatalog::LoadObject(const storage::StoredRow& row, CatalogState& state, bool& found) {
  ObjectKind kind{};
  uint32_t number = 0;
  if (!ParseObjectKey(row.key, kind, number)) return DamagedKey();
  switch (kind) {
    case ObjectKind::kFormat: found = true; return CheckFormat(row.payload);
    case ObjectKind::kSequence: {
      ByteReader in(row.payload);
      const auto next = in.LittleEndian<uint32_t>();
      if (!in.ok() || !in.AtEnd()) return SqlError::Make(kDataCorrupted, "the catalog's sequence {} is damaged", number);
      (number == static_cast<uint32_t>(NumberSequence::Which::kOid) ? oids_ : storage_ids_).Continue(next);
      return Ok();
    }
    case ObjectKind::kSchema: {
      TRY(SchemaDescriptor, schema, DecodeSchema(Oid{number}, row.payload));
      state.Put(std::make_shared<const SchemaDescriptor>(std::move(schema)));
      return Ok();
    }
    case ObjectKind::kRole: {
      TRY(RoleDescriptor, role, DecodeRole(Oid{number}, row.payload));
      state.Put(std::make_shared<const RoleDescriptor>(std::move(role)));
      return Ok();
    }
    case ObjectKind::kDatabase: {
      TRY(DatabaseDescriptor, database, DecodeDatabase(Oid{number}, row.payload));
      state.Put(std::make_shared<const DatabaseDescriptor>(std::move(database)));
      return Ok();
    }
    case ObjectKind::kTable: {
      TRY(TableDescriptor, table, DecodeTable(row.payload));
      if (table.oid.value != number) return DamagedKey();
      if (table.storage.valid()) TRY_OK(storage::ValueLayoutFromVersion(table.kv_format_version, table.name));
      state.Put(std::make_shared<const TableDescriptor>(std::move(table)));
      return Ok();
    }
    case ObjectKind::kGarbage: stored_garbage_.insert(StorageId{number}); return Ok();
  }
  return DamagedKey();
}

void StoredCatalog::DropGarbage(const std::set<StorageId>& garbage) {
  const std::unique_ptr<storage::Transaction> txn = engine_.NewTransaction({});
  txn->BeginStatement();
  const auto forget = [&](StorageId id) -> Status {
    TRY_OK(engine_.DropTable(id));
    const std::string key = ObjectKey(ObjectKind::kGarbage, id.value);
    TRY_OK(txn->Lock(key, storage::LockMode::kExclusive, {}));
    return txn->Delete(CatalogStorage(), key);
  };
  Status status;
  for (const StorageId id : garbage) {
    status = forget(id);
    if (!status.ok()) break;
  }
  // After a failure the garbage stays listed, and is dropped when the catalog is opened next.
  if (status.ok() && txn->has_writes()) (void)txn->Commit(storage::Durability::kBuffered).ok();
}

void StoredCatalog::Publish(const std::vector<Change>& changes) {
  const std::lock_guard lock(publish_mutex_);
  auto state = std::make_shared<CatalogState>(*published_.load(std::memory_order_acquire));
  for (const Change& change : changes) ApplyChange(change, *state);
  const CatalogVersion version = NewVersion();
  state->set_version(version);
  published_.store(std::move(state), std::memory_order_release);
  version_.store(version.value, std::memory_order_release);
}

std::unique_ptr<CatalogTransaction> StoredCatalog::Begin() { return std::make_unique<StoredCatalogTransaction>(*this); }

Result<std::unique_ptr<Catalog>> OpenCatalog(storage::Engine& engine, const BootstrapOptions& options) {
  auto catalog = std::make_unique<StoredCatalog>(engine);
  TRY_OK(catalog->Open(options));
  return std::unique_ptr<Catalog>(std::move(catalog));
}

}  // namespace mayfly::catalog
