// Comparison of integers of any two widths, of oid, xid and bool; the larger and smaller of two.
#include "sql/func/number_loop.h"

namespace mayfly::func {

void Int2eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int16_t, int16_t>(call); }
void Int2ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int16_t, int16_t>(call); }
void Int2lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int16_t, int16_t>(call); }
void Int2le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int16_t, int16_t>(call); }
void Int2gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int16_t, int16_t>(call); }
void Int2ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int16_t, int16_t>(call); }
// The difference, as PostgreSQL gives it for this type only.
void Btint2cmp(const KernelCall& call) {
  MapNumbers<int32_t, int16_t, int16_t>(call, [](int16_t a, int16_t b) { return a - b; });
}

void Int4eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int32_t, int32_t>(call); }
void Int4ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int32_t, int32_t>(call); }
void Int4lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int32_t, int32_t>(call); }
void Int4le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int32_t, int32_t>(call); }
void Int4gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int32_t, int32_t>(call); }
void Int4ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int32_t, int32_t>(call); }
void Btint4cmp(const KernelCall& call) { OrderIntegers<int32_t, int32_t>(call); }

void Int8eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int64_t, int64_t>(call); }
void Int8ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int64_t, int64_t>(call); }
void Int8lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int64_t, int64_t>(call); }
void Int8le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int64_t, int64_t>(call); }
void Int8gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int64_t, int64_t>(call); }
void Int8ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int64_t, int64_t>(call); }
void Btint8cmp(const KernelCall& call) { OrderIntegers<int64_t, int64_t>(call); }

void Int24eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int16_t, int32_t>(call); }
void Int24ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int16_t, int32_t>(call); }
void Int24lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int16_t, int32_t>(call); }
void Int24le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int16_t, int32_t>(call); }
void Int24gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int16_t, int32_t>(call); }
void Int24ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int16_t, int32_t>(call); }
void Btint24cmp(const KernelCall& call) { OrderIntegers<int16_t, int32_t>(call); }

void Int42eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int32_t, int16_t>(call); }
void Int42ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int32_t, int16_t>(call); }
void Int42lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int32_t, int16_t>(call); }
void Int42le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int32_t, int16_t>(call); }
void Int42gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int32_t, int16_t>(call); }
void Int42ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int32_t, int16_t>(call); }
void Btint42cmp(const KernelCall& call) { OrderIntegers<int32_t, int16_t>(call); }

void Int28eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int16_t, int64_t>(call); }
void Int28ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int16_t, int64_t>(call); }
void Int28lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int16_t, int64_t>(call); }
void Int28le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int16_t, int64_t>(call); }
void Int28gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int16_t, int64_t>(call); }
void Int28ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int16_t, int64_t>(call); }
void Btint28cmp(const KernelCall& call) { OrderIntegers<int16_t, int64_t>(call); }

void Int82eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int64_t, int16_t>(call); }
void Int82ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int64_t, int16_t>(call); }
void Int82lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int64_t, int16_t>(call); }
void Int82le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int64_t, int16_t>(call); }
void Int82gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int64_t, int16_t>(call); }
void Int82ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int64_t, int16_t>(call); }
void Btint82cmp(const KernelCall& call) { OrderIntegers<int64_t, int16_t>(call); }

void Int48eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int32_t, int64_t>(call); }
void Int48ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int32_t, int64_t>(call); }
void Int48lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int32_t, int64_t>(call); }
void Int48le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int32_t, int64_t>(call); }
void Int48gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int32_t, int64_t>(call); }
void Int48ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int32_t, int64_t>(call); }
void Btint48cmp(const KernelCall& call) { OrderIntegers<int32_t, int64_t>(call); }

void Int84eq(const KernelCall& call) { CompareIntegers<Comparison::kEq, int64_t, int32_t>(call); }
void Int84ne(const KernelCall& call) { CompareIntegers<Comparison::kNe, int64_t, int32_t>(call); }
void Int84lt(const KernelCall& call) { CompareIntegers<Comparison::kLt, int64_t, int32_t>(call); }
void Int84le(const KernelCall& call) { CompareIntegers<Comparison::kLe, int64_t, int32_t>(call); }
void Int84gt(const KernelCall& call) { CompareIntegers<Comparison::kGt, int64_t, int32_t>(call); }
void Int84ge(const KernelCall& call) { CompareIntegers<Comparison::kGe, int64_t, int32_t>(call); }
void Btint84cmp(const KernelCall& call) { OrderIntegers<int64_t, int32_t>(call); }

void Oideq(const KernelCall& call) { CompareIntegers<Comparison::kEq, uint32_t, uint32_t>(call); }
void Oidne(const KernelCall& call) { CompareIntegers<Comparison::kNe, uint32_t, uint32_t>(call); }
void Oidlt(const KernelCall& call) { CompareIntegers<Comparison::kLt, uint32_t, uint32_t>(call); }
void Oidle(const KernelCall& call) { CompareIntegers<Comparison::kLe, uint32_t, uint32_t>(call); }
void Oidgt(const KernelCall& call) { CompareIntegers<Comparison::kGt, uint32_t, uint32_t>(call); }
void Oidge(const KernelCall& call) { CompareIntegers<Comparison::kGe, uint32_t, uint32_t>(call); }
void Btoidcmp(const KernelCall& call) { OrderIntegers<uint32_t, uint32_t>(call); }

void Booleq(const KernelCall& call) { CompareIntegers<Comparison::kEq, bool, bool>(call); }
void Boolne(const KernelCall& call) { CompareIntegers<Comparison::kNe, bool, bool>(call); }
void Boollt(const KernelCall& call) { CompareIntegers<Comparison::kLt, bool, bool>(call); }
void Boolle(const KernelCall& call) { CompareIntegers<Comparison::kLe, bool, bool>(call); }
void Boolgt(const KernelCall& call) { CompareIntegers<Comparison::kGt, bool, bool>(call); }
void Boolge(const KernelCall& call) { CompareIntegers<Comparison::kGe, bool, bool>(call); }
void Btboolcmp(const KernelCall& call) { OrderIntegers<bool, bool>(call); }

// PostgreSQL compares xid with int4 by the same function.
void Xideq(const KernelCall& call) { CompareIntegers<Comparison::kEq, uint32_t, uint32_t>(call); }
void Xidneq(const KernelCall& call) { CompareIntegers<Comparison::kNe, uint32_t, uint32_t>(call); }

void Int2larger(const KernelCall& call) {
  MapNumbers<int16_t, int16_t, int16_t>(call, [](int16_t a, int16_t b) { return a > b ? a : b; });
}
void Int2smaller(const KernelCall& call) {
  MapNumbers<int16_t, int16_t, int16_t>(call, [](int16_t a, int16_t b) { return a < b ? a : b; });
}
void Int4larger(const KernelCall& call) {
  MapNumbers<int32_t, int32_t, int32_t>(call, [](int32_t a, int32_t b) { return a > b ? a : b; });
}
void Int4smaller(const KernelCall& call) {
  MapNumbers<int32_t, int32_t, int32_t>(call, [](int32_t a, int32_t b) { return a < b ? a : b; });
}
void Int8larger(const KernelCall& call) {
  MapNumbers<int64_t, int64_t, int64_t>(call, [](int64_t a, int64_t b) { return a > b ? a : b; });
}
void Int8smaller(const KernelCall& call) {
  MapNumbers<int64_t, int64_t, int64_t>(call, [](int64_t a, int64_t b) { return a < b ? a : b; });
}
void Oidlarger(const KernelCall& call) {
  MapNumbers<uint32_t, uint32_t, uint32_t>(call, [](uint32_t a, uint32_t b) { return a > b ? a : b; });
}
void Oidsmaller(const KernelCall& call) {
  MapNumbers<uint32_t, uint32_t, uint32_t>(call, [](uint32_t a, uint32_t b) { return a < b ? a : b; });
}

}  // namespace mayfly::func
