// Arithmetic of int2, int4, int8 and among them (manual, 9.3): the wider type is the result.
#include "sql/func/number_loop.h"

namespace mayfly::func {

void Int2pl(const KernelCall& call) { AddIntegers<int16_t, int16_t, int16_t>(call); }
void Int2mi(const KernelCall& call) { SubtractIntegers<int16_t, int16_t, int16_t>(call); }
void Int2mul(const KernelCall& call) { MultiplyIntegers<int16_t, int16_t, int16_t>(call); }
void Int2div(const KernelCall& call) { DivideIntegers<int16_t, int16_t, int16_t>(call); }
void Int2mod(const KernelCall& call) { ModuloIntegers<int16_t>(call); }
void Int2um(const KernelCall& call) { NegateInteger<int16_t>(call, false); }
void Int2abs(const KernelCall& call) { NegateInteger<int16_t>(call, true); }
void Int2up(const KernelCall& call) {
  MapNumber<int16_t, int16_t>(call, [](int16_t a) { return a; });
}

void Int4pl(const KernelCall& call) { AddIntegers<int32_t, int32_t, int32_t>(call); }
void Int4mi(const KernelCall& call) { SubtractIntegers<int32_t, int32_t, int32_t>(call); }
void Int4mul(const KernelCall& call) { MultiplyIntegers<int32_t, int32_t, int32_t>(call); }
void Int4div(const KernelCall& call) { DivideIntegers<int32_t, int32_t, int32_t>(call); }
void Int4mod(const KernelCall& call) { ModuloIntegers<int32_t>(call); }
void Int4um(const KernelCall& call) { NegateInteger<int32_t>(call, false); }
void Int4abs(const KernelCall& call) { NegateInteger<int32_t>(call, true); }
void Int4up(const KernelCall& call) {
  MapNumber<int32_t, int32_t>(call, [](int32_t a) { return a; });
}

void Int8pl(const KernelCall& call) { AddIntegers<int64_t, int64_t, int64_t>(call); }
void Int8mi(const KernelCall& call) { SubtractIntegers<int64_t, int64_t, int64_t>(call); }
void Int8mul(const KernelCall& call) { MultiplyIntegers<int64_t, int64_t, int64_t>(call); }
void Int8div(const KernelCall& call) { DivideIntegers<int64_t, int64_t, int64_t>(call); }
void Int8mod(const KernelCall& call) { ModuloIntegers<int64_t>(call); }
void Int8um(const KernelCall& call) { NegateInteger<int64_t>(call, false); }
void Int8abs(const KernelCall& call) { NegateInteger<int64_t>(call, true); }
void Int8up(const KernelCall& call) {
  MapNumber<int64_t, int64_t>(call, [](int64_t a) { return a; });
}

void Int24pl(const KernelCall& call) { AddIntegers<int32_t, int16_t, int32_t>(call); }
void Int24mi(const KernelCall& call) { SubtractIntegers<int32_t, int16_t, int32_t>(call); }
void Int24mul(const KernelCall& call) { MultiplyIntegers<int32_t, int16_t, int32_t>(call); }
void Int24div(const KernelCall& call) { DivideIntegers<int32_t, int16_t, int32_t>(call); }

void Int42pl(const KernelCall& call) { AddIntegers<int32_t, int32_t, int16_t>(call); }
void Int42mi(const KernelCall& call) { SubtractIntegers<int32_t, int32_t, int16_t>(call); }
void Int42mul(const KernelCall& call) { MultiplyIntegers<int32_t, int32_t, int16_t>(call); }
void Int42div(const KernelCall& call) { DivideIntegers<int32_t, int32_t, int16_t>(call); }

void Int28pl(const KernelCall& call) { AddIntegers<int64_t, int16_t, int64_t>(call); }
void Int28mi(const KernelCall& call) { SubtractIntegers<int64_t, int16_t, int64_t>(call); }
void Int28mul(const KernelCall& call) { MultiplyIntegers<int64_t, int16_t, int64_t>(call); }
void Int28div(const KernelCall& call) { DivideIntegers<int64_t, int16_t, int64_t>(call); }

void Int82pl(const KernelCall& call) { AddIntegers<int64_t, int64_t, int16_t>(call); }
void Int82mi(const KernelCall& call) { SubtractIntegers<int64_t, int64_t, int16_t>(call); }
void Int82mul(const KernelCall& call) { MultiplyIntegers<int64_t, int64_t, int16_t>(call); }
void Int82div(const KernelCall& call) { DivideIntegers<int64_t, int64_t, int16_t>(call); }

void Int48pl(const KernelCall& call) { AddIntegers<int64_t, int32_t, int64_t>(call); }
void Int48mi(const KernelCall& call) { SubtractIntegers<int64_t, int32_t, int64_t>(call); }
void Int48mul(const KernelCall& call) { MultiplyIntegers<int64_t, int32_t, int64_t>(call); }
void Int48div(const KernelCall& call) { DivideIntegers<int64_t, int32_t, int64_t>(call); }

void Int84pl(const KernelCall& call) { AddIntegers<int64_t, int64_t, int32_t>(call); }
void Int84mi(const KernelCall& call) { SubtractIntegers<int64_t, int64_t, int32_t>(call); }
void Int84mul(const KernelCall& call) { MultiplyIntegers<int64_t, int64_t, int32_t>(call); }
void Int84div(const KernelCall& call) { DivideIntegers<int64_t, int64_t, int32_t>(call); }

}  // namespace mayfly::func
