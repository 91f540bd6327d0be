// Result<T>: a T or the SqlError that says why there is none. For callers that are expected to look: type input,
// codecs, storage and wire decoding. `value()` is the bridge to SqlException for code that reads as rules.
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "base/sql_error.h"

namespace mayfly {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Result(SqlError error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Requires: ok().
  T& operator*() & { return *std::get_if<0>(&state_); }
  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }

  // Requires: !ok().
  SqlError& error() & { return *std::get_if<1>(&state_); }
  const SqlError& error() const& { return *std::get_if<1>(&state_); }
  SqlError&& error() && { return std::move(*std::get_if<1>(&state_)); }

  // The value, or the error thrown as SqlException.
  T value() && {
    if (!ok()) Throw(std::move(error()));
    return std::move(*std::get_if<0>(&state_));
  }

 private:
  std::variant<T, SqlError> state_;
};

// Result of an action without a value. Cheap when ok.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(SqlError error) : error_(std::make_unique<SqlError>(std::move(error))) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return error_ == nullptr; }
  explicit operator bool() const { return ok(); }
  SqlError& error() & { return *error_; }
  const SqlError& error() const& { return *error_; }
  SqlError&& error() && { return std::move(*error_); }
  void value() && {
    if (!ok()) Throw(std::move(*error_));
  }

 private:
  std::unique_ptr<SqlError> error_;
};

using Status = Result<void>;
inline Status Ok() { return {}; }

// TRY(auto, x, Parse()): declares x from a Result, or returns its error from the enclosing function.
#define MAYFLY_CONCAT_(a, b) a##b
#define MAYFLY_CONCAT(a, b) MAYFLY_CONCAT_(a, b)
#define TRY(type, name, expression)                                          \
  auto MAYFLY_CONCAT(try_, __LINE__) = (expression);                         \
  if (!MAYFLY_CONCAT(try_, __LINE__).ok())                                   \
    return std::move(MAYFLY_CONCAT(try_, __LINE__)).error();                 \
  type name = *std::move(MAYFLY_CONCAT(try_, __LINE__))
// TRY_OK(Store()): returns the error of a Result, drops its value.
#define TRY_OK(expression)                                                   \
  if (auto MAYFLY_CONCAT(try_, __LINE__) = (expression); !MAYFLY_CONCAT(try_, __LINE__).ok()) \
  return std::move(MAYFLY_CONCAT(try_, __LINE__)).error()

}  // namespace mayfly
