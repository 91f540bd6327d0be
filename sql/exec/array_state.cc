// Expressions over lists: ANY, ALL and IN, ARRAY[…], subscripts, element-wise casts, ROW(…).
#include "base/check.h"
#include "sql/exec/expr_states.h"
#include "sql/types/array.h"
#include "sql/types/record.h"

namespace mayfly::exec {

using types::Batch;
using types::Datum;
using types::PhysicalType;
using types::Selection;
using types::Vector;

namespace {

// ANY is the OR, ALL the AND, of the comparisons with each element; later ones are made only for rows that are still undecided.
class AnyAllState final : public ExprState {
 public:
  AnyAllState(const analyze::Expr& expr, const analyze::AnyAll& node, const BuildContext& build)
      : left_(MakeExprState(*node.left, build)),
        elements_(MakeExprStates(node.elements, build)),
        element_type_(node.array != nullptr ? node.array->type->element : node.elements[0]->type),
        caller_(*node.proc, {{node.left->type, node.left->typmod}, {element_type_, -1}},
                {catalog::FindType(catalog::kOidBool), -1}, build.capacity, expr.pos),
        decisive_(!node.all),
        element_(element_type_->physical(), 1),
        result_(PhysicalType::kBool, build.capacity) {
    if (node.array != nullptr) array_ = MakeExprState(*node.array, build);
  }

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const Vector& left = left_->Eval(context, batch, rows);
    result_.Reset();
    open_.resize(rows.count);
    for (size_t i = 0; i < rows.count; ++i) {
      open_[i] = static_cast<uint16_t>(rows[i]);
      result_.Set(rows[i], !decisive_);
    }
    if (array_ == nullptr) {
      for (const ExprStatePtr& element : elements_) {
        if (open_.empty()) break;
        const Selection open{open_.data(), open_.size()};
        Compare(context, left, element->Eval(context, batch, open));
      }
      return result_;
    }
    const Vector& arrays = array_->Eval(context, batch, rows);
    if (arrays.is_constant()) {
      CompareWithArray(context, left, arrays.Get(0));
      return result_;
    }
    for (size_t i = 0; i < rows.count; ++i) {
      open_.assign(1, static_cast<uint16_t>(rows[i]));
      CompareWithArray(context, left, arrays.Get(rows[i]));
    }
    return result_;
  }

 private:
  void CompareWithArray(ExecContext& context, const Vector& left, const Datum& array) {
    if (array.is_null()) {
      for (const uint16_t row : open_) result_.SetNull(row);
      return;
    }
    const types::ArrayReader reader(*element_type_, array.bytes());
    for (size_t i = 0; i < reader.count() && !open_.empty(); ++i) {
      element_.Reset();
      element_.SetDatum(0, reader.Element(i));
      element_.SetConstant();
      Compare(context, left, element_);
    }
  }

  void Compare(ExecContext& context, const Vector& left, const Vector& element) {
    const Vector* args[] = {&left, &element};
    const Vector& value = caller_.Call(context, args, Selection{open_.data(), open_.size()});
    size_t kept = 0;
    for (const uint16_t row : open_) {
      if (value.IsNull(row)) {
        result_.SetNull(row);
      } else if (value.data<bool>()[value.Index(row)] == decisive_) {
        result_.null_words()[row >> 6] &= ~(uint64_t{1} << (row & 63));
        result_.Set(row, decisive_);
        continue;
      }
      open_[kept++] = row;
    }
    open_.resize(kept);
  }

  ExprStatePtr left_;
  std::vector<ExprStatePtr> elements_;
  ExprStatePtr array_;
  const types::TypeDesc* element_type_;
  FunctionCaller caller_;
  bool decisive_;
  Vector element_;
  Vector result_;
  std::vector<uint16_t> open_;
};

class ArrayConstructorState final : public ExprState {
 public:
  ArrayConstructorState(const analyze::Expr& expr, const analyze::ArrayConstructor& node, const BuildContext& build)
      : elements_(MakeExprStates(node.elements, build)),
        element_type_(*expr.type->element),
        nested_(node.multi_dimensional),
        values_(elements_.size()),
        result_(PhysicalType::kBytes, build.capacity) {}

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    for (size_t i = 0; i < elements_.size(); ++i) values_[i] = &elements_[i]->Eval(context, batch, rows);
    result_.Reset();
    for (size_t i = 0; i < rows.count; ++i) result_.SetDatum(rows[i], nested_ ? Nested(rows[i]) : Flat(rows[i]), /*borrow=*/true);
    return result_;
  }

 private:
  Datum Flat(size_t row) {
    types::ArrayBuilder builder(element_type_);
    for (const Vector* value : values_) builder.Append(value->Get(row));
    return builder.Finish(result_.heap());
  }

  // ARRAY[[1, 2], [3, 4]]: the elements are arrays of one shape, which gets a dimension in front.
  Datum Nested(size_t row) {
    types::ArrayBuilder builder(element_type_);
    std::vector<types::ArrayDimension> dimensions;
    for (size_t i = 0; i < values_.size(); ++i) {
      const Datum value = values_[i]->Get(row);
      std::vector<types::ArrayDimension> inner;
      if (!value.is_null()) {
        const types::ArrayReader reader(element_type_, value.bytes());
        inner.assign(reader.dimensions().begin(), reader.dimensions().end());
        for (size_t element = 0; element < reader.count(); ++element) builder.Append(reader.Element(element));
      }
      if (i == 0) {
        dimensions = inner;
      } else if (dimensions != inner) {
        Throw(SqlError::Make(kArrayElementError, "multidimensional arrays must have array expressions with matching dimensions"));
      }
    }
    if (!dimensions.empty()) dimensions.insert(dimensions.begin(), {static_cast<int32_t>(values_.size()), 1});
    return builder.Finish(dimensions, result_.heap());
  }

  std::vector<ExprStatePtr> elements_;
  const types::TypeDesc& element_type_;
  bool nested_;
  std::vector<const Vector*> values_;
  Vector result_;
};

class SubscriptState final : public ExprState {
 public:
  SubscriptState(const analyze::Expr& expr, const analyze::ArraySubscript& node, const BuildContext& build)
      : array_(MakeExprState(*node.array, build)),
        element_type_(*node.array->type->element),
        result_(expr.type->physical(), build.capacity) {
    if (node.slice) Throw(SqlError::NotSupported("an array slice", expr.pos));
    for (const analyze::ArraySubscript::Index& index : node.indexes) indexes_.push_back(MakeExprState(*index.upper, build));
    values_.resize(indexes_.size());
    subscripts_.resize(indexes_.size());
  }

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const Vector& array = array_->Eval(context, batch, rows);
    for (size_t i = 0; i < indexes_.size(); ++i) values_[i] = &indexes_[i]->Eval(context, batch, rows);
    result_.Reset();
    for (size_t i = 0; i < rows.count; ++i) {
      const size_t row = rows[i];
      bool is_null = array.IsNull(row);
      for (size_t dimension = 0; dimension < values_.size(); ++dimension) {
        is_null = is_null || values_[dimension]->IsNull(row);
        if (!is_null) subscripts_[dimension] = values_[dimension]->Get(row).get<int32_t>();
      }
      if (is_null) {
        result_.SetNull(row);
      } else {
        const Datum value = array.Get(row);
        result_.SetDatum(row, types::ArrayReader(element_type_, value.bytes()).At(subscripts_));
      }
    }
    return result_;
  }

 private:
  ExprStatePtr array_;
  const types::TypeDesc& element_type_;
  std::vector<ExprStatePtr> indexes_;
  std::vector<const Vector*> values_;
  std::vector<int32_t> subscripts_;
  Vector result_;
};

// A cast of each element, which keeps the shape.
class ArrayCoerceState final : public ExprState {
 public:
  ArrayCoerceState(const analyze::Expr& expr, const analyze::ArrayCoerce& node, const BuildContext& build)
      : arg_(MakeExprState(*node.arg, build)),
        from_(*node.arg->type->element),
        to_(*expr.type->element),
        value_(node.arg->type->element->physical(), 1),
        value_pointer_(&value_),
        result_(PhysicalType::kBytes, build.capacity) {
    BuildContext inner = build;
    inner.case_value = &value_pointer_;
    inner.capacity = 1;
    element_ = MakeExprState(*node.element, inner);
  }

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    const Vector& arrays = arg_->Eval(context, batch, rows);
    result_.Reset();
    const Batch one{{}, 1, nullptr, 0};
    for (size_t i = 0; i < rows.count; ++i) {
      if (arrays.IsNull(rows[i])) {
        result_.SetNull(rows[i]);
        continue;
      }
      const Datum array = arrays.Get(rows[i]);
      const types::ArrayReader reader(from_, array.bytes());
      types::ArrayBuilder builder(to_);
      for (size_t element = 0; element < reader.count(); ++element) {
        value_.Reset();
        value_.SetDatum(0, reader.Element(element), /*borrow=*/true);
        builder.Append(element_->Eval(context, one, Selection{nullptr, 1}).Get(0));
      }
      result_.SetDatum(rows[i], builder.Finish(reader.dimensions(), result_.heap()), /*borrow=*/true);
    }
    return result_;
  }

 private:
  ExprStatePtr arg_;
  const types::TypeDesc& from_;
  const types::TypeDesc& to_;
  Vector value_;
  const Vector* value_pointer_;
  ExprStatePtr element_;
  Vector result_;
};

class RowState final : public ExprState {
 public:
  RowState(const analyze::Row& node, const BuildContext& build)
      : args_(MakeExprStates(node.args, build)), values_(args_.size()), result_(PhysicalType::kBytes, build.capacity) {
    for (const analyze::ExprPtr& arg : node.args) types_.push_back(arg->type);
  }

  const Vector& Eval(ExecContext& context, const Batch& batch, Selection rows) override {
    for (size_t i = 0; i < args_.size(); ++i) values_[i] = &args_[i]->Eval(context, batch, rows);
    result_.Reset();
    for (size_t i = 0; i < rows.count; ++i) {
      types::RecordBuilder builder;
      for (size_t field = 0; field < values_.size(); ++field) builder.Append(*types_[field], values_[field]->Get(rows[i]));
      result_.SetDatum(rows[i], builder.Finish(result_.heap()), /*borrow=*/true);
    }
    return result_;
  }

 private:
  std::vector<ExprStatePtr> args_;
  std::vector<const types::TypeDesc*> types_;
  std::vector<const Vector*> values_;
  Vector result_;
};

}  // namespace

ExprStatePtr MakeArrayState(const analyze::Expr& expr, const BuildContext& build) {
  if (const auto* node = expr.As<analyze::AnyAll>()) return std::make_unique<AnyAllState>(expr, *node, build);
  if (const auto* node = expr.As<analyze::ArrayConstructor>()) return std::make_unique<ArrayConstructorState>(expr, *node, build);
  if (const auto* node = expr.As<analyze::ArraySubscript>()) return std::make_unique<SubscriptState>(expr, *node, build);
  if (const auto* node = expr.As<analyze::ArrayCoerce>()) return std::make_unique<ArrayCoerceState>(expr, *node, build);
  if (const auto* node = expr.As<analyze::Row>()) return std::make_unique<RowState>(*node, build);
  return nullptr;
}

}  // namespace mayfly::exec
