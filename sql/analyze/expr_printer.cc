// Canonical text of typed expressions for golden tests: every coercion and every type is visible.
//
//   int4 + numeric:  +(numeric(@0.1:int4), 1.5:numeric):numeric      @entry.column, ^n for n levels up
#include "sql/analyze/expr.h"
#include "sql/analyze/query_printer.h"
#include "sql/types/format_type.h"

namespace mayfly::analyze {
namespace {

struct Printer {
  std::string out;
  const Expr* self = nullptr;

  void Print(const Expr& expr) {
    const Expr* outer = std::exchange(self, &expr);
    std::visit(*this, expr.node);
    self = outer;
  }
  void List(const std::vector<ExprPtr>& list) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out += ", ";
      Print(*list[i]);
    }
  }
  void Type() { out += ":" + types::FormatType(*self->type, self->typmod); }
  void Function(std::string_view name, const std::vector<ExprPtr>& args) {
    out += name;
    out += '(';
    List(args);
    out += ')';
  }
  void One(std::string_view name, const ExprPtr& arg) {
    out += name;
    out += '(';
    Print(*arg);
    out += ')';
  }

  void operator()(const Const& n) {
    if (n.value.is_null()) {
      out += "NULL";
    } else {
      static const types::IoSettings settings;
      out += '\'';
      self->type->ops->out(*self->type, n.value.get(), {settings}, out);
      out += '\'';
    }
    Type();
  }
  void operator()(const Param& n) {
    out += fmt::format("${}", n.number);
    Type();
  }
  void operator()(const Var& n) {
    out += fmt::format("@{}.{}", n.entry, n.column);
    if (n.levels_up != 0) out += fmt::format("^{}", n.levels_up);
    Type();
  }
  void operator()(const InputRef& n) { out += fmt::format("#{}", n.column); }
  void operator()(const OuterParam& n) { out += fmt::format("outer${}", n.number); }
  void operator()(const SubPlanColumn& n) { out += fmt::format("sub#{}", n.column); }
  void operator()(const CaseTestValue&) { out += "test"; }
  void operator()(const Call& n) {
    if (n.form == CallForm::kCast) out += n.explicit_cast ? "cast " : "implicit ";
    if (n.variadic_array) out += "variadic ";
    Function(n.form == CallForm::kOperator ? n.op->name : n.proc->name, n.args);
    Type();
  }
  void operator()(const Aggregate& n) {
    out += n.proc->name;
    out += '(';
    if (n.distinct) out += "distinct ";
    if (n.star) out += '*';
    List(n.args);
    for (const SortKey& key : n.order_by) {
      out += " order ";
      Print(*key.expr);
      out += key.descending ? " desc" : " asc";
      out += key.nulls_first ? " nulls first" : " nulls last";
    }
    if (n.filter != nullptr) One(" filter ", n.filter);
    out += ')';
    if (n.levels_up != 0) out += fmt::format("^{}", n.levels_up);
    Type();
  }
  void operator()(const Bool& n) { Function(n.op == BoolOp::kAnd ? "and" : n.op == BoolOp::kOr ? "or" : "not", n.args); }
  void operator()(const NullTest& n) { One(n.is_not ? "is_not_null" : "is_null", n.arg); }
  void operator()(const BooleanTest& n) {
    static constexpr std::string_view kNames[] = {"is_true",      "is_not_true", "is_false",
                                                  "is_not_false", "is_unknown",  "is_not_unknown"};
    One(kNames[static_cast<size_t>(n.test)], n.arg);
  }
  void operator()(const Case& n) {
    out += "case(";
    if (n.arg != nullptr) Print(*n.arg);
    for (const Case::When& when : n.whens) {
      out += " when ";
      Print(*when.condition);
      out += " then ";
      Print(*when.result);
    }
    out += " else ";
    Print(*n.otherwise);
    out += ')';
    Type();
  }
  void operator()(const Coalesce& n) {
    Function("coalesce", n.args);
    Type();
  }
  void operator()(const MinMax& n) {
    Function(n.greatest ? "greatest" : "least", n.args);
    Type();
  }
  void operator()(const DistinctFrom& n) { Function(n.negated ? "not_distinct" : "distinct", {n.left, n.right}); }
  void operator()(const NullIf& n) {
    Function("nullif", {n.left, n.right});
    Type();
  }
  void operator()(const AnyAll& n) {
    out += n.op->name;
    out += n.all ? " all(" : " any(";
    Print(*n.left);
    out += n.array != nullptr ? ", array " : "; ";
    if (n.array != nullptr) Print(*n.array);
    List(n.elements);
    out += ')';
  }
  void operator()(const Relabel& n) {
    One(n.explicit_cast ? "cast relabel" : "relabel", n.arg);
    Type();
  }
  void operator()(const CoerceViaIo& n) {
    One(n.explicit_cast ? "cast io" : "io", n.arg);
    Type();
  }
  void operator()(const ArrayCoerce& n) {
    Function("array_coerce", {n.arg, n.element});
    Type();
  }
  void operator()(const Row& n) { Function("row", n.args); }
  void operator()(const ArrayConstructor& n) {
    Function(n.multi_dimensional ? "array_nd" : "array", n.elements);
    Type();
  }
  void operator()(const ArraySubscript& n) {
    out += "subscript(";
    Print(*n.array);
    for (const ArraySubscript::Index& index : n.indexes) {
      out += '[';
      if (index.lower != nullptr) Print(*index.lower);
      if (n.slice) out += ':';
      if (index.upper != nullptr) Print(*index.upper);
      out += ']';
    }
    out += ')';
    Type();
  }
  void operator()(const SubLink& n) {
    static constexpr std::string_view kNames[] = {"exists", "any", "all", "scalar", "array"};
    out += kNames[static_cast<size_t>(n.kind)];
    out += "_subquery(";
    List(n.comparisons);
    if (!n.comparisons.empty()) out += "; ";
    out += Flatten(PrintQuery(*n.query));
    out += ')';
    Type();
  }
  void operator()(const SubPlan& n) { Function(fmt::format("subplan {}", n.subplan), n.args); }
  void operator()(const SqlValue& n) {
    out += n.name;
    Type();
  }

  // A query inside an expression stands on one line.
  static std::string Flatten(const std::string& text) {
    std::string flat;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\n') {
        flat += text[i];
        continue;
      }
      while (i + 1 < text.size() && text[i + 1] == ' ') ++i;
      if (i + 1 < text.size()) flat += "; ";
    }
    return flat;
  }
};

}  // namespace

std::string Print(const Expr& expr) {
  Printer printer;
  printer.Print(expr);
  return std::move(printer.out);
}

}  // namespace mayfly::analyze
