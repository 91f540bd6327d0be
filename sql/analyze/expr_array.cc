// ARRAY[…], subscripts and slices, and the field selection that is possible without composite types.
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {

ExprPtr AnalyzeArray(Scope& scope, const parse::ArrayExpr& array, const TypeDesc* array_type, int32_t typmod, SourcePos pos) {
  ArrayConstructor node;
  for (const parse::ExprPtr& element : array.elements) {
    // ARRAY[[1,2],[3,4]]: the inner ones are arrays of the same type.
    if (const auto* inner = std::get_if<parse::ArrayExpr>(&element->node)) {
      node.elements.push_back(AnalyzeArray(scope, *inner, array_type, typmod, element->pos));
      node.multi_dimensional = true;
      continue;
    }
    node.elements.push_back(AnalyzeExpr(scope, *element));
    const TypeDesc* type = node.elements.back()->type;
    if (type->element != nullptr && type->category == 'A') node.multi_dimensional = true;
  }
  const TypeDesc* element_type = nullptr;
  const bool typed = array_type != nullptr;
  if (typed) {
    element_type = node.multi_dimensional ? array_type : array_type->element;
  } else {
    if (node.elements.empty()) {
      Throw(SqlError::Make(kIndeterminateDatatype, "cannot determine type of empty array")
                .Hint("Explicitly cast to the desired type, for example ARRAY[]::integer[].")
                .At(pos));
    }
    element_type = SelectCommonType(node.elements, "ARRAY");
    array_type = node.multi_dimensional ? element_type : element_type->array;
    if (array_type == nullptr || (node.multi_dimensional && element_type->element == nullptr)) {
      Throw(SqlError::Make(kUndefinedObject, "could not find array type for data type {}", TypeText(element_type)).At(pos));
    }
  }
  for (ExprPtr& element : node.elements) {
    if (!typed) {
      element = CoerceToCommon(scope, element, element_type, "ARRAY");
      continue;
    }
    ExprPtr coerced = CoerceToTarget(scope, element, element_type, typmod, {.context = CastContext::kExplicit, .written = true});
    if (coerced == nullptr) {
      Throw(SqlError::Make(kCannotCoerce, "cannot cast type {} to {}", TypeText(element->type), TypeText(element_type))
                .At(Location(element)));
    }
    element = std::move(coerced);
  }
  return MakeExpr(std::move(node), array_type, typmod, pos);
}

namespace {

ExprPtr AnalyzeIndex(Scope& scope, const parse::ExprPtr& syntax) {
  if (syntax == nullptr) return nullptr;
  const ExprPtr index = AnalyzeExpr(scope, *syntax);
  ExprPtr coerced = CoerceToTarget(scope, index, Int4Type(), -1, {.context = CastContext::kAssignment});
  if (coerced == nullptr) Throw(SqlError::Make(kDatatypeMismatch, "array subscript must have type integer").At(Location(index)));
  return coerced;
}

// jsonb['key'] and jsonb[0] are -> in all but name.
ExprPtr SubscriptJson(Scope& scope, ExprPtr container, const parse::Subscript& subscript) {
  if (subscript.is_slice) {
    Throw(SqlError::Make(kDatatypeMismatch, "jsonb subscript does not support slices").At(Location(container)));
  }
  ExprPtr index = AnalyzeExpr(scope, *subscript.upper);
  const TypeDesc* wanted = IsUnknown(index->type) || index->type->category == 'S' ? TextType() : Int4Type();
  ExprPtr coerced = CoerceToTarget(scope, index, wanted, -1, {});
  if (coerced == nullptr) {
    Throw(SqlError::Make(kDatatypeMismatch, "subscript type {} is not supported", TypeText(index->type))
              .Hint("jsonb subscript must be coercible to either integer or text.")
              .At(Location(index)));
  }
  const SourcePos pos = container->pos;
  return MakeOperator(scope, "->", std::move(container), std::move(coerced), pos);
}

// Consecutive subscripts make one node: a[1][2].
ExprPtr SubscriptArray(Scope& scope, const ExprPtr& container, std::span<const parse::Indirection::Step> steps) {
  const TypeDesc* type = container->type;
  if (type->element == nullptr) {
    Throw(SqlError::Make(kDatatypeMismatch, "cannot subscript type {} because it does not support subscripting", TypeText(type))
              .At(Location(container)));
  }
  ArraySubscript node{.array = container, .indexes = {}, .slice = false};
  for (const auto& step : steps) node.slice = node.slice || step.subscript->is_slice;
  for (const auto& step : steps) {
    ArraySubscript::Index index{AnalyzeIndex(scope, step.subscript->lower), AnalyzeIndex(scope, step.subscript->upper)};
    // In a slice, a plain subscript [n] means [1:n].
    if (node.slice && !step.subscript->is_slice) index.lower = MakeConst(Int4Type(), types::Datum(int32_t{1}));
    node.indexes.push_back(std::move(index));
  }
  constexpr size_t kDimensionsMax = 6;
  if (node.indexes.size() > kDimensionsMax) {
    Throw(SqlError::Make(kProgramLimitExceeded, "number of array dimensions ({}) exceeds the maximum allowed ({})",
                         node.indexes.size(), kDimensionsMax));
  }
  const TypeDesc* result = node.slice ? type : type->element;
  return MakeExpr(std::move(node), result, container->typmod, container->pos);
}

// (row).field where the fields are known here.
ExprPtr SelectField(const ExprPtr& container, const std::string& field) {
  if (const Row* row = container->As<Row>()) {
    for (size_t i = 0; i < row->args.size(); ++i) {
      if (row->names[i] == field) return row->args[i];
    }
    Throw(
        SqlError::Make(kUndefinedColumn, "could not identify column \"{}\" in record data type", field).At(Location(container)));
  }
  if (container->type->oid == catalog::kOidRecord)
    Throw(SqlError::NotSupported("selection of a record's field", Location(container)));
  Throw(SqlError::Make(kWrongObjectType, "column notation .{} applied to type {}, which is not a composite type", field,
                       TypeText(container->type))
            .At(Location(container)));
}

}  // namespace

ExprPtr AnalyzeIndirection(Scope& scope, const parse::Indirection& indirection, SourcePos pos) {
  ExprPtr result = AnalyzeExpr(scope, *indirection.arg);
  const std::span<const parse::Indirection::Step> steps(indirection.steps);
  for (size_t i = 0; i < steps.size();) {
    if (steps[i].star) Throw(SqlError::Make(kSyntaxError, "row expansion via \"*\" is not supported here").At(pos));
    if (steps[i].subscript == nullptr) {
      result = SelectField(result, steps[i++].field);
      continue;
    }
    if (result->type->oid == catalog::kOidJsonb) {
      result = SubscriptJson(scope, std::move(result), *steps[i++].subscript);
      continue;
    }
    size_t end = i;
    while (end < steps.size() && steps[end].subscript != nullptr) ++end;
    result = SubscriptArray(scope, result, steps.subspan(i, end - i));
    i = end;
  }
  return result;
}

}  // namespace mayfly::analyze
