// How one table is read: the narrowest route that its conditions allow.
//
//   every key column = value                     PointGet
//   leading columns = values, last IN (list)     MultiGet
//   leading columns = values, next one bounded   KeyScan over a range
//   otherwise                                    KeyScan over the whole table
//
// A condition that the route guarantees leaves the filter; all others stay in it.
#include <algorithm>

#include "base/check.h"
#include "sql/plan/builder.h"

namespace mayfly::plan {

using analyze::Call;
using analyze::InputRef;

namespace {

// `column op value`, with the column on the left, and value free of columns and of the column's type.
struct Comparison {
  size_t column = 0;  // of the access
  enum class Kind : uint8_t { kEqual, kLess, kLessEqual, kGreater, kGreaterEqual } kind = Kind::kEqual;
  ExprPtr value;
  size_t term = 0;
};

// `expr` as a column of the access, through binary-compatible relabeling.
std::optional<size_t> AsColumn(const ExprPtr& expr) {
  if (const auto* ref = expr->As<InputRef>()) return ref->column;
  if (const auto* relabel = expr->As<analyze::Relabel>()) return AsColumn(relabel->arg);
  return std::nullopt;
}

bool HasInputRef(const ExprPtr& expr) {
  if (expr->As<InputRef>() != nullptr) return true;
  bool found = false;
  analyze::ForEachChild(*expr, [&](const ExprPtr& child) { found = found || HasInputRef(child); });
  return found;
}

// An integer constant of a wider type as the key's type, where it fits: drivers send bigint for integer columns.
ExprPtr NarrowConstant(const ExprPtr& value, const types::TypeDesc& key_type) {
  const auto* constant = value->As<analyze::Const>();
  if (constant == nullptr || constant->value.is_null()) return nullptr;
  const Oid from = value->type->oid;
  if (from != catalog::kOidInt8 && from != catalog::kOidInt4) return nullptr;
  const types::Datum& datum = constant->value.get();
  const int64_t number = from == catalog::kOidInt8 ? datum.get<int64_t>() : datum.get<int32_t>();
  types::Datum narrow;
  if (key_type.oid == catalog::kOidInt4 && number == static_cast<int32_t>(number)) {
    narrow = types::Datum(static_cast<int32_t>(number));
  } else if (key_type.oid == catalog::kOidInt2 && number == static_cast<int16_t>(number)) {
    narrow = types::Datum(static_cast<int16_t>(number));
  } else {
    return nullptr;
  }
  return analyze::MakeExpr(analyze::Const{types::OwnedDatum(key_type.physical(), narrow)}, &key_type, -1, value->pos);
}

// The value as the key's type: unchanged, or widened among integers (int4 column types compare with int8 operators too, but only
// widening is always possible). Null where it cannot serve as a key.
ExprPtr AsKeyValue(const ExprPtr& value, const types::TypeDesc& key_type) {
  if (HasInputRef(value) || IsVolatile(value)) return nullptr;
  if (value->type == &key_type) return value;
  const Oid from = value->type->oid;
  const auto is_text = [](Oid oid) { return oid == catalog::kOidText || oid == catalog::kOidVarchar; };
  if (is_text(from) && is_text(key_type.oid)) return value;
  const bool widens = (key_type.oid == catalog::kOidInt8 && (from == catalog::kOidInt4 || from == catalog::kOidInt2)) ||
                      (key_type.oid == catalog::kOidInt4 && from == catalog::kOidInt2);
  if (!widens) return NarrowConstant(value, key_type);
  const catalog::CastRow* cast = catalog::FindCast(from, key_type.oid);
  return analyze::MakeExpr(Call{catalog::FindProc(cast->proc), nullptr, {value}, analyze::CallForm::kCast, false, false},
                           &key_type, -1, value->pos);
}

// What a btree operator name over one column means; the operator's input types are checked by AsKeyValue.
std::optional<Comparison::Kind> KindOf(const catalog::OperatorRow& op) {
  if (op.name == "=") return Comparison::Kind::kEqual;
  if (op.name == "<") return Comparison::Kind::kLess;
  if (op.name == "<=") return Comparison::Kind::kLessEqual;
  if (op.name == ">") return Comparison::Kind::kGreater;
  if (op.name == ">=") return Comparison::Kind::kGreaterEqual;
  return std::nullopt;
}

Comparison::Kind Mirror(Comparison::Kind kind) {
  switch (kind) {
    case Comparison::Kind::kLess: return Comparison::Kind::kGreater;
    case Comparison::Kind::kLessEqual: return Comparison::Kind::kGreaterEqual;
    case Comparison::Kind::kGreater: return Comparison::Kind::kLess;
    case Comparison::Kind::kGreaterEqual: return Comparison::Kind::kLessEqual;
    default: return kind;
  }
}

class RouteChooser {
 public:
  RouteChooser(const TableAccess& access, std::vector<ExprPtr> terms) : access_(access), terms_(std::move(terms)) {
    for (size_t i = 0; i < terms_.size(); ++i) AddComparison(i);
  }

  NodePtr Choose() {
    const catalog::IndexDescriptor* primary = access_.table->primary_key();
    std::vector<ExprPtr> equal;
    if (primary != nullptr) {
      for (const ColumnId column : primary->columns) {
        const Comparison* comparison = Find(column, Comparison::Kind::kEqual);
        if (comparison == nullptr) break;
        equal.push_back(comparison->value);
        Consume(comparison->term);
      }
      if (equal.size() == primary->columns.size())
        return Finish(PointGet{access_.table, std::move(equal), access_.columns, Rest(), access_.alias}, 1);
      if (NodePtr multi = TryMultiGet(*primary, equal)) return multi;
    }
    KeyScan scan;
    scan.table = access_.table;
    scan.columns = access_.columns;
    scan.alias = access_.alias;
    double rows = kTableRows;
    if (primary != nullptr) {
      const ColumnId next = primary->columns[equal.size()];
      scan.lower = TakeBound(next, Comparison::Kind::kGreater, Comparison::Kind::kGreaterEqual);
      scan.upper = TakeBound(next, Comparison::Kind::kLess, Comparison::Kind::kLessEqual);
      if (!equal.empty()) rows *= 0.01;
      if (scan.lower || scan.upper) rows *= scan.lower && scan.upper ? 0.005 : 0.33;
    }
    scan.equal = std::move(equal);
    scan.filter = Rest();
    return Finish(std::move(scan), rows);
  }

 private:
  static constexpr double kTableRows = 1000;

  const types::TypeDesc& TypeOf(size_t column) const { return *access_.table->FindColumn(access_.columns[column])->type; }

  void AddComparison(size_t term) {
    const auto* call = terms_[term]->As<Call>();
    if (call == nullptr || call->op == nullptr || call->args.size() != 2) return;
    const auto kind = KindOf(*call->op);
    if (!kind) return;
    for (const bool mirrored : {false, true}) {
      const auto column = AsColumn(call->args[mirrored ? 1 : 0]);
      if (!column || access_.columns[*column].value <= 0) continue;
      if (ExprPtr value = AsKeyValue(call->args[mirrored ? 0 : 1], TypeOf(*column))) {
        comparisons_.push_back({*column, mirrored ? Mirror(*kind) : *kind, std::move(value), term});
        return;
      }
    }
  }

  const Comparison* Find(ColumnId column, Comparison::Kind kind) const {
    for (const Comparison& comparison : comparisons_) {
      if (access_.columns[comparison.column] == column && comparison.kind == kind) return &comparison;
    }
    return nullptr;
  }

  std::optional<KeyBound> TakeBound(ColumnId column, Comparison::Kind exclusive, Comparison::Kind inclusive) {
    const Comparison* comparison = Find(column, inclusive);
    if (comparison == nullptr) comparison = Find(column, exclusive);
    if (comparison == nullptr) return std::nullopt;
    Consume(comparison->term);
    return KeyBound{comparison->value, comparison->kind == inclusive};
  }

  NodePtr TryMultiGet(const catalog::IndexDescriptor& primary, const std::vector<ExprPtr>& equal) {
    if (equal.size() + 1 != primary.columns.size()) return nullptr;
    for (size_t i = 0; i < terms_.size(); ++i) {
      const auto* any = terms_[i]->As<analyze::AnyAll>();
      if (any == nullptr || any->all || any->op == nullptr || any->op->name != "=") continue;
      const auto column = AsColumn(any->left);
      if (!column || access_.columns[*column] != primary.columns.back()) continue;
      MultiGet get;
      get.table = access_.table;
      if (any->array != nullptr) {
        if (HasInputRef(any->array) || IsVolatile(any->array) || any->array->type->element != &TypeOf(*column)) continue;
        get.last = {any->array};
        get.last_is_array = true;
      } else {
        for (const ExprPtr& element : any->elements) {
          ExprPtr value = AsKeyValue(element, TypeOf(*column));
          if (value == nullptr) break;
          get.last.push_back(std::move(value));
        }
        if (get.last.size() != any->elements.size()) continue;
      }
      Consume(i);
      get.prefix = equal;
      get.columns = access_.columns;
      get.filter = Rest();
      get.alias = access_.alias;
      const auto rows = static_cast<double>(get.last_is_array ? 10 : get.last.size());
      return Finish(std::move(get), rows);
    }
    return nullptr;
  }

  void Consume(size_t term) { consumed_.push_back(term); }
  ExprPtr Rest() const {
    std::vector<ExprPtr> rest;
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (std::find(consumed_.begin(), consumed_.end(), i) == consumed_.end()) rest.push_back(terms_[i]);
    }
    return JoinConjuncts(std::move(rest));
  }

  NodePtr Finish(Node::Op op, double rows) const {
    std::vector<OutputColumn> output;
    for (const ColumnId id : access_.columns) output.push_back(OutputColumnOf(id));
    const double per_row = std::holds_alternative<KeyScan>(op) ? 0.01 : 0.1;
    return MakeNode(std::move(op), std::move(output), std::max(1.0, rows), 0, rows * per_row);
  }

  OutputColumn OutputColumnOf(ColumnId id) const {
    if (id.value > 0) {
      const catalog::ColumnDescriptor& column = *access_.table->FindColumn(id);
      return {column.type, column.typmod};
    }
    if (id == catalog::system_column::kTableOid) return {catalog::FindType(catalog::kOidOid), -1};
    if (id == catalog::system_column::kRowKey) return {catalog::FindType(catalog::kOidBytea), -1};
    return {catalog::FindType(catalog::kOidTimestamptz), -1};
  }

  const TableAccess& access_;
  const std::vector<ExprPtr> terms_;
  std::vector<Comparison> comparisons_;
  std::vector<size_t> consumed_;
};

NodePtr VirtualRoute(const TableAccess& access, std::vector<ExprPtr> terms) {
  constexpr double kVirtualRows = 100;
  VirtualScan scan{access.table, {}, JoinConjuncts(std::move(terms)), access.alias};
  std::vector<OutputColumn> output;
  for (const ColumnId id : access.columns) {
    for (size_t i = 0; i < access.table->columns.size(); ++i) {
      if (access.table->columns[i].id != id) continue;
      scan.columns.push_back(i);
      output.push_back({access.table->columns[i].type, access.table->columns[i].typmod});
    }
    if (id == catalog::system_column::kTableOid) {
      scan.columns.push_back(VirtualScan::kTableOidColumn);
      output.push_back({catalog::FindType(catalog::kOidOid), -1});
    }
  }
  return MakeNode(std::move(scan), std::move(output), kVirtualRows, 0, kVirtualRows * 0.01);
}

}  // namespace

NodePtr ChooseRoute(const TableAccess& access, std::vector<ExprPtr> terms) {
  if (access.table->virtual_table != nullptr) return VirtualRoute(access, std::move(terms));
  return RouteChooser(access, std::move(terms)).Choose();
}

}  // namespace mayfly::plan
