// Function calls: the kernel was chosen at analysis; here are strictness, constant folding at run time, and casts through text.
#include "base/check.h"
#include "sql/exec/expr_states.h"

namespace mayfly::exec {

using types::Batch;
using types::Selection;
using types::Vector;

FunctionCaller::FunctionCaller(const catalog::ProcRow& proc, std::vector<func::TypeUse> arg_types, func::TypeUse result,
                               size_t capacity, SourcePos pos)
    : proc_(proc), arg_types_(std::move(arg_types)), result_type_(result), result_(result.type->physical(), capacity) {
  if (proc_.kernel == nullptr) Throw(SqlError::NotSupported(fmt::format("function {}", proc_.name), pos));
}

const Vector& FunctionCaller::Call(ExecContext& context, std::span<const Vector* const> args, Selection rows) {
  result_.Reset();
  bool all_constant = proc_.volatility != catalog::Volatility::kVolatile;
  bool may_have_nulls = false;
  for (const Vector* arg : args) {
    all_constant = all_constant && arg->is_constant();
    may_have_nulls = may_have_nulls || arg->may_have_nulls();
  }
  if (all_constant) {
    rows = Selection{nullptr, rows.count == 0 ? size_t{0} : size_t{1}};
    result_.SetConstant();
  }
  if (proc_.strict && may_have_nulls) {
    non_null_.clear();
    for (size_t i = 0; i < rows.count; ++i) {
      const size_t row = rows[i];
      bool is_null = false;
      for (const Vector* arg : args) is_null = is_null || arg->IsNull(row);
      if (is_null) {
        result_.SetNull(row);
      } else {
        non_null_.push_back(static_cast<uint16_t>(row));
      }
    }
    rows = Selection{non_null_.data(), non_null_.size()};
  }
  if (rows.count != 0) proc_.kernel({context.call, args, rows, result_, arg_types_, result_type_});
  return result_;
}

void CopyRows(const Vector& from, Vector& to, Selection rows) {
  const size_t width = PhysicalSize(to.physical());
  char* out = to.data<char>();
  const char* in = from.data<char>();
  for (size_t i = 0; i < rows.count; ++i) {
    const size_t row = rows[i];
    if (from.IsNull(row)) {
      to.SetNull(row);
    } else {
      std::memcpy(out + row * width, in + from.Index(row) * width, width);
    }
  }
}

namespace {

std::vector<func::TypeUse> TypesOf(const std::vector<analyze::ExprPtr>& args) {
  std::vector<func::TypeUse> uses;
  for (const analyze::ExprPtr& arg : args) uses.push_back({arg->type, arg->typmod});
  return uses;
}

class CallState final : public ExprState {
 public:
  CallState(const analyze::Expr& expr, const analyze::Call& call, const BuildContext& build)
      : args_(MakeExprStates(call.args, build)),
        values_(args_.size()),
        caller_(*call.proc, TypesOf(call.args), {expr.type, expr.typmod}, build.capacity, expr.pos) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    for (size_t i = 0; i < args_.size(); ++i) values_[i] = &args_[i]->Eval(context, batch, rows);
    return caller_.Call(context, values_, rows);
  }

 private:
  std::vector<ExprStatePtr> args_;
  std::vector<const Vector*> values_;
  FunctionCaller caller_;
};

// Casts through the text form: the source type's output, then the target type's input.
class CoerceViaIoState final : public ExprState {
 public:
  CoerceViaIoState(const analyze::Expr& expr, const analyze::CoerceViaIo& coerce, const BuildContext& build)
      : arg_(MakeExprState(*coerce.arg, build)),
        from_(*coerce.arg->type),
        to_(*expr.type),
        typmod_(expr.typmod),
        result_(expr.type->physical(), build.capacity) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const Vector& arg = arg_->Eval(context, batch, rows);
    result_.Reset();
    if (arg.is_constant()) {
      rows = Selection{nullptr, 1};
      result_.SetConstant();
    }
    for (size_t i = 0; i < rows.count; ++i) {
      const size_t row = rows[i];
      if (arg.IsNull(row)) {
        result_.SetNull(row);
        continue;
      }
      text_.clear();
      from_.ops->out(from_, arg.Get(row), context.call.io, text_);
      const types::Datum value = to_.ops->in(to_, text_, typmod_, context.call.io, result_.heap()).value();
      // The parsed value may borrow from the text.
      result_.SetDatum(row, value);
    }
    return result_;
  }

 private:
  ExprStatePtr arg_;
  const types::TypeDesc& from_;
  const types::TypeDesc& to_;
  int32_t typmod_;
  Vector result_;
  std::string text_;
};

// IS [NOT] DISTINCT FROM: never NULL.
class DistinctFromState final : public ExprState {
 public:
  DistinctFromState(const analyze::Expr& expr, const analyze::DistinctFrom& distinct, const BuildContext& build)
      : left_(MakeExprState(*distinct.left, build)),
        right_(MakeExprState(*distinct.right, build)),
        equal_(*distinct.equal, TypesOf({distinct.left, distinct.right}), {expr.type, -1}, build.capacity, expr.pos),
        negated_(distinct.negated),
        result_(types::PhysicalType::kBool, build.capacity) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const Vector* args[] = {&left_->Eval(context, batch, rows), &right_->Eval(context, batch, rows)};
    const Vector& equal = equal_.Call(context, args, rows);
    result_.Reset();
    for (size_t i = 0; i < rows.count; ++i) {
      const size_t row = rows[i];
      const bool left_null = args[0]->IsNull(row);
      const bool right_null = args[1]->IsNull(row);
      const bool distinct = left_null || right_null ? left_null != right_null : !equal.data<bool>()[equal.Index(row)];
      result_.Set(row, distinct != negated_);
    }
    return result_;
  }

 private:
  ExprStatePtr left_;
  ExprStatePtr right_;
  FunctionCaller equal_;
  bool negated_;
  Vector result_;
};

class NullIfState final : public ExprState {
 public:
  NullIfState(const analyze::Expr& expr, const analyze::NullIf& null_if, const BuildContext& build)
      : left_(MakeExprState(*null_if.left, build)),
        right_(MakeExprState(*null_if.right, build)),
        equal_(*null_if.equal, TypesOf({null_if.left, null_if.right}), {catalog::FindType(catalog::kOidBool), -1}, build.capacity,
               expr.pos),
        result_(expr.type->physical(), build.capacity) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const Vector* args[] = {&left_->Eval(context, batch, rows), &right_->Eval(context, batch, rows)};
    const Vector& equal = equal_.Call(context, args, rows);
    result_.Reset();
    CopyRows(*args[0], result_, rows);
    for (size_t i = 0; i < rows.count; ++i) {
      const size_t row = rows[i];
      if (!equal.IsNull(row) && equal.data<bool>()[equal.Index(row)]) result_.SetNull(row);
    }
    return result_;
  }

 private:
  ExprStatePtr left_;
  ExprStatePtr right_;
  FunctionCaller equal_;
  Vector result_;
};

}  // namespace

ExprStatePtr MakeCallState(const analyze::Expr& expr, const BuildContext& build) {
  if (const auto* call = expr.As<analyze::Call>()) return std::make_unique<CallState>(expr, *call, build);
  if (const auto* coerce = expr.As<analyze::CoerceViaIo>()) return std::make_unique<CoerceViaIoState>(expr, *coerce, build);
  if (const auto* distinct = expr.As<analyze::DistinctFrom>()) return std::make_unique<DistinctFromState>(expr, *distinct, build);
  if (const auto* null_if = expr.As<analyze::NullIf>()) return std::make_unique<NullIfState>(expr, *null_if, build);
  return nullptr;
}

}  // namespace mayfly::exec
