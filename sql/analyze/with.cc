// WITH: each common table is analyzed where it is written, and inlined as a subquery where it is named.
//
// PostgreSQL computes one that is named more than once a single time; the difference shows only for volatile functions, so that
// is refused.
#include <algorithm>

#include "sql/analyze/clauses.h"
#include "sql/analyze/walk.h"

namespace mayfly::analyze {
namespace {

bool HasVolatile(const Query& query) {
  bool found = false;
  WalkDeep(query, 0, [&](const Expr& expr, int) {
    const auto* call = expr.As<Call>();
    found = found || (call != nullptr && call->proc->volatility == catalog::Volatility::kVolatile);
    return !found;
  });
  return found;
}

}  // namespace

void AnalyzeWith(Scope& scope, const parse::WithClause* with) {
  if (with == nullptr) return;
  if (with->recursive) Throw(SqlError::NotSupported("WITH RECURSIVE", with->pos));
  for (const parse::CommonTableExpr& cte : with->ctes) {
    const auto same = [&](const CommonTable& known) { return known.name == cte.name; };
    if (std::any_of(scope.common_tables.begin(), scope.common_tables.end(), same)) {
      Throw(SqlError::Make(kDuplicateAlias, "WITH query name \"{}\" specified more than once", cte.name).At(cte.pos));
    }
    const auto* select = std::get_if<parse::SelectStatement>(&cte.query->node);
    if (select == nullptr) Throw(SqlError::NotSupported("data-modifying statement in WITH", cte.pos));
    CommonTable table{.name = cte.name, .query = AnalyzeSubselect(scope, *select), .columns = {}};
    table.columns = OutputColumns(*table.query);
    if (cte.columns.size() > table.columns.size()) {
      Throw(SqlError::Make(kInvalidColumnReference, "WITH query \"{}\" has {} columns available but {} columns specified",
                           cte.name, table.columns.size(), cte.columns.size())
                .At(cte.pos));
    }
    for (size_t i = 0; i < cte.columns.size(); ++i) table.columns[i].name = cte.columns[i];
    table.is_volatile = HasVolatile(*table.query);
    scope.common_tables.push_back(std::move(table));
  }
}

FoundCommonTable FindCommonTable(Scope& scope, std::string_view name) {
  int levels_up = 0;
  for (Scope* at = &scope; at != nullptr; at = at->parent, ++levels_up) {
    for (CommonTable& table : at->common_tables) {
      if (table.name == name) return {&table, levels_up};
    }
  }
  return {};
}

}  // namespace mayfly::analyze
