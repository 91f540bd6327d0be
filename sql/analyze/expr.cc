// Building, walking and comparing typed expressions. The list of children of each node kind is written once, in VisitChildren.
#include "sql/analyze/expr.h"

#include <cstring>
#include <utility>

namespace mayfly::analyze {

ExprPtr MakeExpr(Expr::Node node, const types::TypeDesc* type, int32_t typmod, SourcePos pos) {
  return std::make_shared<const Expr>(Expr{std::move(node), type, typmod, pos});
}

ExprPtr MakeConst(const types::TypeDesc* type, const types::Datum& value, int32_t typmod, SourcePos pos) {
  // A NULL has no bytes to own, so that types without operations (pseudo types) can be NULL too.
  types::OwnedDatum owned = value.is_null() ? types::OwnedDatum() : types::OwnedDatum(type->physical(), value);
  return MakeExpr(Const{std::move(owned)}, type, typmod, pos);
}

namespace {

// Calls `fn` with a reference to each child slot of `node` that is not null. Node may be const or not.
template <typename Fn>
struct ChildVisitor {
  Fn fn;

  template <typename Slot>
  void One(Slot& slot) const {
    if (slot != nullptr) fn(slot);
  }
  template <typename Slots>
  void All(Slots& slots) const {
    for (auto& slot : slots) One(slot);
  }

  template <typename Node>
  void operator()(Node& node) const {
    using T = std::remove_const_t<Node>;
    if constexpr (std::is_same_v<T, Call> || std::is_same_v<T, Bool> || std::is_same_v<T, Coalesce> ||
                  std::is_same_v<T, MinMax> || std::is_same_v<T, Row>) {
      All(node.args);
    } else if constexpr (std::is_same_v<T, Aggregate>) {
      All(node.args);
      for (auto& key : node.order_by) One(key.expr);
      One(node.filter);
    } else if constexpr (std::is_same_v<T, NullTest> || std::is_same_v<T, BooleanTest> || std::is_same_v<T, Relabel> ||
                         std::is_same_v<T, CoerceViaIo>) {
      One(node.arg);
    } else if constexpr (std::is_same_v<T, Case>) {
      One(node.arg);
      for (auto& when : node.whens) {
        One(when.condition);
        One(when.result);
      }
      One(node.otherwise);
    } else if constexpr (std::is_same_v<T, DistinctFrom> || std::is_same_v<T, NullIf>) {
      One(node.left);
      One(node.right);
    } else if constexpr (std::is_same_v<T, AnyAll>) {
      One(node.left);
      All(node.elements);
      One(node.array);
    } else if constexpr (std::is_same_v<T, ArrayCoerce>) {
      One(node.arg);
      One(node.element);
    } else if constexpr (std::is_same_v<T, ArrayConstructor>) {
      All(node.elements);
    } else if constexpr (std::is_same_v<T, ArraySubscript>) {
      One(node.array);
      for (auto& index : node.indexes) {
        One(index.lower);
        One(index.upper);
      }
    } else if constexpr (std::is_same_v<T, SubLink>) {
      All(node.comparisons);
    } else if constexpr (std::is_same_v<T, SubPlan>) {
      All(node.comparisons);
      All(node.args);
    }
  }
};

template <typename Node, typename Fn>
void VisitChildren(Node& node, Fn&& fn) {
  std::visit(ChildVisitor<Fn&>{fn}, node);
}

}  // namespace

void ForEachChild(const Expr& expr, FunctionRef<void(const ExprPtr&)> fn) {
  VisitChildren(expr.node, [&](const ExprPtr& child) { fn(child); });
}

ExprPtr MapChildren(const ExprPtr& expr, FunctionRef<ExprPtr(const ExprPtr&)> fn) {
  std::vector<ExprPtr> mapped;
  bool changed = false;
  ForEachChild(*expr, [&](const ExprPtr& child) {
    mapped.push_back(fn(child));
    changed = changed || mapped.back() != child;
  });
  if (!changed) return expr;
  Expr copy = *expr;
  size_t next = 0;
  VisitChildren(copy.node, [&](ExprPtr& child) { child = std::move(mapped[next++]); });
  return std::make_shared<const Expr>(std::move(copy));
}

namespace {

bool EqualPtr(const ExprPtr& a, const ExprPtr& b) {
  if (a == b) return true;
  return a != nullptr && b != nullptr && Equal(*a, *b);
}

bool SameDatum(const types::TypeDesc& type, const types::Datum& a, const types::Datum& b) {
  if (a.is_null() || b.is_null()) return a.is_null() == b.is_null();
  if (type.physical() == types::PhysicalType::kBytes) return a.bytes() == b.bytes();
  return std::memcmp(a.payload(), b.payload(), types::PhysicalSize(type.physical())) == 0;
}

// What distinguishes two nodes of one kind beyond their children.
struct SameLabel {
  const Expr& a;
  const Expr& b;

  bool operator()(const Const& x) const { return SameDatum(*a.type, x.value.get(), b.As<Const>()->value.get()); }
  bool operator()(const Param& x) const { return x.number == b.As<Param>()->number; }
  bool operator()(const Var& x) const {
    const Var& y = *b.As<Var>();
    return x.entry == y.entry && x.column == y.column && x.levels_up == y.levels_up;
  }
  bool operator()(const InputRef& x) const { return x.column == b.As<InputRef>()->column; }
  bool operator()(const OuterParam& x) const { return x.number == b.As<OuterParam>()->number; }
  bool operator()(const SubPlanColumn& x) const { return x.column == b.As<SubPlanColumn>()->column; }
  bool operator()(const CaseTestValue&) const { return true; }
  // The display form does not matter: f(x) and CAST(x AS f) are equal, as in PostgreSQL.
  bool operator()(const Call& x) const {
    const Call& y = *b.As<Call>();
    return x.proc == y.proc && x.op == y.op && x.variadic_array == y.variadic_array;
  }
  bool operator()(const Aggregate& x) const {
    const Aggregate& y = *b.As<Aggregate>();
    if (x.proc != y.proc || x.star != y.star || x.distinct != y.distinct || x.levels_up != y.levels_up) return false;
    if (x.args.size() != y.args.size() || x.order_by.size() != y.order_by.size() ||
        (x.filter == nullptr) != (y.filter == nullptr))
      return false;
    for (size_t i = 0; i < x.order_by.size(); ++i) {
      if (x.order_by[i].descending != y.order_by[i].descending || x.order_by[i].nulls_first != y.order_by[i].nulls_first)
        return false;
    }
    return true;
  }
  bool operator()(const Bool& x) const { return x.op == b.As<Bool>()->op; }
  bool operator()(const NullTest& x) const { return x.is_not == b.As<NullTest>()->is_not; }
  bool operator()(const BooleanTest& x) const { return x.test == b.As<BooleanTest>()->test; }
  bool operator()(const Case& x) const {
    const Case& y = *b.As<Case>();
    return x.whens.size() == y.whens.size() && (x.arg == nullptr) == (y.arg == nullptr);
  }
  bool operator()(const Coalesce&) const { return true; }
  bool operator()(const MinMax& x) const { return x.greatest == b.As<MinMax>()->greatest; }
  bool operator()(const DistinctFrom& x) const {
    const DistinctFrom& y = *b.As<DistinctFrom>();
    return x.equal == y.equal && x.negated == y.negated;
  }
  bool operator()(const NullIf& x) const { return x.equal == b.As<NullIf>()->equal; }
  bool operator()(const AnyAll& x) const {
    const AnyAll& y = *b.As<AnyAll>();
    return x.proc == y.proc && x.all == y.all && x.elements.size() == y.elements.size() &&
           (x.array == nullptr) == (y.array == nullptr);
  }
  bool operator()(const Relabel&) const { return true; }
  bool operator()(const CoerceViaIo&) const { return true; }
  bool operator()(const ArrayCoerce&) const { return true; }
  bool operator()(const Row&) const { return true; }
  bool operator()(const ArrayConstructor& x) const { return x.multi_dimensional == b.As<ArrayConstructor>()->multi_dimensional; }
  bool operator()(const ArraySubscript& x) const {
    const ArraySubscript& y = *b.As<ArraySubscript>();
    if (x.slice != y.slice || x.indexes.size() != y.indexes.size()) return false;
    for (size_t i = 0; i < x.indexes.size(); ++i) {
      if (!EqualPtr(x.indexes[i].lower, y.indexes[i].lower) || !EqualPtr(x.indexes[i].upper, y.indexes[i].upper)) return false;
    }
    return true;
  }
  // Two subqueries are the same only where they are one: queries are not compared.
  bool operator()(const SubLink& x) const {
    const SubLink& y = *b.As<SubLink>();
    return x.kind == y.kind && x.query == y.query;
  }
  bool operator()(const SubPlan& x) const {
    const SubPlan& y = *b.As<SubPlan>();
    return x.kind == y.kind && x.subplan == y.subplan;
  }
  bool operator()(const SqlValue& x) const { return x.name == b.As<SqlValue>()->name; }
};

}  // namespace

bool Equal(const Expr& a, const Expr& b) {
  if (&a == &b) return true;
  if (a.node.index() != b.node.index() || a.type != b.type || a.typmod != b.typmod) return false;
  if (!std::visit(SameLabel{a, b}, a.node)) return false;
  // Children by position; most nodes have few.
  const Expr* left[8];
  size_t left_count = 0;
  std::vector<const Expr*> more;
  ForEachChild(a, [&](const ExprPtr& child) {
    if (left_count < 8) {
      left[left_count++] = child.get();
    } else {
      more.push_back(child.get());
    }
  });
  size_t next = 0;
  bool equal = true;
  ForEachChild(b, [&](const ExprPtr& child) {
    const Expr* other = next < left_count ? left[next] : next - left_count < more.size() ? more[next - left_count] : nullptr;
    equal = equal && other != nullptr && Equal(*other, *child);
    ++next;
  });
  return equal && next == left_count + more.size();
}

}  // namespace mayfly::analyze
