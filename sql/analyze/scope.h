// What names mean at one place of a query: the range table so far, which entries are visible, and the query around.
//
// A Scope is one query level while it is analyzed (PostgreSQL's ParseState). Names are looked for in its namespace, then in the
// scopes around it; each step outwards adds one to Var::levels_up.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "sql/analyze/query.h"
#include "sql/parse/ast.h"

namespace mayfly::analyze {

// Where an expression stands; decides what it may contain, and what errors call it.
enum class ExprPlace : uint8_t {
  kOther,
  kJoinOn,
  kJoinUsing,
  kFromFunction,
  kWhere,
  kHaving,
  kFilter,
  kSelectTarget,
  kUpdateSource,
  kGroupBy,
  kOrderBy,
  kDistinctOn,
  kLimit,
  kOffset,
  kReturning,
  kValues,
  kScalarClause,
  kIndexExpression
};
// "WHERE", "GROUP BY" … as PostgreSQL's errors say it.
std::string_view PlaceName(ExprPlace place);

// What is shared by all levels of one Analyze call.
struct Analysis {
  const AnalyzeContext& context;
  // Types of $1 …; null = not known (yet).
  std::vector<const types::TypeDesc*> parameters;
  bool infer_parameters = false;
  Arena arena = {};  // literals while they are parsed
  int view_depth = 0;
  std::string_view scalar_clause = {};  // AnalyzeScalar's `clause`
};

// A column of a join: one of the columns below, or the merged column of USING.
struct JoinColumn {
  std::string name;
  size_t entry = 0;
  size_t column = 0;
  ExprPtr merged;  // wins over entry and column
};

// One thing that can be named in a query level: a range table entry, or a join (whose columns stand for those below it).
struct NamespaceItem {
  bool is_join = false;
  size_t entry = 0;                 // unless is_join
  std::string alias;                // of a join; entries have theirs in the range table
  std::vector<JoinColumn> columns;  // is_join
  bool relation_visible = true;     // as t in t.a
  bool columns_visible = true;      // as a
  bool lateral_only = false;
  bool lateral_ok = true;
};

struct CommonTable {
  std::string name;
  QueryPtr query;
  std::vector<RteColumn> columns;
  bool is_volatile = false;
  int references = 0;
};

struct Scope {
  Analysis& analysis;
  Scope* parent = nullptr;
  std::shared_ptr<Query> query = std::make_shared<Query>();
  std::vector<NamespaceItem> names = {};
  std::vector<CommonTable> common_tables = {};
  ExprPlace place = ExprPlace::kOther;
  bool lateral_active = false;
  bool resolve_unknowns = true;
  bool has_set_function = false;                       // one was seen in the expression that is being analyzed
  std::string_view set_function_refused = {};          // "CASE", "COALESCE": set-returning functions are not allowed in there
  const parse::FunctionCall* from_function = nullptr;  // FROM: the call that may return a set

  const AnalyzeContext& context() const { return analysis.context; }
};

// Sets Scope::place while an expression is analyzed.
class PlaceGuard {
 public:
  PlaceGuard(Scope& scope, ExprPlace place) : scope_(scope), old_(std::exchange(scope.place, place)) {}
  ~PlaceGuard() { scope_.place = old_; }
  PlaceGuard(const PlaceGuard&) = delete;
  PlaceGuard& operator=(const PlaceGuard&) = delete;

 private:
  Scope& scope_;
  ExprPlace old_;
};

// A Var of `entry` of the scope `levels_up` above `scope`.
ExprPtr MakeVar(const Scope& scope, size_t entry, size_t column, int levels_up, SourcePos pos);
// The expression that a column of a namespace item stands for, seen from `levels_up` levels below.
ExprPtr ItemColumn(const Scope& scope, const NamespaceItem& item, size_t column, int levels_up, SourcePos pos);
size_t ItemColumnCount(const Scope& scope, const NamespaceItem& item);  // those of *
const std::string& ItemColumnName(const Scope& scope, const NamespaceItem& item, size_t column);
std::string_view ItemName(const Scope& scope, const NamespaceItem& item);

// An unqualified column; null where no visible item has it. 42702 where several have.
ExprPtr FindColumn(Scope& scope, std::string_view name, SourcePos pos);
// A column of one item; null where it has none. System columns are found too.
ExprPtr FindItemColumn(Scope& item_scope, const NamespaceItem& item, std::string_view name, int levels_up, SourcePos pos);
// A relation by its alias, or by schema and table name; null where none is visible.
struct FoundItem {
  const NamespaceItem* item = nullptr;
  Scope* scope = nullptr;
  int levels_up = 0;
};
FoundItem FindRelation(Scope& scope, std::string_view schema, std::string_view name, SourcePos pos);

// Throws 42703 or 42P01 with PostgreSQL's hints (missing_name.cc).
[[noreturn]] void ThrowMissingColumn(Scope& scope, std::string_view relation, std::string_view column, SourcePos pos);
[[noreturn]] void ThrowMissingRelation(Scope& scope, std::string_view schema, std::string_view name, SourcePos pos);

// 42712 where an item of `added` has the name of one in `present`.
void CheckNameConflicts(const Scope& scope, std::span<const NamespaceItem> present, std::span<const NamespaceItem> added);

// Adds an entry to the range table; returns its index.
size_t AddEntry(Scope& scope, RangeTableEntry entry);

// `expr` seen from `delta` more levels below: every Var (or aggregate) that points out of `depth` inner levels is shifted.
ExprPtr ShiftLevels(const ExprPtr& expr, int delta, int depth = 0);
QueryPtr ShiftLevels(const QueryPtr& query, int delta, int depth);

}  // namespace mayfly::analyze
