// Greatest common divisor and least common multiple of integers.
#include <numeric>

#include "sql/func/number_loop.h"

namespace mayfly::func {

namespace {

// |a|, without overflow.
template <typename T>
std::make_unsigned_t<T> UnsignedMagnitude(T a) {
  using U = std::make_unsigned_t<T>;
  return a < 0 ? static_cast<U>(0 - static_cast<U>(a)) : static_cast<U>(a);
}

template <typename T>
void GcdKernel(const KernelCall& call) {
  MapNumbers<T, T, T>(call, [](T a, T b) {
    const auto divisor = std::gcd(UnsignedMagnitude(a), UnsignedMagnitude(b));
    if (divisor > static_cast<std::make_unsigned_t<T>>(std::numeric_limits<T>::max())) Throw(types::IntegerOutOfRange<T>());
    return static_cast<T>(divisor);
  });
}

template <typename T>
void LcmKernel(const KernelCall& call) {
  MapNumbers<T, T, T>(call, [](T a, T b) {
    if (a == 0 || b == 0) return T{0};
    const auto x = UnsignedMagnitude(a);
    const auto y = UnsignedMagnitude(b);
    T multiple;
    if (__builtin_mul_overflow(x / std::gcd(x, y), y, &multiple)) Throw(types::IntegerOutOfRange<T>());
    return multiple;
  });
}

template <typename T>
void StepKernel(const KernelCall& call, T step) {
  bool overflow = false;
  MapNumber<T, T>(call, [&overflow, step](T a) {
    T next;
    overflow |= __builtin_add_overflow(a, step, &next);
    return next;
  });
  if (overflow) Throw(types::IntegerOutOfRange<T>());
}

}  // namespace

void Int4gcd(const KernelCall& call) { GcdKernel<int32_t>(call); }
void Int8gcd(const KernelCall& call) { GcdKernel<int64_t>(call); }
void Int4lcm(const KernelCall& call) { LcmKernel<int32_t>(call); }
void Int8lcm(const KernelCall& call) { LcmKernel<int64_t>(call); }
void Int4inc(const KernelCall& call) { StepKernel<int32_t>(call, 1); }
void Int8inc(const KernelCall& call) { StepKernel<int64_t>(call, 1); }
void Int8dec(const KernelCall& call) { StepKernel<int64_t>(call, -1); }

}  // namespace mayfly::func
