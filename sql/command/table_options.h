// WITH (…) of CREATE TABLE and SET (…) of ALTER TABLE: the TTL options (TTL.md section 1), and PostgreSQL's storage parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/descriptor.h"
#include "sql/command/command.h"

namespace mayfly::command {

// The TTL options as written, checked as far as they can be without the table.
struct TtlDefinition {
  int64_t ttl_ms = 0;
  std::string ttl_text;
  std::optional<std::string> time_column;
  SourcePos ttl_pos;
  SourcePos time_column_pos;
};

// nullopt where no lifetime is given. 22023 for unknown options, one given twice, a bad duration, a time column without lifetime; 0A000 for
// a change-log mode but none. PostgreSQL's fillfactor and autovacuum parameters are checked as PostgreSQL does; they have nothing to act on
// here, and a notice says so.
std::optional<TtlDefinition> ReadCreateOptions(CommandContext& context, const std::vector<parse::DefinitionItem>& options);

// SET (…) and RESET (…) of ALTER TABLE: 0A000 for TTL options, else as above.
void CheckAlterOptions(CommandContext& context, const std::vector<parse::DefinitionItem>& options, bool is_reset);

// Resolves the time column and applies the definition. Requires: the columns and the primary key are in place. 42P16 without primary key,
// 42703, 42804.
void ApplyTtl(const TtlDefinition& definition, catalog::TableDescriptor& table);

}  // namespace mayfly::command
