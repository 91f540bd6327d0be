// Arithmetic of float4, float8 and between them. Overflow and underflow are errors, infinite arguments are not.
#include "sql/func/number_loop.h"

namespace mayfly::func {

void Float4pl(const KernelCall& call) { AddFloats<float, float, float>(call); }
void Float4mi(const KernelCall& call) { SubtractFloats<float, float, float>(call); }
void Float4mul(const KernelCall& call) { MultiplyFloats<float, float, float>(call); }
void Float4div(const KernelCall& call) { DivideFloats<float, float, float>(call); }
void Float4um(const KernelCall& call) {
  MapNumber<float, float>(call, [](float a) { return -a; });
}
void Float4up(const KernelCall& call) {
  MapNumber<float, float>(call, [](float a) { return a; });
}
void Float4abs(const KernelCall& call) {
  MapNumber<float, float>(call, [](float a) { return std::fabs(a); });
}

void Float8pl(const KernelCall& call) { AddFloats<double, double, double>(call); }
void Float8mi(const KernelCall& call) { SubtractFloats<double, double, double>(call); }
void Float8mul(const KernelCall& call) { MultiplyFloats<double, double, double>(call); }
void Float8div(const KernelCall& call) { DivideFloats<double, double, double>(call); }
void Float8um(const KernelCall& call) {
  MapNumber<double, double>(call, [](double a) { return -a; });
}
void Float8up(const KernelCall& call) {
  MapNumber<double, double>(call, [](double a) { return a; });
}
void Float8abs(const KernelCall& call) {
  MapNumber<double, double>(call, [](double a) { return std::fabs(a); });
}

void Float48pl(const KernelCall& call) { AddFloats<double, float, double>(call); }
void Float48mi(const KernelCall& call) { SubtractFloats<double, float, double>(call); }
void Float48mul(const KernelCall& call) { MultiplyFloats<double, float, double>(call); }
void Float48div(const KernelCall& call) { DivideFloats<double, float, double>(call); }

void Float84pl(const KernelCall& call) { AddFloats<double, double, float>(call); }
void Float84mi(const KernelCall& call) { SubtractFloats<double, double, float>(call); }
void Float84mul(const KernelCall& call) { MultiplyFloats<double, double, float>(call); }
void Float84div(const KernelCall& call) { DivideFloats<double, double, float>(call); }

}  // namespace mayfly::func
