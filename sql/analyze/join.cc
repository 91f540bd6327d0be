// JOIN: what may be named in ON, and the merged columns of USING and NATURAL.
#include <algorithm>

#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"

namespace mayfly::analyze {
namespace {

// A column of one side, by the names that are visible there without qualification.
struct SideColumn {
  std::string name;
  ExprPtr expr;
  JoinColumn source;
};

std::vector<SideColumn> SideColumns(const Scope& scope, const std::vector<NamespaceItem>& names) {
  std::vector<SideColumn> columns;
  for (const NamespaceItem& item : names) {
    if (!item.columns_visible) continue;
    for (size_t i = 0; i < ItemColumnCount(scope, item); ++i) {
      const std::string& name = ItemColumnName(scope, item, i);
      JoinColumn source = item.is_join ? item.columns[i] : JoinColumn{name, item.entry, i, nullptr};
      columns.push_back({name, ItemColumn(scope, item, i, 0, {}), std::move(source)});
    }
  }
  return columns;
}

size_t FindUsing(const std::vector<SideColumn>& columns, const std::string& name, std::string_view side) {
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name != name) continue;
    if (found != SIZE_MAX) {
      Throw(SqlError::Make(kAmbiguousColumn, "common column name \"{}\" appears more than once in {} table", name, side));
    }
    found = i;
  }
  if (found == SIZE_MAX) {
    Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" specified in USING clause does not exist in {} table", name, side));
  }
  return found;
}

// USING's output column: left's value, or right's in a right join, or whichever is there in a full join.
ExprPtr MergeColumns(Scope& scope, parse::JoinType type, const ExprPtr& left, const ExprPtr& right) {
  const ExprPtr both[] = {left, right};
  const TypeDesc* common = SelectCommonType(both, "JOIN/USING");
  const int32_t typmod = SelectCommonTypmod(both, common);
  const auto coerce = [&](const ExprPtr& expr) {
    ExprPtr result = CoerceToCommon(scope, expr, common, "JOIN/USING");
    if (result->typmod != typmod) result = MakeExpr(Relabel{result, false}, common, typmod);
    return result;
  };
  switch (type) {
    case parse::JoinType::kInner:
      // An input that needs no conversion serves better, since both are equal.
      if (left->type == common && left->typmod == typmod) return left;
      if (right->type == common && right->typmod == typmod) return right;
      return coerce(left);
    case parse::JoinType::kLeft: return coerce(left);
    case parse::JoinType::kRight: return coerce(right);
    case parse::JoinType::kFull: break;
  }
  return MakeExpr(Coalesce{{coerce(left), coerce(right)}}, common, typmod);
}

JoinColumn Merged(const std::string& name, const ExprPtr& expr) {
  if (const Var* var = expr->As<Var>()) return {name, var->entry, var->column, nullptr};
  return {name, 0, 0, expr};
}

struct JoinParts {
  std::vector<JoinColumn> columns;
  ExprPtr on;
};

JoinParts JoinUsing(Scope& scope, const parse::JoinRef& join, const std::vector<std::string>& using_columns,
                    const std::vector<SideColumn>& left, const std::vector<SideColumn>& right) {
  JoinParts parts;
  std::vector<bool> left_used(left.size(), false);
  std::vector<bool> right_used(right.size(), false);
  std::vector<std::pair<ExprPtr, ExprPtr>> pairs;
  std::vector<ExprPtr> terms;
  const PlaceGuard guard(scope, ExprPlace::kJoinUsing);
  for (size_t i = 0; i < using_columns.size(); ++i) {
    const std::string& name = using_columns[i];
    if (std::count(using_columns.begin(), using_columns.begin() + static_cast<ptrdiff_t>(i), name) != 0) {
      Throw(SqlError::Make(kDuplicateColumn, "column name \"{}\" appears more than once in USING clause", name));
    }
    const size_t l = FindUsing(left, name, "left");
    const size_t r = FindUsing(right, name, "right");
    left_used[l] = true;
    right_used[r] = true;
    pairs.emplace_back(left[l].expr, right[r].expr);
    parts.columns.push_back(Merged(name, MergeColumns(scope, join.type, left[l].expr, right[r].expr)));
  }
  for (const auto& [l, r] : pairs) terms.push_back(CoerceToBoolean(scope, MakeOperator(scope, "=", l, r, {}), "JOIN/USING"));
  for (size_t i = 0; i < left.size(); ++i) {
    if (!left_used[i]) parts.columns.push_back(left[i].source);
  }
  for (size_t i = 0; i < right.size(); ++i) {
    if (!right_used[i]) parts.columns.push_back(right[i].source);
  }
  if (terms.size() == 1) parts.on = std::move(terms[0]);
  if (terms.size() > 1) parts.on = MakeBool(BoolOp::kAnd, std::move(terms), {});
  return parts;
}

std::vector<std::string> NaturalColumns(const std::vector<SideColumn>& left, const std::vector<SideColumn>& right) {
  std::vector<std::string> names;
  for (const SideColumn& column : left) {
    const auto same = [&](const SideColumn& other) { return other.name == column.name; };
    if (std::any_of(right.begin(), right.end(), same)) names.push_back(column.name);
  }
  return names;
}

// ON sees the two sides and nothing else of this FROM.
ExprPtr AnalyzeOn(Scope& scope, const parse::JoinRef& join, const std::vector<NamespaceItem>& names) {
  std::vector<NamespaceItem> outer = std::exchange(scope.names, names);
  for (NamespaceItem& item : scope.names) {
    item.lateral_only = false;
    item.lateral_ok = true;
  }
  ExprPtr on = AnalyzeCondition(scope, *join.on, ExprPlace::kJoinOn, "JOIN/ON");
  scope.names = std::move(outer);
  return on;
}

NamespaceItem JoinItem(const parse::JoinRef& join, std::vector<JoinColumn> columns) {
  NamespaceItem item{.is_join = true, .entry = 0, .alias = join.alias.name, .columns = std::move(columns)};
  item.relation_visible = !join.alias.name.empty();
  if (join.alias.columns.size() > item.columns.size()) {
    Throw(SqlError::Make(kSyntaxError, "column alias list for \"{}\" has too many entries", join.alias.name));
  }
  for (size_t i = 0; i < join.alias.columns.size(); ++i) item.columns[i].name = join.alias.columns[i];
  return item;
}

// The right side, which may look at the left side if it is LATERAL.
AnalyzedFrom AnalyzeRight(Scope& scope, const parse::JoinRef& join, const std::vector<NamespaceItem>& left) {
  const size_t before = scope.names.size();
  const bool ok = join.type == parse::JoinType::kInner || join.type == parse::JoinType::kLeft;
  for (NamespaceItem item : left) {
    item.lateral_only = true;
    item.lateral_ok = ok;
    scope.names.push_back(std::move(item));
  }
  AnalyzedFrom right = AnalyzeTableExpr(scope, *join.right);
  scope.names.resize(before);
  return right;
}

}  // namespace

AnalyzedFrom AnalyzeJoin(Scope& scope, const parse::JoinRef& join) {
  AnalyzedFrom left = AnalyzeTableExpr(scope, *join.left);
  AnalyzedFrom right = AnalyzeRight(scope, join, left.names);
  CheckNameConflicts(scope, left.names, right.names);

  const std::vector<SideColumn> left_columns = SideColumns(scope, left.names);
  const std::vector<SideColumn> right_columns = SideColumns(scope, right.names);
  const std::vector<std::string> natural =
      join.natural ? NaturalColumns(left_columns, right_columns) : std::vector<std::string>();
  JoinParts parts = JoinUsing(scope, join, join.natural ? natural : join.using_columns, left_columns, right_columns);

  std::vector<NamespaceItem> names = std::move(left.names);
  for (NamespaceItem& item : right.names) names.push_back(std::move(item));
  if (join.on != nullptr) parts.on = AnalyzeOn(scope, join, names);
  // The tables below can still be named, but unqualified columns are the join's. An alias of the join hides the tables.
  for (NamespaceItem& item : names) {
    item.columns_visible = false;
    if (!join.alias.name.empty()) item.relation_visible = false;
  }
  if (!join.using_alias.name.empty()) {
    const size_t merged = (join.natural ? natural : join.using_columns).size();
    NamespaceItem item{.is_join = true, .entry = 0, .alias = join.using_alias.name, .columns = {}};
    item.columns.assign(parts.columns.begin(), parts.columns.begin() + static_cast<ptrdiff_t>(merged));
    item.columns_visible = false;
    names.push_back(std::move(item));
  }
  names.push_back(JoinItem(join, std::move(parts.columns)));

  FromNode::Join node{static_cast<JoinType>(join.type), std::make_unique<FromNode>(std::move(left.node)),
                      std::make_unique<FromNode>(std::move(right.node)), std::move(parts.on)};
  return {{std::move(node)}, std::move(names)};
}

}  // namespace mayfly::analyze
