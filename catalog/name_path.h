// Names as a search path sees them: which object a bare name means, and whether an object can be named without its schema.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace mayfly::catalog {

// A table or view, or an index of one.
struct RelationRef {
  TablePtr table;
  const IndexDescriptor* index = nullptr;

  explicit operator bool() const { return table != nullptr; }
  Oid oid() const { return index == nullptr ? table->oid : index->oid; }
  const std::string& name() const { return index == nullptr ? table->name : index->name; }
};

// Borrows the snapshot. Schemas that do not exist are passed over; pg_catalog comes first where it is not listed.
class NamePath {
 public:
  NamePath(const Snapshot& snapshot, std::span<const std::string> search_path);

  const Snapshot& snapshot() const { return snapshot_; }
  RelationRef FindRelation(std::string_view name) const;
  RelationRef FindRelation(Oid schema, std::string_view name) const;
  RelationRef FindRelation(Oid oid) const;
  bool IsVisible(const RelationRef& relation) const;
  // "t", or "s.t" where t alone means something else; each part quoted where needed.
  void AppendRelationName(const RelationRef& relation, bool always_qualified, std::string& out) const;

 private:
  const Snapshot& snapshot_;
  std::vector<Oid> schemas_;
};

// `"S".t` split at its dots, unquoted parts in lower case. 42602 `invalid name syntax`.
Result<std::vector<std::string>> SplitQualifiedName(std::string_view text);

}  // namespace mayfly::catalog
