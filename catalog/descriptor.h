// What the catalog knows of schemas and relations. Descriptors are immutable once published; a change publishes a new one.
//
// Columns have ids for life: ADD, DROP and RENAME COLUMN change metadata only, and stored rows are decoded by column id through the
// row layout that they were written with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strong_id.h"
#include "sql/types/type.h"
#include "storage/engine.h"

namespace mayfly::catalog {

struct ColumnDescriptor {
  ColumnId id;  // = pg_attribute.attnum; never reused
  std::string name;
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
  bool not_null = false;
  bool dropped = false;
  // DEFAULT, as SQL text that analyzes to the column's type without further context (the form pg_get_expr prints). Empty = none.
  std::string default_sql;
  // The value of rows written before the column was added (attmissingval): encoded by TypeOps::send. nullopt = NULL.
  std::optional<std::string> missing_value;
  std::string comment;
};

// Which columns a stored payload holds, in which order. A table keeps all layouts that rows may still be written in; new rows use the last.
struct RowLayout {
  uint32_t version = 1;            // stands at the start of each payload
  std::vector<ColumnId> columns;   // only those not fully kept in the key
};

struct IndexDescriptor {
  Oid oid;            // of the index in pg_class
  std::string name;   // also the constraint's name
  Oid constraint_oid; // 0 where it is no constraint
  uint32_t number = 1;  // second part of storage keys; 1 = the primary key
  std::vector<ColumnId> columns;
  bool unique = true;
  bool primary = true;
  std::string comment;
};

// TTL.md section 1. The time column is an id, so that RENAME COLUMN keeps the association.
struct TtlOptions {
  int64_t ttl_ms = 0;
  std::optional<ColumnId> time_column;  // absent = processing time
  // The options' values as declared, for reloptions ('1h'; the time column's name is looked up by id when shown).
  std::string ttl_text;
};

struct VirtualTable;  // catalog/virtual_table.h

struct TableDescriptor {
  Oid oid;
  Oid type_oid;     // its row type in pg_type
  std::string name;
  Oid schema;
  Oid owner;
  char kind = 'r';  // relkind: r table, v view; a virtual system table is 'r' with `virtual_table` set
  StorageId storage;
  int kv_format_version = 1;
  std::vector<ColumnDescriptor> columns;  // ascending by id, dropped ones included
  std::vector<RowLayout> layouts;
  std::vector<IndexDescriptor> indexes;   // the primary key first, where there is one
  std::optional<TtlOptions> ttl;
  // A table without primary key has rows keyed by a hidden 8-byte row id; the next one is handed out by sql/store.
  bool hidden_row_id = false;
  std::string comment;
  const VirtualTable* virtual_table = nullptr;
  std::string view_sql;  // kind v

  const ColumnDescriptor* FindColumn(std::string_view column_name) const;  // null where absent or dropped
  const ColumnDescriptor* FindColumn(ColumnId id) const;                   // dropped ones too
  const IndexDescriptor* primary_key() const { return !indexes.empty() && indexes[0].primary ? &indexes[0] : nullptr; }
  const RowLayout& current_layout() const { return layouts.back(); }
  // What storage needs to read the table. Requires: a stored table.
  storage::TableOptions storage_options() const;
  // Name of the transactional row counter; tables with TTL have none.
  std::string row_counter() const;
};
using TablePtr = std::shared_ptr<const TableDescriptor>;

struct SchemaDescriptor {
  Oid oid;
  std::string name;
  Oid owner;
  std::string comment;
};

struct RoleDescriptor {
  Oid oid;
  std::string name;
  bool superuser = true;
  bool can_login = true;
  // SCRAM-SHA-256 verifier as PostgreSQL stores it ("SCRAM-SHA-256$4096:salt$storedkey:serverkey"); empty = no password.
  std::string password_verifier;
};

struct DatabaseDescriptor {
  Oid oid;
  std::string name;
  Oid owner;
  std::string comment;
};

// Bytes of a descriptor in the catalog's own key space, with a format number in front; XX001 for damage, 0A000 for a newer number.
std::string EncodeTable(const TableDescriptor& table);
Result<TableDescriptor> DecodeTable(std::string_view bytes);

}  // namespace mayfly::catalog
