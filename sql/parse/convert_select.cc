// SELECT, VALUES, set operations, WITH.
#include <string>

#include "base/check.h"
#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

// libpg_query patches LimitOption: these are its values, not those of PostgreSQL's header.
constexpr int kLibraryLimitWithTies = 2;

SetOperation ConvertSetOperation(::SetOperation op) {
  switch (op) {
    case SETOP_NONE: return SetOperation::kNone;
    case SETOP_UNION: return SetOperation::kUnion;
    case SETOP_INTERSECT: return SetOperation::kIntersect;
    case SETOP_EXCEPT: return SetOperation::kExcept;
  }
  Unreachable();
}

bool IsNullConstant(const ::Node* node) { return node != nullptr && Tag(node) == T_A_Const && As<::A_Const>(node).isnull; }

// SELECT DISTINCT is a list of one null; DISTINCT ON a list of expressions.
void ConvertDistinct(Converter& c, const ::List* list, SelectStatement& out) {
  const Items<::Node> items(list);
  if (items.empty()) return;
  if (items[0] == nullptr) {
    out.distinct = true;
  } else {
    out.distinct_on = ConvertExprs(c, list);
  }
}

GroupItem ConvertGroupItem(Converter& c, const ::Node* node) {
  GroupItem out;
  if (Tag(node) != T_GroupingSet) {
    out.expr = ConvertExpr(c, node);
    return out;
  }
  const NestingLevel level(c);
  const auto& set = As<::GroupingSet>(node);
  out.set = std::make_unique<GroupingSet>();
  switch (set.kind) {
    case GROUPING_SET_EMPTY: out.set->kind = GroupingSet::Kind::kEmpty; break;
    case GROUPING_SET_ROLLUP: out.set->kind = GroupingSet::Kind::kRollup; break;
    case GROUPING_SET_CUBE: out.set->kind = GroupingSet::Kind::kCube; break;
    case GROUPING_SET_SIMPLE:
    case GROUPING_SET_SETS: out.set->kind = GroupingSet::Kind::kSets; break;
  }
  for (const ::Node* item : Items<::Node>(set.content)) out.set->items.push_back(ConvertGroupItem(c, item));
  out.set->pos = c.At(set.location);
  return out;
}

LockStrength ConvertLockStrength(::LockClauseStrength strength) {
  switch (strength) {
    case LCS_FORKEYSHARE: return LockStrength::kKeyShare;
    case LCS_FORSHARE: return LockStrength::kShare;
    case LCS_FORNOKEYUPDATE: return LockStrength::kNoKeyUpdate;
    case LCS_FORUPDATE:
    case LCS_NONE: return LockStrength::kUpdate;
  }
  Unreachable();
}

LockingClause ConvertLocking(Converter& c, const ::LockingClause& clause) {
  LockingClause out;
  out.strength = ConvertLockStrength(clause.strength);
  out.wait = clause.waitPolicy == LockWaitSkip ? LockWait::kSkipLocked
             : clause.waitPolicy == LockWaitError ? LockWait::kNoWait
                                                  : LockWait::kBlock;
  for (const ::RangeVar* table : Items<::RangeVar>(clause.lockedRels)) out.of.push_back(ConvertTableRef(c, *table));
  if (!out.of.empty()) out.pos = out.of.front().pos;
  return out;
}

CommonTableExpr ConvertCommonTableExpr(Converter& c, const ::CommonTableExpr& cte) {
  if (cte.search_clause != nullptr) Unsupported("SEARCH clause", c.At(cte.search_clause->location));
  if (cte.cycle_clause != nullptr) Unsupported("CYCLE clause", c.At(cte.cycle_clause->location));
  CommonTableExpr out;
  out.name = Text(cte.ctename);
  out.columns = ConvertStrings(cte.aliascolnames);
  out.materialized = cte.ctematerialized == CTEMaterializeAlways ? CommonTableExpr::Materialized::kAlways
                     : cte.ctematerialized == CTEMaterializeNever ? CommonTableExpr::Materialized::kNever
                                                                  : CommonTableExpr::Materialized::kDefault;
  out.query = ConvertStatement(c, cte.ctequery);
  out.pos = c.At(cte.location);
  return out;
}

// The clauses that only a plain SELECT or VALUES has.
void ConvertLeaf(Converter& c, const ::SelectStmt& select, SelectStatement& out) {
  ConvertDistinct(c, select.distinctClause, out);
  if (select.intoClause != nullptr) Unsupported("SELECT INTO", c.At(select.intoClause->rel->location));
  out.targets = ConvertTargets(c, select.targetList);
  out.from = ConvertFrom(c, select.fromClause);
  out.where = ConvertExpr(c, select.whereClause);
  for (const ::Node* item : Items<::Node>(select.groupClause)) out.group_by.push_back(ConvertGroupItem(c, item));
  out.group_distinct = select.groupDistinct;
  out.having = ConvertExpr(c, select.havingClause);
  for (const ::WindowDef* window : Items<::WindowDef>(select.windowClause)) out.windows.push_back(ConvertWindow(c, *window));
  const Items<::List> rows(select.valuesLists);
  out.values.reserve(rows.size());
  for (const ::List* row : rows) out.values.push_back(ConvertExprs(c, row));
}

}  // namespace

SelectPtr ConvertSelect(Converter& c, const ::SelectStmt& select) {
  const NestingLevel level(c);
  auto out = std::make_unique<SelectStatement>();
  out->with = ConvertWith(c, select.withClause);
  out->op = ConvertSetOperation(select.op);
  out->all = select.all;
  if (out->op == SetOperation::kNone) {
    ConvertLeaf(c, select, *out);
  } else {
    out->left = ConvertSelect(c, *select.larg);
    out->right = ConvertSelect(c, *select.rarg);
  }
  for (const ::SortBy* item : Items<::SortBy>(select.sortClause)) out->order_by.push_back(ConvertSortItem(c, *item));
  if (!IsNullConstant(select.limitCount)) out->limit = ConvertExpr(c, select.limitCount);  // LIMIT ALL is LIMIT NULL
  out->offset = ConvertExpr(c, select.limitOffset);
  out->with_ties = static_cast<int>(select.limitOption) == kLibraryLimitWithTies;
  for (const ::LockingClause* clause : Items<::LockingClause>(select.lockingClause)) out->locking.push_back(ConvertLocking(c, *clause));
  return out;
}

std::unique_ptr<WithClause> ConvertWith(Converter& c, const ::WithClause* with) {
  if (with == nullptr) return nullptr;
  auto out = std::make_unique<WithClause>();
  out->recursive = with->recursive;
  for (const ::CommonTableExpr* cte : Items<::CommonTableExpr>(with->ctes)) out->ctes.push_back(ConvertCommonTableExpr(c, *cte));
  out->pos = c.At(with->location);
  return out;
}

// Select lists, RETURNING, SET lists and the column list of INSERT are all lists of ResTarget.
std::vector<Target> ConvertTargets(Converter& c, const ::List* list) {
  std::vector<Target> out;
  const Items<::ResTarget> items(list);
  out.reserve(items.size());
  for (const ::ResTarget* item : items) {
    Target& target = out.emplace_back();
    target.name = Text(item->name);
    if (item->indirection != nullptr) target.indirection = ConvertSteps(c, item->indirection);
    target.pos = c.At(item->location);
    if (item->val != nullptr && Tag(item->val) == T_MultiAssignRef) {
      const auto& multi = As<::MultiAssignRef>(item->val);
      if (multi.colno == 1) target.multi_source = ConvertExpr(c, multi.source);
      target.multi_column = multi.colno;
      target.multi_count = multi.ncolumns;
    } else {
      target.expr = ConvertExpr(c, item->val);
    }
  }
  return out;
}

}  // namespace mayfly::parse
