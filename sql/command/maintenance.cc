// CHECKPOINT, VACUUM, ANALYZE.
//
// VACUUM compacts tables whole: what deleted and expired rows took is given back now instead of in the background. ANALYZE finds nothing to
// collect, since the planner asks the storage engine for sizes when it plans; it says so in a notice.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sql/command/commands.h"
#include "sql/command/lookup.h"

namespace mayfly::command {
namespace {

bool ParseBoolean(const parse::DefinitionItem& item) {
  if (!item.value.has_value()) return true;
  std::string value = *item.value;
  std::ranges::transform(value, value.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (value == "true" || value == "on" || value == "1") return true;
  if (value == "false" || value == "off" || value == "0") return false;
  Throw(SqlError::Make(kSyntaxError, "{} requires a Boolean value", item.name));
}

struct VacuumOptions {
  bool analyze = false;
  bool verbose = false;
};

VacuumOptions ReadOptions(const parse::VacuumStatement& statement) {
  // Options that shape PostgreSQL's own way of vacuuming: known, and refused where they ask for something.
  constexpr std::array<std::string_view, 7> kUnsupported = {"freeze",        "disable_page_skipping", "skip_locked", "index_cleanup",
                                                            "process_toast", "truncate",              "parallel"};
  const std::string_view command = statement.analyze_only ? "ANALYZE" : "VACUUM";
  VacuumOptions options;
  options.analyze = statement.analyze_only;
  for (const parse::DefinitionItem& item : statement.options) {
    if (item.name == "verbose") {
      options.verbose = ParseBoolean(item);
    } else if (item.name == "analyze" && !statement.analyze_only) {
      options.analyze = ParseBoolean(item);
    } else if (item.name == "full" && !statement.analyze_only) {
      ParseBoolean(item);  // compaction rewrites the whole table either way
    } else if (std::ranges::count(kUnsupported, item.name) != 0 && (!statement.analyze_only || item.name == "skip_locked")) {
      Throw(SqlError::NotSupported(fmt::format("{} option \"{}\"", command, item.name), item.pos));
    } else {
      Throw(SqlError::Make(kSyntaxError, "unrecognized {} option \"{}\"", command, item.name).At(item.pos));
    }
  }
  return options;
}

// The tables named, or all of the database. What cannot be vacuumed is skipped with PostgreSQL's warning.
std::vector<catalog::TablePtr> TargetTables(CommandContext& context, const parse::VacuumStatement& statement) {
  std::vector<catalog::TablePtr> tables;
  const catalog::SnapshotPtr snapshot = context.snapshot();
  for (const parse::TableRef& ref : statement.tables) {
    const RelationName name = NameOf(ref);
    CheckCatalog(context, name);
    const Relation relation = FindRelation(context, *snapshot, name);
    if (!relation) ThrowNoRelation(context, name);
    if (relation.index != nullptr || !IsUserTable(*relation.table)) {
      context.host.Notice(SqlError::Make(kWarning, "skipping \"{}\" --- cannot {} non-tables or special system tables", name.name,
                                         statement.analyze_only ? "analyze" : "vacuum")
                              .As(Severity::kWarning));
      continue;
    }
    tables.push_back(relation.table);
  }
  if (!statement.tables.empty()) return tables;
  for (catalog::TablePtr& table : snapshot->Tables()) {
    if (IsUserTable(*table)) tables.push_back(table);
  }
  return tables;
}

void Compact(CommandContext& context, const catalog::TableDescriptor& table, bool verbose) {
  if (verbose) {
    const catalog::SnapshotPtr snapshot = context.snapshot();
    const catalog::SchemaDescriptor* schema = snapshot->FindSchema(table.schema);
    context.host.Notice(SqlError::Make(kSuccessfulCompletion, "vacuuming \"{}.{}.{}\"", context.database_name,
                                       schema == nullptr ? "?" : schema->name, table.name)
                            .As(Severity::kInfo));
  }
  context.engine.CompactTable(table.storage).value();
}

}  // namespace

std::string_view Checkpoint(CommandContext& context) {
  context.engine.Checkpoint().value();
  return "CHECKPOINT";
}

std::string_view Vacuum(CommandContext& context, const parse::VacuumStatement& statement) {
  const VacuumOptions options = ReadOptions(statement);
  if (!statement.analyze_only && context.in_transaction_block) {
    Throw(SqlError::Make(kActiveSqlTransaction, "VACUUM cannot run inside a transaction block"));
  }
  const std::vector<catalog::TablePtr> tables = TargetTables(context, statement);
  if (!statement.analyze_only) {
    for (const catalog::TablePtr& table : tables) Compact(context, *table, options.verbose);
  }
  if (options.analyze) {
    context.host.Notice(SqlError::Make(kSuccessfulCompletion, "no statistics were collected")
                            .Detail("The planner asks the storage engine for table sizes when it plans.")
                            .As(Severity::kNotice));
  }
  return statement.analyze_only ? "ANALYZE" : "VACUUM";
}

}  // namespace mayfly::command
