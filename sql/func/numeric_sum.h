// The sum of many numerics: digits are added place by place and carried once at the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "sql/types/numeric.h"

namespace mayfly::func {

class NumericSum {
 public:
  void Add(std::string_view bytes) { Add(types::DecodeNumeric(bytes)); }

  void Add(const types::Numeric& value) {
    if (!value.is_finite()) {
      special_ = std::make_unique<types::Numeric>(special_ ? types::AddNumeric(*special_, value) : value);
      return;
    }
    scale_ = std::max(scale_, value.scale);
    const auto count = static_cast<int>(value.digits.size());
    if (count == 0) return;
    const int first = kTop - value.weight;  // the column of the first digit
    if (first < 0 || first + count > kColumns || additions_ >= kAdditionsMax) {
      AddFar(value);
      return;
    }
    ++additions_;
    const int16_t* const digits = value.digits.data();
    int64_t* const columns = columns_ + first;
    if (value.negative) {
      for (int i = 0; i < count; ++i) columns[i] -= digits[i];
    } else {
      for (int i = 0; i < count; ++i) columns[i] += digits[i];
    }
  }

  void Merge(const NumericSum& other) {
    if (other.special_) Add(*other.special_);
    Add(other.FiniteTotal());
  }

  // Shows as many decimals as the value with most of them.
  types::Numeric Total() const { return special_ ? *special_ : FiniteTotal(); }

 private:
  // Places 10000^9 to 10000^-8 stand in columns: 40 digits before the point, 32 after it.
  static constexpr int kTop = 9;
  static constexpr int kColumns = 18;
  static constexpr int64_t kAdditionsMax = INT64_MAX / types::kNumericBase - 1;

  void AddFar(const types::Numeric& value) {
    far_ = std::make_unique<types::Numeric>(far_ ? types::AddNumeric(*far_, value) : value);
  }

  types::Numeric FiniteTotal() const {
    // Carry to digits of one sign: those of the total.
    int64_t columns[kColumns];
    std::copy_n(columns_, kColumns, columns);
    const auto carry = [&columns] {
      int64_t over = 0;
      for (int i = kColumns; i-- > 0;) {
        const int64_t value = columns[i] + over;
        over = value / types::kNumericBase - (value % types::kNumericBase < 0 ? 1 : 0);
        columns[i] = value - over * types::kNumericBase;
      }
      return over;
    };
    int64_t over = carry();
    const bool negative = over < 0;
    if (negative) {
      for (int i = 0; i < kColumns; ++i) columns[i] = -columns[i];
      over = -over + carry();
    }
    types::Numeric total;
    total.digits.Resize(kColumns);
    for (int i = 0; i < kColumns; ++i) total.digits[static_cast<size_t>(i)] = static_cast<int16_t>(columns[i]);
    total.weight = kTop;
    total.negative = negative;
    total.Strip();
    if (over != 0) {
      types::Numeric high = types::Numeric::FromInt64(negative ? -over : over);
      high.weight += kTop + 1;
      total = types::AddNumeric(total, high);
    }
    if (far_) total = types::AddNumeric(total, *far_);
    total.scale = scale_;
    return total;
  }

  int64_t columns_[kColumns] = {};
  int64_t additions_ = 0;
  int32_t scale_ = 0;
  std::unique_ptr<types::Numeric> far_;      // the sum of values that the columns do not cover; null: none
  std::unique_ptr<types::Numeric> special_;  // the sum of NaNs and infinities; null: none
};

}  // namespace mayfly::func
