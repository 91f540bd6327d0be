// Arithmetic of numeric.
//
// Most values in tables are small: where both arguments are integers below 10^16 in the same place, the sum is one of machine
// integers.
#include <algorithm>

#include "base/bytes.h"
#include "sql/func/numeric_result.h"

namespace mayfly::func {

namespace {

using types::DecodeNumeric;
using types::StringRef;

int DisplayScale(std::string_view bytes) { return LoadLittleEndian<uint16_t>(bytes.data()) & types::kNumericStoredScaleMax; }

// Decimals that the quick way keeps: two digits of the base.
constexpr int kQuickDigits = 2;

// value / 10000^kQuickDigits as a numeric that shows `scale` decimals. Requires: scale <= 4 * kQuickDigits.
StringRef FromQuick(int64_t value, int scale, Arena& heap) {
  static constexpr int64_t kPowers[] = {100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
  return types::NumericFromScaledInt64(value / kPowers[scale], scale, heap);
}

template <typename Quick, typename Exact>
void AddKernel(const KernelCall& call, Quick quick, Exact exact) {
  Arena& heap = call.result.heap();
  Lift<StringRef(std::string_view, std::string_view)>(call, [&](std::string_view a, std::string_view b) {
    int64_t x;
    int64_t y;
    if (types::NumericAsScaledInt64(a, kQuickDigits, x) && types::NumericAsScaledInt64(b, kQuickDigits, y)) {
      const int scale = std::max(DisplayScale(a), DisplayScale(b));
      if (scale <= kQuickDigits * types::kNumericBaseDigits) return FromQuick(quick(x, y), scale, heap);
    }
    return types::EncodeNumeric(exact(DecodeNumeric(a), DecodeNumeric(b)), heap);
  });
}

}  // namespace

void NumericAdd(const KernelCall& call) {
  AddKernel(
      call, [](int64_t a, int64_t b) { return a + b; }, types::AddNumeric);
}
void NumericSub(const KernelCall& call) {
  AddKernel(
      call, [](int64_t a, int64_t b) { return a - b; }, types::SubtractNumeric);
}

void NumericMul(const KernelCall& call) {
  Arena& heap = call.result.heap();
  Lift<StringRef(std::string_view, std::string_view)>(call, [&](std::string_view a, std::string_view b) {
    int64_t x;
    int64_t y;
    int64_t product;
    // x and y count 10000ths: their product counts 10^-8.
    if (types::NumericAsScaledInt64(a, kQuickDigits / 2, x) && types::NumericAsScaledInt64(b, kQuickDigits / 2, y) &&
        !__builtin_mul_overflow(x, y, &product)) {
      const int scale = DisplayScale(a) + DisplayScale(b);
      if (scale <= kQuickDigits * types::kNumericBaseDigits) return FromQuick(product, scale, heap);
    }
    return types::EncodeNumeric(types::MultiplyNumeric(DecodeNumeric(a), DecodeNumeric(b)), heap);
  });
}

void NumericDiv(const KernelCall& call) { MapNumerics(call, types::DivideNumeric); }
void NumericDivTrunc(const KernelCall& call) { MapNumerics(call, types::DivideNumericTruncating); }
void NumericMod(const KernelCall& call) { MapNumerics(call, types::ModuloNumeric); }
void NumericUminus(const KernelCall& call) {
  MapNumeric(call, [](types::Numeric a) { return types::NegateNumeric(std::move(a)); });
}
void NumericUplus(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [](std::string_view a) { return a; });
}
void NumericInc(const KernelCall& call) {
  MapNumeric(call, [](const types::Numeric& a) { return types::AddNumeric(a, types::Numeric::FromInt64(1)); });
}
void NumericAbs(const KernelCall& call) {
  MapNumeric(call, [](types::Numeric a) {
    a.negative = false;
    if (a.kind == types::NumericKind::kMinusInfinity) a.kind = types::NumericKind::kInfinity;
    return a;
  });
}
void NumericSign(const KernelCall& call) {
  MapNumeric(call, [](const types::Numeric& a) { return a.is_nan() ? a : types::Numeric::FromInt64(a.sign()); });
}

}  // namespace mayfly::func
