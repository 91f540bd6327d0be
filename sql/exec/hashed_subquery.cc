#include "sql/exec/hashed_subquery.h"

namespace mayfly::exec {

using types::Batch;
using types::Selection;
using types::Vector;

namespace {

template <typename Node>
bool Contains(const analyze::Expr& expr) {
  bool found = expr.As<Node>() != nullptr;
  analyze::ForEachChild(expr, [&](const analyze::ExprPtr& child) { found = found || Contains<Node>(*child); });
  return found;
}

bool IsOuter(const analyze::Expr& expr) { return !Contains<analyze::SubPlanColumn>(expr) && !Contains<analyze::SubPlan>(expr); }
bool IsInner(const analyze::Expr& expr) {
  return Contains<analyze::SubPlanColumn>(expr) && !Contains<analyze::InputRef>(expr) && !Contains<analyze::OuterParam>(expr) &&
         !Contains<analyze::SubPlan>(expr);
}

}  // namespace

std::unique_ptr<HashedSubquery> HashedSubquery::Make(const analyze::SubPlan& node, const BuildContext& build,
                                                     const Batch* const* rows) {
  if (node.kind != analyze::SubLinkKind::kAny || !node.args.empty()) return nullptr;
  for (const analyze::ExprPtr& comparison : node.comparisons) {
    const auto* call = comparison->As<analyze::Call>();
    if (call == nullptr || call->op == nullptr || call->args.size() != 2) return nullptr;
    const analyze::Expr& left = *call->args[0];
    const analyze::Expr& right = *call->args[1];
    if (left.type != right.type || left.type->ops->encode_key == nullptr) return nullptr;
    if (catalog::FindBtreeOperators(call->op->left).equal != call->op->oid || !IsOuter(left) || !IsInner(right)) return nullptr;
  }
  auto hashed = std::make_unique<HashedSubquery>();
  BuildContext inner = build;
  inner.capacity = types::kBatchRows;
  inner.subplan_rows = rows;
  for (const analyze::ExprPtr& comparison : node.comparisons) {
    const auto& args = comparison->As<analyze::Call>()->args;
    hashed->left_.push_back(MakeExprState(*args[0], build));
    hashed->right_.push_back(MakeExprState(*args[1], inner));
    hashed->types_.push_back(args[0]->type);
  }
  return hashed;
}

void HashedSubquery::Clear(ExecContext& context) {
  keys_.Clear(&context.memory);
  row_count_ = 0;
  has_null_row_ = false;
}

void HashedSubquery::Add(ExecContext& context, const Batch& batch) {
  const Selection rows = batch.selection();
  std::vector<const Vector*> values;
  for (const ExprStatePtr& right : right_) values.push_back(&right->Eval(context, batch, rows));
  for (size_t i = 0; i < rows.count; ++i) {
    key_.clear();
    bool has_null = false;
    for (size_t column = 0; column < values.size(); ++column)
      AppendKeyValue(*types_[column], values[column]->Get(rows[i]), key_, &has_null);
    bool is_new = false;
    if (!has_null) keys_.Insert(key_, &is_new);
    has_null_row_ = has_null_row_ || has_null;
  }
  row_count_ += rows.count;
}

void HashedSubquery::Evaluate(ExecContext& context, const Batch& batch, Selection rows) {
  left_values_.clear();
  for (const ExprStatePtr& left : left_) left_values_.push_back(&left->Eval(context, batch, rows));
}

HashedSubquery::Answer HashedSubquery::Find(size_t row) {
  if (row_count_ == 0) return Answer::kFalse;
  key_.clear();
  bool has_null = false;
  for (size_t i = 0; i < left_values_.size(); ++i) AppendKeyValue(*types_[i], left_values_[i]->Get(row), key_, &has_null);
  if (!has_null && keys_.Find(key_) != KeyTable::kNone) return Answer::kTrue;
  if (!has_null && !has_null_row_) return Answer::kFalse;
  return left_values_.size() == 1 ? Answer::kNull : Answer::kUnknown;
}

}  // namespace mayfly::exec
