// Aggregate calls: where they may stand, what may stand in them, and which columns may stand beside them.
#include <algorithm>

#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"
#include "sql/analyze/walk.h"

namespace mayfly::analyze {
namespace {

void CheckPlace(const Scope& scope, SourcePos pos) {
  const auto refuse = [&](std::string_view where) {
    Throw(SqlError::Make(kGroupingError, "aggregate functions are not allowed in {}", where).At(pos));
  };
  switch (scope.place) {
    case ExprPlace::kOther:
    case ExprPlace::kSelectTarget:
    case ExprPlace::kHaving:
    case ExprPlace::kOrderBy:
    case ExprPlace::kDistinctOn: return;
    case ExprPlace::kJoinOn:
    case ExprPlace::kJoinUsing: refuse("JOIN conditions"); return;
    case ExprPlace::kFromFunction: refuse("functions in FROM"); return;
    case ExprPlace::kScalarClause: refuse(scope.analysis.scalar_clause); return;
    default: refuse(PlaceName(scope.place)); return;
  }
}

// The innermost query that an argument refers to, from 0; an aggregate belongs to it. SIZE_MAX = none.
struct Levels {
  int column = INT32_MAX;
  int aggregate = INT32_MAX;
  SourcePos aggregate_pos;
  SourcePos set_function_pos;
  bool has_set_function = false;
};
void FindLevels(const ExprPtr& expr, Levels& levels) {
  if (expr == nullptr) return;
  WalkDeep(*expr, 0, [&](const Expr& node, int depth) {
    if (const Var* var = node.As<Var>(); var != nullptr && var->levels_up >= depth) {
      levels.column = std::min(levels.column, var->levels_up - depth);
    } else if (const auto* aggregate = node.As<Aggregate>(); aggregate != nullptr && aggregate->levels_up >= depth) {
      if (aggregate->levels_up - depth < levels.aggregate) levels.aggregate_pos = node.pos;
      levels.aggregate = std::min(levels.aggregate, aggregate->levels_up - depth);
    } else if (const auto* call = node.As<Call>(); call != nullptr && call->proc->returns_set && depth == 0) {
      levels.has_set_function = true;
      levels.set_function_pos = node.pos;
    }
    return true;
  });
}

void CheckArguments(const Aggregate& node, SourcePos pos) {
  Levels levels;
  for (const ExprPtr& arg : node.args) FindLevels(arg, levels);
  for (const SortKey& key : node.order_by) FindLevels(key.expr, levels);
  FindLevels(node.filter, levels);
  if (levels.has_set_function) {
    Throw(SqlError::Make(kFeatureNotSupported, "aggregate function calls cannot contain set-returning function calls")
              .Hint("You might be able to move the set-returning function into a LATERAL FROM item.")
              .At(levels.set_function_pos));
  }
  const int level = std::min(levels.column, levels.aggregate);
  if (level != INT32_MAX && level == levels.aggregate) {
    Throw(SqlError::Make(kGroupingError, "aggregate function calls cannot be nested").At(levels.aggregate_pos));
  }
  if (level != INT32_MAX && level > 0) Throw(SqlError::NotSupported("aggregate function of an outer query", pos));
}

void AnalyzeOrder(Scope& scope, const parse::FunctionCall& call, Aggregate& node) {
  for (const parse::SortItem& item : call.order_by) {
    SortKey key{AnalyzeExpr(scope, *item.expr), false, false};
    if (IsUnknown(key.expr->type)) key.expr = CoerceType(scope, key.expr, TextType(), -1, {});
    const SortOrder order = ResolveSortOrder(item, *key.expr);
    key.descending = order.descending;
    key.nulls_first = order.nulls_first;
    // DISTINCT sorts by the arguments themselves.
    if (node.distinct &&
        std::none_of(node.args.begin(), node.args.end(), [&](const ExprPtr& arg) { return Equal(*arg, *key.expr); })) {
      Throw(SqlError::Make(kInvalidColumnReference,
                           "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list")
                .At(Location(key.expr)));
    }
    node.order_by.push_back(std::move(key));
  }
}

}  // namespace

ExprPtr MakeAggregate(Scope& scope, AggregateCall call) {
  Aggregate node{.proc = call.proc, .args = std::move(call.args), .order_by = {}, .filter = nullptr};
  node.star = call.syntax.star;
  node.distinct = call.syntax.distinct;
  if (node.distinct && node.args.empty()) {
    Throw(SqlError::Make(kWrongObjectType, "DISTINCT specified, but {} takes no arguments", call.proc->name).At(call.pos));
  }
  if (node.distinct) {
    for (ExprPtr& arg : node.args) {
      if (IsUnknown(arg->type)) arg = CoerceType(scope, arg, TextType(), -1, {});
      if (!IsComparable(*arg->type)) {
        Throw(SqlError::Make(kUndefinedFunction, "could not identify an equality operator for type {}", TypeText(arg->type))
                  .Detail("Aggregates with DISTINCT must be able to sort their inputs.")
                  .At(Location(arg)));
      }
    }
  }
  AnalyzeOrder(scope, call.syntax, node);
  if (call.syntax.filter != nullptr) node.filter = AnalyzeCondition(scope, *call.syntax.filter, ExprPlace::kFilter, "FILTER");
  CheckArguments(node, call.pos);
  CheckPlace(scope, call.pos);
  if (call.proc->aggregate == nullptr) {
    std::vector<const TypeDesc*> types;
    for (const uint32_t type : call.proc->args) types.push_back(catalog::FindType(Oid{type}));
    Throw(SqlError::NotSupported("aggregate function " + FunctionText({{std::string(call.proc->name)}, types, {}}), call.pos));
  }
  scope.query->has_aggregates = true;
  return MakeExpr(std::move(node), call.result, -1, call.pos);
}

bool ContainsAggregate(const ExprPtr& expr) {
  bool found = false;
  WalkDeep(*expr, 0, [&](const Expr& node, int depth) {
    const auto* aggregate = node.As<Aggregate>();
    found = found || (aggregate != nullptr && aggregate->levels_up == depth);
    return !found;
  });
  return found;
}

bool ContainsColumn(const ExprPtr& expr) {
  bool found = false;
  WalkDeep(*expr, 0, [&](const Expr& node, int depth) {
    const Var* var = node.As<Var>();
    found = found || (var != nullptr && var->levels_up == depth);
    return !found;
  });
  return found;
}

bool ContainsSetFunction(const ExprPtr& expr) {
  bool found = false;
  WalkDeep(*expr, 0, [&](const Expr& node, int depth) {
    const auto* call = node.As<Call>();
    found = found || (depth == 0 && call != nullptr && call->proc->returns_set);
    return !found;
  });
  return found;
}

namespace {

class GroupingCheck {
 public:
  explicit GroupingCheck(const Query& query) : query_(query) {
    for (const size_t target : query.group_by) groups_.push_back(query.targets[target].expr.get());
  }

  // Visits what is neither inside an aggregate of this query nor a grouped expression.
  void Check(const Expr& root) {
    WalkDeep(root, 0, [&](const Expr& expr, int depth) {
      if (const auto* aggregate = expr.As<Aggregate>(); aggregate != nullptr && aggregate->levels_up == depth) return false;
      if (IsGrouped(expr, depth)) return false;
      if (const Var* var = expr.As<Var>(); var != nullptr && var->levels_up == depth && !IsDependent(*var))
        Refuse(expr, *var, depth);
      return true;
    });
  }

 private:
  bool IsGrouped(const Expr& expr, int depth) const {
    if (depth == 0) return std::any_of(groups_.begin(), groups_.end(), [&](const Expr* group) { return Equal(*group, expr); });
    const Var* var = expr.As<Var>();
    if (var == nullptr || var->levels_up != depth) return false;
    return std::any_of(groups_.begin(), groups_.end(), [&](const Expr* group) {
      const Var* known = group->As<Var>();
      return known != nullptr && known->levels_up == 0 && known->entry == var->entry && known->column == var->column;
    });
  }

  // All columns of a table depend on its primary key: if that is grouped, they may stand alone.
  bool IsDependent(const Var& var) const {
    const auto* table = std::get_if<TableEntry>(&query_.range_table[var.entry].source);
    if (table == nullptr || table->table->primary_key() == nullptr) return false;
    const std::vector<ColumnId>& key = table->table->primary_key()->columns;
    return std::all_of(key.begin(), key.end(), [&](ColumnId id) {
      return std::any_of(groups_.begin(), groups_.end(), [&](const Expr* group) {
        const Var* known = group->As<Var>();
        return known != nullptr && known->levels_up == 0 && known->entry == var.entry && table->column_ids[known->column] == id;
      });
    });
  }

  [[noreturn]] void Refuse(const Expr& expr, const Var& var, int depth) const {
    const RangeTableEntry& entry = query_.range_table[var.entry];
    const std::string name = fmt::format("{}.{}", entry.alias, entry.columns[var.column].name);
    if (depth > 0)
      Throw(SqlError::Make(kGroupingError, "subquery uses ungrouped column \"{}\" from outer query", name).At(expr.pos));
    Throw(SqlError::Make(kGroupingError, "column \"{}\" must appear in the GROUP BY clause or be used in an aggregate function",
                         name)
              .At(expr.pos));
  }

  const Query& query_;
  std::vector<const Expr*> groups_;
};

}  // namespace

void CheckGrouping(Scope& scope) {
  const Query& query = *scope.query;
  if (!query.has_aggregates && query.group_by.empty() && query.having == nullptr) return;
  GroupingCheck check(query);
  for (const TargetEntry& target : query.targets) check.Check(*target.expr);
  if (query.having != nullptr) check.Check(*query.having);
}

}  // namespace mayfly::analyze
