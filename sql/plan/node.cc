#include "sql/plan/builder.h"

#include <algorithm>

namespace mayfly::plan {

namespace {

template <typename Op>
concept HasInput = requires(Op op) {
  op.input;
};
template <typename Op>
concept HasTwoInputs = requires(Op op) {
  op.left;
  op.right;
};
template <typename Op>
concept HasManyInputs = requires(Op op) {
  op.inputs;
};

constexpr double kCpuTupleCost = 0.01;
constexpr double kFilterSelectivity = 1.0 / 3;

}  // namespace

void ForEachInput(const Node& node, FunctionRef<void(const NodePtr&)> fn) {
  std::visit(
      [&](const auto& op) {
        using Op = std::remove_cvref_t<decltype(op)>;
        if constexpr (HasInput<Op>) fn(op.input);
        if constexpr (HasTwoInputs<Op>) {
          fn(op.left);
          fn(op.right);
        }
        if constexpr (HasManyInputs<Op>) {
          for (const NodePtr& input : op.inputs) fn(input);
        }
      },
      node.op);
}

NodePtr MapInputs(const NodePtr& node, FunctionRef<NodePtr(const NodePtr&)> fn) {
  auto copy = std::make_shared<Node>(*node);
  bool changed = false;
  const auto replace = [&](NodePtr& input) {
    NodePtr mapped = fn(input);
    changed = changed || mapped != input;
    input = std::move(mapped);
  };
  std::visit(
      [&](auto& op) {
        using Op = std::remove_cvref_t<decltype(op)>;
        if constexpr (HasInput<Op>) replace(op.input);
        if constexpr (HasTwoInputs<Op>) {
          replace(op.left);
          replace(op.right);
        }
        if constexpr (HasManyInputs<Op>) {
          for (NodePtr& input : op.inputs) replace(input);
        }
      },
      copy->op);
  if (!changed) return node;
  return copy;
}

NodePtr MakeNode(Node::Op op, std::vector<OutputColumn> output, double rows, double startup_cost, double total_cost) {
  auto node = std::make_shared<Node>();
  node->op = std::move(op);
  node->output = std::move(output);
  node->rows = rows;
  node->startup_cost = startup_cost;
  node->total_cost = total_cost;
  return node;
}

NodePtr MakeFilter(NodePtr input, ExprPtr predicate) {
  if (predicate == nullptr) return input;
  const double rows = std::max(1.0, input->rows * kFilterSelectivity);
  const double startup = input->startup_cost;
  const double total = input->total_cost + input->rows * kCpuTupleCost;
  std::vector<OutputColumn> output = input->output;
  return MakeNode(Filter{std::move(input), std::move(predicate)}, std::move(output), rows, startup, total);
}

std::vector<OutputColumn> OutputOf(const std::vector<ExprPtr>& exprs) {
  std::vector<OutputColumn> output;
  output.reserve(exprs.size());
  for (const ExprPtr& expr : exprs) output.push_back({expr->type, expr->typmod});
  return output;
}

NodePtr MakeProject(NodePtr input, std::vector<ExprPtr> exprs) {
  bool identity = exprs.size() == input->output.size();
  for (size_t i = 0; identity && i < exprs.size(); ++i) {
    const auto* ref = exprs[i]->As<analyze::InputRef>();
    identity = ref != nullptr && ref->column == i;
  }
  if (identity) return input;
  const double rows = input->rows;
  const double startup = input->startup_cost;
  const double total = input->total_cost + rows * kCpuTupleCost;
  std::vector<OutputColumn> output = OutputOf(exprs);
  return MakeNode(Project{std::move(input), std::move(exprs)}, std::move(output), rows, startup, total);
}

}  // namespace mayfly::plan
