#include "sql/command/command.h"

#include "base/check.h"
#include "sql/command/commands.h"

namespace mayfly::command {
namespace {

struct Runner {
  CommandContext& context;

  std::string_view operator()(const parse::CreateTableStatement& statement) { return CreateTable(context, statement); }
  std::string_view operator()(const parse::CreateSchemaStatement& statement) { return CreateSchema(context, statement); }
  std::string_view operator()(const parse::DropStatement& statement) {
    return statement.kind == parse::ObjectKind::kSchema ? DropSchema(context, statement) : Drop(context, statement);
  }
  std::string_view operator()(const parse::AlterTableStatement& statement) { return AlterTable(context, statement); }
  std::string_view operator()(const parse::RenameStatement& statement) {
    return statement.kind == parse::ObjectKind::kSchema ? RenameSchema(context, statement) : Rename(context, statement);
  }
  std::string_view operator()(const parse::TruncateStatement& statement) { return Truncate(context, statement); }
  std::string_view operator()(const parse::CommentStatement& statement) { return Comment(context, statement); }
  std::string_view operator()(const parse::LockTableStatement& statement) { return LockTables(context, statement); }
  std::string_view operator()(const parse::CheckpointStatement&) { return Checkpoint(context); }
  std::string_view operator()(const parse::VacuumStatement& statement) { return Vacuum(context, statement); }
  template <typename Other>
  std::string_view operator()(const Other&) {
    Unreachable();
  }
};

template <typename T>
bool Is(const parse::Statement& statement) {
  return std::holds_alternative<T>(statement.node);
}

}  // namespace

bool IsCommand(const parse::Statement& s) {
  return Is<parse::CreateTableStatement>(s) || Is<parse::CreateSchemaStatement>(s) || Is<parse::DropStatement>(s) ||
         Is<parse::AlterTableStatement>(s) || Is<parse::RenameStatement>(s) || Is<parse::TruncateStatement>(s) ||
         Is<parse::CommentStatement>(s) || Is<parse::LockTableStatement>(s) || Is<parse::CheckpointStatement>(s) ||
         Is<parse::VacuumStatement>(s);
}

std::string_view WritingCommand(const parse::Statement& s) {
  if (Is<parse::CreateTableStatement>(s)) return "CREATE TABLE";
  if (Is<parse::CreateSchemaStatement>(s)) return "CREATE SCHEMA";
  if (const auto* drop = std::get_if<parse::DropStatement>(&s.node)) return drop->kind == parse::ObjectKind::kSchema ? "DROP SCHEMA" : "DROP TABLE";
  if (Is<parse::AlterTableStatement>(s)) return "ALTER TABLE";
  if (const auto* rename = std::get_if<parse::RenameStatement>(&s.node)) {
    return rename->kind == parse::ObjectKind::kSchema ? "ALTER SCHEMA" : "ALTER TABLE";
  }
  if (Is<parse::TruncateStatement>(s)) return "TRUNCATE TABLE";
  if (Is<parse::CommentStatement>(s)) return "COMMENT";
  if (Is<parse::CheckpointStatement>(s)) return "CHECKPOINT";
  return "";
}

CommandResult RunCommand(CommandContext& context, const parse::Statement& statement) {
  return {.tag = std::visit(Runner{context}, statement.node)};
}

}  // namespace mayfly::command
