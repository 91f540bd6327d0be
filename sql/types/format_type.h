// The SQL names of types, as PostgreSQL's format_type prints them: "integer", "character varying(10)", "timestamp with time
// zone", "text[]".
#pragma once

#include <cstdint>
#include <string>

#include "sql/types/type.h"

namespace mayfly::types {

// Requires: a built-in type (pg_catalog is in everyone's search path, so names stand unqualified). A typmod < 0 is not shown.
std::string FormatType(const TypeDesc& type, int32_t typmod = -1);

// The same by OID for types whose SQL name differs from typname, or that have type modifiers, and for arrays of those. False, and
// nothing appended, for all others: they are printed by their typname. `typmod_given` is false for format_type(oid, NULL), which
// shows "character" where a typmod of -1 shows "bpchar".
bool AppendSqlTypeName(Oid type, bool typmod_given, int32_t typmod, std::string& out);

}  // namespace mayfly::types
