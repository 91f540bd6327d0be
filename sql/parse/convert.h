// From PostgreSQL's raw tree to our own: one function a node kind, a file a clause family. Inside sql/parse only.
//
// Everything not in the AST throws 0A000 with the name of the feature; Parse() turns the exception into its Result. Recursion is bounded
// by NestingLevel, since the grammar builds trees as deep as the text is long (1+1+1+…).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/parse/ast.h"
#include "sql/parse/edit_list.h"
#include "sql/parse/pg_nodes.h"

namespace mayfly::parse {

// Levels of expressions and selects inside each other that a statement may have. PostgreSQL's own limit is a stack size
// (max_stack_depth) that lets about 3,000 levels through; the stages after the parser recurse over our tree too.
inline constexpr int kNestingMax = 2000;

struct Converter {
  std::string_view text;  // what libpg_query parsed
  const EditList& edits;  // how it came from the client's text
  size_t statement_begin = 0;  // byte offset in `text`
  SourcePos statement_pos;     // the same place in the client's text
  int nesting = 0;

  // A `location` field of the raw tree as a position in the client's text.
  SourcePos At(int location) const;
};

class NestingLevel {
 public:
  // 54001 past kNestingMax.
  explicit NestingLevel(Converter& converter);
  ~NestingLevel() { --converter_.nesting; }
  NestingLevel(const NestingLevel&) = delete;
  NestingLevel& operator=(const NestingLevel&) = delete;

 private:
  Converter& converter_;
};

// 0A000 "{feature} is not supported".
[[noreturn]] void Unsupported(std::string_view feature, SourcePos pos);
// The library's grammar lets $n through in places (SET a = $1) where PostgreSQL's does not: 42601 as PostgreSQL words it.
void RefuseParameter(const Converter& c, const ::Node* node);

// convert_expr.cc, convert_call.cc. Null gives null.
ExprPtr ConvertExpr(Converter& c, const ::Node* node);
std::vector<ExprPtr> ConvertExprs(Converter& c, const ::List* list);
ExprPtr MakeExpr(Expr::Node node, SourcePos pos);
Expr::Node ConvertFunctionCall(Converter& c, const ::FuncCall& call);
Expr::Node ConvertSqlValueFunction(const ::SQLValueFunction& function);
SortItem ConvertSortItem(Converter& c, const ::SortBy& item);
WindowSpec ConvertWindow(Converter& c, const ::WindowDef& window);
std::vector<Indirection::Step> ConvertSteps(Converter& c, const ::List* indirection);

// convert_name.cc
QualifiedName ConvertName(const ::List* strings);
std::vector<std::string> ConvertStrings(const ::List* strings);
TypeName ConvertTypeName(Converter& c, const ::TypeName& type);
TableRef ConvertTableRef(const Converter& c, const ::RangeVar& range);
Alias ConvertAlias(const ::Alias* alias);
// PostgreSQL's RoleSpec as a name; "current_user" and its kin by their keyword.
std::string ConvertRole(const Converter& c, const ::RoleSpec& role);

// convert_select.cc, convert_from.cc
SelectPtr ConvertSelect(Converter& c, const ::SelectStmt& select);
std::unique_ptr<WithClause> ConvertWith(Converter& c, const ::WithClause* with);
std::vector<Target> ConvertTargets(Converter& c, const ::List* list);
std::vector<TableExprPtr> ConvertFrom(Converter& c, const ::List* list);

// convert_dml.cc
InsertStatement ConvertInsert(Converter& c, const ::InsertStmt& insert);
UpdateStatement ConvertUpdate(Converter& c, const ::UpdateStmt& update);
DeleteStatement ConvertDelete(Converter& c, const ::DeleteStmt& statement);

// convert_ddl.cc, convert_table.cc
CreateTableStatement ConvertCreateTable(Converter& c, const ::CreateStmt& create);
ColumnDefinition ConvertColumnDefinition(Converter& c, const ::ColumnDef& column);
AlterTableStatement ConvertAlterTable(Converter& c, const ::AlterTableStmt& alter);
CreateSchemaStatement ConvertCreateSchema(Converter& c, const ::CreateSchemaStmt& create);
DropStatement ConvertDrop(Converter& c, const ::DropStmt& drop);
RenameStatement ConvertRename(Converter& c, const ::RenameStmt& rename);
TruncateStatement ConvertTruncate(Converter& c, const ::TruncateStmt& truncate);
CommentStatement ConvertComment(Converter& c, const ::CommentStmt& comment);

// convert_definition.cc
std::vector<DefinitionItem> ConvertDefinitions(const Converter& c, const ::List* items);

// convert_utility.cc
TransactionStatement ConvertTransaction(Converter& c, const ::TransactionStmt& statement);
SetStatement ConvertSet(Converter& c, const ::VariableSetStmt& set);
PrepareStatement ConvertPrepare(Converter& c, const ::PrepareStmt& prepare);
ExplainStatement ConvertExplain(Converter& c, const ::ExplainStmt& explain);
CopyStatement ConvertCopy(Converter& c, const ::CopyStmt& copy);
VacuumStatement ConvertVacuum(Converter& c, const ::VacuumStmt& vacuum);
DiscardStatement ConvertDiscard(const ::DiscardStmt& discard);
LockTableStatement ConvertLockTable(Converter& c, const ::LockStmt& lock);

// convert_statement.cc: any statement; its place in the text is set by Parse().
StatementPtr ConvertStatement(Converter& c, const ::Node* node);
// The SQL command of a statement that has no place in the AST ("CREATE VIEW"), and of an object kind ("FUNCTION").
std::string UnsupportedStatementName(const ::Node* node);
std::string_view ObjectTypeName(::ObjectType type);

}  // namespace mayfly::parse
