#include "sql/command/default_value.h"

#include "sql/exec/expr_state.h"
#include "sql/types/format_type.h"

namespace mayfly::command {
namespace {

// 'x', NULL and $n take their type from the column: there is nothing to compare yet.
bool HasOwnType(const parse::Expr& expr) {
  const auto* constant = std::get_if<parse::Constant>(&expr.node);
  if (constant != nullptr) return constant->kind != parse::ConstantKind::kString && constant->kind != parse::ConstantKind::kNull;
  return !std::holds_alternative<parse::ParameterRef>(expr.node);
}

}  // namespace

analyze::AnalyzeContext MakeAnalyzeContext(const CommandContext& context, const catalog::Snapshot& snapshot) {
  return {.snapshot = snapshot, .search_path = context.search_path, .io = context.call.io, .database_name = context.database_name};
}

analyze::ExprPtr AnalyzeDefault(CommandContext& context, const catalog::ColumnDescriptor& column, const parse::Expr& expr) {
  constexpr std::string_view kClause = "DEFAULT expressions";
  const catalog::SnapshotPtr snapshot = context.snapshot();
  const analyze::AnalyzeContext analysis = MakeAnalyzeContext(context, *snapshot);
  if (HasOwnType(expr)) {
    const analyze::ExprPtr natural = analyze::AnalyzeScalar(analysis, expr, nullptr, -1, kClause);
    if (!analyze::CanCoerce(*natural->type, *column.type, catalog::CastContext::kAssignment)) {
      Throw(SqlError::Make(kDatatypeMismatch, "column \"{}\" is of type {} but default expression is of type {}", column.name,
                           types::FormatType(*column.type), types::FormatType(*natural->type))
                .Hint("You will need to rewrite or cast the expression."));
    }
  }
  return analyze::AnalyzeScalar(analysis, expr, column.type, column.typmod, kClause);
}

std::optional<std::string> ComputeDefault(CommandContext& context, const catalog::ColumnDescriptor& column, const analyze::ExprPtr& expr) {
  const catalog::SnapshotPtr snapshot = context.snapshot();
  const plan::Plan no_plan;
  exec::StorageAccess storage(context.engine);
  storage.Reset(&context.host.storage_transaction(), false);
  MemoryAccount memory(0);
  exec::ExecContext execution{.call = context.call,
                              .storage = storage,
                              .catalog = *snapshot,
                              .runtime = nullptr,
                              .params = {},
                              .outer_params = {},
                              .memory = memory,
                              .lock = context.lock};
  const exec::ExprStatePtr state = exec::MakeExprState(*expr, {.plan = no_plan, .capacity = 1});
  const types::Datum value = exec::EvalScalar(*state, execution);
  if (value.is_null()) return std::nullopt;
  std::string bytes;
  column.type->ops->send(*column.type, value, context.call.io, bytes);
  return bytes;
}

}  // namespace mayfly::command
