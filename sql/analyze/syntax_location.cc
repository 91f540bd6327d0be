// Where an expression begins in the text: an operator's own position is that of its sign.
#include "sql/analyze/expr_analyzer.h"

namespace mayfly::analyze {
namespace {

// The child that stands left of the node's own sign; null where there is none.
const parse::Expr* LeftChild(const parse::Expr& expr) {
  if (const auto* n = std::get_if<parse::OperatorCall>(&expr.node)) return n->left.get();
  if (const auto* n = std::get_if<parse::AnyAllArray>(&expr.node)) return n->left.get();
  if (const auto* n = std::get_if<parse::InList>(&expr.node)) return n->left.get();
  if (const auto* n = std::get_if<parse::LikeExpr>(&expr.node)) return n->left.get();
  if (const auto* n = std::get_if<parse::BetweenExpr>(&expr.node)) return n->arg.get();
  if (const auto* n = std::get_if<parse::DistinctFrom>(&expr.node)) return n->left.get();
  if (const auto* n = std::get_if<parse::BoolExpr>(&expr.node)) return n->args[0].get();
  if (const auto* n = std::get_if<parse::NullTest>(&expr.node)) return n->arg.get();
  if (const auto* n = std::get_if<parse::BooleanTest>(&expr.node)) return n->arg.get();
  if (const auto* n = std::get_if<parse::CastExpr>(&expr.node)) return n->arg.get();
  if (const auto* n = std::get_if<parse::CollateExpr>(&expr.node)) return n->arg.get();
  if (const auto* n = std::get_if<parse::SubqueryExpr>(&expr.node)) return n->test.get();
  return nullptr;
}

SourcePos Leftmost(SourcePos a, SourcePos b) {
  if (!a.known()) return b;
  return !b.known() || a.offset < b.offset ? a : b;
}

}  // namespace

SourcePos Location(const parse::Expr& expr) {
  SourcePos pos = expr.pos;
  if (const auto* cast = std::get_if<parse::CastExpr>(&expr.node)) pos = Leftmost(pos, cast->type.pos);
  const parse::Expr* left = LeftChild(expr);
  return left == nullptr ? pos : Leftmost(pos, Location(*left));
}

}  // namespace mayfly::analyze
