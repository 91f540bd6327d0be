// SELECT and its clauses, FROM items, targets.
#include <array>

#include "sql/parse/ast_printer.h"

namespace mayfly::parse {
namespace {

PrintedTree PrintGroupItem(const GroupItem& item) {
  if (item.set == nullptr) return PrintTree(*item.expr);
  constexpr std::array<std::string_view, 4> kKinds = {"empty", "sets", "rollup", "cube"};
  PrintedTree tree(WithPosition(std::string(kKinds[static_cast<size_t>(item.set->kind)]), item.set->pos));
  for (const GroupItem& child : item.set->items) tree.Add(PrintGroupItem(child));
  return tree;
}

PrintedTree PrintLocking(const LockingClause& clause) {
  constexpr std::array<std::string_view, 4> kStrengths = {"for_key_share", "for_share", "for_no_key_update", "for_update"};
  constexpr std::array<std::string_view, 3> kWaits = {"block", "skip_locked", "nowait"};
  PrintedTree tree(std::string(kStrengths[static_cast<size_t>(clause.strength)]));
  tree.AddFlag(kWaits[static_cast<size_t>(clause.wait)], true);
  for (const TableRef& table : clause.of) tree.Add(PrintTree(table, "of"));
  return tree;
}

class TableExprPrinter {
 public:
  explicit TableExprPrinter(SourcePos pos) : pos_(pos) {}

  PrintedTree operator()(const TableRef& table) const { return PrintTree(table, "table"); }
  PrintedTree operator()(const SubqueryRef& n) const {
    PrintedTree tree("subquery");
    tree.AddFlag("lateral", n.lateral);
    tree.Add(PrintTree(*n.select));
    AddAlias(tree, n.alias);
    return tree;
  }
  PrintedTree operator()(const FunctionRef& n) const {
    PrintedTree tree(WithPosition("function", pos_));
    tree.AddFlag("lateral", n.lateral).AddFlag("ordinality", n.with_ordinality).AddFlag("rows_from", n.rows_from);
    for (const ExprPtr& call : n.calls) tree.Add(PrintTree(*call));
    AddAlias(tree, n.alias);
    for (const FunctionRef::ColumnDefinition& column : n.column_definitions) {
      PrintedTree definition("column " + PrintedName(column.name));
      definition.Add(PrintTree(column.type));
      tree.Add(std::move(definition));
    }
    return tree;
  }
  PrintedTree operator()(const JoinRef& n) const {
    constexpr std::array<std::string_view, 4> kTypes = {"inner", "left", "right", "full"};
    PrintedTree tree(std::string(kTypes[static_cast<size_t>(n.type)]) + "_join");
    tree.AddFlag("natural", n.natural);
    tree.Add(PrintTree(*n.left)).Add(PrintTree(*n.right));
    AddNames(tree, "using", n.using_columns);
    AddExpr(tree, "on", n.on);
    AddAlias(tree, n.alias);
    if (!n.using_alias.name.empty()) tree.AddText("using_as", PrintedName(n.using_alias.name));
    return tree;
  }

 private:
  SourcePos pos_;
};

void AddLeafClauses(PrintedTree& tree, const SelectStatement& select) {
  tree.AddFlag("distinct", select.distinct);
  AddExprs(tree, "distinct_on", select.distinct_on);
  AddTargets(tree, "targets", select.targets);
  if (!select.from.empty()) {
    PrintedTree from("from");
    for (const TableExprPtr& table : select.from) from.Add(PrintTree(*table));
    tree.Add(std::move(from));
  }
  AddExpr(tree, "where", select.where);
  if (!select.group_by.empty()) {
    PrintedTree group(select.group_distinct ? "group_by_distinct" : "group_by");
    for (const GroupItem& item : select.group_by) group.Add(PrintGroupItem(item));
    tree.Add(std::move(group));
  }
  AddExpr(tree, "having", select.having);
  for (const WindowSpec& window : select.windows) tree.Add(PrintTree(window, "window"));
  for (const std::vector<ExprPtr>& row : select.values) AddExprs(tree, "values", row);
}

}  // namespace

PrintedTree PrintTree(const SelectStatement& select) {
  PrintedTree tree("select");
  AddWith(tree, select.with.get());
  if (select.op == SetOperation::kNone) {
    AddLeafClauses(tree, select);
  } else {
    constexpr std::array<std::string_view, 4> kOperations = {"", "union", "intersect", "except"};
    PrintedTree operation(std::string(kOperations[static_cast<size_t>(select.op)]) + (select.all ? "_all" : ""));
    operation.Add(PrintTree(*select.left)).Add(PrintTree(*select.right));
    tree.Add(std::move(operation));
  }
  for (const SortItem& item : select.order_by) tree.Add(PrintTree(item));
  AddExpr(tree, select.with_ties ? "limit_with_ties" : "limit", select.limit);
  AddExpr(tree, "offset", select.offset);
  for (const LockingClause& clause : select.locking) tree.Add(PrintLocking(clause));
  return tree;
}

PrintedTree PrintTree(const TableExpr& table) { return std::visit(TableExprPrinter(table.pos), table.node); }

PrintedTree PrintTree(const TableRef& table, std::string_view head) {
  QualifiedName name;
  if (!table.catalog.empty()) name.push_back(table.catalog);
  if (!table.schema.empty()) name.push_back(table.schema);
  name.push_back(table.name);
  PrintedTree tree(WithPosition(fmt::format("{} {}", head, Dotted(name)), table.pos));
  tree.AddFlag("only", table.only);
  AddAlias(tree, table.alias);
  return tree;
}

PrintedTree PrintTree(const Target& target) {
  PrintedTree tree(WithPosition(target.name.empty() ? "target" : "target " + PrintedName(target.name), target.pos));
  AddSteps(tree, target.indirection);
  if (target.multi_count > 0) tree.AddText("part", fmt::format("{}/{}", target.multi_column, target.multi_count));
  AddExpr(tree, "source", target.multi_source);
  if (target.expr != nullptr) tree.Add(PrintTree(*target.expr));
  return tree;
}

void AddTargets(PrintedTree& tree, std::string_view name, const std::vector<Target>& targets) {
  if (targets.empty()) return;
  PrintedTree child{std::string(name)};
  for (const Target& target : targets) child.Add(PrintTree(target));
  tree.Add(std::move(child));
}

void AddAlias(PrintedTree& tree, const Alias& alias) {
  if (alias.name.empty()) return;
  PrintedTree child("as " + PrintedName(alias.name));
  for (const std::string& column : alias.columns) child.Add(PrintedTree(PrintedName(column)));
  tree.Add(std::move(child));
}

void AddWith(PrintedTree& tree, const WithClause* with) {
  if (with == nullptr) return;
  constexpr std::array<std::string_view, 3> kMaterialized = {"", "materialized", "not_materialized"};
  PrintedTree child(WithPosition(with->recursive ? "with_recursive" : "with", with->pos));
  for (const CommonTableExpr& cte : with->ctes) {
    PrintedTree item(WithPosition("cte " + PrintedName(cte.name), cte.pos));
    AddNames(item, "columns", cte.columns);
    item.AddFlag(kMaterialized[static_cast<size_t>(cte.materialized)], cte.materialized != CommonTableExpr::Materialized::kDefault);
    item.Add(PrintTree(*cte.query));
    child.Add(std::move(item));
  }
  tree.Add(std::move(child));
}

}  // namespace mayfly::parse
