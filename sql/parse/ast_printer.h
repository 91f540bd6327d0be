// The syntax tree as text, for golden tests and for reading: canonical and stable, one form for one tree.
//
// Fields with their default value are left out. A position stands as @offset behind the node's head.
#pragma once

#include <string>

#include "sql/parse/ast.h"
#include "sql/parse/printed_tree.h"

namespace mayfly::parse {

std::string PrintStatement(const Statement& statement);
std::string PrintExpr(const Expr& expr);

// The parts that the printers share (ast_printer_expr.cc, ast_printer_query.cc, ast_printer_statement.cc).
PrintedTree PrintTree(const Expr& expr);
PrintedTree PrintTree(const SelectStatement& select);
PrintedTree PrintTree(const TableExpr& table);
PrintedTree PrintTree(const TableRef& table, std::string_view head);
PrintedTree PrintTree(const TypeName& type);
PrintedTree PrintTree(const SortItem& item);
PrintedTree PrintTree(const WindowSpec& window, std::string_view head);
PrintedTree PrintTree(const Target& target);
PrintedTree PrintTree(const Statement& statement);
void AddAlias(PrintedTree& tree, const Alias& alias);
// (name expr), nothing for null.
void AddExpr(PrintedTree& tree, std::string_view name, const ExprPtr& expr);
// (name expr…), nothing for none.
void AddExprs(PrintedTree& tree, std::string_view name, const std::vector<ExprPtr>& exprs);
void AddNames(PrintedTree& tree, std::string_view name, const std::vector<std::string>& names);
void AddTargets(PrintedTree& tree, std::string_view name, const std::vector<Target>& targets);
void AddSteps(PrintedTree& tree, const std::vector<Indirection::Step>& steps);
void AddWith(PrintedTree& tree, const WithClause* with);
std::string Dotted(const QualifiedName& name);
std::string WithPosition(std::string head, SourcePos pos);

}  // namespace mayfly::parse
