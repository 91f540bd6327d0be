// The commands, one function a statement; RunCommand chooses among them. Each returns its command tag. Inside sql/command only.
#pragma once

#include "sql/command/command.h"

namespace mayfly::command {

std::string_view CreateTable(CommandContext& context, const parse::CreateTableStatement& statement);
std::string_view AlterTable(CommandContext& context, const parse::AlterTableStatement& statement);
std::string_view Rename(CommandContext& context, const parse::RenameStatement& statement);
std::string_view Drop(CommandContext& context, const parse::DropStatement& statement);
std::string_view Truncate(CommandContext& context, const parse::TruncateStatement& statement);
std::string_view CreateSchema(CommandContext& context, const parse::CreateSchemaStatement& statement);
std::string_view DropSchema(CommandContext& context, const parse::DropStatement& statement);
std::string_view RenameSchema(CommandContext& context, const parse::RenameStatement& statement);
std::string_view Comment(CommandContext& context, const parse::CommentStatement& statement);
std::string_view LockTables(CommandContext& context, const parse::LockTableStatement& statement);
std::string_view Checkpoint(CommandContext& context);
std::string_view Vacuum(CommandContext& context, const parse::VacuumStatement& statement);

}  // namespace mayfly::command
