// PRIMARY KEY: its columns, its name, its index.
#pragma once

#include <string>
#include <vector>

#include "catalog/descriptor.h"
#include "sql/command/command.h"

namespace mayfly::command {

struct KeyDefinition {
  std::string name;                  // of the constraint and its index; empty = chosen
  std::vector<std::string> columns;
  SourcePos pos;
};

// How a missing key column is reported: CREATE TABLE and ALTER TABLE word it differently.
enum class KeyOf : uint8_t { kNewTable, kExistingTable };

// Gives `table` the key: fills in its first index, and makes the key's columns NOT NULL. The row layout and the keys of rows are the caller's.
// Takes the index's name. 42703, 42701 (a column twice), 42704 (no btree order), 42P07 (the name is taken), 54011 (too many columns).
void AddPrimaryKey(CommandContext& context, const KeyDefinition& key, KeyOf key_of, catalog::TableDescriptor& table);

// "{table}_{suffix}", shortened to fit an identifier.
std::string MakeObjectName(std::string_view table, std::string_view suffix);

}  // namespace mayfly::command
