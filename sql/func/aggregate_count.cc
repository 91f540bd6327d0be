// count(*) and count(value).
#include "sql/func/kernel.h"

namespace mayfly::func {

namespace {

int64_t& Count(void* state) { return *static_cast<int64_t*>(state); }

void CountInit(void* state) { Count(state) = 0; }
void CountUpdate(const AggregateCall&, types::Selection rows, void* const* states) {
  for (size_t i = 0; i < rows.count; ++i) ++Count(states[i]);
}
void CountUpdateOne(const AggregateCall&, types::Selection rows, void* state) {
  Count(state) += static_cast<int64_t>(rows.count);
}
void CountCombine(const AggregateCall&, void* into, const void* from) { Count(into) += *static_cast<const int64_t*>(from); }
void CountFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  result.Set(row, *static_cast<const int64_t*>(state));
}

// Which rows count is the executor's business: it leaves out NULLs where `skips_nulls`.
constexpr AggregateOps CountOps(bool skips_nulls) {
  return {
      .state_bytes = sizeof(int64_t),
      .skips_nulls = skips_nulls,
      .init = CountInit,
      .destroy = nullptr,
      .update = CountUpdate,
      .update_one = CountUpdateOne,
      .combine = CountCombine,
      .finalize = CountFinalize,
  };
}

}  // namespace

extern const AggregateOps AggCount, AggCountAny;
const AggregateOps AggCount = CountOps(false);
const AggregateOps AggCountAny = CountOps(true);

}  // namespace mayfly::func
