// SQL text of expressions as PostgreSQL shows them (pg_get_expr, EXPLAIN).
#pragma once

#include <string>

#include "sql/analyze/expr.h"

namespace mayfly::analyze {

// Names what an expression refers to outside itself: Var, InputRef, OuterParam, SubPlan, SubPlanColumn, SubLink.
using NameFn = FunctionRef<std::string(const Expr&)>;

std::string Deparse(const Expr& expr, NameFn name);

}  // namespace mayfly::analyze
