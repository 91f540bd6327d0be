// Rounding of numeric, its scales, and the length coercion numeric(p, s).
#include <algorithm>

#include "sql/func/numeric_result.h"

namespace mayfly::func {

namespace {

// Where rounding can still change something: one place left of the largest value, and the last decimal that a value can have.
constexpr int32_t kRoundScaleMin = -(types::kNumericWeightMax + 1) * types::kNumericBaseDigits - 1;

template <typename Body>
void RoundKernel(const KernelCall& call, Body body) {
  Arena& heap = call.result.heap();
  Lift<types::StringRef(std::string_view, int32_t)>(call, [&](std::string_view a, int32_t scale) {
    types::Numeric value = types::DecodeNumeric(a);
    if (value.is_finite()) body(value, std::clamp(scale, kRoundScaleMin, types::kNumericStoredScaleMax));
    return types::EncodeNumeric(value, heap);
  });
}

template <typename Body>
void RoundToIntegerKernel(const KernelCall& call, Body body) {
  MapNumeric(call, [body](types::Numeric a) {
    if (a.is_finite()) body(a, 0);
    return a;
  });
}

template <typename Body>
void ScaleKernel(const KernelCall& call, Body body) {
  Lift<std::optional<int32_t>(std::string_view)>(call, [body](std::string_view a) -> std::optional<int32_t> {
    const types::Numeric value = types::DecodeNumeric(a);
    if (!value.is_finite()) return std::nullopt;
    return body(value);
  });
}

}  // namespace

void NumericRound(const KernelCall& call) { RoundKernel(call, types::RoundNumeric); }
void NumericTrunc(const KernelCall& call) { RoundKernel(call, types::TruncateNumeric); }
void Round1708(const KernelCall& call) { RoundToIntegerKernel(call, types::RoundNumeric); }
void Trunc1710(const KernelCall& call) { RoundToIntegerKernel(call, types::TruncateNumeric); }
void NumericCeil(const KernelCall& call) { MapNumeric(call, types::CeilNumeric); }
void NumericFloor(const KernelCall& call) { MapNumeric(call, types::FloorNumeric); }

// numeric(numeric, typmod).
void Numeric(const KernelCall& call) {
  Arena& heap = call.result.heap();
  Lift<types::StringRef(std::string_view, int32_t)>(call, [&](std::string_view a, int32_t typmod) {
    types::Numeric value = types::DecodeNumeric(a);
    types::ApplyNumericTypmod(value, typmod).value();
    return types::EncodeNumeric(value, heap);
  });
}

void NumericScale(const KernelCall& call) {
  ScaleKernel(call, [](const types::Numeric& value) { return value.scale; });
}
void NumericMinScale(const KernelCall& call) {
  ScaleKernel(call, [](const types::Numeric& value) { return int32_t{types::NumericMinScale(value)}; });
}
void NumericTrimScale(const KernelCall& call) {
  MapNumeric(call, [](types::Numeric a) {
    if (a.is_finite()) a.scale = types::NumericMinScale(a);
    return a;
  });
}

}  // namespace mayfly::func
