// Walks through expressions and the queries inside them.
#pragma once

#include "sql/analyze/query.h"

namespace mayfly::analyze {

// Calls `fn` for each expression slot that stands directly in `query` (targets, conditions, FROM, modification); null ones are
// skipped. Does not enter subqueries.
void ForEachSlot(Query& query, FunctionRef<void(ExprPtr&)> fn);
void ForEachSlot(const Query& query, FunctionRef<void(const ExprPtr&)> fn);
// Queries directly inside: FROM subqueries and the sides of a set operation.
void ForEachSubquery(const Query& query, FunctionRef<void(const QueryPtr&)> fn);

// Every node of `expr` and of the queries inside it, with how many queries deep it stands. Children of a node for which `fn`
// returns false are not visited.
void WalkDeep(const Expr& expr, int depth, FunctionRef<bool(const Expr&, int)> fn);
void WalkDeep(const Query& query, int depth, FunctionRef<bool(const Expr&, int)> fn);

}  // namespace mayfly::analyze
