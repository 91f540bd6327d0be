// DEFAULT: checking the expression, keeping it as text, computing it.
#pragma once

#include <optional>
#include <string>

#include "catalog/descriptor.h"
#include "sql/analyze/analyze.h"
#include "sql/command/command.h"

namespace mayfly::command {

analyze::AnalyzeContext MakeAnalyzeContext(const CommandContext& context, const catalog::Snapshot& snapshot);

// The expression as the column's type. 42804 `column "a" is of type integer but default expression is of type …`, and what analysis says: no
// columns, subqueries, aggregates or set-returning functions.
analyze::ExprPtr AnalyzeDefault(CommandContext& context, const catalog::ColumnDescriptor& column, const parse::Expr& expr);

// Its value, for rows that are there when the column is added: encoded by TypeOps::send; nullopt = NULL.
std::optional<std::string> ComputeDefault(CommandContext& context, const catalog::ColumnDescriptor& column, const analyze::ExprPtr& expr);

}  // namespace mayfly::command
