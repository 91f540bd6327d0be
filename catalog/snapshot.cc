// Look-ups in one state of the catalog.
#include "catalog/snapshot.h"

#include <algorithm>

#include "catalog/system_tables.h"

namespace mayfly::catalog {

namespace {

// For the few objects that no index by name is worth.
template <typename Map>
auto FindByName(const Map& objects, std::string_view name) -> decltype(objects.begin()->second.get()) {
  const auto at = std::find_if(objects.begin(), objects.end(), [&](const auto& entry) { return entry.second->name == name; });
  return at == objects.end() ? nullptr : at->second.get();
}
template <typename Map>
auto FindByOid(const Map& objects, Oid oid) -> decltype(objects.begin()->second.get()) {
  const auto at = objects.find(oid);
  return at == objects.end() ? nullptr : at->second.get();
}
template <typename Map>
auto Pointers(const Map& objects) {
  std::vector<decltype(objects.begin()->second.get())> all;
  for (const auto& entry : objects) all.push_back(entry.second.get());
  return all;
}

template <typename Fn>
void ForEachPart(const TableDescriptor& table, Fn fn) {
  if (table.type_oid.valid()) fn(table.type_oid);
  for (const IndexDescriptor& index : table.indexes) {
    fn(index.oid);
    if (index.constraint_oid.valid()) fn(index.constraint_oid);
  }
}

}  // namespace

const SchemaDescriptor* CatalogState::FindSchema(std::string_view name) const {
  for (const SchemaDescriptor& schema : SystemSchemas()) {
    if (schema.name == name) return &schema;
  }
  return FindByName(schemas_, name);
}

const SchemaDescriptor* CatalogState::FindSchema(Oid oid) const {
  for (const SchemaDescriptor& schema : SystemSchemas()) {
    if (schema.oid == oid) return &schema;
  }
  return FindByOid(schemas_, oid);
}

TablePtr CatalogState::FindTable(Oid schema, std::string_view name) const {
  if (schema == kPgCatalogSchema || schema == kInformationSchema) return FindSystemTable(schema, name);
  const auto at = tables_by_name_.find(TableName{schema.value, name});
  return at == tables_by_name_.end() ? nullptr : at->second;
}

TablePtr CatalogState::FindTable(Oid oid) const {
  if (oid.value < kFirstUserOid) return FindSystemTable(oid);
  const auto at = tables_.find(oid);
  return at == tables_.end() ? nullptr : at->second;
}

TablePtr CatalogState::FindOwner(Oid part) const {
  const auto at = owners_.find(part);
  return at == owners_.end() ? nullptr : at->second;
}

const RoleDescriptor* CatalogState::FindRole(std::string_view name) const { return FindByName(roles_, name); }
const RoleDescriptor* CatalogState::FindRole(Oid oid) const { return FindByOid(roles_, oid); }
const DatabaseDescriptor* CatalogState::FindDatabase(std::string_view name) const { return FindByName(databases_, name); }

std::vector<const SchemaDescriptor*> CatalogState::Schemas() const {
  std::vector<const SchemaDescriptor*> all = Pointers(schemas_);
  for (const SchemaDescriptor& schema : SystemSchemas()) all.push_back(&schema);
  std::sort(all.begin(), all.end(), [](const SchemaDescriptor* a, const SchemaDescriptor* b) { return a->oid < b->oid; });
  return all;
}

std::vector<TablePtr> CatalogState::Tables() const {
  std::vector<TablePtr> all(SystemTables().begin(), SystemTables().end());
  for (const auto& entry : tables_) all.push_back(entry.second);
  return all;
}

std::vector<const RoleDescriptor*> CatalogState::Roles() const { return Pointers(roles_); }
std::vector<const DatabaseDescriptor*> CatalogState::Databases() const { return Pointers(databases_); }

void CatalogState::Put(TablePtr table) {
  DropTable(table->oid);
  const TableName name{table->schema.value, table->name};
  tables_by_name_.erase(name);  // a key must borrow from its own descriptor
  tables_by_name_.emplace(name, table);
  ForEachPart(*table, [&](Oid part) { owners_.insert_or_assign(part, table); });
  tables_.emplace(table->oid, std::move(table));
}

void CatalogState::DropTable(Oid oid) {
  const auto at = tables_.find(oid);
  if (at == tables_.end()) return;
  const auto name = tables_by_name_.find(TableName{at->second->schema.value, at->second->name});
  // Another table may have taken the name since (two renames that swap names).
  if (name != tables_by_name_.end() && name->second->oid == oid) tables_by_name_.erase(name);
  ForEachPart(*at->second, [&](Oid part) { owners_.erase(part); });
  tables_.erase(at);
}

}  // namespace mayfly::catalog
