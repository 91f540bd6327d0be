// Expressions and types.
#include <array>

#include "sql/parse/ast_printer.h"

namespace mayfly::parse {
namespace {

constexpr std::array<std::string_view, 6> kTruthTests = {"is_true", "is_not_true", "is_false", "is_not_false", "is_unknown", "is_not_unknown"};
constexpr std::array<std::string_view, 5> kSubqueries = {"exists", "any", "all", "scalar", "array"};
constexpr std::array<std::string_view, 3> kLikes = {"like", "ilike", "similar"};
constexpr std::array<std::string_view, 3> kBoolOps = {"and", "or", "not"};

std::string Negated(std::string_view word, bool negated) { return negated ? std::string("not_").append(word) : std::string(word); }

// Makes the tree of one node kind; the head gets the position of the expression.
class ExprPrinter {
 public:
  explicit ExprPrinter(SourcePos pos) : pos_(pos) {}

  PrintedTree operator()(const Constant& n) const {
    switch (n.kind) {
      case ConstantKind::kNull: return Head("null");
      case ConstantKind::kInteger: return Value("integer", std::to_string(n.integer));
      case ConstantKind::kFloat: return Value("float", n.text);
      case ConstantKind::kString: return Value("string", PrintedString(n.text));
      case ConstantKind::kBoolean: return Value("boolean", n.integer != 0 ? "true" : "false");
      case ConstantKind::kBitString: return Value("bits", n.text);
    }
    return Head("?");
  }
  PrintedTree operator()(const ParameterRef& n) const { return Head("$" + std::to_string(n.number)); }
  PrintedTree operator()(const ColumnRef& n) const {
    std::string name = Dotted(n.fields);
    if (n.star) name += name.empty() ? "*" : ".*";
    return Value("column", name);
  }
  PrintedTree operator()(const OperatorCall& n) const {
    PrintedTree tree = Head("op " + OperatorName(n.name));
    if (n.left == nullptr) tree.Add(PrintedTree("prefix"));
    return With(std::move(tree), n.left, n.right);
  }
  PrintedTree operator()(const AnyAllArray& n) const {
    return With(Head(OperatorName(n.op) + (n.all ? " all_array" : " any_array")), n.left, n.array);
  }
  PrintedTree operator()(const InList& n) const {
    PrintedTree tree = With(Head(Negated("in", n.negated)), n.left, nullptr);
    return WithAll(std::move(tree), n.items);
  }
  PrintedTree operator()(const LikeExpr& n) const {
    return With(Head(Negated(kLikes[static_cast<size_t>(n.kind)], n.negated)), n.left, n.pattern);
  }
  PrintedTree operator()(const BetweenExpr& n) const {
    PrintedTree tree = With(Head(Negated(n.symmetric ? "between_symmetric" : "between", n.negated)), n.arg, n.low);
    return With(std::move(tree), n.high, nullptr);
  }
  PrintedTree operator()(const DistinctFrom& n) const { return With(Head(Negated("distinct_from", n.negated)), n.left, n.right); }
  PrintedTree operator()(const NullIf& n) const { return With(Head("nullif"), n.left, n.right); }
  PrintedTree operator()(const BoolExpr& n) const {
    return WithAll(Head(kBoolOps[static_cast<size_t>(n.op)]), n.args);
  }
  PrintedTree operator()(const NullTest& n) const { return With(Head(n.is_not ? "is_not_null" : "is_null"), n.arg, nullptr); }
  PrintedTree operator()(const BooleanTest& n) const {
    return With(Head(kTruthTests[static_cast<size_t>(n.test)]), n.arg, nullptr);
  }
  PrintedTree operator()(const FunctionCall& n) const {
    PrintedTree tree = Head("call " + Dotted(n.name));
    tree.AddFlag("distinct", n.distinct).AddFlag("variadic", n.variadic).AddFlag("*", n.star);
    for (size_t i = 0; i < n.args.size(); ++i) {
      if (i < n.arg_names.size() && !n.arg_names[i].empty()) {
        AddExpr(tree, PrintedName(n.arg_names[i]) + " =>", n.args[i]);
      } else {
        tree.Add(PrintTree(*n.args[i]));
      }
    }
    if (!n.order_by.empty()) {
      PrintedTree order(n.within_group ? "within_group" : "order_by");
      for (const SortItem& item : n.order_by) order.Add(PrintTree(item));
      tree.Add(std::move(order));
    }
    AddExpr(tree, "filter", n.filter);
    if (n.over != nullptr) tree.Add(PrintTree(*n.over, "over"));
    return tree;
  }
  PrintedTree operator()(const CastExpr& n) const {
    PrintedTree tree = With(Head("cast"), n.arg, nullptr);
    return std::move(tree.Add(PrintTree(n.type)));
  }
  PrintedTree operator()(const CollateExpr& n) const {
    PrintedTree tree = With(Head("collate"), n.arg, nullptr);
    return std::move(tree.Add(PrintedTree(Dotted(n.collation))));
  }
  PrintedTree operator()(const CaseExpr& n) const {
    PrintedTree tree = With(Head("case"), n.arg, nullptr);
    for (const CaseWhen& when : n.whens) {
      PrintedTree branch(WithPosition("when", when.pos));
      branch.Add(PrintTree(*when.when)).Add(PrintTree(*when.then));
      tree.Add(std::move(branch));
    }
    AddExpr(tree, "else", n.otherwise);
    return tree;
  }
  PrintedTree operator()(const CoalesceExpr& n) const { return WithAll(Head("coalesce"), n.args); }
  PrintedTree operator()(const MinMaxExpr& n) const { return WithAll(Head(n.greatest ? "greatest" : "least"), n.args); }
  PrintedTree operator()(const RowExpr& n) const { return WithAll(Head("row"), n.args); }
  PrintedTree operator()(const ArrayExpr& n) const { return WithAll(Head("array"), n.elements); }
  PrintedTree operator()(const Indirection& n) const {
    PrintedTree tree = With(Head("indirection"), n.arg, nullptr);
    AddSteps(tree, n.steps);
    return tree;
  }
  PrintedTree operator()(const SubqueryExpr& n) const {
    PrintedTree tree = Head("subquery_" + std::string(kSubqueries[static_cast<size_t>(n.kind)]));
    if (!n.op.empty()) tree.Add(PrintedTree(OperatorName(n.op)));
    if (n.test != nullptr) tree.Add(PrintTree(*n.test));
    tree.Add(PrintTree(*n.select));
    return tree;
  }
  PrintedTree operator()(const SqlValueFunction& n) const {
    return Head(n.typmod >= 0 ? fmt::format("{}({})", n.name, n.typmod) : n.name);
  }
  PrintedTree operator()(const DefaultExpr&) const { return Head("default"); }
  PrintedTree operator()(const GroupingFunc& n) const { return WithAll(Head("grouping"), n.args); }
  PrintedTree operator()(const CurrentOf& n) const { return Value("current_of", PrintedName(n.cursor)); }

 private:
  PrintedTree Head(std::string_view head) const { return PrintedTree(WithPosition(std::string(head), pos_)); }
  PrintedTree Value(std::string_view kind, std::string_view value) const { return Head(fmt::format("{} {}", kind, value)); }
  static std::string OperatorName(const QualifiedName& name) {
    std::string out;
    for (const std::string& part : name) out += (out.empty() ? "" : ".") + part;
    return out;
  }
  static PrintedTree With(PrintedTree tree, const ExprPtr& first, const ExprPtr& second) {
    if (first != nullptr) tree.Add(PrintTree(*first));
    if (second != nullptr) tree.Add(PrintTree(*second));
    return tree;
  }
  static PrintedTree WithAll(PrintedTree tree, const std::vector<ExprPtr>& exprs) {
    for (const ExprPtr& expr : exprs) tree.Add(PrintTree(*expr));
    return tree;
  }

  SourcePos pos_;
};

}  // namespace

std::string PrintExpr(const Expr& expr) { return PrintTree(expr).Render(); }

PrintedTree PrintTree(const Expr& expr) { return std::visit(ExprPrinter(expr.pos), expr.node); }

PrintedTree PrintTree(const TypeName& type) {
  PrintedTree tree(WithPosition("type " + Dotted(type.name), type.pos));
  tree.AddFlag("setof", type.set_of);
  for (const ExprPtr& modifier : type.modifiers) tree.Add(PrintTree(*modifier));
  if (type.array_dimensions > 0) tree.AddText("dimensions", std::to_string(type.array_dimensions));
  return tree;
}

PrintedTree PrintTree(const SortItem& item) {
  constexpr std::array<std::string_view, 4> kDirections = {"", "asc", "desc", "using"};
  constexpr std::array<std::string_view, 3> kNulls = {"", "nulls_first", "nulls_last"};
  PrintedTree tree(WithPosition("sort", item.pos));
  tree.Add(PrintTree(*item.expr));
  tree.AddFlag(kDirections[static_cast<size_t>(item.direction)], item.direction != SortItem::Direction::kDefault);
  tree.AddFlag(kNulls[static_cast<size_t>(item.nulls)], item.nulls != SortItem::Nulls::kDefault);
  if (!item.using_op.empty()) tree.Add(PrintedTree(item.using_op.back()));
  return tree;
}

PrintedTree PrintTree(const WindowSpec& window, std::string_view head) {
  PrintedTree tree(WithPosition(std::string(head), window.pos));
  if (!window.name.empty()) tree.AddText("name", PrintedName(window.name));
  if (!window.reference.empty()) tree.AddText("reference", PrintedName(window.reference));
  AddExprs(tree, "partition_by", window.partition_by);
  for (const SortItem& item : window.order_by) tree.Add(PrintTree(item));
  tree.AddText("frame", fmt::format("0x{:x}", window.frame_options));
  AddExpr(tree, "start", window.start_offset);
  AddExpr(tree, "end", window.end_offset);
  return tree;
}

void AddSteps(PrintedTree& tree, const std::vector<Indirection::Step>& steps) {
  for (const Indirection::Step& step : steps) {
    if (step.star) {
      tree.Add(PrintedTree(".*"));
    } else if (step.subscript == nullptr) {
      tree.Add(PrintedTree("." + PrintedName(step.field)));
    } else {
      PrintedTree subscript(step.subscript->is_slice ? "slice" : "subscript");
      AddExpr(subscript, "lower", step.subscript->lower);
      AddExpr(subscript, "upper", step.subscript->upper);
      tree.Add(std::move(subscript));
    }
  }
}

void AddExpr(PrintedTree& tree, std::string_view name, const ExprPtr& expr) {
  if (expr == nullptr) return;
  PrintedTree child{std::string(name)};
  child.Add(PrintTree(*expr));
  tree.Add(std::move(child));
}

void AddExprs(PrintedTree& tree, std::string_view name, const std::vector<ExprPtr>& exprs) {
  if (exprs.empty()) return;
  PrintedTree child{std::string(name)};
  for (const ExprPtr& expr : exprs) child.Add(PrintTree(*expr));
  tree.Add(std::move(child));
}

void AddNames(PrintedTree& tree, std::string_view name, const std::vector<std::string>& names) {
  if (names.empty()) return;
  PrintedTree child{std::string(name)};
  for (const std::string& item : names) child.Add(PrintedTree(PrintedName(item)));
  tree.Add(std::move(child));
}

std::string Dotted(const QualifiedName& name) {
  std::string out;
  for (const std::string& part : name) out += (out.empty() ? "" : ".") + PrintedName(part);
  return out;
}

std::string WithPosition(std::string head, SourcePos pos) { return pos.known() ? fmt::format("{} @{}", head, pos.offset) : head; }

}  // namespace mayfly::parse
