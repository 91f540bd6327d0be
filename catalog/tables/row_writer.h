// Builds the rows of a virtual table, value by value in column order.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/check.h"
#include "catalog/facts.h"
#include "catalog/virtual_table.h"
#include "sql/types/array.h"

namespace mayfly::catalog {

// Strings are borrowed until Emit, unless it says otherwise.
class RowWriter {
 public:
  explicit RowWriter(VirtualRowFn emit) : emit_(emit) {}

  // oid, regproc, regclass, xid.
  RowWriter& Id(Oid oid) { return Add(types::Datum(oid.value)); }
  RowWriter& Id(uint32_t oid) { return Add(types::Datum(oid)); }
  // text, name, and the types that are only shown.
  RowWriter& Text(std::string_view text) { return Add(types::Datum(text)); }
  RowWriter& Copy(std::string_view text) { return Add(types::Datum(arena_.Copy(text))); }
  // NULL where empty.
  RowWriter& TextOrNull(std::string_view text) { return text.empty() ? Null() : Text(text); }
  RowWriter& Char(char c) { return Add(types::Datum(int32_t{static_cast<uint8_t>(c)})); }
  RowWriter& Bool(bool value) { return Add(types::Datum(value)); }
  RowWriter& Int2(int value) { return Add(types::Datum(static_cast<int16_t>(value))); }
  RowWriter& Int4(int32_t value) { return Add(types::Datum(value)); }
  RowWriter& Float4(float value) { return Add(types::Datum(value)); }
  RowWriter& Null(size_t count = 1) {
    while (count-- > 0) Add(types::Datum());
    return *this;
  }
  // oid[], oidvector and their like: elements of the C++ type that the SQL type has.
  template <typename T>
  RowWriter& Array(Oid element, std::span<const T> values) {
    types::ArrayBuilder builder(*FindType(element));
    for (const T& value : values) builder.Append(types::Datum(value));
    return Add(builder.Finish(arena_));
  }
  // oidvector and int2vector: subscripts start at 0, and nothing is an empty vector of one dimension.
  template <typename T>
  RowWriter& Vector(Oid element, std::span<const T> values) {
    types::ArrayBuilder builder(*FindType(element));
    for (const T& value : values) builder.Append(types::Datum(value));
    const types::ArrayDimension dimension{static_cast<int32_t>(values.size()), 0};
    return Add(builder.Finish(std::span(&dimension, 1), arena_));
  }
  RowWriter& TextArray(std::span<const std::string_view> values) { return Array(kOidText, values); }

  // Hands the row out, and starts the next one.
  void Emit() {
    emit_(row_);
    row_.clear();
    arena_.Reset();
  }

 private:
  RowWriter& Add(const types::Datum& value) {
    row_.push_back(value);
    return *this;
  }

  VirtualRowFn emit_;
  Arena arena_;
  std::vector<types::Datum> row_;
};

}  // namespace mayfly::catalog
