// Snapshots, transactions, and what survives a reopening of the catalog.
#include "catalog/catalog.h"

#include <set>

#include "catalog/object_codec.h"
#include "tests/catalog/catalog_harness.h"

namespace mayfly::catalog {
namespace {

TEST_F(CatalogTest, ANewCatalogHasSchemasARoleAndADatabase) {
  const SnapshotPtr snapshot = catalog_->Current();
  EXPECT_EQ(snapshot->FindSchema("public")->oid, kPublicSchema);
  EXPECT_EQ(snapshot->FindSchema(kPgCatalogSchema)->name, "pg_catalog");
  EXPECT_EQ(snapshot->FindSchema("information_schema")->oid, kInformationSchema);
  EXPECT_EQ(snapshot->FindSchema("pg_toast"), nullptr);
  EXPECT_EQ(snapshot->FindRole("postgres")->oid, kBootstrapRole);
  EXPECT_NE(snapshot->FindDatabase("mayfly"), nullptr);
  EXPECT_EQ(snapshot->Schemas().size(), 3u);
  EXPECT_EQ(snapshot->FindTable(kPgCatalogSchema, "pg_class")->oid, Oid{1259});
  EXPECT_EQ(snapshot->FindTable(Oid{1259})->name, "pg_class");
}

TEST_F(CatalogTest, ATableSurvivesReopening) {
  const Oid oid = CreateTable("t");
  const TablePtr before = catalog_->Current()->FindTable(kPublicSchema, "t");
  Reopen();
  const TablePtr table = catalog_->Current()->FindTable(oid);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(EncodeTable(*table), EncodeTable(*before));
  EXPECT_EQ(table->columns[1].missing_value, "x");
  EXPECT_EQ(table->FindColumn("gone"), nullptr);
  EXPECT_TRUE(table->FindColumn(ColumnId{3})->dropped);
  EXPECT_EQ(table->storage_options().layout, storage::ValueLayout::kTagged);
  EXPECT_EQ(table->storage_options().ttl_ms, 3600000);
  EXPECT_EQ(catalog_->Current()->FindOwner(table->indexes[0].oid), table);
  EXPECT_EQ(catalog_->Current()->FindOwner(table->type_oid), table);
}

TEST_F(CatalogTest, SchemasRolesAndDatabasesSurviveReopening) {
  const auto txn = catalog_->Begin();
  const Oid schema = txn->NewOid();
  const Oid role = txn->NewOid();
  txn->PutSchema({.oid = schema, .name = "s", .owner = role, .comment = "mine"});
  txn->PutRole(
      {.oid = role, .name = "r", .superuser = false, .can_login = true, .password_verifier = "SCRAM-SHA-256$4096:a$b:c"});
  DatabaseDescriptor database = *catalog_->Current()->FindDatabase("mayfly");
  database.comment = "the one";
  txn->PutDatabase(database);
  Commit(*txn);
  Reopen();
  const SnapshotPtr snapshot = catalog_->Current();
  EXPECT_EQ(snapshot->FindSchema("s")->comment, "mine");
  EXPECT_EQ(snapshot->FindSchema("s")->owner, role);
  EXPECT_EQ(snapshot->FindRole("r")->password_verifier, "SCRAM-SHA-256$4096:a$b:c");
  EXPECT_FALSE(snapshot->FindRole("r")->superuser);
  EXPECT_EQ(snapshot->FindDatabase("mayfly")->comment, "the one");
}

TEST_F(CatalogTest, ATransactionAloneSeesItsChanges) {
  const SnapshotPtr old = catalog_->Current();
  const auto one = catalog_->Begin();
  const auto two = catalog_->Begin();
  TableDescriptor table = MakeTable(*one, "t");
  const Oid oid = table.oid;
  one->PutTable(std::move(table));
  EXPECT_NE(one->snapshot()->FindTable(oid), nullptr);
  EXPECT_EQ(two->snapshot()->FindTable(oid), nullptr);
  EXPECT_EQ(catalog_->Current()->FindTable(oid), nullptr);
  EXPECT_NE(one->snapshot()->version(), catalog_->version());
  Commit(*one);
  EXPECT_NE(two->snapshot()->FindTable(oid), nullptr);
  EXPECT_EQ(old->FindTable(oid), nullptr);
  EXPECT_EQ(catalog_->Current()->version(), catalog_->version());
  EXPECT_NE(old->version(), catalog_->version());
}

TEST_F(CatalogTest, TwoTransactionsMergeWhatTheyChange) {
  const auto one = catalog_->Begin();
  const auto two = catalog_->Begin();
  one->PutTable(MakeTable(*one, "a"));
  two->PutTable(MakeTable(*two, "b"));
  Commit(*two);
  EXPECT_NE(one->snapshot()->FindTable(kPublicSchema, "b"), nullptr);
  Commit(*one);
  EXPECT_NE(catalog_->Current()->FindTable(kPublicSchema, "a"), nullptr);
  EXPECT_NE(catalog_->Current()->FindTable(kPublicSchema, "b"), nullptr);
}

TEST_F(CatalogTest, ADroppedTransactionLeavesNothing) {
  Oid oid;
  {
    const auto txn = catalog_->Begin();
    TableDescriptor table = MakeTable(*txn, "t");
    oid = table.oid;
    txn->PutTable(std::move(table));
  }
  EXPECT_EQ(catalog_->Current()->FindTable(oid), nullptr);
  Reopen();
  EXPECT_EQ(catalog_->Current()->FindTable(oid), nullptr);
}

TEST_F(CatalogTest, RollbackToASavepointUndoesLaterChangesOnly) {
  const Oid kept = CreateTable("kept");
  const auto txn = catalog_->Begin();
  txn->PutTable(MakeTable(*txn, "a"));
  const size_t savepoint = txn->SetSavepoint();
  txn->PutTable(MakeTable(*txn, "b"));
  txn->DropTable(kept);
  EXPECT_EQ(txn->snapshot()->FindTable(kept), nullptr);
  txn->RollbackToSavepoint(savepoint);
  EXPECT_NE(txn->snapshot()->FindTable(kPublicSchema, "a"), nullptr);
  EXPECT_EQ(txn->snapshot()->FindTable(kPublicSchema, "b"), nullptr);
  Commit(*txn);
  EXPECT_NE(catalog_->Current()->FindTable(kept), nullptr);
  Reopen();
  EXPECT_NE(catalog_->Current()->FindTable(kPublicSchema, "kept"), nullptr);
  EXPECT_EQ(catalog_->Current()->FindTable(kPublicSchema, "b"), nullptr);
}

TEST_F(CatalogTest, ARenamedTableIsFoundByItsNewNameOnly) {
  const Oid oid = CreateTable("old");
  const auto txn = catalog_->Begin();
  TableDescriptor table = *txn->snapshot()->FindTable(oid);
  table.name = "new";
  txn->PutTable(table);
  Commit(*txn);
  EXPECT_EQ(catalog_->Current()->FindTable(kPublicSchema, "old"), nullptr);
  EXPECT_EQ(catalog_->Current()->FindTable(kPublicSchema, "new")->oid, oid);
}

TEST_F(CatalogTest, TwoTablesMaySwapTheirNames) {
  const Oid a = CreateTable("a");
  const Oid b = CreateTable("b");
  const auto rename = [&](CatalogTransaction& txn, Oid oid, std::string name) {
    TableDescriptor table = *txn.snapshot()->FindTable(oid);
    table.name = std::move(name);
    txn.PutTable(table);
  };
  const auto txn = catalog_->Begin();
  rename(*txn, a, "c");
  rename(*txn, b, "a");
  rename(*txn, a, "b");
  Commit(*txn);
  EXPECT_EQ(catalog_->Current()->FindTable(kPublicSchema, "a")->oid, b);
  EXPECT_EQ(catalog_->Current()->FindTable(kPublicSchema, "b")->oid, a);
  EXPECT_EQ(catalog_->Current()->FindTable(kPublicSchema, "c"), nullptr);
}

TEST_F(CatalogTest, NumbersAreNeverHandedOutTwice) {
  std::set<uint32_t> oids;
  std::set<uint32_t> storage_ids;
  for (int open = 0; open < 3; ++open) {
    const auto txn = catalog_->Begin();  // rolled back
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(oids.insert(txn->NewOid().value).second);
      EXPECT_TRUE(storage_ids.insert(txn->NewStorageId().value).second);
    }
    Reopen();
  }
  EXPECT_EQ(*oids.begin(), kFirstUserOid);
  EXPECT_EQ(*storage_ids.begin(), 100u);
}

// Rows of the catalog's key space of one kind.
size_t CountObjects(storage::Engine& engine, ObjectKind kind) {
  size_t count = 0;
  const auto view = engine.NewReadView();
  const auto scan = view->NewScan(CatalogStorage(), {ObjectKey(kind, 0), ObjectKey(kind, 0xffffffff)}, {});
  EXPECT_TRUE(scan->NextPage(1000, [&](const storage::StoredRow&) { ++count; }).ok());
  return count;
}

TEST_F(CatalogTest, GarbageIsListedAtCommitAndGoneAfterPublish) {
  const Oid oid = CreateTable("t");
  const auto txn = catalog_->Begin();
  TableDescriptor table = *txn->snapshot()->FindTable(oid);
  table.storage = txn->NewStorageId();  // TRUNCATE
  txn->PutTable(table);
  txn->DropTable(oid);
  const auto storage = engine_->NewTransaction({});
  storage->BeginStatement();
  txn->WriteTo(*storage).value();
  storage->Commit(storage::Durability::kFlushed).value();
  EXPECT_EQ(CountObjects(*engine_, ObjectKind::kGarbage), 2u);
  // The server stops here: the next one finishes the work.
  Reopen();
  EXPECT_EQ(CountObjects(*engine_, ObjectKind::kGarbage), 0u);
  EXPECT_EQ(catalog_->Current()->FindTable(oid), nullptr);

  CreateTable("u");
  const auto drop = catalog_->Begin();
  drop->DropTable(catalog_->Current()->FindTable(kPublicSchema, "u")->oid);
  Commit(*drop);
  EXPECT_EQ(CountObjects(*engine_, ObjectKind::kGarbage), 0u);
}

// Puts bytes of a catalog object into storage, as another server might have.
void PutObject(storage::Engine& engine, ObjectKind kind, uint32_t number, std::string_view value) {
  const auto txn = engine.NewTransaction({});
  txn->BeginStatement();
  const std::string key = ObjectKey(kind, number);
  txn->Lock(key, storage::LockMode::kExclusive, {}).value();
  txn->Put(CatalogStorage(), key, value, storage::kNeverTag).value();
  txn->Commit(storage::Durability::kFlushed).value();
}

TEST_F(CatalogTest, AStorageFormatOfANewerServerIsRefusedByName) {
  const auto txn = catalog_->Begin();
  TableDescriptor table = MakeTable(*txn, "sessions");
  table.kv_format_version = 3;
  PutObject(*engine_, ObjectKind::kTable, table.oid.value, EncodeTable(table));
  catalog_.reset();
  const auto opened = OpenCatalog(*engine_, {});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().state, kFeatureNotSupported);
  EXPECT_NE(opened.error().message.find("\"sessions\""), std::string::npos) << opened.error().message;
}

TEST_F(CatalogTest, ANewerCatalogFormatIsRefused) {
  PutObject(*engine_, ObjectKind::kFormat, 0, "\x02");
  const auto opened = OpenCatalog(*engine_, {});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().message, "the catalog has format 2, but this server knows formats up to 1 only");
}

TEST_F(CatalogTest, DamagedObjectsAreRefused) {
  const struct {
    ObjectKind kind;
    std::string_view value;
  } cases[] = {{ObjectKind::kFormat, ""},        {ObjectKind::kSequence, "abc"}, {ObjectKind::kSchema, "\x01\x05pub"},
               {ObjectKind::kRole, "\x01\x01r"}, {ObjectKind::kDatabase, ""},    {ObjectKind::kTable, "\x01\x01t"}};
  for (const auto& c : cases) {
    SCOPED_TRACE(static_cast<char>(c.kind));
    const auto engine = storage::NewMemoryEngine(clock_);
    (void)OpenCatalog(*engine, {}).value();
    PutObject(*engine, c.kind, c.kind == ObjectKind::kFormat ? 0 : 1, c.value);
    const auto opened = OpenCatalog(*engine, {});
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().state, kDataCorrupted) << opened.error().message;
  }
}

}  // namespace
}  // namespace mayfly::catalog
