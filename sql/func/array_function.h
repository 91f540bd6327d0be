// What the bodies of array functions share: reading array arguments by row, and equality of elements.
#pragma once

#include <optional>

#include "sql/func/kernel.h"
#include "sql/types/array.h"
#include "sql/types/format_type.h"

namespace mayfly::func {

// An array argument of one row, with the Datum that keeps its bytes.
class ArrayArgument {
 public:
  ArrayArgument(const KernelCall& call, size_t argument, size_t row)
      : value_(call.args[argument]->Get(row)), reader_(*call.arg_types[argument].type->element, value_.bytes()) {}
  ArrayArgument(const ArrayArgument&) = delete;
  ArrayArgument& operator=(const ArrayArgument&) = delete;

  const types::ArrayReader& operator*() const { return reader_; }
  const types::ArrayReader* operator->() const { return &reader_; }
  const types::Datum& datum() const { return value_; }

 private:
  types::Datum value_;
  types::ArrayReader reader_;
};

// The comparison of an element type; 42883 where it has none.
inline auto ElementCompare(const types::TypeDesc& element) {
  if (element.ops->compare == nullptr) {
    Throw(SqlError::Make(kUndefinedFunction, "could not identify an equality operator for type {}", types::FormatType(element)));
  }
  return [&element](const types::Datum& a, const types::Datum& b) { return element.ops->compare(element, a, b); };
}
// NULL equals NULL, and nothing else.
template <typename Compare>
bool NotDistinct(const Compare& compare, const types::Datum& a, const types::Datum& b) {
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  return compare(a, b) == 0;
}

}  // namespace mayfly::func
