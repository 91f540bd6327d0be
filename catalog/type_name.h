// Types by their SQL names, as text: what 'timestamp(3) with time zone[]'::regtype and to_regtype are given.
#pragma once

#include <optional>
#include <string_view>

#include "sql/types/type.h"

namespace mayfly::catalog {

// The built-in type that a name spells: SQL's words ("double precision", "int", "character varying(10)"), a typname, with [] the
// array of it. Modifiers are passed over, as PostgreSQL does here. Null where there is no such type; a schema in front is the
// caller's business.
const types::TypeDesc* FindTypeBySqlName(std::string_view text);

}  // namespace mayfly::catalog
