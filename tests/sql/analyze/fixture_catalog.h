// A snapshot with a few tables, enough to analyze against. tests/sql/analyze/oracle.py makes the same tables in PostgreSQL.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/facts.h"

namespace mayfly::analyze {

class FixtureSnapshot : public catalog::Snapshot {
 public:
  FixtureSnapshot() {
    schemas_ = {{catalog::kPgCatalogSchema, "pg_catalog", Oid{10}, ""}, {catalog::kPublicSchema, "public", Oid{10}, ""}};
    AddTable("t",
             {"id int4", "a int4", "b text", "v varchar 9", "n numeric 655366", "ts timestamptz", "arr _int4", "j jsonb",
              "f float8", "bo bool", "d date"},
             {1});
    AddTable("u", {"id int4", "x text", "a int8"}, {1});
    AddTable("p", {"a int4", "b int4", "c text"}, {1, 2});
    AddTable("s", {"k text", "data text", "at timestamptz"}, {1});
    tables_["s"]->columns[1].default_sql = "'none'::text";
    tables_["s"]->columns[2].default_sql = "now()";
    tables_["s"]->ttl.emplace();
    tables_["s"]->ttl->ttl_ms = 3600000;
    catalog::TableDescriptor view;
    view.oid = Oid{16500};
    view.name = "w";
    view.schema = catalog::kPublicSchema;
    view.kind = 'v';
    view.view_sql = "SELECT 1 AS one, 'x'::text AS letter";
    for (const auto& [name, type] : {std::pair("one", "int4"), std::pair("letter", "text")}) {
      catalog::ColumnDescriptor& column = view.columns.emplace_back();
      column.id = ColumnId{static_cast<int16_t>(view.columns.size())};
      column.name = name;
      column.type = catalog::FindTypeByName(type);
    }
    tables_["w"] = std::make_shared<catalog::TableDescriptor>(std::move(view));
  }

  CatalogVersion version() const override { return {}; }
  const catalog::SchemaDescriptor* FindSchema(std::string_view name) const override {
    for (const auto& schema : schemas_) {
      if (schema.name == name) return &schema;
    }
    return nullptr;
  }
  const catalog::SchemaDescriptor* FindSchema(Oid oid) const override {
    for (const auto& schema : schemas_) {
      if (schema.oid == oid) return &schema;
    }
    return nullptr;
  }
  catalog::TablePtr FindTable(Oid schema, std::string_view name) const override {
    const auto it = tables_.find(std::string(name));
    return it == tables_.end() || schema != catalog::kPublicSchema ? nullptr : it->second;
  }
  catalog::TablePtr FindTable(Oid oid) const override {
    for (const auto& [name, table] : tables_) {
      if (table->oid == oid) return table;
    }
    return nullptr;
  }
  catalog::TablePtr FindOwner(Oid) const override { return nullptr; }
  const catalog::RoleDescriptor* FindRole(std::string_view) const override { return nullptr; }
  const catalog::RoleDescriptor* FindRole(Oid) const override { return nullptr; }
  const catalog::DatabaseDescriptor* FindDatabase(std::string_view) const override { return nullptr; }
  std::vector<const catalog::SchemaDescriptor*> Schemas() const override { return {}; }
  std::vector<catalog::TablePtr> Tables() const override { return {}; }
  std::vector<const catalog::RoleDescriptor*> Roles() const override { return {}; }
  std::vector<const catalog::DatabaseDescriptor*> Databases() const override { return {}; }

 private:
  // Columns as "name type [typmod]", the primary key as attribute numbers.
  void AddTable(const std::string& name, const std::vector<std::string>& columns, const std::vector<int16_t>& key) {
    auto table = std::make_shared<catalog::TableDescriptor>();
    table->oid = Oid{static_cast<uint32_t>(16384 + tables_.size() * 10)};
    table->name = name;
    table->schema = catalog::kPublicSchema;
    for (const std::string& text : columns) {
      const size_t space = text.find(' ');
      const size_t second = text.find(' ', space + 1);
      catalog::ColumnDescriptor column;
      column.id = ColumnId{static_cast<int16_t>(table->columns.size() + 1)};
      column.name = text.substr(0, space);
      column.type = catalog::FindTypeByName(text.substr(space + 1, second == std::string::npos ? second : second - space - 1));
      if (second != std::string::npos) column.typmod = std::stoi(text.substr(second + 1));
      table->columns.push_back(std::move(column));
    }
    catalog::IndexDescriptor index;
    index.oid = Oid{table->oid.value + 1};
    index.name = name + "_pkey";
    index.constraint_oid = Oid{table->oid.value + 2};
    for (const int16_t id : key) index.columns.push_back(ColumnId{id});
    table->indexes.push_back(std::move(index));
    tables_[name] = std::move(table);
  }

  std::vector<catalog::SchemaDescriptor> schemas_;
  std::map<std::string, std::shared_ptr<catalog::TableDescriptor>> tables_;
};

}  // namespace mayfly::analyze
