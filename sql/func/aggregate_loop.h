// Aggregates over numbers whose state is a small struct: a state type, a function that adds one value, one that adds a state.
//
// Without GROUP BY the state is kept in registers over a dense batch.
#pragma once

#include <cstring>
#include <new>

#include "sql/func/kernel.h"

namespace mayfly::func {

// A trivially copyable State with `void Add(T)`, `void Merge(const State&)`, `void Write(types::Vector& result, size_t row)
// const`.
template <typename State, typename T>
struct NumberAggregate {
  static_assert(std::is_trivially_copyable_v<State> && alignof(State) <= 16);

  static void Init(void* state) { new (state) State(); }

  static void Update(const AggregateCall& call, types::Selection rows, void* const* states) {
    const T* const data = call.args[0]->data<T>();
    const size_t mask = call.args[0]->index_mask();
    for (size_t i = 0; i < rows.count; ++i) static_cast<State*>(states[i])->Add(data[rows[i] & mask]);
  }

  static void UpdateOne(const AggregateCall& call, types::Selection rows, void* state) {
    const T* const data = call.args[0]->data<T>();
    const size_t mask = call.args[0]->index_mask();
    State local = *static_cast<State*>(state);
    if (rows.rows == nullptr && mask != 0) {
      for (size_t i = 0; i < rows.count; ++i) local.Add(data[i]);
    } else {
      for (size_t i = 0; i < rows.count; ++i) local.Add(data[rows[i] & mask]);
    }
    *static_cast<State*>(state) = local;
  }

  static void Combine(const AggregateCall&, void* into, const void* from) {
    static_cast<State*>(into)->Merge(*static_cast<const State*>(from));
  }
  static void Finalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
    static_cast<const State*>(state)->Write(result, row);
  }
};

template <typename State, typename T>
inline constexpr AggregateOps kNumberAggregate = {
    .state_bytes = sizeof(State),
    .skips_nulls = true,
    .init = NumberAggregate<State, T>::Init,
    .destroy = nullptr,
    .update = NumberAggregate<State, T>::Update,
    .update_one = NumberAggregate<State, T>::UpdateOne,
    .combine = NumberAggregate<State, T>::Combine,
    .finalize = NumberAggregate<State, T>::Finalize,
};

}  // namespace mayfly::func
