// Definitions of objects as SQL text, in the words of PostgreSQL's own deparser.
#include "catalog/describe.h"

#include <algorithm>

#include "catalog/describe_proc.h"
#include "catalog/name_path.h"
#include "sql/func/text_quote.h"

namespace mayfly::catalog {

namespace {

using Text = std::optional<std::string>;

Text OrNull(std::string_view text) { return text.empty() ? Text{} : Text(text); }

std::string ColumnList(const TableDescriptor& table, const IndexDescriptor& index) {
  std::string out;
  for (const ColumnId id : index.columns) {
    if (!out.empty()) out += ", ";
    func::AppendQuotedIdentifier(table.FindColumn(id)->name, out);
  }
  return out;
}

Text IndexDefinition(const NamePath& path, Oid oid, int32_t column, bool pretty) {
  const RelationRef relation = path.FindRelation(oid);
  if (!relation || relation.index == nullptr) return {};
  const IndexDescriptor& index = *relation.index;
  std::string out;
  if (column != 0) {
    if (column > 0 && static_cast<size_t>(column) <= index.columns.size()) {
      func::AppendQuotedIdentifier(relation.table->FindColumn(index.columns[static_cast<size_t>(column - 1)])->name, out);
    }
    return out;
  }
  out = index.unique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ";
  func::AppendQuotedIdentifier(index.name, out);
  out += " ON ";
  path.AppendRelationName({relation.table, nullptr}, !pretty, out);
  return out + " USING btree (" + ColumnList(*relation.table, index) + ")";
}

Text ConstraintDefinition(const NamePath& path, Oid oid) {
  const TablePtr table = path.snapshot().FindOwner(oid);
  if (table == nullptr) return {};
  for (const IndexDescriptor& index : table->indexes) {
    if (index.constraint_oid == oid) return (index.primary ? "PRIMARY KEY (" : "UNIQUE (") + ColumnList(*table, index) + ")";
  }
  return {};
}

Text ViewDefinition(const NamePath& path, Oid oid) {
  const TablePtr table = path.snapshot().FindTable(oid);
  return table == nullptr || table->view_sql.empty() ? Text{} : Text(" " + table->view_sql + ";");
}

Text ColumnComment(const NamePath& path, Oid oid, int32_t column) {
  const TablePtr table = path.snapshot().FindTable(oid);
  if (table == nullptr || column != static_cast<int16_t>(column)) return {};
  const ColumnDescriptor* found = table->FindColumn(ColumnId{static_cast<int16_t>(column)});
  return found == nullptr || found->dropped ? Text{} : OrNull(found->comment);
}

Text ObjectComment(const NamePath& path, std::string_view catalog, Oid oid) {
  if (catalog == "pg_class") {
    const RelationRef relation = path.FindRelation(oid);
    return relation ? OrNull(relation.index == nullptr ? relation.table->comment : relation.index->comment) : Text{};
  }
  if (catalog == "pg_namespace") {
    const SchemaDescriptor* schema = path.snapshot().FindSchema(oid);
    return schema == nullptr ? Text{} : OrNull(schema->comment);
  }
  if (catalog == "pg_type") {
    const TypeRow* type = FindTypeRow(oid);
    return type == nullptr ? Text{} : OrNull(type->description);
  }
  if (catalog == "pg_proc") {
    const ProcRow* proc = FindProc(oid);
    return proc == nullptr ? Text{} : OrNull(proc->description);
  }
  if (catalog == "pg_operator") {
    const OperatorRow* op = FindOperator(oid);
    return op == nullptr ? Text{} : OrNull(op->description);
  }
  return {};
}

Text AnyComment(const NamePath& path, Oid oid) {
  for (const std::string_view catalog : {"pg_class", "pg_namespace", "pg_type", "pg_proc", "pg_operator"}) {
    if (Text found = ObjectComment(path, catalog, oid)) return found;
  }
  return {};
}

Text SharedComment(const NamePath& path, std::string_view catalog, Oid oid) {
  if (catalog != "pg_database") return {};
  for (const DatabaseDescriptor* database : path.snapshot().Databases()) {
    if (database->oid == oid) return OrNull(database->comment);
  }
  return {};
}

Text RoleName(const NamePath& path, Oid oid) {
  const RoleDescriptor* role = path.snapshot().FindRole(oid);
  return role == nullptr ? Text{} : Text(role->name);
}

constexpr std::string_view kObjectComment = "obj_description:";
constexpr std::string_view kSharedComment = "shobj_description:";

}  // namespace

std::optional<std::string> DescribeObject(const Snapshot& snapshot, std::span<const std::string> search_path,
                                          std::string_view what, Oid oid, int32_t sub_id, bool pretty) {
  const NamePath path(snapshot, search_path);
  if (what == "pg_get_userbyid") return RoleName(path, oid);
  if (what == "pg_get_indexdef") return IndexDefinition(path, oid, sub_id, pretty);
  if (what == "pg_get_constraintdef") return ConstraintDefinition(path, oid);
  if (what == "pg_get_viewdef") return ViewDefinition(path, oid);
  if (what == "col_description") return ColumnComment(path, oid, sub_id);
  if (what == "obj_description") return AnyComment(path, oid);
  if (what.starts_with(kObjectComment)) return ObjectComment(path, what.substr(kObjectComment.size()), oid);
  if (what.starts_with(kSharedComment)) return SharedComment(path, what.substr(kSharedComment.size()), oid);
  if (what == "pg_tablespace_location") return std::string();
  const ProcRow* proc = FindProc(oid);
  return proc == nullptr ? Text{} : DescribeProc(*proc, what);
}

std::optional<bool> IsVisible(const Snapshot& snapshot, std::span<const std::string> search_path, std::string_view what,
                              Oid oid) {
  const NamePath path(snapshot, search_path);
  if (what == "pg_table_is_visible") {
    const RelationRef relation = path.FindRelation(oid);
    return relation ? std::optional(path.IsVisible(relation)) : std::nullopt;
  }
  if (what == "pg_relation_is_publishable") {
    const RelationRef relation = path.FindRelation(oid);
    if (!relation) return std::nullopt;
    return relation.index == nullptr && relation.table->kind == 'r' && oid.value >= kFirstUserOid;
  }
  // Everything else is built in, and pg_catalog is in every search path; but a relation's row type is seen as the relation is.
  const auto exists = [](bool found) { return found ? std::optional(true) : std::nullopt; };
  if (what == "pg_type_is_visible") {
    if (FindType(oid) != nullptr) return true;
    const TablePtr table = snapshot.FindOwner(oid);
    return table != nullptr && table->type_oid == oid ? std::optional(path.IsVisible({table, nullptr})) : std::nullopt;
  }
  if (what == "pg_function_is_visible") return exists(FindProc(oid) != nullptr);
  if (what == "pg_operator_is_visible") return exists(FindOperator(oid) != nullptr);
  if (what == "pg_collation_is_visible") return exists(oid.value == 100 || oid.value == 950 || oid.value == 951);
  const auto classes = AllOperatorClasses();
  if (what == "pg_opclass_is_visible")
    return exists(std::any_of(classes.begin(), classes.end(), [&](const auto& row) { return row.oid == oid; }));
  if (what == "pg_opfamily_is_visible")
    return exists(std::any_of(classes.begin(), classes.end(), [&](const auto& row) { return row.family == oid; }));
  return std::nullopt;
}

}  // namespace mayfly::catalog
