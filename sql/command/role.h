// Roles as commands name them.
#pragma once

#include <string_view>

#include "sql/command/command.h"

namespace mayfly::command {

// A role by name, or by one of the words current_user, current_role, session_user. 42704 `role "x" does not exist`.
catalog::RoleDescriptor FindRole(const CommandContext& context, std::string_view name);

}  // namespace mayfly::command
