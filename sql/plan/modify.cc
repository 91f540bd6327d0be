// INSERT, UPDATE, DELETE: the rows to write come from a plan like any other; how they are written is chosen here.
#include <algorithm>

#include "base/check.h"
#include "sql/plan/builder.h"

namespace mayfly::plan {

using analyze::Modification;
using analyze::Query;
using analyze::Var;

namespace {

// Position of a column among the table's live columns.
size_t LivePosition(const catalog::TableDescriptor& table, ColumnId id) {
  size_t position = 0;
  for (const catalog::ColumnDescriptor& column : table.columns) {
    if (column.id == id) return position;
    if (!column.dropped) ++position;
  }
  Unreachable();
}

size_t LiveColumnCount(const catalog::TableDescriptor& table) {
  return static_cast<size_t>(
      std::count_if(table.columns.begin(), table.columns.end(), [](const auto& column) { return !column.dropped; }));
}

const analyze::TableEntry& TargetEntry(const Query& query) {
  return std::get<analyze::TableEntry>(query.range_table[query.modification->target_entry].source);
}
const catalog::TablePtr& TargetTable(const Query& query) { return TargetEntry(query).table; }

Layout EntryLayout(const Query& query, size_t entry, size_t offset = 0) {
  Layout layout;
  for (size_t i = 0; i < query.range_table[entry].columns.size(); ++i) layout.Set(entry, i, offset + i);
  return layout;
}

std::vector<ExprPtr> LowerTargets(const std::vector<analyze::TargetEntry>& targets, const LowerContext& context) {
  std::vector<ExprPtr> exprs;
  for (const analyze::TargetEntry& target : targets) exprs.push_back(Lower(target.expr, context));
  return exprs;
}

// True where reading `node` may read `table`; subqueries in expressions are not looked into, they may.
bool ReadsTable(const NodePtr& node, const catalog::TableDescriptor& table) {
  bool reads = false;
  ForEachExpr(*node, [&](const ExprPtr& expr) { reads = reads || ContainsSubPlan(expr); });
  std::visit(
      [&](const auto& op) {
        if constexpr (requires { op.table; }) reads = reads || op.table->oid == table.oid;
      },
      node->op);
  ForEachInput(*node, [&](const NodePtr& input) { reads = reads || ReadsTable(input, table); });
  return reads;
}

// ON CONFLICT DO UPDATE SET every column = EXCLUDED's: then the old row need not be known, where no counter or index must hear of
// it.
bool IsFullRowUpsert(const Query& query, const catalog::TableDescriptor& table) {
  const Modification& modification = *query.modification;
  const analyze::OnConflictAction& action = *modification.on_conflict;
  if (!action.update || action.where != nullptr || !table.ttl || table.indexes.size() != 1) return false;
  for (const catalog::ColumnDescriptor& column : table.columns) {
    if (column.dropped) continue;
    const auto& key = table.primary_key()->columns;
    const bool in_key = std::find(key.begin(), key.end(), column.id) != key.end();
    const auto set =
        std::find_if(action.set.begin(), action.set.end(), [&](const auto& item) { return item.column == column.id; });
    if (set == action.set.end()) {
      if (in_key) continue;
      return false;
    }
    const auto* var = set->value->As<Var>();
    if (var == nullptr || var->levels_up != 0 || var->entry != *modification.excluded_entry ||
        var->column != LivePosition(table, column.id)) {
      return false;
    }
  }
  return true;
}

}  // namespace

NodePtr Builder::BuildInsert(const Query& query, Scope& scope) {
  const Modification& modification = *query.modification;
  const catalog::TablePtr table = TargetTable(query);
  Insert insert;
  insert.table = table;
  insert.target_columns = TargetEntry(query).column_ids;
  std::vector<ExprPtr> none;
  Source source{MakeNode(Values{{{}}}, {}, 1, 0, 0.01), {}};
  if (modification.source_entry) source = BuildEntry(query, scope, *modification.source_entry, none, std::nullopt);
  std::vector<ExprPtr> values(LiveColumnCount(*table));
  for (const analyze::Assignment& assignment : modification.assignments) {
    values[LivePosition(*table, assignment.column)] = Lower(assignment.value, {scope, source.layout});
  }
  insert.input = MakeProject(std::move(source.node), std::move(values));
  insert.source_reads_table = ReadsTable(insert.input, *table);
  if (modification.on_conflict) {
    const analyze::OnConflictAction& action = *modification.on_conflict;
    Insert::Conflict conflict;
    conflict.update = action.update;
    conflict.blind = IsFullRowUpsert(query, *table);
    Layout layout = EntryLayout(query, modification.target_entry);
    if (modification.excluded_entry) {
      layout.Append(EntryLayout(query, *modification.excluded_entry),
                    query.range_table[modification.target_entry].columns.size());
    }
    for (const analyze::Assignment& assignment : action.set) {
      conflict.set.emplace_back(LivePosition(*table, assignment.column), Lower(assignment.value, {scope, layout}));
    }
    conflict.where = Lower(action.where, {scope, layout});
    insert.conflict = std::move(conflict);
  }
  const Layout result = EntryLayout(query, modification.target_entry);
  insert.returning = LowerTargets(modification.returning, {scope, result});
  std::vector<OutputColumn> output = OutputOf(insert.returning);
  const double rows = insert.input->rows;
  const double cost = insert.input->total_cost;
  return MakeNode(std::move(insert), std::move(output), rows, 0, cost);
}

namespace {

// The parts that UPDATE and DELETE share.
template <typename Op>
void FillRowSource(Op& op, const Query& query, Scope& scope, Source source) {
  op.table = TargetTable(query);
  op.target_columns = TargetEntry(query).column_ids;
  op.key_column = query.range_table[query.modification->target_entry].columns.size();
  op.recheck = Lower(query.where, {scope, source.layout});
  op.returning = LowerTargets(query.modification->returning, {scope, source.layout});
  op.input = std::move(source.node);
}

template <typename Op>
NodePtr FinishModification(Op op) {
  std::vector<OutputColumn> output = OutputOf(op.returning);
  const double rows = op.input->rows;
  const double cost = op.input->total_cost;
  return MakeNode(std::move(op), std::move(output), rows, 0, cost);
}

}  // namespace

NodePtr Builder::BuildUpdate(const Query& query, Scope& scope) {
  std::vector<ExprPtr> terms;
  SplitConjuncts(query.where, terms);
  Source source = BuildFrom(query, scope, terms, query.modification->target_entry);
  source.node = MakeFilter(std::move(source.node), Lower(JoinConjuncts(terms), {scope, source.layout}));
  Update update;
  for (const analyze::Assignment& assignment : query.modification->assignments) {
    update.set.emplace_back(LivePosition(*TargetTable(query), assignment.column),
                            Lower(assignment.value, {scope, source.layout}));
  }
  FillRowSource(update, query, scope, std::move(source));
  return FinishModification(std::move(update));
}

NodePtr Builder::BuildDelete(const Query& query, Scope& scope) {
  std::vector<ExprPtr> terms;
  SplitConjuncts(query.where, terms);
  Source source = BuildFrom(query, scope, terms, query.modification->target_entry);
  source.node = MakeFilter(std::move(source.node), Lower(JoinConjuncts(terms), {scope, source.layout}));
  Delete remove;
  FillRowSource(remove, query, scope, std::move(source));
  return FinishModification(std::move(remove));
}

}  // namespace mayfly::plan
