// Which converter a statement goes to.
#include <string>

#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

StatementPtr MakeStatement(Statement::Node node) {
  auto out = std::make_unique<Statement>();
  out->node = std::move(node);
  return out;
}

StatementPtr ConvertUtility(Converter& c, const ::Node* node) {
  switch (Tag(node)) {
    case T_CreateStmt: return MakeStatement(ConvertCreateTable(c, As<::CreateStmt>(node)));
    case T_CreateSchemaStmt: return MakeStatement(ConvertCreateSchema(c, As<::CreateSchemaStmt>(node)));
    case T_DropStmt: return MakeStatement(ConvertDrop(c, As<::DropStmt>(node)));
    case T_AlterTableStmt: return MakeStatement(ConvertAlterTable(c, As<::AlterTableStmt>(node)));
    case T_RenameStmt: return MakeStatement(ConvertRename(c, As<::RenameStmt>(node)));
    case T_TruncateStmt: return MakeStatement(ConvertTruncate(c, As<::TruncateStmt>(node)));
    case T_CommentStmt: return MakeStatement(ConvertComment(c, As<::CommentStmt>(node)));
    case T_TransactionStmt: return MakeStatement(ConvertTransaction(c, As<::TransactionStmt>(node)));
    case T_PrepareStmt: return MakeStatement(ConvertPrepare(c, As<::PrepareStmt>(node)));
    case T_ExecuteStmt: {
      const auto& n = As<::ExecuteStmt>(node);
      return MakeStatement(ExecuteStatement{.name = Text(n.name), .args = ConvertExprs(c, n.params)});
    }
    case T_DeallocateStmt: return MakeStatement(DeallocateStatement{.name = Text(As<::DeallocateStmt>(node).name)});
    case T_VariableSetStmt: return MakeStatement(ConvertSet(c, As<::VariableSetStmt>(node)));
    case T_VariableShowStmt: return MakeStatement(ShowStatement{.name = Text(As<::VariableShowStmt>(node).name)});
    case T_DiscardStmt: return MakeStatement(ConvertDiscard(As<::DiscardStmt>(node)));
    case T_ExplainStmt: return MakeStatement(ConvertExplain(c, As<::ExplainStmt>(node)));
    case T_CopyStmt: return MakeStatement(ConvertCopy(c, As<::CopyStmt>(node)));
    case T_CheckPointStmt: return MakeStatement(CheckpointStatement{});
    case T_VacuumStmt: return MakeStatement(ConvertVacuum(c, As<::VacuumStmt>(node)));
    case T_LockStmt: return MakeStatement(ConvertLockTable(c, As<::LockStmt>(node)));
    default: Unsupported(UnsupportedStatementName(node), c.statement_pos);
  }
}

}  // namespace

StatementPtr ConvertStatement(Converter& c, const ::Node* node) {
  const NestingLevel level(c);
  switch (Tag(node)) {
    case T_SelectStmt: {
      SelectPtr select = ConvertSelect(c, As<::SelectStmt>(node));
      return MakeStatement(std::move(*select));
    }
    case T_InsertStmt: return MakeStatement(ConvertInsert(c, As<::InsertStmt>(node)));
    case T_UpdateStmt: return MakeStatement(ConvertUpdate(c, As<::UpdateStmt>(node)));
    case T_DeleteStmt: return MakeStatement(ConvertDelete(c, As<::DeleteStmt>(node)));
    default: return ConvertUtility(c, node);
  }
}

}  // namespace mayfly::parse
