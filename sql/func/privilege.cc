// has_table_privilege and its kin (PostgreSQL manual, 9.26). There is one role, a superuser, who may do everything: what can
// still be wrong is a name or a privilege word; an OID of nothing gives NULL.
#include <algorithm>
#include <initializer_list>

#include "sql/func/kernel.h"

namespace mayfly::func {

namespace {

// Where role and object stand among the arguments; the privileges are last.
struct Places {
  int role = -1;
  size_t object = 0;
};
constexpr Places kOwn{.role = -1, .object = 0};
constexpr Places kOfRole{.role = 0, .object = 1};

struct ObjectKind {
  std::string_view reg;  // the reg* type that resolves names; empty = names are not looked up
  std::initializer_list<std::string_view> privileges;
};
const ObjectKind kTable{"regclass", {"select", "insert", "update", "delete", "truncate", "references", "trigger", "rule"}};
const ObjectKind kColumn{"regclass", {"select", "insert", "update", "references"}};
const ObjectKind kSequence{"regclass", {"usage", "select", "update"}};
const ObjectKind kSchema{"regnamespace", {"create", "usage"}};
const ObjectKind kDatabase{"", {"create", "temporary", "temp", "connect"}};
const ObjectKind kFunction{"regprocedure", {"execute"}};
const ObjectKind kType{"regtype", {"usage"}};
const ObjectKind kRole{"regrole", {"usage", "member"}};

// 'select, insert with grant option'
void CheckPrivileges(std::string_view text, const ObjectKind& kind) {
  for (;;) {
    const size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    std::string lower(word);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    for (const std::string_view option : {" with grant option", " with admin option"}) {
      if (lower.ends_with(option)) lower.resize(lower.size() - option.size());
    }
    if (std::find(kind.privileges.begin(), kind.privileges.end(), lower) == kind.privileges.end()) {
      Throw(SqlError::Make(kInvalidParameterValue, "unrecognized privilege type: \"{}\"", word));
    }
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

const types::NameResolver& Names(const KernelCall& call) {
  if (call.context.io.names == nullptr) Throw(SqlError::NotSupported("looking up a name outside of a session"));
  return *call.context.io.names;
}

// False where an OID is of nothing.
bool ObjectExists(const KernelCall& call, size_t argument, size_t row, std::string_view reg) {
  const types::Datum value = call.args[argument]->Get(row);
  if (reg.empty()) return true;
  if (call.args[argument]->physical() == types::PhysicalType::kBytes) {
    Names(call).ResolveName(reg, value.bytes()).value();
    return true;
  }
  // The resolver prints digits for an OID it does not know.
  std::string name;
  Names(call).AppendName(reg, Oid{value.get<uint32_t>()}, name);
  return name.empty() || name[0] < '0' || name[0] > '9';
}

void PrivilegeKernel(const KernelCall& call, const Places& places, const ObjectKind& kind) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (places.role >= 0) {
      const auto role = static_cast<size_t>(places.role);
      const bool is_public =
          call.args[role]->physical() == types::PhysicalType::kBytes && call.args[role]->Get(row).bytes() == "public";
      if (!is_public) ObjectExists(call, role, row, "regrole");
    }
    CheckPrivileges(call.args.back()->Get(row).bytes(), kind);
    // An OID of no role still has none of the privileges, but a superuser has them all.
    if (ObjectExists(call, places.object, row, kind.reg) || &kind == &kRole) {
      call.result.Set(row, true);
    } else {
      call.result.SetNull(row);
    }
  }
}

}  // namespace

void HasAnyColumnPrivilegeId(const KernelCall& call) { PrivilegeKernel(call, kOwn, kColumn); }
void HasAnyColumnPrivilegeIdId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kColumn); }
void HasAnyColumnPrivilegeIdName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kColumn); }
void HasAnyColumnPrivilegeName(const KernelCall& call) { PrivilegeKernel(call, kOwn, kColumn); }
void HasAnyColumnPrivilegeNameId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kColumn); }
void HasAnyColumnPrivilegeNameName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kColumn); }
void HasColumnPrivilegeIdAttnum(const KernelCall& call) { PrivilegeKernel(call, kOwn, kColumn); }
void HasColumnPrivilegeIdIdAttnum(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kColumn); }
void HasColumnPrivilegeIdNameAttnum(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kColumn); }
void HasColumnPrivilegeNameAttnum(const KernelCall& call) { PrivilegeKernel(call, kOwn, kColumn); }
void HasColumnPrivilegeNameIdAttnum(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kColumn); }
void HasColumnPrivilegeNameNameAttnum(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kColumn); }
void HasDatabasePrivilegeId(const KernelCall& call) { PrivilegeKernel(call, kOwn, kDatabase); }
void HasDatabasePrivilegeIdId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kDatabase); }
void HasDatabasePrivilegeIdName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kDatabase); }
void HasDatabasePrivilegeName(const KernelCall& call) { PrivilegeKernel(call, kOwn, kDatabase); }
void HasDatabasePrivilegeNameId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kDatabase); }
void HasDatabasePrivilegeNameName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kDatabase); }
void HasFunctionPrivilegeId(const KernelCall& call) { PrivilegeKernel(call, kOwn, kFunction); }
void HasFunctionPrivilegeIdId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kFunction); }
void HasFunctionPrivilegeIdName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kFunction); }
void HasFunctionPrivilegeName(const KernelCall& call) { PrivilegeKernel(call, kOwn, kFunction); }
void HasFunctionPrivilegeNameId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kFunction); }
void HasFunctionPrivilegeNameName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kFunction); }
void HasSchemaPrivilegeId(const KernelCall& call) { PrivilegeKernel(call, kOwn, kSchema); }
void HasSchemaPrivilegeIdId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kSchema); }
void HasSchemaPrivilegeIdName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kSchema); }
void HasSchemaPrivilegeName(const KernelCall& call) { PrivilegeKernel(call, kOwn, kSchema); }
void HasSchemaPrivilegeNameId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kSchema); }
void HasSchemaPrivilegeNameName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kSchema); }
void HasSequencePrivilegeId(const KernelCall& call) { PrivilegeKernel(call, kOwn, kSequence); }
void HasSequencePrivilegeIdId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kSequence); }
void HasSequencePrivilegeIdName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kSequence); }
void HasSequencePrivilegeName(const KernelCall& call) { PrivilegeKernel(call, kOwn, kSequence); }
void HasSequencePrivilegeNameId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kSequence); }
void HasSequencePrivilegeNameName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kSequence); }
void HasTablePrivilegeId(const KernelCall& call) { PrivilegeKernel(call, kOwn, kTable); }
void HasTablePrivilegeIdId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kTable); }
void HasTablePrivilegeIdName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kTable); }
void HasTablePrivilegeName(const KernelCall& call) { PrivilegeKernel(call, kOwn, kTable); }
void HasTablePrivilegeNameId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kTable); }
void HasTablePrivilegeNameName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kTable); }
void HasTypePrivilegeId(const KernelCall& call) { PrivilegeKernel(call, kOwn, kType); }
void HasTypePrivilegeIdId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kType); }
void HasTypePrivilegeIdName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kType); }
void HasTypePrivilegeName(const KernelCall& call) { PrivilegeKernel(call, kOwn, kType); }
void HasTypePrivilegeNameId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kType); }
void HasTypePrivilegeNameName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kType); }
void PgHasRoleId(const KernelCall& call) { PrivilegeKernel(call, kOwn, kRole); }
void PgHasRoleIdId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kRole); }
void PgHasRoleIdName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kRole); }
void PgHasRoleName(const KernelCall& call) { PrivilegeKernel(call, kOwn, kRole); }
void PgHasRoleNameId(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kRole); }
void PgHasRoleNameName(const KernelCall& call) { PrivilegeKernel(call, kOfRole, kRole); }

}  // namespace mayfly::func
