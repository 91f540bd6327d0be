#include "sql/exec/set_function.h"

namespace mayfly::exec {

SetCall::SetCall(const analyze::Expr& expr, const BuildContext& build) : result_type_{expr.type, expr.typmod} {
  const auto* call = expr.As<analyze::Call>();
  if (call == nullptr || !call->proc->returns_set) {
    scalar_ = MakeExprState(expr, build);
    columns_.push_back(expr.type->physical());
    return;
  }
  proc_ = call->proc;
  if (proc_->set_function == nullptr) Throw(SqlError::NotSupported(fmt::format("function {}", proc_->name), expr.pos));
  args_ = MakeExprStates(call->args, build);
  for (const analyze::ExprPtr& arg : call->args) arg_types_.push_back({arg->type, arg->typmod});
  if (proc_->out_types.size() > 1) {
    for (const uint32_t oid : proc_->out_types) {
      const types::TypeDesc* type = catalog::FindType(Oid{oid});
      columns_.push_back(type->ops == nullptr ? types::PhysicalType::kBytes : type->physical());
    }
  } else {
    columns_.push_back(expr.type->physical());
  }
}

void SetCall::Start(ExecContext& context, const types::Batch& batch, size_t row) {
  const auto selected = static_cast<uint16_t>(row);
  const types::Selection one{&selected, 1};
  running_.reset();
  if (proc_ == nullptr) {
    scalar_value_ = types::OwnedDatum(columns_[0], scalar_->Eval(context, batch, one).Get(row));
    scalar_pending_ = true;
    return;
  }
  arg_values_.clear();
  arg_datums_.clear();
  bool any_null = false;
  for (size_t i = 0; i < args_.size(); ++i) {
    arg_values_.emplace_back(arg_types_[i].type->physical(), args_[i]->Eval(context, batch, one).Get(row));
    any_null = any_null || arg_values_.back().is_null();
  }
  if (proc_->strict && any_null) return;
  for (const types::OwnedDatum& value : arg_values_) arg_datums_.push_back(value.get());
  running_ = proc_->set_function({context.call, arg_datums_, arg_types_, result_type_});
}

size_t SetCall::Next(size_t rows_max, std::span<types::Vector* const> out) {
  if (proc_ == nullptr) {
    if (!scalar_pending_) return 0;
    scalar_pending_ = false;
    out[0]->SetDatum(0, scalar_value_.get());
    return 1;
  }
  return running_ == nullptr ? 0 : running_->Next(rows_max, out);
}

}  // namespace mayfly::exec
