// LIMIT, OFFSET, and FOR UPDATE and kin.
#include "base/check.h"
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

ExprPtr AnalyzeCount(Scope& scope, const parse::ExprPtr& syntax, ExprPlace place) {
  if (syntax == nullptr) return nullptr;
  const std::string_view clause = PlaceName(place);
  ExprPtr count = AnalyzeExprAt(scope, *syntax, place);
  count = CoerceToSpecific(scope, count, Int8Type(), clause);
  if (ContainsColumn(count)) {
    Throw(SqlError::Make(kInvalidColumnReference, "argument of {} must not contain variables", clause).At(Location(count)));
  }
  return count;
}

}  // namespace

void AnalyzeLimit(Scope& scope, const parse::SelectStatement& select) {
  scope.query->offset = AnalyzeCount(scope, select.offset, ExprPlace::kOffset);
  scope.query->limit = AnalyzeCount(scope, select.limit, ExprPlace::kLimit);
  if (select.with_ties)
    Throw(SqlError::NotSupported("FETCH FIRST ... WITH TIES", select.limit == nullptr ? SourcePos{} : select.limit->pos));
}

std::string_view LockText(parse::LockStrength strength) {
  switch (strength) {
    case parse::LockStrength::kKeyShare: return "FOR KEY SHARE";
    case parse::LockStrength::kShare: return "FOR SHARE";
    case parse::LockStrength::kNoKeyUpdate: return "FOR NO KEY UPDATE";
    case parse::LockStrength::kUpdate: return "FOR UPDATE";
  }
  Unreachable();
}

void AnalyzeLocking(Scope& scope, const std::vector<parse::LockingClause>& locking) {
  Query& query = *scope.query;
  for (const parse::LockingClause& clause : locking) {
    const std::string_view text = LockText(clause.strength);
    const auto refuse = [&](bool is, std::string_view with) {
      if (is) Throw(SqlError::Make(kFeatureNotSupported, "{} is not allowed with {}", text, with));
    };
    refuse(query.set_operation != SetOperation::kNone, "UNION/INTERSECT/EXCEPT");
    refuse(query.distinct, "DISTINCT clause");
    refuse(!query.group_by.empty(), "GROUP BY clause");
    refuse(query.having != nullptr, "HAVING clause");
    refuse(query.has_aggregates, "aggregate functions");
    refuse(query.has_target_set_functions, "set-returning functions in the target list");
    for (const parse::TableRef& of : clause.of) {
      bool found = false;
      for (const NamespaceItem& item : scope.names) found = found || ItemName(scope, item) == of.name;
      if (!found) {
        Throw(SqlError::Make(kUndefinedTable, "relation \"{}\" in {} clause not found in FROM clause", of.name, text).At(of.pos));
      }
    }
    // A row lock of one table among several needs more than the executor of row locks can do.
    if (!clause.of.empty() && scope.names.size() > 1) Throw(SqlError::NotSupported(fmt::format("{} OF", text), clause.of[0].pos));
    const auto lock = static_cast<RowLock>(static_cast<int>(clause.strength) + 1);
    if (lock > query.lock) query.lock = lock;
    const auto wait = static_cast<LockWait>(clause.wait);
    if (wait > query.lock_wait) query.lock_wait = wait;
  }
}

}  // namespace mayfly::analyze
