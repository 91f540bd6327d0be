// One state of the catalog: users' objects by OID and name, over the built-in ones (system_tables.h), which every state shares.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.h"

namespace mayfly::catalog {

class CatalogState final : public Snapshot {
 public:
  CatalogVersion version() const override { return version_; }
  const SchemaDescriptor* FindSchema(std::string_view name) const override;
  const SchemaDescriptor* FindSchema(Oid oid) const override;
  TablePtr FindTable(Oid schema, std::string_view name) const override;
  TablePtr FindTable(Oid oid) const override;
  TablePtr FindOwner(Oid part) const override;
  const RoleDescriptor* FindRole(std::string_view name) const override;
  const RoleDescriptor* FindRole(Oid oid) const override;
  const DatabaseDescriptor* FindDatabase(std::string_view name) const override;
  std::vector<const SchemaDescriptor*> Schemas() const override;
  std::vector<TablePtr> Tables() const override;
  std::vector<const RoleDescriptor*> Roles() const override;
  std::vector<const DatabaseDescriptor*> Databases() const override;

  // Building a state; not after it is shared. An object with the same OID is replaced.
  void set_version(CatalogVersion version) { version_ = version; }
  void Put(TablePtr table);
  void Put(std::shared_ptr<const SchemaDescriptor> schema) { schemas_.insert_or_assign(schema->oid, std::move(schema)); }
  void Put(std::shared_ptr<const RoleDescriptor> role) { roles_.insert_or_assign(role->oid, std::move(role)); }
  void Put(std::shared_ptr<const DatabaseDescriptor> database) {
    databases_.insert_or_assign(database->oid, std::move(database));
  }
  void DropTable(Oid oid);
  void DropSchema(Oid oid) { schemas_.erase(oid); }
  void DropRole(Oid oid) { roles_.erase(oid); }

 private:
  // Borrows the name of the descriptor beside it.
  using TableName = std::pair<uint32_t, std::string_view>;

  CatalogVersion version_;
  std::map<Oid, TablePtr> tables_;
  boost::unordered_flat_map<TableName, TablePtr> tables_by_name_;
  boost::unordered_flat_map<Oid, TablePtr, std::hash<Oid>> owners_;  // by the OIDs of indexes, constraints and row types
  std::map<Oid, std::shared_ptr<const SchemaDescriptor>> schemas_;
  std::map<Oid, std::shared_ptr<const RoleDescriptor>> roles_;
  std::map<Oid, std::shared_ptr<const DatabaseDescriptor>> databases_;
};

}  // namespace mayfly::catalog
