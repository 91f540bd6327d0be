// bool_and, bool_or, every; bit_and, bit_or, bit_xor.
#include "sql/func/aggregate_loop.h"

namespace mayfly::func {

namespace {

enum class BitOp : uint8_t { kAnd, kOr, kXor };

// Starts at the operation's neutral value. NULL where no value came.
template <typename T, BitOp op>
struct Bits {
  T value = op == BitOp::kAnd ? static_cast<T>(~T{0}) : T{0};
  bool any = false;
  void Add(T other) {
    if constexpr (op == BitOp::kAnd) value = static_cast<T>(value & other);
    if constexpr (op == BitOp::kOr) value = static_cast<T>(value | other);
    if constexpr (op == BitOp::kXor) value = static_cast<T>(value ^ other);
    any = true;
  }
  void Merge(const Bits& other) {
    if (other.any) Add(other.value);
  }
  void Write(types::Vector& result, size_t row) const {
    if (!any) return result.SetNull(row);
    result.Set(row, value);
  }
};

template <bool is_and>
struct Bools {
  bool value = is_and;
  bool any = false;
  void Add(bool other) {
    value = is_and ? value & other : value | other;
    any = true;
  }
  void Merge(const Bools& other) {
    if (other.any) Add(other.value);
  }
  void Write(types::Vector& result, size_t row) const {
    if (!any) return result.SetNull(row);
    result.Set(row, value);
  }
};

}  // namespace

extern const AggregateOps AggBoolAndBool, AggBoolOrBool, AggEveryBool;
extern const AggregateOps AggBitAndInt2, AggBitAndInt4, AggBitAndInt8, AggBitOrInt2, AggBitOrInt4, AggBitOrInt8, AggBitXorInt2,
    AggBitXorInt4, AggBitXorInt8;
const AggregateOps AggBoolAndBool = kNumberAggregate<Bools<true>, bool>;
const AggregateOps AggBoolOrBool = kNumberAggregate<Bools<false>, bool>;
const AggregateOps AggEveryBool = kNumberAggregate<Bools<true>, bool>;
const AggregateOps AggBitAndInt2 = kNumberAggregate<Bits<int16_t, BitOp::kAnd>, int16_t>;
const AggregateOps AggBitAndInt4 = kNumberAggregate<Bits<int32_t, BitOp::kAnd>, int32_t>;
const AggregateOps AggBitAndInt8 = kNumberAggregate<Bits<int64_t, BitOp::kAnd>, int64_t>;
const AggregateOps AggBitOrInt2 = kNumberAggregate<Bits<int16_t, BitOp::kOr>, int16_t>;
const AggregateOps AggBitOrInt4 = kNumberAggregate<Bits<int32_t, BitOp::kOr>, int32_t>;
const AggregateOps AggBitOrInt8 = kNumberAggregate<Bits<int64_t, BitOp::kOr>, int64_t>;
const AggregateOps AggBitXorInt2 = kNumberAggregate<Bits<int16_t, BitOp::kXor>, int16_t>;
const AggregateOps AggBitXorInt4 = kNumberAggregate<Bits<int32_t, BitOp::kXor>, int32_t>;
const AggregateOps AggBitXorInt8 = kNumberAggregate<Bits<int64_t, BitOp::kXor>, int64_t>;

}  // namespace mayfly::func
