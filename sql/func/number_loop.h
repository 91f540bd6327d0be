// Loops of kernels over numbers: a dense loop for each shape of the arguments (column or constant), plain enough to be
// vectorized, and one through the selection. Bodies have no branches that throw: they gather a flag, and the kernel looks at it
// after the loop.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sql/func/kernel.h"
#include "sql/types/integer.h"
#include "sql/types/numeric.h"

namespace mayfly::func {

template <typename R, typename A, typename Body>
void MapNumber(const KernelCall& call, Body body) {
  const A* const a = call.args[0]->data<A>();
  const size_t a_mask = call.args[0]->index_mask();
  R* __restrict const out = call.result.data<R>();
  const size_t count = call.rows.count;
  if (call.rows.rows == nullptr && a_mask != 0) {
    for (size_t i = 0; i < count; ++i) out[i] = body(a[i]);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const size_t row = call.rows[i];
    out[row] = body(a[row & a_mask]);
  }
}

template <typename R, typename A, typename B, typename Body>
void MapNumbers(const KernelCall& call, Body body) {
  const A* const a = call.args[0]->data<A>();
  const B* const b = call.args[1]->data<B>();
  const size_t a_mask = call.args[0]->index_mask();
  const size_t b_mask = call.args[1]->index_mask();
  R* __restrict const out = call.result.data<R>();
  const size_t count = call.rows.count;
  if (call.rows.rows == nullptr && (a_mask & b_mask) != 0) {
    for (size_t i = 0; i < count; ++i) out[i] = body(a[i], b[i]);
  } else if (call.rows.rows == nullptr && a_mask != 0) {
    const B right = b[0];
    for (size_t i = 0; i < count; ++i) out[i] = body(a[i], right);
  } else if (call.rows.rows == nullptr && b_mask != 0) {
    const A left = a[0];
    for (size_t i = 0; i < count; ++i) out[i] = body(left, b[i]);
  } else {
    for (size_t i = 0; i < count; ++i) {
      const size_t row = call.rows[i];
      out[row] = body(a[row & a_mask], b[row & b_mask]);
    }
  }
}

// ---- integers: 22003 "… out of range" after the loop

template <typename T>
using NextWider = std::conditional_t<sizeof(T) == 2, int32_t, int64_t>;

template <typename R, typename A, typename B>
void AddIntegers(const KernelCall& call) {
  using U = std::make_unsigned_t<R>;
  R overflow = 0;  // its sign bit: both arguments have another sign than the sum
  MapNumbers<R, A, B>(call, [&overflow](A a, B b) {
    const R x = a;
    const R y = b;
    const R sum = static_cast<R>(static_cast<U>(static_cast<U>(x) + static_cast<U>(y)));
    overflow = static_cast<R>(overflow | ((x ^ sum) & (y ^ sum)));
    return sum;
  });
  if (overflow < 0) Throw(types::IntegerOutOfRange<R>());
}

template <typename R, typename A, typename B>
void SubtractIntegers(const KernelCall& call) {
  using U = std::make_unsigned_t<R>;
  R overflow = 0;  // its sign bit: the arguments differ in sign, and so do the first one and the difference
  MapNumbers<R, A, B>(call, [&overflow](A a, B b) {
    const R x = a;
    const R y = b;
    const R difference = static_cast<R>(static_cast<U>(static_cast<U>(x) - static_cast<U>(y)));
    overflow = static_cast<R>(overflow | ((x ^ y) & (x ^ difference)));
    return difference;
  });
  if (overflow < 0) Throw(types::IntegerOutOfRange<R>());
}

template <typename R, typename A, typename B>
void MultiplyIntegers(const KernelCall& call) {
  if constexpr (sizeof(R) == 8) {
    bool overflow = false;
    MapNumbers<R, A, B>(call, [&overflow](A a, B b) {
      R product;
      overflow |= __builtin_mul_overflow(R{a}, R{b}, &product);
      return product;
    });
    if (overflow) Throw(types::IntegerOutOfRange<R>());
  } else {
    using Wide = NextWider<R>;
    Wide overflow = 0;  // not zero: some product did not fit
    MapNumbers<R, A, B>(call, [&overflow](A a, B b) {
      const Wide wide = Wide{a} * Wide{b};
      const R product = static_cast<R>(wide);
      overflow |= wide ^ Wide { product };
      return product;
    });
    if (overflow != 0) Throw(types::IntegerOutOfRange<R>());
  }
}

template <typename R, typename A, typename B>
void DivideIntegers(const KernelCall& call) {
  MapNumbers<R, A, B>(call, [](A a, B b) {
    if (b == 0) types::ThrowDivisionByZero();
    if (b == -1) {
      if (R{a} == std::numeric_limits<R>::min()) Throw(types::IntegerOutOfRange<R>());
      return static_cast<R>(-R{a});
    }
    return static_cast<R>(a / b);
  });
}

template <typename T>
void ModuloIntegers(const KernelCall& call) {
  MapNumbers<T, T, T>(call, [](T a, T b) {
    if (b == 0) types::ThrowDivisionByZero();
    return b == -1 ? T{0} : static_cast<T>(a % b);  // the machine's division of the smallest number by -1 traps
  });
}

// -a, or |a|.
template <typename T>
void NegateInteger(const KernelCall& call, bool only_negative) {
  bool overflow = false;
  MapNumber<T, T>(call, [&overflow, only_negative](T a) {
    overflow |= a == std::numeric_limits<T>::min();
    return only_negative && a >= 0 ? a : static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
  });
  if (overflow) Throw(types::IntegerOutOfRange<T>());
}

// ---- floats: 22003 "value out of range: …"

[[noreturn]] inline void ThrowFloatOverflow() { Throw(SqlError::Make(kNumericValueOutOfRange, "value out of range: overflow")); }
[[noreturn]] inline void ThrowFloatUnderflow() {
  Throw(SqlError::Make(kNumericValueOutOfRange, "value out of range: underflow"));
}

// A result that is infinite without an infinite argument, or zero without a reason for it.
struct FloatFlags {
  bool overflow = false;
  bool underflow = false;
  void Raise() const {
    if (overflow) ThrowFloatOverflow();
    if (underflow) ThrowFloatUnderflow();
  }
};
template <typename T>
bool IsInfinite(T value) {
  return std::fabs(value) > std::numeric_limits<T>::max();
}

template <typename R, typename A, typename B>
void AddFloats(const KernelCall& call) {
  FloatFlags flags;
  MapNumbers<R, A, B>(call, [&flags](A a, B b) {
    const R sum = R{a} + R{b};
    flags.overflow |= IsInfinite(sum) & !IsInfinite(a) & !IsInfinite(b);
    return sum;
  });
  flags.Raise();
}
template <typename R, typename A, typename B>
void SubtractFloats(const KernelCall& call) {
  FloatFlags flags;
  MapNumbers<R, A, B>(call, [&flags](A a, B b) {
    const R difference = R{a} - R{b};
    flags.overflow |= IsInfinite(difference) & !IsInfinite(a) & !IsInfinite(b);
    return difference;
  });
  flags.Raise();
}
template <typename R, typename A, typename B>
void MultiplyFloats(const KernelCall& call) {
  FloatFlags flags;
  MapNumbers<R, A, B>(call, [&flags](A a, B b) {
    const R product = R{a} * R{b};
    flags.overflow |= IsInfinite(product) & !IsInfinite(a) & !IsInfinite(b);
    flags.underflow |= (product == 0) & (a != 0) & (b != 0);
    return product;
  });
  flags.Raise();
}
template <typename R, typename A, typename B>
void DivideFloats(const KernelCall& call) {
  FloatFlags flags;
  bool by_zero = false;
  MapNumbers<R, A, B>(call, [&flags, &by_zero](A a, B b) {
    const R quotient = R{a} / R{b};
    by_zero |= (b == 0) & (a == a);
    flags.overflow |= IsInfinite(quotient) & !IsInfinite(a);
    flags.underflow |= (quotient == 0) & (a != 0) & !IsInfinite(b);
    return quotient;
  });
  if (by_zero) types::ThrowDivisionByZero();
  flags.Raise();
}

// ---- comparison

enum class Comparison : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

template <Comparison kind, typename A, typename B>
void CompareIntegers(const KernelCall& call) {
  MapNumbers<bool, A, B>(call, [](A a, B b) {
    if constexpr (kind == Comparison::kEq) return a == b;
    if constexpr (kind == Comparison::kNe) return a != b;
    if constexpr (kind == Comparison::kLt) return a < b;
    if constexpr (kind == Comparison::kLe) return a <= b;
    if constexpr (kind == Comparison::kGt) return a > b;
    if constexpr (kind == Comparison::kGe) return a >= b;
  });
}

// NaN equals itself and is the greatest.
template <Comparison kind, typename A, typename B>
void CompareFloats(const KernelCall& call) {
  MapNumbers<bool, A, B>(call, [](A a, B b) {
    const bool a_nan = a != a;
    const bool b_nan = b != b;
    if constexpr (kind == Comparison::kEq) return (a == b) | (a_nan & b_nan);
    if constexpr (kind == Comparison::kNe) return !((a == b) | (a_nan & b_nan));
    if constexpr (kind == Comparison::kLt) return (a < b) | (b_nan & !a_nan);
    if constexpr (kind == Comparison::kLe) return (a <= b) | b_nan;
    if constexpr (kind == Comparison::kGt) return (a > b) | (a_nan & !b_nan);
    if constexpr (kind == Comparison::kGe) return (a >= b) | a_nan;
  });
}

// -1, 0, 1.
template <typename A, typename B>
void OrderIntegers(const KernelCall& call) {
  MapNumbers<int32_t, A, B>(call, [](A a, B b) { return int32_t{a > b} - int32_t{a < b}; });
}

}  // namespace mayfly::func
