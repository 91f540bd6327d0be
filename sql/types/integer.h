// int2, int4 and int8 as text, for the types' input functions and for casts from other forms of text.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace mayfly::types {

template <typename T>
constexpr std::string_view kIntegerName = sizeof(T) == 2   ? "smallint"
                                          : sizeof(T) == 4 ? "integer"
                                                           : "bigint";

template <typename T>
SqlError IntegerOutOfRange() {
  return SqlError::Make(kNumericValueOutOfRange, "{} out of range", kIntegerName<T>);
}

// Decimal digits with an optional sign, blanks around. 22P02; 22003 as soon as the digits leave the type's range.
template <typename T>
Result<T> ParseInteger(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  std::string_view rest = text;
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  T value = 0;  // negative, because the range below zero is larger
  bool any = false;
  for (; !rest.empty() && rest.front() >= '0' && rest.front() <= '9'; rest.remove_prefix(1)) {
    any = true;
    if (__builtin_mul_overflow(value, T{10}, &value) ||
        __builtin_sub_overflow(value, static_cast<T>(rest.front() - '0'), &value)) {
      return SqlError::Make(kNumericValueOutOfRange, "value \"{}\" is out of range for type {}", text, kIntegerName<T>);
    }
  }
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  if (!any || !rest.empty()) {
    return SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}: \"{}\"", kIntegerName<T>, text);
  }
  if (!negative && __builtin_sub_overflow(T{0}, value, &value)) {
    return SqlError::Make(kNumericValueOutOfRange, "value \"{}\" is out of range for type {}", text, kIntegerName<T>);
  }
  return value;
}

template <typename T>
void AppendInteger(std::string& out, T value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace mayfly::types
