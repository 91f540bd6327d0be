#include "sql/command/role.h"

namespace mayfly::command {

catalog::RoleDescriptor FindRole(const CommandContext& context, std::string_view name) {
  if (name == "current_user" || name == "current_role") name = context.role_name;
  if (name == "session_user") name = context.session_role_name;
  const catalog::SnapshotPtr snapshot = context.snapshot();
  const catalog::RoleDescriptor* role = snapshot->FindRole(name);
  if (role == nullptr) Throw(SqlError::Make(kUndefinedObject, "role \"{}\" does not exist", name));
  return *role;
}

}  // namespace mayfly::command
