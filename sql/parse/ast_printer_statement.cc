// Statements but SELECT.
#include <array>

#include "sql/parse/ast_printer.h"

namespace mayfly::parse {
namespace {

constexpr std::array<std::string_view, 12> kObjectKinds = {"table", "view", "index", "sequence", "schema", "column",
                                                           "database", "role", "type", "function", "constraint", "other"};

std::string_view KindName(ObjectKind kind) { return kObjectKinds[static_cast<size_t>(kind)]; }

void AddDefinitions(PrintedTree& tree, std::string_view name, const std::vector<DefinitionItem>& items) {
  if (items.empty()) return;
  PrintedTree child{std::string(name)};
  for (const DefinitionItem& item : items) {
    const std::string prefix = item.name_space.empty() ? "" : PrintedName(item.name_space) + ".";
    PrintedTree option(WithPosition(prefix + PrintedName(item.name), item.pos));
    if (!item.list.empty()) {
      AddNames(option, "list", item.list);
    } else if (item.value.has_value()) {
      option.Add(PrintedTree(item.value_is_string ? PrintedString(*item.value) : *item.value));
    }
    option.AddFlag("*", item.star);
    child.Add(std::move(option));
  }
  tree.Add(std::move(child));
}

PrintedTree PrintConstraint(const Constraint& constraint) {
  constexpr std::array<std::string_view, 10> kKinds = {"null",  "not_null",    "default",  "primary_key", "unique",
                                                       "check", "foreign_key", "identity", "generated",   "exclusion"};
  PrintedTree tree(WithPosition(std::string(kKinds[static_cast<size_t>(constraint.kind)]), constraint.pos));
  if (!constraint.name.empty()) tree.AddText("name", PrintedName(constraint.name));
  if (constraint.expr != nullptr) tree.Add(PrintTree(*constraint.expr));
  if (!constraint.expr_text.empty()) tree.AddText("text", PrintedString(constraint.expr_text));
  AddNames(tree, "columns", constraint.columns);
  tree.AddFlag("deferrable", constraint.deferrable).AddFlag("initially_deferred", constraint.initially_deferred);
  return tree;
}

PrintedTree PrintColumn(const ColumnDefinition& column) {
  PrintedTree tree(WithPosition("column " + PrintedName(column.name), column.pos));
  tree.Add(PrintTree(column.type));
  if (!column.collation.empty()) tree.AddText(WithPosition("collate", column.collation_pos), PrintedName(column.collation));
  for (const Constraint& constraint : column.constraints) tree.Add(PrintConstraint(constraint));
  return tree;
}

PrintedTree PrintAlterCommand(const AlterTableCommand& command) {
  constexpr std::array<std::string_view, 11> kKinds = {"add_column",    "drop_column", "set_default", "drop_default",  "set_not_null",
                                                       "drop_not_null", "alter_type",  "set_options", "reset_options", "add_constraint", "other"};
  PrintedTree tree(WithPosition(std::string(kKinds[static_cast<size_t>(command.kind)]), command.pos));
  if (!command.column.empty()) tree.Add(PrintedTree(PrintedName(command.column)));
  tree.AddFlag("if_exists", command.if_exists).AddFlag("cascade", command.cascade);
  if (command.definition != nullptr) tree.Add(PrintColumn(*command.definition));
  AddExpr(tree, "expr", command.expr);
  if (!command.expr_text.empty()) tree.AddText("text", PrintedString(command.expr_text));
  AddDefinitions(tree, "options", command.options);
  if (command.constraint != nullptr) tree.Add(PrintConstraint(*command.constraint));
  if (!command.feature.empty()) tree.AddText("feature", PrintedString(command.feature));
  return tree;
}

void AddModes(PrintedTree& tree, const TransactionModes& modes) {
  if (modes.isolation.has_value()) tree.AddText("isolation", PrintedString(*modes.isolation));
  if (modes.read_only.has_value()) tree.AddText("read_only", *modes.read_only ? "true" : "false");
  if (modes.deferrable.has_value()) tree.AddText("deferrable", *modes.deferrable ? "true" : "false");
}

PrintedTree PrintOnConflict(const OnConflict& clause) {
  PrintedTree tree(WithPosition(clause.update ? "on_conflict_update" : "on_conflict_nothing", clause.pos));
  AddExprs(tree, "columns", clause.columns);
  AddExpr(tree, "index_where", clause.index_where);
  if (!clause.constraint.empty()) tree.AddText("constraint", PrintedName(clause.constraint));
  AddTargets(tree, "set", clause.set);
  AddExpr(tree, "where", clause.where);
  return tree;
}

void AddTables(PrintedTree& tree, const std::vector<TableRef>& tables) {
  for (const TableRef& table : tables) tree.Add(PrintTree(table, "table"));
}

void AddTableExprs(PrintedTree& tree, std::string_view name, const std::vector<TableExprPtr>& tables) {
  if (tables.empty()) return;
  PrintedTree child{std::string(name)};
  for (const TableExprPtr& table : tables) child.Add(PrintTree(*table));
  tree.Add(std::move(child));
}

struct StatementPrinter {
  PrintedTree operator()(const SelectStatement& n) const { return PrintTree(n); }
  PrintedTree operator()(const InsertStatement& n) const {
    constexpr std::array<std::string_view, 3> kOverriding = {"", "overriding_user", "overriding_system"};
    PrintedTree tree("insert");
    AddWith(tree, n.with.get());
    tree.Add(PrintTree(n.table, "table"));
    AddTargets(tree, "columns", n.columns);
    tree.AddFlag(kOverriding[static_cast<size_t>(n.overriding)], n.overriding != InsertStatement::Overriding::kNone);
    tree.AddFlag("default_values", n.source == nullptr);
    if (n.source != nullptr) tree.Add(PrintTree(*n.source));
    if (n.on_conflict != nullptr) tree.Add(PrintOnConflict(*n.on_conflict));
    AddTargets(tree, "returning", n.returning);
    return tree;
  }
  PrintedTree operator()(const UpdateStatement& n) const {
    PrintedTree tree("update");
    AddWith(tree, n.with.get());
    tree.Add(PrintTree(n.table, "table"));
    AddTargets(tree, "set", n.set);
    AddTableExprs(tree, "from", n.from);
    AddExpr(tree, "where", n.where);
    AddTargets(tree, "returning", n.returning);
    return tree;
  }
  PrintedTree operator()(const DeleteStatement& n) const {
    PrintedTree tree("delete");
    AddWith(tree, n.with.get());
    tree.Add(PrintTree(n.table, "table"));
    AddTableExprs(tree, "using", n.using_list);
    AddExpr(tree, "where", n.where);
    AddTargets(tree, "returning", n.returning);
    return tree;
  }
  PrintedTree operator()(const CreateTableStatement& n) const {
    PrintedTree tree("create_table");
    tree.AddFlag("if_not_exists", n.if_not_exists);
    tree.AddFlag(n.persistence == 't' ? "temporary" : "unlogged", n.persistence != 'p');
    tree.Add(PrintTree(n.table, "table"));
    for (const ColumnDefinition& column : n.columns) tree.Add(PrintColumn(column));
    for (const Constraint& constraint : n.constraints) tree.Add(PrintConstraint(constraint));
    AddDefinitions(tree, "options", n.options);
    return tree;
  }
  PrintedTree operator()(const CreateSchemaStatement& n) const {
    PrintedTree tree(WithPosition("create_schema", n.pos));
    tree.AddFlag("if_not_exists", n.if_not_exists);
    if (!n.name.empty()) tree.AddText("name", PrintedName(n.name));
    if (!n.owner.empty()) tree.AddText("owner", PrintedName(n.owner));
    return tree;
  }
  PrintedTree operator()(const DropStatement& n) const {
    PrintedTree tree("drop_" + std::string(KindName(n.kind)));
    tree.AddFlag("if_exists", n.if_exists).AddFlag("cascade", n.cascade);
    for (const QualifiedName& name : n.names) tree.Add(PrintedTree(Dotted(name)));
    return tree;
  }
  PrintedTree operator()(const AlterTableStatement& n) const {
    PrintedTree tree("alter_table");
    tree.AddFlag("if_exists", n.if_exists);
    tree.Add(PrintTree(n.table, "table"));
    for (const AlterTableCommand& command : n.commands) tree.Add(PrintAlterCommand(command));
    return tree;
  }
  PrintedTree operator()(const RenameStatement& n) const {
    PrintedTree tree("rename_" + std::string(KindName(n.kind)));
    tree.AddFlag("if_exists", n.if_exists);
    if (n.kind != ObjectKind::kSchema) tree.Add(PrintTree(n.table, "table"));
    if (!n.old_name.empty()) tree.AddText("from", PrintedName(n.old_name));
    tree.AddText("to", PrintedName(n.new_name));
    return tree;
  }
  PrintedTree operator()(const TruncateStatement& n) const {
    PrintedTree tree("truncate");
    tree.AddFlag("restart_identity", n.restart_identity).AddFlag("cascade", n.cascade);
    AddTables(tree, n.tables);
    return tree;
  }
  PrintedTree operator()(const CommentStatement& n) const {
    PrintedTree tree(WithPosition("comment_on_" + std::string(KindName(n.kind)), n.pos));
    tree.Add(PrintedTree(Dotted(n.name)));
    tree.Add(PrintedTree(n.text.has_value() ? PrintedString(*n.text) : "null"));
    return tree;
  }
  PrintedTree operator()(const TransactionStatement& n) const {
    constexpr std::array<std::string_view, 10> kKinds = {"begin",   "start",       "commit",              "rollback",         "savepoint",
                                                         "release", "rollback_to", "prepare_transaction", "commit_prepared", "rollback_prepared"};
    PrintedTree tree(std::string(kKinds[static_cast<size_t>(n.kind)]));
    if (!n.name.empty()) tree.Add(PrintedTree(PrintedName(n.name)));
    AddModes(tree, n.modes);
    tree.AddFlag("and_chain", n.chain);
    return tree;
  }
  PrintedTree operator()(const PrepareStatement& n) const {
    PrintedTree tree("prepare " + PrintedName(n.name));
    for (const TypeName& type : n.types) tree.Add(PrintTree(type));
    tree.Add(PrintTree(*n.query));
    return tree;
  }
  PrintedTree operator()(const ExecuteStatement& n) const {
    PrintedTree tree("execute " + PrintedName(n.name));
    for (const ExprPtr& arg : n.args) tree.Add(PrintTree(*arg));
    return tree;
  }
  PrintedTree operator()(const DeallocateStatement& n) const {
    return PrintedTree("deallocate " + (n.name.empty() ? "all" : PrintedName(n.name)));
  }
  PrintedTree operator()(const SetStatement& n) const {
    constexpr std::array<std::string_view, 7> kKinds = {"set",       "set_default",     "set_from_current",           "reset",
                                                        "reset_all", "set_transaction", "set_session_characteristics"};
    PrintedTree tree(std::string(kKinds[static_cast<size_t>(n.kind)]));
    tree.AddFlag("local", n.is_local);
    if (!n.name.empty()) tree.Add(PrintedTree(n.name));
    tree.AddFlag("interval", n.interval_value);
    for (const std::string& value : n.values) tree.Add(PrintedTree(PrintedString(value)));
    AddModes(tree, n.modes);
    return tree;
  }
  PrintedTree operator()(const ShowStatement& n) const { return PrintedTree("show " + n.name); }
  PrintedTree operator()(const DiscardStatement& n) const {
    constexpr std::array<std::string_view, 4> kTargets = {"all", "plans", "sequences", "temp"};
    return PrintedTree("discard " + std::string(kTargets[static_cast<size_t>(n.target)]));
  }
  PrintedTree operator()(const ExplainStatement& n) const {
    PrintedTree tree("explain");
    AddDefinitions(tree, "options", n.options);
    tree.Add(PrintTree(*n.query));
    return tree;
  }
  PrintedTree operator()(const CopyStatement& n) const {
    PrintedTree tree(n.is_from ? "copy_from" : "copy_to");
    if (n.query != nullptr) {
      tree.Add(PrintTree(*n.query));
    } else {
      tree.Add(PrintTree(n.table, "table"));
    }
    AddNames(tree, "columns", n.columns);
    tree.AddFlag("program", n.is_program);
    if (!n.filename.empty()) tree.AddText("file", PrintedString(n.filename));
    AddDefinitions(tree, "options", n.options);
    AddExpr(tree, "where", n.where);
    return tree;
  }
  PrintedTree operator()(const CheckpointStatement&) const { return PrintedTree("checkpoint"); }
  PrintedTree operator()(const VacuumStatement& n) const {
    PrintedTree tree(n.analyze_only ? "analyze" : "vacuum");
    AddDefinitions(tree, "options", n.options);
    AddTables(tree, n.tables);
    return tree;
  }
  PrintedTree operator()(const LockTableStatement& n) const {
    PrintedTree tree("lock_table");
    AddTables(tree, n.tables);
    tree.AddText("mode", std::to_string(n.mode)).AddFlag("nowait", n.no_wait);
    return tree;
  }
};

}  // namespace

std::string PrintStatement(const Statement& statement) { return PrintTree(statement).Render(); }

PrintedTree PrintTree(const Statement& statement) { return std::visit(StatementPrinter{}, statement.node); }

}  // namespace mayfly::parse
