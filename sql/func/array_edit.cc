// Functions that make arrays from arrays: append, prepend, cat, remove, replace, fill, trim; and the searches (PostgreSQL
// manual, 9.19).
#include <vector>

#include "sql/func/array_function.h"

namespace mayfly::func {

namespace {

using types::ArrayBuilder;
using types::ArrayDimension;
using types::ArrayReader;
using types::Datum;

void AppendAll(ArrayBuilder& builder, const ArrayReader& array) {
  for (size_t i = 0; i < array.count(); ++i) builder.Append(array.Element(i));
}

void RequireOneDimension(const ArrayReader& array) {
  if (array.dimension_count() > 1) Throw(SqlError::Make(kDataException, "argument must be empty or one-dimensional array"));
}

void ExtendKernel(const KernelCall& call, size_t array_at, bool append) {
  const types::TypeDesc& element = *call.arg_types[array_at].type->element;
  ArrayBuilder builder(element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Datum value = call.args[1 - array_at]->Get(row);
    builder.Clear();
    ArrayDimension dimension;
    if (!append) builder.Append(value);
    if (!call.args[array_at]->IsNull(row)) {
      const ArrayArgument array(call, array_at, row);
      RequireOneDimension(*array);
      AppendAll(builder, *array);
      if (array->dimension_count() == 1) dimension.lower = array->dimensions()[0].lower;
    }
    if (append) builder.Append(value);
    dimension.length = static_cast<int32_t>(builder.count());
    call.result.SetDatum(row, builder.Finish(std::span(&dimension, 1), call.result.heap()), true);
  }
}

SqlError Incompatible(std::string detail) {
  return SqlError::Make(kArrayElementError, "cannot concatenate incompatible arrays").Detail(std::move(detail));
}

// The dimensions of a || b. Requires: neither is empty.
std::vector<ArrayDimension> ConcatenatedDimensions(const ArrayReader& a, const ArrayReader& b) {
  const std::vector<ArrayDimension> x(a.dimensions().begin(), a.dimensions().end());
  const std::vector<ArrayDimension> y(b.dimensions().begin(), b.dimensions().end());
  const auto same_tail = [](const std::vector<ArrayDimension>& outer, size_t outer_at, const std::vector<ArrayDimension>& inner,
                            size_t inner_at) {
    return std::equal(outer.begin() + static_cast<ptrdiff_t>(outer_at), outer.end(),
                      inner.begin() + static_cast<ptrdiff_t>(inner_at), inner.end());
  };
  std::vector<ArrayDimension> result;
  if (x.size() == y.size()) {
    if (!same_tail(x, 1, y, 1)) {
      Throw(Incompatible("Arrays with differing element dimensions are not compatible for concatenation."));
    }
    result = x;
    result[0].length += y[0].length;
  } else if (x.size() + 1 == y.size() || y.size() + 1 == x.size()) {
    const bool a_inner = x.size() < y.size();
    if (!(a_inner ? same_tail(y, 1, x, 0) : same_tail(x, 1, y, 0))) {
      Throw(Incompatible("Arrays with differing dimensions are not compatible for concatenation."));
    }
    result = a_inner ? y : x;
    ++result[0].length;
  } else {
    Throw(Incompatible(fmt::format("Arrays of {} and {} dimensions are not compatible for concatenation.", x.size(), y.size())));
  }
  return result;
}

// Arguments of array_fill: a one-dimensional int[] without NULLs.
std::vector<int32_t> ReadIntegers(const ArrayReader& array) {
  if (array.dimension_count() > 1) {
    Throw(SqlError::Make(kArrayElementError, "wrong number of array subscripts")
              .Detail("Dimension array must be one dimensional."));
  }
  std::vector<int32_t> values;
  for (size_t i = 0; i < array.count(); ++i) {
    if (array.IsNull(i)) Throw(SqlError::Make(kNullValueNotAllowed, "dimension values cannot be null"));
    values.push_back(array.Element(i).get<int32_t>());
  }
  return values;
}

std::vector<ArrayDimension> FillDimensions(const KernelCall& call, size_t row) {
  if (call.args[1]->IsNull(row) || (call.args.size() > 2 && call.args[2]->IsNull(row))) {
    Throw(SqlError::Make(kNullValueNotAllowed, "dimension array or low bound array cannot be null"));
  }
  const ArrayArgument lengths_argument(call, 1, row);
  const std::vector<int32_t> lengths = ReadIntegers(*lengths_argument);
  std::vector<int32_t> lowers(lengths.size(), 1);
  if (lengths.size() > types::kArrayDimensionsMax) {
    Throw(SqlError::Make(kProgramLimitExceeded, "number of array dimensions ({}) exceeds the maximum allowed ({})",
                         lengths.size(), types::kArrayDimensionsMax));
  }
  if (call.args.size() > 2) {
    const ArrayArgument lowers_argument(call, 2, row);
    lowers = ReadIntegers(*lowers_argument);
    if (lowers.size() != lengths.size()) {
      Throw(SqlError::Make(kArrayElementError, "wrong number of array subscripts")
                .Detail("Low bound array has different size than dimensions array."));
    }
  }
  std::vector<ArrayDimension> dimensions;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 0) {
      Throw(SqlError::Make(kProgramLimitExceeded, "array size exceeds the maximum allowed ({})", types::kArrayElementsMax));
    }
    dimensions.push_back({lengths[i], lowers[i]});
  }
  return dimensions;
}

void FillKernel(const KernelCall& call) {
  const types::TypeDesc& element = *call.result_type.type->element;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const std::vector<ArrayDimension> dimensions = FillDimensions(call, row);
    const size_t count = dimensions.empty() ? 0 : types::ArrayElementCount(dimensions).value();
    ArrayBuilder builder(element);
    const Datum value = call.args[0]->Get(row);
    for (size_t n = 0; n < count; ++n) builder.Append(value);
    call.result.SetDatum(row, builder.Finish(dimensions, call.result.heap()), true);
  }
}

void RequireSearchable(const ArrayReader& array, std::string_view doing) {
  if (array.dimension_count() > 1) {
    Throw(SqlError::Make(kFeatureNotSupported, "{} elements {} multidimensional arrays is not supported", doing,
                         doing == "searching for" ? "in" : "from"));
  }
}

void PositionKernel(const KernelCall& call) {
  const auto compare = ElementCompare(*call.arg_types[0].type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    call.result.SetNull(row);
    if (call.args[0]->IsNull(row)) continue;
    const ArrayArgument array(call, 0, row);
    RequireSearchable(*array, "searching for");
    if (array->count() == 0) continue;
    const int32_t lower = array->dimensions()[0].lower;
    size_t from = 0;
    if (call.args[1]->IsNull(row) && !array->has_nulls()) continue;
    if (call.args.size() > 2) {
      if (call.args[2]->IsNull(row)) Throw(SqlError::Make(kNullValueNotAllowed, "initial position must not be null"));
      const int64_t start = int64_t{call.args[2]->Get(row).get<int32_t>()} - lower;
      from = start < 0 ? 0 : static_cast<size_t>(start);
    }
    const Datum wanted = call.args[1]->Get(row);
    for (size_t at = from; at < array->count(); ++at) {
      if (!NotDistinct(compare, array->Element(at), wanted)) continue;
      call.result.null_words()[row >> 6] &= ~(uint64_t{1} << (row & 63));
      call.result.Set(row, lower + static_cast<int32_t>(at));
      break;
    }
  }
}

}  // namespace

void ArrayAppend(const KernelCall& call) { ExtendKernel(call, 0, true); }
void ArrayPrepend(const KernelCall& call) { ExtendKernel(call, 1, false); }

void ArrayCat(const KernelCall& call) {
  ArrayBuilder builder(*call.result_type.type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row) || call.args[1]->IsNull(row)) {
      call.result.SetDatum(row, call.args[call.args[0]->IsNull(row) ? 1 : 0]->Get(row));
      continue;
    }
    const ArrayArgument a(call, 0, row);
    const ArrayArgument b(call, 1, row);
    if (a->count() == 0 || b->count() == 0) {
      call.result.SetDatum(row, a->count() == 0 ? b.datum() : a.datum());
      continue;
    }
    const std::vector<ArrayDimension> dimensions = ConcatenatedDimensions(*a, *b);
    builder.Clear();
    AppendAll(builder, *a);
    AppendAll(builder, *b);
    call.result.SetDatum(row, builder.Finish(dimensions, call.result.heap()), true);
  }
}

void ArrayRemove(const KernelCall& call) {
  const types::TypeDesc& element = *call.arg_types[0].type->element;
  const auto compare = ElementCompare(element);
  ArrayBuilder builder(element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const ArrayArgument array(call, 0, row);
    RequireSearchable(*array, "removing");
    const Datum unwanted = call.args[1]->Get(row);
    builder.Clear();
    for (size_t at = 0; at < array->count(); ++at) {
      if (!NotDistinct(compare, array->Element(at), unwanted)) builder.Append(array->Element(at));
    }
    const ArrayDimension dimension{static_cast<int32_t>(builder.count()), array->count() == 0 ? 1 : array->dimensions()[0].lower};
    call.result.SetDatum(row, builder.Finish(std::span(&dimension, 1), call.result.heap()), true);
  }
}

void ArrayReplace(const KernelCall& call) {
  const types::TypeDesc& element = *call.arg_types[0].type->element;
  const auto compare = ElementCompare(element);
  ArrayBuilder builder(element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const ArrayArgument array(call, 0, row);
    const Datum from = call.args[1]->Get(row);
    const Datum to = call.args[2]->Get(row);
    builder.Clear();
    for (size_t at = 0; at < array->count(); ++at) {
      const Datum value = array->Element(at);
      builder.Append(NotDistinct(compare, value, from) ? to : value);
    }
    call.result.SetDatum(row, builder.Finish(array->dimensions(), call.result.heap()), true);
  }
}

void ArrayPosition(const KernelCall& call) { PositionKernel(call); }
void ArrayPositionStart(const KernelCall& call) { PositionKernel(call); }

void ArrayPositions(const KernelCall& call) {
  const auto compare = ElementCompare(*call.arg_types[0].type->element);
  ArrayBuilder builder(*call.result_type.type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const ArrayArgument array(call, 0, row);
    RequireSearchable(*array, "searching for");
    const Datum wanted = call.args[1]->Get(row);
    builder.Clear();
    for (size_t at = 0; at < array->count(); ++at) {
      if (NotDistinct(compare, array->Element(at), wanted))
        builder.Append(Datum(array->dimensions()[0].lower + static_cast<int32_t>(at)));
    }
    call.result.SetDatum(row, builder.Finish(call.result.heap()), true);
  }
}

void ArrayFill(const KernelCall& call) { FillKernel(call); }
void ArrayFillWithLowerBounds(const KernelCall& call) { FillKernel(call); }

// Drops the last n elements of the first dimension.
void TrimArray(const KernelCall& call) {
  ArrayBuilder builder(*call.arg_types[0].type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const ArrayArgument array(call, 0, row);
    const int32_t n = call.args[1]->Get(row).get<int32_t>();
    std::vector<ArrayDimension> dimensions(array->dimensions().begin(), array->dimensions().end());
    const int32_t length = dimensions.empty() ? 0 : dimensions[0].length;
    if (n < 0 || n > length) {
      Throw(SqlError::Make(kArrayElementError, "number of elements to trim must be between 0 and {}", length));
    }
    builder.Clear();
    const size_t keep = length == 0 ? 0 : array->count() / static_cast<size_t>(length) * static_cast<size_t>(length - n);
    for (size_t at = 0; at < keep; ++at) builder.Append(array->Element(at));
    if (!dimensions.empty()) dimensions[0].length -= n;
    for (ArrayDimension& dimension : dimensions) dimension.lower = 1;
    call.result.SetDatum(row, builder.Finish(dimensions, call.result.heap()), true);
  }
}

}  // namespace mayfly::func
