#include "sql/types/vector.h"

namespace mayfly::types {

Vector::Vector(PhysicalType physical, size_t capacity)
    : physical_(physical),
      capacity_(capacity),
      data_(new char[capacity * PhysicalSize(physical)]),
      null_words_(std::make_unique<uint64_t[]>((capacity + 63) / 64)) {}

Datum Vector::Get(size_t row) const {
  if (IsNull(row)) return Datum::Null();
  row = Index(row);
  switch (PhysicalSize(physical_)) {
    case 1: return Datum(data<bool>()[row]);
    case 2: return Datum(data<int16_t>()[row]);
    case 4: return Datum(data<int32_t>()[row]);
    case 8: return Datum(data<int64_t>()[row]);
    default: return Datum(data<StringRef>()[row]);
  }
}

void Vector::SetDatum(size_t row, const Datum& value, bool borrow) {
  if (value.is_null()) {
    SetNull(row);
  } else if (physical_ == PhysicalType::kBytes && !borrow) {
    SetBytes(row, value.bytes());
  } else {
    const size_t size = PhysicalSize(physical_);
    std::memcpy(data_.get() + row * size, value.payload(), size);
  }
}

void Vector::Reset() {
  if (may_have_nulls_) std::memset(null_words_.get(), 0, (capacity_ + 63) / 64 * sizeof(uint64_t));
  may_have_nulls_ = false;
  index_mask_ = ~size_t{0};
  heap_.Reset();
}

}  // namespace mayfly::types
