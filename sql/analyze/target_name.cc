// The name of an output column without AS: the column, function or type that the expression is made of (FigureColname).
#include "sql/analyze/expr_analyzer.h"

namespace mayfly::analyze {
namespace {

// A weak name (of a cast's type, or "case") gives way to a strong one.
enum class Strength : uint8_t { kNone, kWeak, kStrong };

Strength Name(const parse::Expr& expr, std::string& name);

Strength NameOfSubquery(const parse::SubqueryExpr& subquery, std::string& name) {
  switch (subquery.kind) {
    case parse::SubqueryKind::kExists: name = "exists"; return Strength::kStrong;
    case parse::SubqueryKind::kArray: name = "array"; return Strength::kStrong;
    case parse::SubqueryKind::kScalar: {
      // Of a set operation it is the leftmost SELECT that names.
      const parse::SelectStatement* select = subquery.select.get();
      while (select->left != nullptr) select = select->left.get();
      if (select->targets.empty()) {
        if (select->values.empty()) return Strength::kNone;
        name = "column1";
        return Strength::kStrong;
      }
      const parse::Target& target = select->targets.front();
      if (!target.name.empty()) {
        name = target.name;
        return Strength::kStrong;
      }
      return Name(*target.expr, name);
    }
    default: return Strength::kNone;
  }
}

Strength Name(const parse::Expr& expr, std::string& name) {
  const auto strong = [&](std::string_view text) {
    name = text;
    return Strength::kStrong;
  };
  if (const auto* n = std::get_if<parse::ColumnRef>(&expr.node)) {
    return n->fields.empty() || n->star ? Strength::kNone : strong(n->fields.back());
  }
  if (const auto* n = std::get_if<parse::Indirection>(&expr.node)) {
    for (size_t i = n->steps.size(); i-- > 0;) {
      if (n->steps[i].subscript == nullptr && !n->steps[i].star) return strong(n->steps[i].field);
    }
    return Name(*n->arg, name);
  }
  if (const auto* n = std::get_if<parse::FunctionCall>(&expr.node)) return strong(n->name.back());
  if (std::holds_alternative<parse::NullIf>(expr.node)) return strong("nullif");
  if (const auto* n = std::get_if<parse::CastExpr>(&expr.node)) {
    if (Name(*n->arg, name) == Strength::kStrong) return Strength::kStrong;
    name = n->type.name.back();
    return Strength::kWeak;
  }
  if (const auto* n = std::get_if<parse::CollateExpr>(&expr.node)) return Name(*n->arg, name);
  if (std::holds_alternative<parse::GroupingFunc>(expr.node)) return strong("grouping");
  if (const auto* n = std::get_if<parse::SubqueryExpr>(&expr.node)) return NameOfSubquery(*n, name);
  if (const auto* n = std::get_if<parse::CaseExpr>(&expr.node)) {
    if (n->otherwise != nullptr && Name(*n->otherwise, name) == Strength::kStrong) return Strength::kStrong;
    name = "case";
    return Strength::kWeak;
  }
  if (std::holds_alternative<parse::ArrayExpr>(expr.node)) return strong("array");
  if (std::holds_alternative<parse::RowExpr>(expr.node)) return strong("row");
  if (std::holds_alternative<parse::CoalesceExpr>(expr.node)) return strong("coalesce");
  if (const auto* n = std::get_if<parse::MinMaxExpr>(&expr.node)) return strong(n->greatest ? "greatest" : "least");
  if (const auto* n = std::get_if<parse::SqlValueFunction>(&expr.node)) return strong(n->name);
  return Strength::kNone;
}

}  // namespace

std::string OutputName(const parse::Expr& expr) {
  std::string name;
  return Name(expr, name) == Strength::kNone ? "?column?" : name;
}

}  // namespace mayfly::analyze
