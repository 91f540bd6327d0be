// A state that is an object on the heap, made when the first value arrives: for aggregates whose state grows.
#pragma once

#include <cstring>

#include "sql/func/kernel.h"

namespace mayfly::func {

template <typename T>
struct HeapState {
  static constexpr size_t kBytes = sizeof(T*);

  static void Init(void* state) { std::memset(state, 0, sizeof(T*)); }
  static void Destroy(void* state) { delete Get(state); }
  // Null while nothing was added.
  static T* Get(const void* state) {
    T* object;
    std::memcpy(&object, state, sizeof object);
    return object;
  }
  template <typename... Args>
  static T& GetOrMake(void* state, Args&&... args) {
    T* object = Get(state);
    if (object == nullptr) {
      object = new T(std::forward<Args>(args)...);
      std::memcpy(state, &object, sizeof object);
    }
    return *object;
  }
};

}  // namespace mayfly::func
