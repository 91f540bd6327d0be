// ORDER BY, GROUP BY and DISTINCT: how an item is found in or added to the select list, by SQL92's rules (output names and
// positions) before SQL99's (expressions over the input).
#include <algorithm>

#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

constexpr size_t kNotFound = SIZE_MAX;

void CheckFoundTarget(const TargetEntry& target, ExprPlace place) {
  if (place != ExprPlace::kGroupBy || !ContainsAggregate(target.expr)) return;
  SourcePos pos;
  std::vector<const Expr*> stack{target.expr.get()};
  while (!stack.empty() && !pos.known()) {
    const Expr* expr = stack.back();
    stack.pop_back();
    if (expr->As<Aggregate>() != nullptr) pos = expr->pos;
    ForEachChild(*expr, [&](const ExprPtr& child) { stack.push_back(child.get()); });
  }
  Throw(SqlError::Make(kGroupingError, "aggregate functions are not allowed in {}", PlaceName(place)).At(pos));
}

size_t FindByName(Scope& scope, const parse::Expr& expr, ExprPlace place) {
  const auto* ref = std::get_if<parse::ColumnRef>(&expr.node);
  if (ref == nullptr || ref->star || ref->fields.size() != 1) return kNotFound;
  const std::string& name = ref->fields[0];
  // GROUP BY prefers a column of FROM.
  if (place == ExprPlace::kGroupBy && FindColumn(scope, name, expr.pos) != nullptr) return kNotFound;
  const std::vector<TargetEntry>& targets = scope.query->targets;
  size_t found = kNotFound;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].hidden || targets[i].name != name) continue;
    if (found == kNotFound) {
      found = i;
    } else if (!Equal(*targets[found].expr, *targets[i].expr)) {
      Throw(SqlError::Make(kAmbiguousColumn, "{} \"{}\" is ambiguous", PlaceName(place), name).At(expr.pos));
    }
  }
  return found;
}

size_t FindByPosition(Scope& scope, const parse::Expr& expr, ExprPlace place) {
  const auto* constant = std::get_if<parse::Constant>(&expr.node);
  if (constant == nullptr) return kNotFound;
  if (constant->kind != parse::ConstantKind::kInteger) {
    Throw(SqlError::Make(kSyntaxError, "non-integer constant in {}", PlaceName(place)).At(expr.pos));
  }
  int32_t position = 0;
  for (size_t i = 0; i < scope.query->targets.size(); ++i) {
    if (!scope.query->targets[i].hidden && ++position == constant->integer) return i;
  }
  Throw(SqlError::Make(kInvalidColumnReference, "{} position {} is not in select list", PlaceName(place), constant->integer)
            .At(expr.pos));
}

const ExprPtr& StripImplicit(const ExprPtr& expr) {
  if (const auto* call = expr->As<Call>(); call != nullptr && call->form == CallForm::kCast && !call->explicit_cast) {
    return StripImplicit(call->args[0]);
  }
  if (const auto* relabel = expr->As<Relabel>(); relabel != nullptr && !relabel->explicit_cast)
    return StripImplicit(relabel->arg);
  if (const auto* io = expr->As<CoerceViaIo>(); io != nullptr && !io->explicit_cast) return StripImplicit(io->arg);
  return expr;
}

size_t FindExpression(Scope& scope, const parse::Expr& syntax, ExprPlace place) {
  ExprPtr expr = AnalyzeExprAt(scope, syntax, place);
  std::vector<TargetEntry>& targets = scope.query->targets;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (Equal(*StripImplicit(targets[i].expr), *expr)) return i;
  }
  targets.push_back({.expr = std::move(expr), .name = OutputName(syntax), .hidden = true, .table = {}});
  return targets.size() - 1;
}

size_t FindTarget(Scope& scope, const parse::Expr& expr, ExprPlace place) {
  size_t target = FindByName(scope, expr, place);
  if (target == kNotFound) target = FindByPosition(scope, expr, place);
  if (target == kNotFound) return FindExpression(scope, expr, place);
  CheckFoundTarget(scope.query->targets[target], place);
  return target;
}

void ResolveUnknown(Scope& scope, size_t target) {
  ExprPtr& expr = scope.query->targets[target].expr;
  if (IsUnknown(expr->type)) expr = CoerceType(scope, expr, TextType(), -1, {});
}

void CheckComparable(const Scope& scope, size_t target) {
  const ExprPtr& expr = scope.query->targets[target].expr;
  if (IsComparable(*expr->type)) return;
  Throw(SqlError::Make(kUndefinedFunction, "could not identify an equality operator for type {}", TypeText(expr->type))
            .At(Location(expr)));
}

bool Contains(const std::vector<size_t>& list, size_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

// The rows of DISTINCT ON are sorted by ORDER BY, so its first items must be those of ON, in any order. `positions`: of ON's
// items.
void CheckDistinctOrder(const Query& query, const std::vector<SourcePos>& positions) {
  const auto refuse = [&](size_t item) {
    Throw(SqlError::Make(kInvalidColumnReference, "SELECT DISTINCT ON expressions must match initial ORDER BY expressions")
              .At(positions[item]));
  };
  bool skipped = false;
  std::vector<bool> sorted(positions.size(), false);
  for (const SortClause& clause : query.order_by) {
    const auto it = std::find(query.distinct_on.begin(), query.distinct_on.end(), clause.target);
    if (it == query.distinct_on.end()) {
      skipped = true;
      continue;
    }
    const auto item = static_cast<size_t>(it - query.distinct_on.begin());
    if (skipped) refuse(item);
    sorted[item] = true;
  }
  for (size_t item = 0; item < sorted.size(); ++item) {
    if (skipped && !sorted[item]) refuse(item);
  }
}

}  // namespace

SortOrder ResolveSortOrder(const parse::SortItem& item, const Expr& expr) {
  if (!IsOrderable(*expr.type)) {
    Throw(SqlError::Make(kUndefinedFunction, "could not identify an ordering operator for type {}", TypeText(expr.type))
              .Hint("Use an explicit ordering operator or modify the query.")
              .At(item.pos.known() ? item.pos : Location(*item.expr)));
  }
  SortOrder order;
  order.descending = item.direction == parse::SortItem::Direction::kDesc;
  if (item.direction == parse::SortItem::Direction::kUsing) {
    const std::string& op = item.using_op.back();
    if (op != "<" && op != ">") {
      Throw(SqlError::Make(kWrongObjectType, "operator {} is not a valid ordering operator", NameText(item.using_op))
                .Hint("Ordering operators must be \"<\" or \">\" members of btree operator families.")
                .At(item.pos));
    }
    order.descending = op == ">";
  }
  // NULLs are larger than everything.
  order.nulls_first =
      item.nulls == parse::SortItem::Nulls::kDefault ? order.descending : item.nulls == parse::SortItem::Nulls::kFirst;
  return order;
}

void AnalyzeOrderBy(Scope& scope, const std::vector<parse::SortItem>& items) {
  Query& query = *scope.query;
  for (const parse::SortItem& item : items) {
    const size_t target = FindTarget(scope, *item.expr, ExprPlace::kOrderBy);
    ResolveUnknown(scope, target);
    const SortOrder order = ResolveSortOrder(item, *query.targets[target].expr);
    const auto same = [&](const SortClause& clause) { return clause.target == target; };
    if (std::any_of(query.order_by.begin(), query.order_by.end(), same)) continue;
    query.order_by.push_back({target, order.descending, order.nulls_first});
  }
}

void AnalyzeGroupBy(Scope& scope, const parse::SelectStatement& select) {
  for (const parse::GroupItem& item : select.group_by) {
    if (item.set != nullptr) {
      static constexpr std::string_view kNames[] = {"GROUP BY ()", "GROUPING SETS", "ROLLUP", "CUBE"};
      Throw(SqlError::NotSupported(kNames[static_cast<size_t>(item.set->kind)], item.set->pos));
    }
    const auto add = [&](const parse::Expr& expr) {
      const size_t target = FindTarget(scope, expr, ExprPlace::kGroupBy);
      ResolveUnknown(scope, target);
      CheckComparable(scope, target);
      if (!Contains(scope.query->group_by, target)) scope.query->group_by.push_back(target);
    };
    // GROUP BY (a, b) is GROUP BY a, b; but ROW(a, b) is one value.
    const auto* row = std::get_if<parse::RowExpr>(&item.expr->node);
    if (row != nullptr && row->args.size() > 1) {
      for (const parse::ExprPtr& expr : row->args) add(*expr);
    } else {
      add(*item.expr);
    }
  }
}

void AnalyzeDistinct(Scope& scope, const parse::SelectStatement& select) {
  if (!select.distinct && select.distinct_on.empty()) return;
  Query& query = *scope.query;
  query.distinct = true;
  if (select.distinct_on.empty()) {
    for (const SortClause& clause : query.order_by) {
      if (!query.targets[clause.target].hidden) continue;
      Throw(SqlError::Make(kInvalidColumnReference, "for SELECT DISTINCT, ORDER BY expressions must appear in select list")
                .At(Location(query.targets[clause.target].expr)));
    }
    for (size_t i = 0; i < query.targets.size(); ++i) {
      if (query.targets[i].hidden) continue;
      ResolveUnknown(scope, i);
      CheckComparable(scope, i);
    }
    return;
  }
  std::vector<SourcePos> positions;
  for (const parse::ExprPtr& expr : select.distinct_on) {
    const size_t target = FindTarget(scope, *expr, ExprPlace::kDistinctOn);
    ResolveUnknown(scope, target);
    CheckComparable(scope, target);
    if (Contains(query.distinct_on, target)) continue;
    query.distinct_on.push_back(target);
    positions.push_back(Location(*expr));
  }
  CheckDistinctOrder(query, positions);
}

}  // namespace mayfly::analyze
