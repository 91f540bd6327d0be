// Looking names up along a search path (PostgreSQL manual, 5.9.3).
#include "catalog/name_path.h"

#include <algorithm>

#include "sql/func/text_quote.h"
#include "sql/types/text.h"

namespace mayfly::catalog {

NamePath::NamePath(const Snapshot& snapshot, std::span<const std::string> search_path) : snapshot_(snapshot) {
  for (const std::string& name : search_path) {
    if (const SchemaDescriptor* schema = snapshot.FindSchema(name)) schemas_.push_back(schema->oid);
  }
  if (std::find(schemas_.begin(), schemas_.end(), kPgCatalogSchema) == schemas_.end())
    schemas_.insert(schemas_.begin(), kPgCatalogSchema);
}

RelationRef NamePath::FindRelation(Oid schema, std::string_view name) const {
  if (TablePtr table = snapshot_.FindTable(schema, name)) return {std::move(table), nullptr};
  if (schema == kPgCatalogSchema || schema == kInformationSchema) return {};
  for (const TablePtr& table : snapshot_.Tables()) {
    if (table->schema != schema) continue;
    for (const IndexDescriptor& index : table->indexes) {
      if (index.name == name) return {table, &index};
    }
  }
  return {};
}

RelationRef NamePath::FindRelation(std::string_view name) const {
  for (const Oid schema : schemas_) {
    if (RelationRef found = FindRelation(schema, name)) return found;
  }
  return {};
}

RelationRef NamePath::FindRelation(Oid oid) const {
  if (TablePtr table = snapshot_.FindTable(oid)) return {std::move(table), nullptr};
  TablePtr table = snapshot_.FindOwner(oid);
  if (table == nullptr) return {};
  const auto at =
      std::find_if(table->indexes.begin(), table->indexes.end(), [&](const IndexDescriptor& index) { return index.oid == oid; });
  if (at == table->indexes.end()) return {};
  const IndexDescriptor* index = &*at;
  return {std::move(table), index};
}

bool NamePath::IsVisible(const RelationRef& relation) const {
  if (std::find(schemas_.begin(), schemas_.end(), relation.table->schema) == schemas_.end()) return false;
  const RelationRef found = FindRelation(relation.name());
  return found && found.oid() == relation.oid();
}

void NamePath::AppendRelationName(const RelationRef& relation, bool always_qualified, std::string& out) const {
  if (always_qualified || !IsVisible(relation)) {
    const SchemaDescriptor* schema = snapshot_.FindSchema(relation.table->schema);
    func::AppendQuotedIdentifier(schema == nullptr ? std::string_view("?") : std::string_view(schema->name), out);
    out += '.';
  }
  func::AppendQuotedIdentifier(relation.name(), out);
}

Result<std::vector<std::string>> SplitQualifiedName(std::string_view text) {
  const auto invalid = [] { return SqlError::Make(kInvalidName, "invalid name syntax"); };
  const auto skip_blanks = [&] {
    while (!text.empty() && (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r'))) text.remove_prefix(1);
  };
  std::vector<std::string> parts;
  for (;;) {
    skip_blanks();
    std::string part;
    if (text.starts_with('"')) {
      text.remove_prefix(1);
      for (;;) {
        const size_t quote = text.find('"');
        if (quote == std::string_view::npos) return invalid();
        part += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (!text.starts_with('"')) break;
        part += '"';
        text.remove_prefix(1);
      }
    } else {
      const size_t end = std::min(text.find_first_of(". \t\n\v\f\r"), text.size());
      for (const char c : text.substr(0, end)) part += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      text.remove_prefix(end);
    }
    if (part.empty()) return invalid();
    parts.emplace_back(types::FitName(part));
    skip_blanks();
    if (text.empty()) return parts;
    if (text.front() != '.') return invalid();
    text.remove_prefix(1);
  }
}

}  // namespace mayfly::catalog
