// The reg* types' names, one function a type (PostgreSQL manual, 8.19).
#include "catalog/name_resolver.h"

#include <algorithm>

#include "catalog/describe_proc.h"
#include "catalog/name_path.h"
#include "catalog/type_name.h"
#include "sql/func/text_quote.h"

namespace mayfly::catalog {

namespace {

struct ObjectName {
  std::string schema;  // empty = by search path
  std::string name;
};

Result<ObjectName> SplitName(const Snapshot& snapshot, std::string_view text, std::string_view what) {
  TRY(std::vector<std::string>, parts, SplitQualifiedName(text));
  if (parts.size() > 3) return SqlError::Make(kSyntaxError, "improper {} (too many dotted names): {}", what, text);
  if (parts.size() == 3) {
    if (snapshot.FindDatabase(parts[0]) == nullptr) {
      return SqlError::Make(kFeatureNotSupported, "cross-database references are not implemented: \"{}\"", text);
    }
    parts.erase(parts.begin());
  }
  if (parts.size() == 1) return ObjectName{{}, std::move(parts[0])};
  if (snapshot.FindSchema(parts[0]) == nullptr)
    return SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", parts[0]);
  return ObjectName{std::move(parts[0]), std::move(parts[1])};
}

bool IsBuiltinSchema(const ObjectName& name) { return name.schema.empty() || name.schema == "pg_catalog"; }

Result<Oid> FindRelationOid(const NamePath& path, std::string_view text) {
  TRY(const ObjectName, name, SplitName(path.snapshot(), text, "relation name"));
  const RelationRef found = name.schema.empty() ? path.FindRelation(name.name)
                                                : path.FindRelation(path.snapshot().FindSchema(name.schema)->oid, name.name);
  if (found) return found.oid();
  if (name.schema.empty()) return SqlError::Make(kUndefinedTable, "relation \"{}\" does not exist", name.name);
  return SqlError::Make(kUndefinedTable, "relation \"{}.{}\" does not exist", name.schema, name.name);
}

Result<Oid> FindTypeOid(const NamePath& path, std::string_view text) {
  if (const types::TypeDesc* type = FindTypeBySqlName(text)) return type->oid;
  const auto missing = [&] { return SqlError::Make(kUndefinedObject, "type \"{}\" does not exist", text); };
  const size_t dot = text.find('.');
  if (dot != std::string_view::npos && text.substr(0, dot) == "pg_catalog") {
    const types::TypeDesc* type = FindTypeBySqlName(text.substr(dot + 1));
    return type == nullptr ? Result<Oid>(missing()) : type->oid;
  }
  TRY(const ObjectName, name, SplitName(path.snapshot(), text, "qualified name"));
  const RelationRef row = name.schema.empty() ? path.FindRelation(name.name)
                                              : path.FindRelation(path.snapshot().FindSchema(name.schema)->oid, name.name);
  if (!row || row.index != nullptr || !row.table->type_oid.valid()) return missing();
  return row.table->type_oid;
}

Result<Oid> FindProcOid(const NamePath& path, std::string_view text) {
  TRY(const ObjectName, name, SplitName(path.snapshot(), text, "qualified name"));
  const auto found = IsBuiltinSchema(name) ? FindProcsByName(name.name) : std::span<const ProcRow* const>{};
  if (found.empty()) return SqlError::Make(kUndefinedFunction, "function \"{}\" does not exist", text);
  if (found.size() > 1) return SqlError::Make(kAmbiguousFunction, "more than one function named \"{}\"", text);
  return found.front()->oid;
}

// The types in "(int, text)"; NONE (an operator's missing operand) is 0.
Result<std::vector<uint32_t>> ArgumentTypes(const NamePath& path, std::string_view list) {
  if (!list.ends_with(')')) return SqlError::Make(kInvalidTextRepresentation, "expected a right parenthesis");
  list.remove_suffix(1);
  std::vector<uint32_t> types;
  while (!list.empty()) {
    // A comma inside parentheses belongs to a type modifier.
    size_t end = 0;
    for (int depth = 0; end < list.size() && (depth > 0 || list[end] != ','); ++end)
      depth += list[end] == '(' ? 1 : list[end] == ')' ? -1 : 0;
    std::string_view name = list.substr(0, end);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (name.empty() && list.empty() && types.empty()) break;
    if (name == "NONE" || name == "none") {
      types.push_back(0);
      continue;
    }
    TRY(const Oid, type, FindTypeOid(path, name));
    types.push_back(type.value);
  }
  return types;
}

Result<size_t> OpenParenthesis(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return SqlError::Make(kInvalidTextRepresentation, "expected a left parenthesis");
  return open;
}

Result<Oid> FindProcedureOid(const NamePath& path, std::string_view text) {
  TRY(const size_t, open, OpenParenthesis(text));
  TRY(const ObjectName, name, SplitName(path.snapshot(), text.substr(0, open), "qualified name"));
  TRY(const std::vector<uint32_t>, types, ArgumentTypes(path, text.substr(open + 1)));
  for (const ProcRow* proc : IsBuiltinSchema(name) ? FindProcsByName(name.name) : std::span<const ProcRow* const>{}) {
    if (std::equal(types.begin(), types.end(), proc->args.begin(), proc->args.end())) return proc->oid;
  }
  return SqlError::Make(kUndefinedFunction, "function \"{}\" does not exist", text);
}

std::string_view OperatorName(std::string_view text) {
  constexpr std::string_view kSchema = "pg_catalog.";
  return text.starts_with(kSchema) ? text.substr(kSchema.size()) : text;
}

Result<Oid> FindOperatorOid(const NamePath&, std::string_view text) {
  const auto found = FindOperatorsByName(OperatorName(text));
  if (found.empty()) return SqlError::Make(kUndefinedFunction, "operator does not exist: {}", text);
  if (found.size() > 1) return SqlError::Make(kAmbiguousFunction, "more than one operator named {}", text);
  return found.front()->oid;
}

Result<Oid> FindOperatorWithTypes(const NamePath& path, std::string_view text) {
  TRY(const size_t, open, OpenParenthesis(text));
  TRY(const std::vector<uint32_t>, types, ArgumentTypes(path, text.substr(open + 1)));
  if (types.size() == 1) {
    return SqlError::Make(kUndefinedParameter, "missing argument")
        .Hint("Use NONE to denote the missing argument of a unary operator.");
  }
  if (types.size() != 2) {
    return SqlError::Make(kTooManyArguments, "too many arguments").Hint("Provide two argument types for operator.");
  }
  for (const OperatorRow* op : FindOperatorsByName(OperatorName(text.substr(0, open)))) {
    if (op->left.value == types[0] && op->right.value == types[1]) return op->oid;
  }
  return SqlError::Make(kUndefinedFunction, "operator does not exist: {}", text);
}

Result<std::string> SingleName(std::string_view text) {
  TRY(std::vector<std::string>, parts, SplitQualifiedName(text));
  if (parts.size() != 1) return SqlError::Make(kInvalidName, "invalid name syntax");
  return std::move(parts[0]);
}

Result<Oid> FindSchemaOid(const NamePath& path, std::string_view text) {
  TRY(const std::string, name, SingleName(text));
  const SchemaDescriptor* schema = path.snapshot().FindSchema(name);
  return schema != nullptr ? Result<Oid>(schema->oid) : SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", name);
}

Result<Oid> FindRoleOid(const NamePath& path, std::string_view text) {
  TRY(const std::string, name, SingleName(text));
  const RoleDescriptor* role = path.snapshot().FindRole(name);
  return role != nullptr ? Result<Oid>(role->oid) : SqlError::Make(kUndefinedObject, "role \"{}\" does not exist", name);
}

// The appending functions return false where the OID is of nothing.
bool AppendRelation(const NamePath& path, Oid oid, std::string& out) {
  const RelationRef relation = path.FindRelation(oid);
  if (relation) path.AppendRelationName(relation, false, out);
  return static_cast<bool>(relation);
}

bool AppendType(const NamePath& path, Oid oid, std::string& out) {
  if (FindType(oid) != nullptr) {
    out += TypeNameOf(oid);
    return true;
  }
  const TablePtr table = path.snapshot().FindOwner(oid);
  if (table == nullptr || table->type_oid != oid) return false;
  path.AppendRelationName({table, nullptr}, false, out);
  return true;
}

bool AppendProc(const NamePath&, Oid oid, std::string& out) {
  const ProcRow* proc = FindProc(oid);
  if (proc == nullptr) return false;
  if (FindProcsByName(proc->name).size() > 1) out += "pg_catalog.";
  func::AppendQuotedIdentifier(proc->name, out);
  return true;
}

bool AppendProcedure(const NamePath&, Oid oid, std::string& out) {
  const ProcRow* proc = FindProc(oid);
  if (proc == nullptr) return false;
  func::AppendQuotedIdentifier(proc->name, out);
  out += '(';
  for (size_t i = 0; i < proc->args.size(); ++i) out += (i == 0 ? "" : ",") + TypeNameOf(Oid{proc->args[i]});
  out += ')';
  return true;
}

bool AppendOperator(const NamePath&, Oid oid, std::string& out) {
  const OperatorRow* op = FindOperator(oid);
  if (op == nullptr) return false;
  if (FindOperatorsByName(op->name).size() > 1) out += "pg_catalog.";
  out += op->name;
  return true;
}

bool AppendOperatorWithTypes(const NamePath&, Oid oid, std::string& out) {
  const OperatorRow* op = FindOperator(oid);
  if (op == nullptr) return false;
  out += op->name;
  out += '(' + (op->left.valid() ? TypeNameOf(op->left) : "NONE") + ',' + TypeNameOf(op->right) + ')';
  return true;
}

bool AppendSchema(const NamePath& path, Oid oid, std::string& out) {
  const SchemaDescriptor* schema = path.snapshot().FindSchema(oid);
  if (schema != nullptr) func::AppendQuotedIdentifier(schema->name, out);
  return schema != nullptr;
}

bool AppendRole(const NamePath& path, Oid oid, std::string& out) {
  const RoleDescriptor* role = path.snapshot().FindRole(oid);
  if (role != nullptr) func::AppendQuotedIdentifier(role->name, out);
  return role != nullptr;
}

struct RegType {
  std::string_view name;
  Result<Oid> (*resolve)(const NamePath& path, std::string_view text);
  bool (*append)(const NamePath& path, Oid oid, std::string& out);
};
constexpr RegType kRegTypes[] = {
    {"regclass", FindRelationOid, AppendRelation}, {"regtype", FindTypeOid, AppendType},
    {"regproc", FindProcOid, AppendProc},          {"regprocedure", FindProcedureOid, AppendProcedure},
    {"regoper", FindOperatorOid, AppendOperator},  {"regoperator", FindOperatorWithTypes, AppendOperatorWithTypes},
    {"regnamespace", FindSchemaOid, AppendSchema}, {"regrole", FindRoleOid, AppendRole},
};

const RegType* FindRegType(std::string_view kind) {
  const auto* at =
      std::find_if(std::begin(kRegTypes), std::end(kRegTypes), [&](const RegType& type) { return type.name == kind; });
  return at == std::end(kRegTypes) ? nullptr : at;
}

class SnapshotNameResolver final : public types::NameResolver {
 public:
  SnapshotNameResolver(const Snapshot& snapshot, std::span<const std::string> search_path) : path_(snapshot, search_path) {}

  Result<Oid> ResolveName(std::string_view kind, std::string_view text) const override {
    const RegType* type = FindRegType(kind);
    if (type == nullptr) return SqlError::NotSupported(fmt::format("a name as value of type {}", kind));
    return type->resolve(path_, text);
  }
  void AppendName(std::string_view kind, Oid oid, std::string& out) const override {
    const RegType* type = FindRegType(kind);
    if (type == nullptr || !type->append(path_, oid, out)) out += std::to_string(oid.value);
  }

 private:
  NamePath path_;
};

}  // namespace

std::unique_ptr<types::NameResolver> MakeNameResolver(const Snapshot& snapshot, std::span<const std::string> search_path) {
  return std::make_unique<SnapshotNameResolver>(snapshot, search_path);
}

}  // namespace mayfly::catalog
