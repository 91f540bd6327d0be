// Casts between numeric and integers or floats.
#include "sql/func/numeric_result.h"
#include "sql/types/float.h"
#include "sql/types/integer.h"

namespace mayfly::func {

namespace {

template <typename A>
void IntegerToNumericKernel(const KernelCall& call) {
  Arena& heap = call.result.heap();
  Lift<types::StringRef(A)>(call, [&heap](A a) { return types::NumericFromInt64(a, heap); });
}

template <typename R>
void NumericToIntegerKernel(const KernelCall& call) {
  Lift<R(std::string_view)>(call, [](std::string_view a) {
    return static_cast<R>(types::NumericToInt64(types::DecodeNumeric(a), types::kIntegerName<R>, std::numeric_limits<R>::min(),
                                                std::numeric_limits<R>::max()));
  });
}

// Through text, which rounds once; by way of a double it would round twice.
float NumericToFloat(const types::Numeric& value) {
  if (!value.is_finite()) return static_cast<float>(types::NumericToDouble(value));
  std::string text;
  types::AppendNumeric(value, text);
  return types::ParseFloat4(text).value();
}

}  // namespace

void Int2Numeric(const KernelCall& call) { IntegerToNumericKernel<int16_t>(call); }
void Int4Numeric(const KernelCall& call) { IntegerToNumericKernel<int32_t>(call); }
void Int8Numeric(const KernelCall& call) { IntegerToNumericKernel<int64_t>(call); }
void NumericInt2(const KernelCall& call) { NumericToIntegerKernel<int16_t>(call); }
void NumericInt4(const KernelCall& call) { NumericToIntegerKernel<int32_t>(call); }
void NumericInt8(const KernelCall& call) { NumericToIntegerKernel<int64_t>(call); }

void Float4Numeric(const KernelCall& call) {
  Arena& heap = call.result.heap();
  Lift<types::StringRef(float)>(call, [&heap](float a) { return types::EncodeNumeric(types::NumericFromFloat(a), heap); });
}
void Float8Numeric(const KernelCall& call) {
  Arena& heap = call.result.heap();
  Lift<types::StringRef(double)>(call, [&heap](double a) { return types::EncodeNumeric(types::NumericFromDouble(a), heap); });
}
void NumericFloat4(const KernelCall& call) {
  Lift<float(std::string_view)>(call, [](std::string_view a) { return NumericToFloat(types::DecodeNumeric(a)); });
}
void NumericFloat8(const KernelCall& call) {
  Lift<double(std::string_view)>(call, [](std::string_view a) { return types::NumericToDouble(types::DecodeNumeric(a)); });
}

}  // namespace mayfly::func
