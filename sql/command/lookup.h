// Finding the relation that a command names, with PostgreSQL's errors, and locking it before it is looked at.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sql/command/command.h"

namespace mayfly::command {

// Tables, views and indexes share one name space per schema. An index is found with its table.
struct Relation {
  catalog::TablePtr table;                          // null: there is none
  const catalog::IndexDescriptor* index = nullptr;  // in `table`
  explicit operator bool() const { return table != nullptr; }
};

// A name as a command gives it; `schema` empty = by search_path.
struct RelationName {
  std::string catalog;
  std::string schema;
  std::string name;
  SourcePos pos;
};
RelationName NameOf(const parse::TableRef& ref);
// {"t"}, {"s", "t"}, {"db", "s", "t"}; 42601 for more parts.
RelationName NameOf(const parse::QualifiedName& parts);
// "s.t" as messages print it.
std::string ToText(const RelationName& name);

// 0A000 `cross-database references are not implemented: "db.s.t"` where the name's catalog is another one.
void CheckCatalog(const CommandContext& context, const RelationName& name);

// What the name means now. No relation where a given schema does not exist.
Relation FindRelation(const CommandContext& context, const catalog::Snapshot& snapshot, const RelationName& name);
// A relation of this name in one schema.
Relation FindInSchema(const catalog::Snapshot& snapshot, Oid schema, std::string_view name);

// The relation, locked in `mode` and looked up again under the lock. None where there is none, or its schema does not exist.
Relation LockNamed(CommandContext& context, const RelationName& name, storage::LockMode mode);

// 42P01 `relation "t" does not exist`, or 3F000 `schema "s" does not exist` where that is why.
[[noreturn]] void ThrowNoRelation(const CommandContext& context, const RelationName& name);
// 42501 `permission denied: "pg_class" is a system catalog`.
void CheckNotSystemTable(const catalog::TableDescriptor& table);

// The schema a new relation goes to: the one named, else the first of search_path that exists. 3F000, 42501 for system schemas.
const catalog::SchemaDescriptor& CreationSchema(const CommandContext& context, const catalog::Snapshot& snapshot, const RelationName& name);

bool IsSystemSchema(Oid schema);
// A user's table that is stored.
bool IsUserTable(const catalog::TableDescriptor& table);

}  // namespace mayfly::command
