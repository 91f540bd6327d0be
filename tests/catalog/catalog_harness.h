// A catalog over the in-memory engine, and tables to put into it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "catalog/facts.h"
#include "storage/memory/memory_engine.h"

namespace mayfly::catalog {

class CatalogTest : public ::testing::Test {
 protected:
  CatalogTest() { Reopen(); }

  void Reopen() {
    catalog_.reset();
    catalog_ = OpenCatalog(*engine_, {}).value();
  }

  // (id int4 PRIMARY KEY, name varchar(10) DEFAULT 'x', gone text (dropped), ts timestamptz), with TTL by ts.
  static TableDescriptor MakeTable(CatalogTransaction& txn, std::string name, Oid schema = kPublicSchema) {
    TableDescriptor table;
    table.oid = txn.NewOid();
    table.type_oid = txn.NewOid();
    table.storage = txn.NewStorageId();
    table.name = name;
    table.schema = schema;
    table.owner = kBootstrapRole;
    table.kv_format_version = 2;
    table.columns = {
        {.id = ColumnId{1},
         .name = "id",
         .type = FindType(kOidInt4),
         .not_null = true,
         .default_sql = {},
         .missing_value = {},
         .comment = {}},
        {.id = ColumnId{2},
         .name = "name",
         .type = FindType(kOidVarchar),
         .typmod = 14,
         .default_sql = "'x'::character varying",
         .missing_value = "x",
         .comment = "what it is called"},
        {.id = ColumnId{3},
         .name = "gone",
         .type = FindType(kOidText),
         .dropped = true,
         .default_sql = {},
         .missing_value = {},
         .comment = {}},
        {.id = ColumnId{4},
         .name = "ts",
         .type = FindType(kOidTimestamptz),
         .default_sql = {},
         .missing_value = {},
         .comment = {}},
    };
    table.layouts = {{1, {ColumnId{2}, ColumnId{3}, ColumnId{4}}}, {2, {ColumnId{2}, ColumnId{4}}}};
    table.indexes = {
        {.oid = txn.NewOid(), .name = name + "_pkey", .constraint_oid = txn.NewOid(), .columns = {ColumnId{1}}, .comment = {}}};
    table.ttl = TtlOptions{.ttl_ms = 3600000, .time_column = ColumnId{4}, .ttl_text = "1h"};
    table.comment = "a table";
    return table;
  }

  // One storage transaction around the catalog's changes, as a session does it.
  void Commit(CatalogTransaction& txn) {
    const auto storage = engine_->NewTransaction({});
    storage->BeginStatement();
    txn.WriteTo(*storage).value();
    storage->Commit(storage::Durability::kFlushed).value();
    txn.Publish();
  }
  Oid CreateTable(std::string name) {
    const auto txn = catalog_->Begin();
    TableDescriptor table = MakeTable(*txn, std::move(name));
    const Oid oid = table.oid;
    txn->PutTable(std::move(table));
    Commit(*txn);
    return oid;
  }

  ManualClock clock_{0};
  std::unique_ptr<storage::Engine> engine_ = storage::NewMemoryEngine(clock_);
  std::unique_ptr<Catalog> catalog_;
};

}  // namespace mayfly::catalog
