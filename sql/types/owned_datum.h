// A Datum that owns its bytes: constants of plans, bound parameters, missing values.
#pragma once

#include <memory>
#include <utility>

#include "sql/types/datum.h"

namespace mayfly::types {

class OwnedDatum {
 public:
  OwnedDatum() = default;  // NULL
  // Copies what `value` borrows. `physical` tells whether it holds bytes.
  OwnedDatum(PhysicalType physical, const Datum& value) : value_(value) {
    if (value.is_null() || physical != PhysicalType::kBytes || value.bytes().size() <= StringRef::kInlineBytes) return;
    const std::string_view bytes = value.bytes();
    std::shared_ptr<char[]> copy(new char[bytes.size()]);
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    value_ = Datum(std::string_view(copy.get(), bytes.size()));
    bytes_ = std::move(copy);
  }
  // Borrows from this object, or from a copy of it.
  const Datum& get() const { return value_; }
  bool is_null() const { return value_.is_null(); }

 private:
  Datum value_;
  std::shared_ptr<const char[]> bytes_;
};

}  // namespace mayfly::types
