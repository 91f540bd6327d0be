// A column as CREATE TABLE and ALTER TABLE ADD COLUMN define it.
#pragma once

#include "catalog/descriptor.h"
#include "sql/analyze/analyze.h"
#include "sql/command/command.h"

namespace mayfly::command {

struct NewColumn {
  catalog::ColumnDescriptor descriptor;  // without an id; default_sql is set
  analyze::ExprPtr default_expr;         // null = none
  const parse::Constraint* primary_key = nullptr;
};

// Type, collation, NULL and NOT NULL, DEFAULT, and a PRIMARY KEY for the caller to make. `table_name` is for messages.
// 42704, 42P16 (pseudo-types), 42601 (conflicting or repeated clauses), 42804, and 0A000 for constraints that are not built.
NewColumn MakeColumn(CommandContext& context, std::string_view table_name, const parse::ColumnDefinition& definition);

// 0A000 naming the kind of constraint. Does nothing for those that are built.
void RefuseConstraint(const parse::Constraint& constraint);

}  // namespace mayfly::command
