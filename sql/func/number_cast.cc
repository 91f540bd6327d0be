// Casts among bool, integers, oid and floats; those with numeric are in numeric_cast.cc.
#include <cmath>

#include "sql/func/number_loop.h"

namespace mayfly::func {

namespace {

template <typename R, typename A>
void WidenKernel(const KernelCall& call) {
  MapNumber<R, A>(call, [](A a) { return static_cast<R>(a); });
}

template <typename R, typename A>
void NarrowKernel(const KernelCall& call) {
  bool overflow = false;
  MapNumber<R, A>(call, [&overflow](A a) {
    const auto narrow = static_cast<R>(a);
    overflow |= narrow != a;
    return narrow;
  });
  if (overflow) Throw(types::IntegerOutOfRange<R>());
}

// To the nearest integer, halves to the even one. The limits as floats: the lower one is exact, the upper one is the first that
// is too large.
template <typename R, typename A>
void FloatToIntegerKernel(const KernelCall& call) {
  constexpr A kLow = static_cast<A>(std::numeric_limits<R>::min());
  bool overflow = false;
  MapNumber<R, A>(call, [&overflow](A a) {
    const A rounded = std::rint(a);
    const bool fits = (rounded >= kLow) & (rounded < -kLow);
    overflow |= !fits;
    return static_cast<R>(fits ? rounded : A{0});
  });
  if (overflow) Throw(types::IntegerOutOfRange<R>());
}

}  // namespace

void I2toi4(const KernelCall& call) { WidenKernel<int32_t, int16_t>(call); }
void Int28(const KernelCall& call) { WidenKernel<int64_t, int16_t>(call); }
void Int48(const KernelCall& call) { WidenKernel<int64_t, int32_t>(call); }
void I4toi2(const KernelCall& call) { NarrowKernel<int16_t, int32_t>(call); }
void Int82(const KernelCall& call) { NarrowKernel<int16_t, int64_t>(call); }
void Int84(const KernelCall& call) { NarrowKernel<int32_t, int64_t>(call); }

void I2tod(const KernelCall& call) { WidenKernel<double, int16_t>(call); }
void I4tod(const KernelCall& call) { WidenKernel<double, int32_t>(call); }
void I8tod(const KernelCall& call) { WidenKernel<double, int64_t>(call); }
void I2tof(const KernelCall& call) { WidenKernel<float, int16_t>(call); }
void I4tof(const KernelCall& call) { WidenKernel<float, int32_t>(call); }
void I8tof(const KernelCall& call) { WidenKernel<float, int64_t>(call); }
void Ftod(const KernelCall& call) { WidenKernel<double, float>(call); }
void Dtof(const KernelCall& call) {
  FloatFlags flags;
  MapNumber<float, double>(call, [&flags](double a) {
    const auto narrow = static_cast<float>(a);
    flags.overflow |= IsInfinite(narrow) & !IsInfinite(a);
    flags.underflow |= (narrow == 0) & (a != 0);
    return narrow;
  });
  flags.Raise();
}

void Dtoi2(const KernelCall& call) { FloatToIntegerKernel<int16_t, double>(call); }
void Dtoi4(const KernelCall& call) { FloatToIntegerKernel<int32_t, double>(call); }
void Dtoi8(const KernelCall& call) { FloatToIntegerKernel<int64_t, double>(call); }
void Ftoi2(const KernelCall& call) { FloatToIntegerKernel<int16_t, float>(call); }
void Ftoi4(const KernelCall& call) { FloatToIntegerKernel<int32_t, float>(call); }
void Ftoi8(const KernelCall& call) { FloatToIntegerKernel<int64_t, float>(call); }

void Oidtoi8(const KernelCall& call) { WidenKernel<int64_t, uint32_t>(call); }
void I8tooid(const KernelCall& call) {
  bool overflow = false;
  MapNumber<uint32_t, int64_t>(call, [&overflow](int64_t a) {
    const auto oid = static_cast<uint32_t>(a);
    overflow |= int64_t{oid} != a;
    return oid;
  });
  if (overflow) Throw(SqlError::Make(kNumericValueOutOfRange, "OID out of range"));
}

void BoolInt4(const KernelCall& call) { WidenKernel<int32_t, bool>(call); }
void Int4Bool(const KernelCall& call) {
  MapNumber<bool, int32_t>(call, [](int32_t a) { return a != 0; });
}
void Booltext(const KernelCall& call) {
  MapNumber<types::StringRef, bool>(call, [](bool a) { return types::StringRef(a ? "true" : "false"); });
}
void BoolandStatefunc(const KernelCall& call) {
  MapNumbers<bool, bool, bool>(call, [](bool a, bool b) { return a && b; });
}
void BoolorStatefunc(const KernelCall& call) {
  MapNumbers<bool, bool, bool>(call, [](bool a, bool b) { return a || b; });
}

}  // namespace mayfly::func
