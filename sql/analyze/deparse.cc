// Expressions as SQL text, after the rules of ruleutils.c: operators in parentheses, constants with the cast that tells their
// type, implicit casts not shown.
#include "sql/analyze/deparse.h"

#include <algorithm>
#include <cctype>

#include "base/check.h"
#include "sql/analyze/analyze.h"
#include "sql/analyze/known_types.h"
#include "sql/types/array.h"
#include "sql/types/format_type.h"

namespace mayfly::analyze {
namespace {

using types::TypeDesc;

// Constants are shown by PostgreSQL under the session's settings; the forms here are those of the defaults, which any session can
// read.
const types::IoSettings& DefaultSettings() {
  static const types::IoSettings settings;
  return settings;
}

// As standard_conforming_strings has it: a backslash is itself.
void AppendQuoted(std::string_view text, std::string& out) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'') out += c;
    out += c;
  }
  out += '\'';
}

// Functions whose names are keywords of the grammar are quoted.
void AppendFunctionName(std::string_view name, std::string& out) {
  static constexpr std::string_view kKeywords[] = {"char",     "interval", "left",      "normalize", "numeric",   "overlay",
                                                   "position", "right",    "substring", "time",      "timestamp", "varchar"};
  const bool quoted = std::find(std::begin(kKeywords), std::end(kKeywords), name) != std::end(kKeywords);
  if (quoted) out += '"';
  out += name;
  if (quoted) out += '"';
}

std::string TypeName(const TypeDesc* type, int32_t typmod) { return types::FormatType(*type, typmod); }

class Deparser {
 public:
  explicit Deparser(NameFn name) : name_(name) {}

  std::string out;

  // `show_implicit`: an implicit cast at the top of `expr` is shown too, as PostgreSQL does for arguments of operators and
  // functions.
  void Print(const Expr& expr, bool show_implicit) {
    current_ = &expr;
    show_implicit_ = show_implicit;
    std::visit(*this, expr.node);
  }

  void operator()(const Const&) { PrintConst(*current_, 0); }
  void operator()(const Param& n) { out += fmt::format("${}", n.number); }
  void operator()(const Var&) { out += name_(*current_); }
  void operator()(const InputRef&) { out += name_(*current_); }
  void operator()(const OuterParam&) { out += name_(*current_); }
  void operator()(const SubPlanColumn&) { out += name_(*current_); }
  void operator()(const SubPlan&) { out += name_(*current_); }
  void operator()(const SubLink&) { out += name_(*current_); }
  void operator()(const CaseTestValue&) { out += "CASE_TEST_EXPR"; }
  void operator()(const Call& n) {
    switch (n.form) {
      case CallForm::kOperator: PrintOperator(n); return;
      case CallForm::kCast: PrintCastCall(n); return;
      case CallForm::kFunction: PrintFunction(n); return;
    }
  }
  void operator()(const Aggregate& n);
  void operator()(const Bool& n) {
    out += '(';
    if (n.op == BoolOp::kNot) out += "NOT ";
    PrintList(n.args, n.op == BoolOp::kAnd ? " AND " : " OR ", false);
    out += ')';
  }
  void operator()(const NullTest& n) {
    out += '(';
    Print(*n.arg, true);
    out += n.is_not ? " IS NOT NULL)" : " IS NULL)";
  }
  void operator()(const BooleanTest& n) {
    static constexpr std::string_view kText[] = {" IS TRUE)",      " IS NOT TRUE)", " IS FALSE)",
                                                 " IS NOT FALSE)", " IS UNKNOWN)",  " IS NOT UNKNOWN)"};
    out += '(';
    Print(*n.arg, false);
    out += kText[static_cast<size_t>(n.test)];
  }
  void operator()(const Case& n);
  void operator()(const Coalesce& n) { PrintCall("COALESCE", n.args); }
  void operator()(const MinMax& n) { PrintCall(n.greatest ? "GREATEST" : "LEAST", n.args); }
  void operator()(const DistinctFrom& n) {
    out += n.negated ? "(NOT (" : "(";
    Print(*n.left, true);
    out += " IS DISTINCT FROM ";
    Print(*n.right, true);
    out += n.negated ? "))" : ")";
  }
  void operator()(const NullIf& n) {
    out += "NULLIF(";
    Print(*n.left, true);
    out += ", ";
    Print(*n.right, true);
    out += ')';
  }
  void operator()(const AnyAll& n);
  void operator()(const Relabel& n) { PrintCast(*n.arg, n.explicit_cast); }
  void operator()(const CoerceViaIo& n) { PrintCast(*n.arg, n.explicit_cast); }
  void operator()(const ArrayCoerce& n) { PrintCast(*n.arg, true); }
  void operator()(const Row& n) { PrintCall("ROW", n.args); }
  void operator()(const ArrayConstructor& n) {
    const Expr& self = *current_;
    out += "ARRAY[";
    PrintList(n.elements, ", ");
    out += ']';
    // An empty array would not tell its type.
    if (n.elements.empty()) out += "::" + TypeName(self.type, self.typmod);
  }
  void operator()(const ArraySubscript& n);
  void operator()(const SqlValue& n) {
    const int32_t typmod = current_->typmod;
    std::string upper = n.name;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    out += upper;
    if (typmod >= 0) out += fmt::format("({})", typmod);
  }

 private:
  void PrintList(const std::vector<ExprPtr>& list, std::string_view separator, bool show_implicit = true) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out += separator;
      Print(*list[i], show_implicit);
    }
  }
  void PrintCall(std::string_view name, const std::vector<ExprPtr>& args) {
    out += name;
    out += '(';
    PrintList(args, ", ");
    out += ')';
  }
  void PrintConst(const Expr& expr, int show_type);
  void PrintOperator(const Call& n);
  void PrintCastCall(const Call& n);
  void PrintFunction(const Call& n);
  void PrintCast(const Expr& arg, bool shown);

  NameFn name_;
  const Expr* current_ = nullptr;
  bool show_implicit_ = false;
};

// show_type < 0: never `::type`; 0: where the text alone would not tell it.
void Deparser::PrintConst(const Expr& expr, int show_type) {
  const types::Datum& value = expr.As<Const>()->value.get();
  if (value.is_null()) {
    out += "NULL";
    if (show_type >= 0) out += "::" + TypeName(expr.type, expr.typmod);
    return;
  }
  std::string text;
  expr.type->ops->out(*expr.type, value, {DefaultSettings()}, text);
  bool needs_label = true;
  switch (expr.type->oid.value) {
    case 23:  // int4: a negative number is quoted, lest the sign be an operator
      needs_label = false;
      if (text[0] == '-') {
        AppendQuoted(text, out);
        needs_label = true;
      } else {
        out += text;
      }
      break;
    case 1700:
      // Digits alone would be an integer, so those are quoted.
      if (std::isdigit(static_cast<unsigned char>(text[0])) != 0 && text.find('.') != std::string::npos) {
        needs_label = expr.typmod >= 0;
        out += text;
      } else {
        AppendQuoted(text, out);
      }
      break;
    case 16:
      out += text == "t" || text == "true" ? "true" : "false";
      needs_label = false;
      break;
    case 705:
      AppendQuoted(text, out);
      needs_label = false;
      break;
    default: AppendQuoted(text, out); break;
  }
  if (needs_label && show_type >= 0) out += "::" + TypeName(expr.type, expr.typmod);
}

void Deparser::PrintOperator(const Call& n) {
  out += '(';
  if (n.args.size() == 2) {
    Print(*n.args[0], true);
    out += ' ';
    out += n.op->name;
    out += ' ';
    Print(*n.args[1], true);
  } else {
    out += n.op->name;
    out += ' ';
    Print(*n.args[0], true);
  }
  out += ')';
}

void Deparser::PrintCast(const Expr& arg, bool shown) {
  if (!shown && !show_implicit_) {
    Print(arg, false);
    return;
  }
  const Expr& self = *current_;
  if (arg.As<Const>() != nullptr && arg.type == self.type && arg.typmod == -1) {
    PrintConst(arg, -1);
  } else {
    out += '(';
    Print(arg, false);
    out += ')';
  }
  out += "::" + TypeName(self.type, self.typmod);
}

void Deparser::PrintCastCall(const Call& n) { PrintCast(*n.args[0], n.explicit_cast); }

void Deparser::PrintFunction(const Call& n) {
  const std::string_view name = n.proc->name;
  // Functions behind SQL syntax are shown as that syntax.
  if (n.args.size() == 2 && name == "timezone") {
    out += '(';
    Print(*n.args[1], true);
    out += " AT TIME ZONE ";
    Print(*n.args[0], true);
    out += ')';
    return;
  }
  if (n.args.size() == 2 && name == "extract" && n.args[0]->As<Const>() != nullptr && !n.args[0]->As<Const>()->value.is_null()) {
    out += "EXTRACT(";
    out += n.args[0]->As<Const>()->value.get().bytes();
    out += " FROM ";
    Print(*n.args[1], true);
    out += ')';
    return;
  }
  AppendFunctionName(name, out);
  out += '(';
  for (size_t i = 0; i < n.args.size(); ++i) {
    if (i != 0) out += ", ";
    if (n.variadic_array && i + 1 == n.args.size()) out += "VARIADIC ";
    Print(*n.args[i], true);
  }
  out += ')';
}

void Deparser::operator()(const Aggregate& n) {
  out += n.proc->name;
  out += '(';
  if (n.distinct) out += "DISTINCT ";
  if (n.star) out += '*';
  PrintList(n.args, ", ");
  if (!n.order_by.empty()) {
    out += " ORDER BY ";
    for (size_t i = 0; i < n.order_by.size(); ++i) {
      const SortKey& key = n.order_by[i];
      if (i != 0) out += ", ";
      Print(*key.expr, true);
      if (key.descending) out += " DESC";
      if (key.nulls_first != key.descending) out += key.nulls_first ? " NULLS FIRST" : " NULLS LAST";
    }
  }
  out += ')';
  if (n.filter == nullptr) return;
  out += " FILTER (WHERE ";
  Print(*n.filter, false);
  out += ')';
}

void Deparser::operator()(const Case& n) {
  out += "CASE";
  if (n.arg != nullptr) {
    out += ' ';
    Print(*n.arg, true);
  }
  for (const Case::When& when : n.whens) {
    out += " WHEN ";
    // CASE x WHEN v is kept as placeholder = v; only v is shown.
    const auto* call = when.condition->As<Call>();
    const bool simple = n.arg != nullptr && call != nullptr && call->form == CallForm::kOperator && call->args.size() == 2;
    Print(simple ? *call->args[1] : *when.condition, false);
    out += " THEN ";
    Print(*when.result, true);
  }
  out += " ELSE ";
  Print(*n.otherwise, true);
  out += " END";
}

void Deparser::operator()(const AnyAll& n) {
  out += '(';
  Print(*n.left, true);
  out += ' ';
  out += n.op->name;
  out += n.all ? " ALL (" : " ANY (";
  const bool constant =
      std::all_of(n.elements.begin(), n.elements.end(), [](const ExprPtr& e) { return e->As<Const>() != nullptr; });
  if (n.array != nullptr) {
    Print(*n.array, true);
  } else if (constant && n.elements[0]->type->array != nullptr && n.elements[0]->type->array->ops != nullptr) {
    // A list of constants is an array constant: '{1,2,3}'::integer[].
    const TypeDesc* element = n.elements[0]->type;
    types::ArrayBuilder builder(*element);
    for (const ExprPtr& e : n.elements) builder.Append(e->As<Const>()->value.get());
    Arena arena;
    PrintConst(*MakeConst(element->array, builder.Finish(arena)), 0);
  } else {
    out += "ARRAY[";
    PrintList(n.elements, ", ");
    out += ']';
  }
  out += "))";
}

void Deparser::operator()(const ArraySubscript& n) {
  const bool simple = n.array->As<Var>() != nullptr || n.array->As<InputRef>() != nullptr || n.array->As<Param>() != nullptr;
  if (!simple) out += '(';
  Print(*n.array, true);
  if (!simple) out += ')';
  for (const ArraySubscript::Index& index : n.indexes) {
    out += '[';
    if (n.slice) {
      if (index.lower != nullptr) Print(*index.lower, false);
      out += ':';
    }
    if (index.upper != nullptr) Print(*index.upper, false);
    out += ']';
  }
}

}  // namespace

std::string Deparse(const Expr& expr, NameFn name) {
  Deparser deparser(name);
  deparser.Print(expr, false);
  return std::move(deparser.out);
}

std::string Deparse(const Expr& expr) {
  return Deparse(expr, [](const Expr& outer) { return Print(outer); });
}

}  // namespace mayfly::analyze
