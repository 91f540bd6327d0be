// Lifts a scalar body to a kernel: Lift<R(A, B)>(call, [](A a, B b) -> R {...}). The loop over dense, non-constant vectors is plain
// enough for the compiler to vectorize. Bodies on text take std::string_view, and return it where they return (part of) an argument
// or something in `call.result.heap()`; a body may also return std::optional<R> for a NULL result.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sql/func/kernel.h"

namespace mayfly::func {

namespace lift_internal {

// How an argument type is read from a vector.
template <typename T>
struct Reader {
  explicit Reader(const types::Vector& v) : data(v.data<T>()), mask(v.index_mask()) {}
  T operator()(size_t row) const { return data[row & mask]; }
  const T* data;
  size_t mask;
};
template <>
struct Reader<std::string_view> {
  explicit Reader(const types::Vector& v) : data(v.data<types::StringRef>()), mask(v.index_mask()) {}
  // The view of an inline string points into the vector.
  std::string_view operator()(size_t row) const { return data[row & mask].view(); }
  const types::StringRef* data;
  size_t mask;
};

template <typename R>
void Write(types::Vector& result, size_t row, const R& value) {
  if constexpr (std::is_same_v<R, std::string_view>) {
    result.data<types::StringRef>()[row] = types::StringRef(value);
  } else {
    result.data<R>()[row] = value;
  }
}
template <typename R>
void Write(types::Vector& result, size_t row, const std::optional<R>& value) {
  if (value) {
    Write(result, row, *value);
  } else {
    result.SetNull(row);
  }
}

template <typename Signature>
struct Lifter;
template <typename R, typename... Args>
struct Lifter<R(Args...)> {
  template <typename Body, size_t... I>
  static void Run(const KernelCall& call, Body&& body, std::index_sequence<I...>) {
    const std::tuple<Reader<Args>...> readers{Reader<Args>(*call.args[I])...};
    if (call.rows.rows == nullptr) {
      for (size_t row = 0; row < call.rows.count; ++row) Write(call.result, row, body(std::get<I>(readers)(row)...));
    } else {
      for (size_t i = 0; i < call.rows.count; ++i) {
        const size_t row = call.rows.rows[i];
        Write(call.result, row, body(std::get<I>(readers)(row)...));
      }
    }
  }
};

}  // namespace lift_internal

// Requires: call.args has as many vectors as the signature has arguments, of those physical types.
template <typename Signature, typename Body>
void Lift(const KernelCall& call, Body&& body);

template <typename Signature, typename Body>
void Lift(const KernelCall& call, Body&& body) {
  []<typename R, typename... Args>(const KernelCall& c, Body& b, R (*)(Args...)) {
    lift_internal::Lifter<R(Args...)>::Run(c, b, std::index_sequence_for<Args...>{});
  }(call, body, static_cast<Signature*>(nullptr));
}

}  // namespace mayfly::func
