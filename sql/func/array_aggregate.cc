// array_agg, of values and of arrays (PostgreSQL manual, 9.21).
#include <vector>

#include "sql/func/aggregate_state.h"
#include "sql/func/array_function.h"

namespace mayfly::func {

namespace {

using ValueState = HeapState<types::ArrayBuilder>;

void ValuesUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  for (size_t i = 0; i < rows.count; ++i) {
    ValueState::GetOrMake(states[i], *call.arg_types[0].type).Append(call.args[0]->Get(rows[i]));
  }
}
void ValuesFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  const types::ArrayBuilder* builder = ValueState::Get(state);
  if (builder == nullptr) {
    result.SetNull(row);
  } else {
    result.SetDatum(row, builder->Finish(result.heap()), true);
  }
}

struct Arrays {
  explicit Arrays(const types::TypeDesc& element) : builder(element) {}
  types::ArrayBuilder builder;
  std::vector<types::ArrayDimension> dimensions;  // of each input
  int32_t count = 0;
};
using ArrayState = HeapState<Arrays>;

void AddArray(Arrays& arrays, const types::ArrayReader& array) {
  if (array.dimension_count() == 0) Throw(SqlError::Make(kArrayElementError, "cannot accumulate empty arrays"));
  if (array.dimension_count() >= types::kArrayDimensionsMax) {
    Throw(SqlError::Make(kProgramLimitExceeded, "number of array dimensions ({}) exceeds the maximum allowed ({})",
                         array.dimension_count() + 1, types::kArrayDimensionsMax));
  }
  if (arrays.count == 0) {
    arrays.dimensions.assign(array.dimensions().begin(), array.dimensions().end());
  } else if (!std::equal(arrays.dimensions.begin(), arrays.dimensions.end(), array.dimensions().begin(),
                         array.dimensions().end())) {
    Throw(SqlError::Make(kArrayElementError, "cannot accumulate arrays of different dimensionality"));
  }
  ++arrays.count;
  for (size_t i = 0; i < array.count(); ++i) arrays.builder.Append(array.Element(i));
}

void ArraysUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  const types::TypeDesc& element = *call.arg_types[0].type->element;
  for (size_t i = 0; i < rows.count; ++i) {
    if (call.args[0]->IsNull(rows[i])) Throw(SqlError::Make(kNullValueNotAllowed, "cannot accumulate null arrays"));
    const types::Datum value = call.args[0]->Get(rows[i]);
    AddArray(ArrayState::GetOrMake(states[i], element), types::ArrayReader(element, value.bytes()));
  }
}
void ArraysFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  const Arrays* arrays = ArrayState::Get(state);
  if (arrays == nullptr) {
    result.SetNull(row);
    return;
  }
  std::vector<types::ArrayDimension> dimensions = arrays->dimensions;
  dimensions.insert(dimensions.begin(), types::ArrayDimension{arrays->count, 1});
  result.SetDatum(row, arrays->builder.Finish(dimensions, result.heap()), true);
}

}  // namespace

extern const AggregateOps AggArrayAggAnynonarray, AggArrayAggAnyarray;
const AggregateOps AggArrayAggAnynonarray = {
    .state_bytes = ValueState::kBytes,
    .skips_nulls = false,
    .init = ValueState::Init,
    .destroy = ValueState::Destroy,
    .update = ValuesUpdate,
    .finalize = ValuesFinalize,
};
const AggregateOps AggArrayAggAnyarray = {
    .state_bytes = ArrayState::kBytes,
    .skips_nulls = false,
    .init = ArrayState::Init,
    .destroy = ArrayState::Destroy,
    .update = ArraysUpdate,
    .finalize = ArraysFinalize,
};

}  // namespace mayfly::func
