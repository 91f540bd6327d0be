// Comparison of float4 and float8: NaN equals itself and is the greatest.
#include "sql/func/number_loop.h"
#include "sql/types/float.h"

namespace mayfly::func {

void Float4eq(const KernelCall& call) { CompareFloats<Comparison::kEq, float, float>(call); }
void Float4ne(const KernelCall& call) { CompareFloats<Comparison::kNe, float, float>(call); }
void Float4lt(const KernelCall& call) { CompareFloats<Comparison::kLt, float, float>(call); }
void Float4le(const KernelCall& call) { CompareFloats<Comparison::kLe, float, float>(call); }
void Float4gt(const KernelCall& call) { CompareFloats<Comparison::kGt, float, float>(call); }
void Float4ge(const KernelCall& call) { CompareFloats<Comparison::kGe, float, float>(call); }
void Btfloat4cmp(const KernelCall& call) {
  MapNumbers<int32_t, float, float>(call, [](float a, float b) { return int32_t{types::CompareFloats(a, b)}; });
}
void Float4larger(const KernelCall& call) {
  MapNumbers<float, float, float>(call, [](float a, float b) { return types::CompareFloats(a, b) > 0 ? a : b; });
}
void Float4smaller(const KernelCall& call) {
  MapNumbers<float, float, float>(call, [](float a, float b) { return types::CompareFloats(a, b) < 0 ? a : b; });
}

void Float8eq(const KernelCall& call) { CompareFloats<Comparison::kEq, double, double>(call); }
void Float8ne(const KernelCall& call) { CompareFloats<Comparison::kNe, double, double>(call); }
void Float8lt(const KernelCall& call) { CompareFloats<Comparison::kLt, double, double>(call); }
void Float8le(const KernelCall& call) { CompareFloats<Comparison::kLe, double, double>(call); }
void Float8gt(const KernelCall& call) { CompareFloats<Comparison::kGt, double, double>(call); }
void Float8ge(const KernelCall& call) { CompareFloats<Comparison::kGe, double, double>(call); }
void Btfloat8cmp(const KernelCall& call) {
  MapNumbers<int32_t, double, double>(call, [](double a, double b) { return int32_t{types::CompareFloats(a, b)}; });
}
void Float8larger(const KernelCall& call) {
  MapNumbers<double, double, double>(call, [](double a, double b) { return types::CompareFloats(a, b) > 0 ? a : b; });
}
void Float8smaller(const KernelCall& call) {
  MapNumbers<double, double, double>(call, [](double a, double b) { return types::CompareFloats(a, b) < 0 ? a : b; });
}

void Float48eq(const KernelCall& call) { CompareFloats<Comparison::kEq, float, double>(call); }
void Float48ne(const KernelCall& call) { CompareFloats<Comparison::kNe, float, double>(call); }
void Float48lt(const KernelCall& call) { CompareFloats<Comparison::kLt, float, double>(call); }
void Float48le(const KernelCall& call) { CompareFloats<Comparison::kLe, float, double>(call); }
void Float48gt(const KernelCall& call) { CompareFloats<Comparison::kGt, float, double>(call); }
void Float48ge(const KernelCall& call) { CompareFloats<Comparison::kGe, float, double>(call); }
void Btfloat48cmp(const KernelCall& call) {
  MapNumbers<int32_t, float, double>(call, [](float a, double b) { return int32_t{types::CompareFloats(a, b)}; });
}

void Float84eq(const KernelCall& call) { CompareFloats<Comparison::kEq, double, float>(call); }
void Float84ne(const KernelCall& call) { CompareFloats<Comparison::kNe, double, float>(call); }
void Float84lt(const KernelCall& call) { CompareFloats<Comparison::kLt, double, float>(call); }
void Float84le(const KernelCall& call) { CompareFloats<Comparison::kLe, double, float>(call); }
void Float84gt(const KernelCall& call) { CompareFloats<Comparison::kGt, double, float>(call); }
void Float84ge(const KernelCall& call) { CompareFloats<Comparison::kGe, double, float>(call); }
void Btfloat84cmp(const KernelCall& call) {
  MapNumbers<int32_t, double, float>(call, [](double a, float b) { return int32_t{types::CompareFloats(a, b)}; });
}

}  // namespace mayfly::func
