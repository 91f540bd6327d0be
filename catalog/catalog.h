// The catalog: immutable snapshots of everything that has a name, and the transactional changes between them.
//
//   Catalog ──Current()──> Snapshot (immutable, shared)      a statement keeps the one it started with
//           ──Begin()────> CatalogTransaction                DDL of one transaction: sees its own changes, publishes at commit
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/descriptor.h"

namespace mayfly::catalog {

// OIDs that clients know.
inline constexpr Oid kPgCatalogSchema{11};
inline constexpr Oid kPublicSchema{2200};
inline constexpr Oid kInformationSchema{13000};
inline constexpr Oid kBootstrapRole{10};
// First OID handed out to users' objects.
inline constexpr uint32_t kFirstUserOid = 16384;

// Immutable and thread-safe. Pointers into it live as long as the snapshot.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  virtual CatalogVersion version() const = 0;

  virtual const SchemaDescriptor* FindSchema(std::string_view name) const = 0;
  virtual const SchemaDescriptor* FindSchema(Oid oid) const = 0;
  // Users' tables, virtual system tables and system views alike; null where there is none.
  virtual TablePtr FindTable(Oid schema, std::string_view name) const = 0;
  virtual TablePtr FindTable(Oid oid) const = 0;
  // The table that an index, a constraint or a row type belongs to; null where the OID is none's. Users' tables only.
  virtual TablePtr FindOwner(Oid part) const = 0;
  virtual const RoleDescriptor* FindRole(std::string_view name) const = 0;
  virtual const RoleDescriptor* FindRole(Oid oid) const = 0;
  virtual const DatabaseDescriptor* FindDatabase(std::string_view name) const = 0;

  // In OID order.
  virtual std::vector<const SchemaDescriptor*> Schemas() const = 0;
  virtual std::vector<TablePtr> Tables() const = 0;
  virtual std::vector<const RoleDescriptor*> Roles() const = 0;
  virtual std::vector<const DatabaseDescriptor*> Databases() const = 0;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// The catalog changes of one transaction. Used by one session at a time. The caller holds the storage locks that keep two transactions
// from changing one object (sql/command/object_lock.h). Dropped without Publish: nothing happened.
class CatalogTransaction {
 public:
  virtual ~CatalogTransaction() = default;

  // The catalog as this transaction sees it. A new object after each change.
  virtual SnapshotPtr snapshot() const = 0;

  // Durable counters; a number is never handed out twice, not after a rollback either.
  virtual Oid NewOid() = 0;
  virtual StorageId NewStorageId() = 0;

  // Adds, or replaces the one with this OID. TRUNCATE and rewrites give a table a new storage id: the old one is remembered as garbage.
  virtual void PutTable(TableDescriptor table) = 0;
  virtual void DropTable(Oid table) = 0;
  virtual void PutSchema(SchemaDescriptor schema) = 0;
  virtual void DropSchema(Oid schema) = 0;
  virtual void PutRole(RoleDescriptor role) = 0;
  virtual void DropRole(Oid role) = 0;
  virtual void PutDatabase(DatabaseDescriptor database) = 0;

  virtual bool has_changes() const = 0;
  virtual size_t SetSavepoint() = 0;
  virtual void RollbackToSavepoint(size_t savepoint) = 0;

  // Writes the changes through the storage transaction that will commit them (object rows, garbage storage ids).
  virtual Status WriteTo(storage::Transaction& txn) = 0;
  // After that transaction has committed: makes the changes visible to everyone, registers new tables with the engine, and has the engine
  // drop the data of dropped ones.
  virtual void Publish() = 0;
};

class Catalog {
 public:
  virtual ~Catalog() = default;

  // The newest published snapshot. Wait-free enough for every statement.
  virtual SnapshotPtr Current() const = 0;
  // Cheap check whether a cached plan is still good.
  virtual CatalogVersion version() const = 0;
  virtual std::unique_ptr<CatalogTransaction> Begin() = 0;
};

struct BootstrapOptions {
  // Roles and database made on the first start. A superuser named postgres is there in any case.
  std::string superuser = "postgres";
  std::string database = "mayfly";
};

// Reads the catalog of `engine`, or makes one on an empty engine. Registers all tables, finishes dropping data of dropped ones.
// 0A000 naming the table where a KV format version is newer than this server knows.
Result<std::unique_ptr<Catalog>> OpenCatalog(storage::Engine& engine, const BootstrapOptions& options);

}  // namespace mayfly::catalog
