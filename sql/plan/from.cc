// The FROM clause: tables with their conditions pushed down to a route, inner joins in an order where each next table is linked
// to those before by an equality, as far as there is one.
//
// A WHERE term goes to the lowest place where all its columns are there: into the route of a table, or onto an inner join. Terms
// never pass to the nullable side of an outer join.
#include <algorithm>

#include "base/check.h"
#include "sql/plan/builder.h"

namespace mayfly::plan {

using analyze::FromNode;
using analyze::JoinType;
using analyze::Query;

namespace {

constexpr double kCpuOperatorCost = 0.0025;
constexpr double kFunctionRows = 1000;

bool AllColumnsIn(const ExprPtr& term, const Layout& layout) {
  bool all = true;
  ForEachColumn(
      term, [&](const analyze::Var& var, const analyze::Expr&) { all = all && layout.Find(var.entry, var.column).has_value(); });
  return all;
}

// Moves the terms that `layout` can compute from `terms` to the result.
std::vector<ExprPtr> TakeTerms(std::vector<ExprPtr>& terms, const Layout& layout) {
  std::vector<ExprPtr> taken;
  std::erase_if(terms, [&](const ExprPtr& term) {
    if (!AllColumnsIn(term, layout)) return false;
    taken.push_back(term);
    return true;
  });
  return taken;
}

void CollectEntries(const FromNode& from, std::vector<size_t>& entries) {
  if (const auto* leaf = std::get_if<FromNode::Leaf>(&from.node)) {
    entries.push_back(leaf->entry);
    return;
  }
  const auto& join = std::get<FromNode::Join>(from.node);
  CollectEntries(*join.left, entries);
  CollectEntries(*join.right, entries);
}

bool UsesOnlyEntries(const ExprPtr& term, const std::vector<size_t>& entries) {
  bool only = true;
  ForEachColumn(term, [&](const analyze::Var& var, const analyze::Expr&) {
    only = only && std::find(entries.begin(), entries.end(), var.entry) != entries.end();
  });
  return only;
}

// left = right with one side from each input, by an equality operator whose both sides have one type: usable for hashing.
bool IsHashable(const ExprPtr& term, const Layout& left, const Layout& right, ExprPtr* left_key, ExprPtr* right_key) {
  const auto* call = term->As<analyze::Call>();
  if (call == nullptr || call->op == nullptr || call->args.size() != 2 || IsVolatile(term)) return false;
  const ExprPtr& a = call->args[0];
  const ExprPtr& b = call->args[1];
  if (a->type->oid != b->type->oid || a->type->ops->hash == nullptr) return false;
  if (catalog::FindBtreeOperators(call->op->left).equal != call->op->oid) return false;
  if (!UsesColumns(a) || !UsesColumns(b)) return false;
  const bool straight = AllColumnsIn(a, left) && AllColumnsIn(b, right);
  const bool crossed = AllColumnsIn(b, left) && AllColumnsIn(a, right);
  if (!straight && !crossed) return false;
  *left_key = straight ? a : b;
  *right_key = straight ? b : a;
  return true;
}

// Functions and subqueries in FROM may take columns of tables before them: then the order written is kept.
bool MayLookLeft(const analyze::RangeTableEntry& entry) {
  if (const auto* subquery = std::get_if<analyze::SubqueryEntry>(&entry.source)) return subquery->lateral;
  const auto* function = std::get_if<analyze::FunctionEntry>(&entry.source);
  return function != nullptr && std::any_of(function->calls.begin(), function->calls.end(), UsesColumns);
}

// a JOIN b ON c is the same as a, b WHERE c.
void FlattenInnerJoins(const FromNode& from, std::vector<const FromNode*>& items, std::vector<ExprPtr>& terms) {
  const auto* join = std::get_if<FromNode::Join>(&from.node);
  if (join == nullptr || join->type != JoinType::kInner) {
    items.push_back(&from);
    return;
  }
  FlattenInnerJoins(*join->left, items, terms);
  FlattenInnerJoins(*join->right, items, terms);
  SplitConjuncts(join->on, terms);
}

// True where some term equates a value of `item` with one of the joined entries.
bool IsLinked(const FromNode& item, const std::vector<size_t>& joined, const std::vector<ExprPtr>& terms) {
  std::vector<size_t> entries;
  CollectEntries(item, entries);
  return std::any_of(terms.begin(), terms.end(), [&](const ExprPtr& term) {
    const auto* call = term->As<analyze::Call>();
    if (call == nullptr || call->op == nullptr || call->op->name != "=" || call->args.size() != 2) return false;
    const ExprPtr& a = call->args[0];
    const ExprPtr& b = call->args[1];
    if (!UsesColumns(a) || !UsesColumns(b)) return false;
    return (UsesOnlyEntries(a, joined) && UsesOnlyEntries(b, entries)) ||
           (UsesOnlyEntries(b, joined) && UsesOnlyEntries(a, entries));
  });
}

}  // namespace

Source Builder::BuildFrom(const Query& query, Scope& scope, std::vector<ExprPtr>& terms, std::optional<size_t> modified) {
  if (query.from.empty()) return {MakeNode(Values{{{}}}, {}, 1, 0, 0.01), {}};
  std::vector<const FromNode*> items;
  const bool any_order = !std::any_of(query.range_table.begin(), query.range_table.end(), MayLookLeft);
  for (const FromNode& from : query.from) {
    if (any_order) {
      FlattenInnerJoins(from, items, terms);
    } else {
      items.push_back(&from);
    }
  }
  Source source = BuildFromNode(query, scope, *items[0], terms, modified);
  std::vector<size_t> joined;
  CollectEntries(*items[0], joined);
  items.erase(items.begin());
  while (!items.empty()) {
    auto next = items.begin();
    if (any_order) {
      next = std::find_if(items.begin(), items.end(), [&](const FromNode* item) { return IsLinked(*item, joined, terms); });
      if (next == items.end()) next = items.begin();
    }
    source = BuildJoin(query, scope, JoinType::kInner, std::move(source), **next, nullptr, terms);
    CollectEntries(**next, joined);
    items.erase(next);
  }
  return source;
}

Source Builder::BuildFromNode(const Query& query, Scope& scope, const FromNode& from, std::vector<ExprPtr>& terms,
                              std::optional<size_t> modified) {
  if (const auto* leaf = std::get_if<FromNode::Leaf>(&from.node)) return BuildEntry(query, scope, leaf->entry, terms, modified);
  const auto& join = std::get<FromNode::Join>(from.node);
  // Terms of WHERE may pass to a side that no outer join of this node can fill with NULLs.
  std::vector<ExprPtr> left_terms;
  std::vector<size_t> left_entries;
  CollectEntries(*join.left, left_entries);
  if (join.type == JoinType::kInner || join.type == JoinType::kLeft) {
    std::erase_if(terms, [&](const ExprPtr& term) {
      if (!UsesColumns(term) || !UsesOnlyEntries(term, left_entries)) return false;
      left_terms.push_back(term);
      return true;
    });
  }
  Source left = BuildFromNode(query, scope, *join.left, left_terms, modified);
  terms.insert(terms.end(), left_terms.begin(), left_terms.end());
  return BuildJoin(query, scope, join.type, std::move(left), *join.right, join.on, terms);
}

Source Builder::BuildJoin(const Query& query, Scope& scope, JoinType type, Source left, const FromNode& right, const ExprPtr& on,
                          std::vector<ExprPtr>& terms) {
  std::vector<ExprPtr> conditions;
  SplitConjuncts(on, conditions);
  if (type == JoinType::kInner) {
    conditions.insert(conditions.end(), terms.begin(), terms.end());
    terms.clear();
  }
  // Conditions on the right side alone narrow it down before the join, except where it is preserved.
  std::vector<ExprPtr> right_terms;
  if (type == JoinType::kInner || type == JoinType::kLeft) {
    std::vector<size_t> right_entries;
    CollectEntries(right, right_entries);
    std::erase_if(conditions, [&](const ExprPtr& term) {
      if (!UsesColumns(term) || !UsesOnlyEntries(term, right_entries)) return false;
      right_terms.push_back(term);
      return true;
    });
  }
  std::vector<std::pair<size_t, ExprPtr>> lateral;
  std::vector<std::pair<size_t, ExprPtr>>* const outer_lateral = std::exchange(scope.lateral, &lateral);
  Source right_source = BuildFromNode(query, scope, right, right_terms, std::nullopt);
  scope.lateral = outer_lateral;
  conditions.insert(conditions.end(), right_terms.begin(), right_terms.end());

  Join join;
  join.type = type;
  for (const auto& [number, expr] : lateral) join.lateral_params.emplace_back(number, Lower(expr, {scope, left.layout}));
  const Layout left_layout = left.layout;
  const Layout right_layout = right_source.layout;
  Layout layout = left.layout;
  layout.Append(right_layout, left.node->output.size());

  std::vector<ExprPtr> here = TakeTerms(conditions, layout);
  if (type == JoinType::kInner) {
    terms.insert(terms.end(), conditions.begin(), conditions.end());
  } else {
    Check(conditions.empty(), "a join condition names a table outside the join");
  }
  std::vector<ExprPtr> residual;
  for (const ExprPtr& term : here) {
    ExprPtr left_key;
    ExprPtr right_key;
    if (lateral.empty() && IsHashable(term, left_layout, right_layout, &left_key, &right_key)) {
      join.left_keys.push_back(Lower(left_key, {scope, left_layout}));
      join.right_keys.push_back(Lower(right_key, {scope, right_layout}));
    } else {
      residual.push_back(term);
    }
  }
  join.on = Lower(JoinConjuncts(residual), {scope, layout});

  std::vector<OutputColumn> output = left.node->output;
  output.insert(output.end(), right_source.node->output.begin(), right_source.node->output.end());
  const bool hashed = !join.left_keys.empty();
  const double pairs = left.node->rows * right_source.node->rows;
  const double rows = std::max(1.0, hashed               ? std::max(left.node->rows, right_source.node->rows)
                                    : join.on != nullptr ? pairs / 3
                                                         : pairs);
  const double inputs_cost =
      left.node->total_cost + (hashed ? right_source.node->total_cost : right_source.node->total_cost * left.node->rows);
  const double total = inputs_cost + (hashed ? left.node->rows + right_source.node->rows : pairs) * kCpuOperatorCost;
  join.left = std::move(left.node);
  join.right = std::move(right_source.node);
  return {MakeNode(std::move(join), std::move(output), rows, 0, total), std::move(layout)};
}

Source Builder::BuildEntry(const Query& query, Scope& scope, size_t entry, std::vector<ExprPtr>& terms,
                           std::optional<size_t> modified) {
  const analyze::RangeTableEntry& rte = query.range_table[entry];
  Source source;
  for (size_t i = 0; i < rte.columns.size(); ++i) source.layout.Set(entry, i, i);
  std::vector<OutputColumn> output;
  for (const analyze::RteColumn& column : rte.columns) output.push_back({column.type, column.typmod});

  if (const auto* table = std::get_if<analyze::TableEntry>(&rte.source)) {
    TableAccess access{table->table, table->column_ids, rte.alias};
    if (modified == entry) access.columns.push_back(catalog::system_column::kRowKey);
    std::vector<ExprPtr> pushed;
    for (const ExprPtr& term : TakeTerms(terms, source.layout)) pushed.push_back(Lower(term, {scope, source.layout}));
    source.node = ChooseRoute(access, std::move(pushed));
    return source;
  }
  if (const auto* subquery = std::get_if<analyze::SubqueryEntry>(&rte.source)) {
    Scope inner{this, subquery->query.get(), &scope, false, scope.params, nullptr};
    source.node = BuildSelect(*subquery->query, inner);
  } else if (const auto* function = std::get_if<analyze::FunctionEntry>(&rte.source)) {
    FunctionScan scan;
    scan.with_ordinality = function->with_ordinality;
    scan.alias = rte.alias;
    const Layout none;
    for (const ExprPtr& call : function->calls) scan.calls.push_back(Lower(call, {scope, none}));
    source.node = MakeNode(std::move(scan), std::move(output), kFunctionRows, 0, kFunctionRows * 0.01);
  } else if (const auto* values = std::get_if<analyze::ValuesEntry>(&rte.source)) {
    Values rows;
    const Layout none;
    for (const auto& row : values->rows) {
      std::vector<ExprPtr> lowered;
      for (const ExprPtr& value : row) lowered.push_back(Lower(value, {scope, none}));
      rows.rows.push_back(std::move(lowered));
    }
    const auto count = static_cast<double>(rows.rows.size());
    source.node = MakeNode(std::move(rows), std::move(output), count, 0, count * 0.0125);
  } else {
    Check(false, "an excluded entry stands in FROM");
  }
  std::vector<ExprPtr> here;
  for (const ExprPtr& term : TakeTerms(terms, source.layout)) here.push_back(Lower(term, {scope, source.layout}));
  source.node = MakeFilter(std::move(source.node), JoinConjuncts(std::move(here)));
  return source;
}

}  // namespace mayfly::plan
