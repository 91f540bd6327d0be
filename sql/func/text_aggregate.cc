// string_agg, and min and max of types whose values are bytes (PostgreSQL manual, 9.21).
#include "sql/func/aggregate_state.h"
#include "sql/func/array_function.h"

namespace mayfly::func {

namespace {

using StringState = HeapState<std::string>;

// (value, delimiter): each delimiter stands before its value; a NULL one is none.
void StringAggUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  for (size_t i = 0; i < rows.count; ++i) {
    const size_t row = rows[i];
    if (call.args[0]->IsNull(row)) continue;
    const bool first = StringState::Get(states[i]) == nullptr;
    std::string& text = StringState::GetOrMake(states[i]);
    if (!first && !call.args[1]->IsNull(row)) text += call.args[1]->Get(row).bytes();
    text += call.args[0]->Get(row).bytes();
  }
}

void BytesFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  const std::string* bytes = StringState::Get(state);
  if (bytes == nullptr) {
    result.SetNull(row);
  } else {
    result.SetBytes(row, *bytes);
  }
}

// Keeps the smaller (-1) or larger (1) of state and value.
template <int direction>
void Keep(const types::TypeDesc& type, const types::Datum& value, void* state) {
  const bool first = StringState::Get(state) == nullptr;
  std::string& kept = StringState::GetOrMake(state);
  if (first || type.ops->compare(type, value, types::Datum(std::string_view(kept))) * direction > 0) kept.assign(value.bytes());
}

template <int direction>
void ExtremeUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  const types::TypeDesc& type = *call.arg_types[0].type;
  if (type.element != nullptr) ElementCompare(*type.element);
  for (size_t i = 0; i < rows.count; ++i) {
    if (!call.args[0]->IsNull(rows[i])) Keep<direction>(type, call.args[0]->Get(rows[i]), states[i]);
  }
}
template <int direction>
void ExtremeUpdateOne(const AggregateCall& call, types::Selection rows, void* state) {
  const types::TypeDesc& type = *call.arg_types[0].type;
  if (type.element != nullptr) ElementCompare(*type.element);
  for (size_t i = 0; i < rows.count; ++i) {
    if (!call.args[0]->IsNull(rows[i])) Keep<direction>(type, call.args[0]->Get(rows[i]), state);
  }
}
template <int direction>
void ExtremeCombine(const AggregateCall& call, void* into, const void* from) {
  if (const std::string* other = StringState::Get(from))
    Keep<direction>(*call.arg_types[0].type, types::Datum(std::string_view(*other)), into);
}

constexpr AggregateOps kStringAgg = {
    .state_bytes = StringState::kBytes,
    .skips_nulls = false,
    .init = StringState::Init,
    .destroy = StringState::Destroy,
    .update = StringAggUpdate,
    .finalize = BytesFinalize,
};
template <int direction>
constexpr AggregateOps kExtreme = {
    .state_bytes = StringState::kBytes,
    .skips_nulls = true,
    .init = StringState::Init,
    .destroy = StringState::Destroy,
    .update = ExtremeUpdate<direction>,
    .update_one = ExtremeUpdateOne<direction>,
    .combine = ExtremeCombine<direction>,
    .finalize = BytesFinalize,
};

}  // namespace

extern const AggregateOps AggStringAggTextText, AggStringAggByteaBytea, AggMaxText, AggMinText, AggMaxBpchar, AggMinBpchar,
    AggMaxAnyarray, AggMinAnyarray;
const AggregateOps AggStringAggTextText = kStringAgg;
const AggregateOps AggStringAggByteaBytea = kStringAgg;
const AggregateOps AggMaxText = kExtreme<1>;
const AggregateOps AggMinText = kExtreme<-1>;
const AggregateOps AggMaxBpchar = kExtreme<1>;
const AggregateOps AggMinBpchar = kExtreme<-1>;
const AggregateOps AggMaxAnyarray = kExtreme<1>;
const AggregateOps AggMinAnyarray = kExtreme<-1>;

}  // namespace mayfly::func
