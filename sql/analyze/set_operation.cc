// UNION, INTERSECT, EXCEPT: columns by position, each of the common type of both sides.
#include "base/check.h"
#include "sql/analyze/analyze.h"
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

std::string_view OperationName(SetOperation operation) {
  switch (operation) {
    case SetOperation::kUnion: return "UNION";
    case SetOperation::kIntersect: return "INTERSECT";
    case SetOperation::kExcept: return "EXCEPT";
    case SetOperation::kNone: break;
  }
  Unreachable();
}

// One side, with its output columns as expressions whose types are matched with the other side's.
struct Side {
  std::shared_ptr<Query> query;
  std::vector<ExprPtr> outputs;
};

Side AnalyzeSide(Scope& scope, const parse::SelectStatement& select) {
  Side side{AnalyzeSubselect(scope, select, {.lateral = false, .resolve_unknowns = false}), {}};
  for (const TargetEntry& target : side.query->targets) {
    if (!target.hidden) side.outputs.push_back(target.expr);
  }
  return side;
}

// Whether target expressions may be replaced without changing what the side means.
bool IsSimple(const Query& query) {
  return query.set_operation == SetOperation::kNone && !query.distinct && query.order_by.empty() && query.group_by.empty() &&
         !query.has_target_set_functions && query.command == Command::kSelect;
}

// SELECT converted columns FROM (side).
void WrapSide(Scope& scope, Side& side, const std::vector<const TypeDesc*>& types, std::string_view clause) {
  Scope wrapper{scope.analysis, &scope};
  // The side was analyzed one level below the set operation; now it is two.
  QueryPtr inner = ShiftLevels(QueryPtr(side.query), 1, 1);
  RangeTableEntry entry;
  entry.alias = "*SELECT*";
  entry.columns = OutputColumns(*inner);
  entry.visible_columns = entry.columns.size();
  entry.source = SubqueryEntry{std::move(inner), false};
  const size_t index = AddEntry(wrapper, std::move(entry));
  wrapper.query->from.push_back({FromNode::Leaf{index}});
  for (size_t i = 0; i < types.size(); ++i) {
    ExprPtr column = CoerceToCommon(wrapper, MakeVar(wrapper, index, i, 0, {}), types[i], clause);
    std::string name = wrapper.query->range_table[index].columns[i].name;
    wrapper.query->targets.push_back({.expr = std::move(column), .name = std::move(name), .hidden = false, .table = {}});
  }
  side.query = wrapper.query;
}

void ConvertSide(Scope& scope, Side& side, const std::vector<const TypeDesc*>& types, std::string_view clause) {
  bool same = true;
  for (size_t i = 0; i < types.size(); ++i) same = same && side.outputs[i]->type == types[i];
  if (same) return;
  if (!IsSimple(*side.query)) {
    WrapSide(scope, side, types, clause);
    return;
  }
  size_t column = 0;
  for (TargetEntry& target : side.query->targets) {
    if (target.hidden) continue;
    target.expr = CoerceToCommon(scope, target.expr, types[column++], clause);
  }
  FoldQuery(scope, *side.query);
}

void CheckComparableColumns(const std::vector<const TypeDesc*>& types, const Side& left) {
  for (size_t i = 0; i < types.size(); ++i) {
    if (IsComparable(*types[i])) continue;
    Throw(SqlError::Make(kUndefinedFunction, "could not identify an equality operator for type {}", TypeText(types[i]))
              .At(Location(left.outputs[i])));
  }
}

// The first of the SELECTs that has a column of the name, counted from 1 as PostgreSQL names them ("*SELECT* 2"); 0 = none.
int FindInSides(const Query& query, std::string_view name, int& count) {
  if (query.set_operation != SetOperation::kNone) {
    const int left = FindInSides(*query.set_left, name, count);
    return left != 0 ? left : FindInSides(*query.set_right, name, count);
  }
  ++count;
  for (const TargetEntry& target : query.targets) {
    if (!target.hidden && target.name == name) return count;
  }
  return 0;
}

[[noreturn]] void ThrowNoOutput(const Query& query, std::string_view name, SourcePos pos) {
  SqlError error = SqlError::Make(kUndefinedColumn, "column \"{}\" does not exist", name).At(pos);
  int count = 0;
  if (const int side = FindInSides(query, name, count); side != 0) {
    error.hint = fmt::format(
        "There is a column named \"{}\" in table \"*SELECT* {}\", but it cannot be referenced from this part of the query.", name,
        side);
  }
  Throw(std::move(error));
}

// ORDER BY of a set operation may name output columns only.
void AnalyzeSetOrderBy(Scope& scope, const std::vector<parse::SortItem>& items) {
  const size_t columns = scope.query->targets.size();
  for (const parse::SortItem& item : items) {
    const auto* ref = std::get_if<parse::ColumnRef>(&item.expr->node);
    bool known = std::holds_alternative<parse::Constant>(item.expr->node);
    if (ref != nullptr && ref->fields.size() == 1 && !ref->star) {
      bool is_output = false;
      for (const TargetEntry& target : scope.query->targets) is_output = is_output || target.name == ref->fields[0];
      if (!is_output) ThrowNoOutput(*scope.query, ref->fields[0], item.expr->pos);
      known = true;
    }
    if (!known) {
      Throw(SqlError::Make(kFeatureNotSupported, "invalid UNION/INTERSECT/EXCEPT ORDER BY clause")
                .Detail("Only result column names can be used, not expressions or functions.")
                .Hint("Add the expression/function to every SELECT, or move the UNION into a FROM clause.")
                .At(Location(*item.expr)));
    }
  }
  AnalyzeOrderBy(scope, items);
  Check(scope.query->targets.size() == columns, "ORDER BY of a set operation added a column");
}

}  // namespace

void AnalyzeSetOperation(Scope& scope, const parse::SelectStatement& select) {
  Query& query = *scope.query;
  const auto operation = static_cast<SetOperation>(select.op);
  const std::string_view clause = OperationName(operation);
  if (!select.locking.empty()) {
    Throw(SqlError::Make(kFeatureNotSupported, "{} is not allowed with UNION/INTERSECT/EXCEPT",
                         LockText(select.locking[0].strength)));
  }
  Side left = AnalyzeSide(scope, *select.left);
  Side right = AnalyzeSide(scope, *select.right);
  if (left.outputs.size() != right.outputs.size()) {
    Throw(SqlError::Make(kSyntaxError, "each {} query must have the same number of columns", clause)
              .At(right.outputs.empty() ? SourcePos{} : Location(right.outputs[0])));
  }
  std::vector<const TypeDesc*> types;
  std::vector<int32_t> typmods;
  for (size_t i = 0; i < left.outputs.size(); ++i) {
    const ExprPtr both[] = {left.outputs[i], right.outputs[i]};
    types.push_back(SelectCommonType(both, clause));
    typmods.push_back(SelectCommonTypmod(both, types.back()));
    // Both must be able to become it, even where the conversion comes later.
    for (const ExprPtr& output : both) {
      if (!CanCoerce(*output->type, *types.back(), CastContext::kImplicit)) CoerceToCommon(scope, output, types.back(), clause);
    }
  }
  ConvertSide(scope, left, types, clause);
  ConvertSide(scope, right, types, clause);
  if (!select.all || operation != SetOperation::kUnion) CheckComparableColumns(types, left);
  const std::vector<RteColumn> names = OutputColumns(*left.query);
  for (size_t i = 0; i < types.size(); ++i) {
    ExprPtr column = MakeExpr(Var{0, i, 0}, types[i], typmods[i], Location(left.outputs[i]));
    query.targets.push_back({.expr = std::move(column), .name = names[i].name, .hidden = false, .table = {}});
  }
  query.set_operation = operation;
  query.set_all = select.all;
  query.set_left = left.query;
  query.set_right = right.query;
  AnalyzeSetOrderBy(scope, select.order_by);
  AnalyzeLimit(scope, select);
}

}  // namespace mayfly::analyze
