// Functions as text: their arguments, result and definition.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/facts.h"

namespace mayfly::catalog {

// "integer", "text[]"; digits for a type that is not known.
std::string TypeNameOf(Oid type);

// `what`: pg_get_function_arguments, pg_get_function_identity_arguments, pg_get_function_result, pg_get_functiondef. nullopt for
// others, and where PostgreSQL gives NULL (the result of a procedure). 42809 `"sum" is an aggregate function`.
std::optional<std::string> DescribeProc(const ProcRow& proc, std::string_view what);

}  // namespace mayfly::catalog
