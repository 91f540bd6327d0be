// Comparison of arrays, and the operators @> <@ && (PostgreSQL manual, 9.19).
#include "sql/func/array_function.h"

namespace mayfly::func {

namespace {

using types::ArrayReader;
using types::Datum;

template <typename Test>
void CompareKernel(const KernelCall& call, Test test) {
  ElementCompare(*call.arg_types[0].type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const ArrayArgument a(call, 0, call.rows[i]);
    const ArrayArgument b(call, 1, call.rows[i]);
    call.result.Set(call.rows[i], test(types::CompareArrays(*a, *b)));
  }
}

// oidvector has an order of its own.
template <typename Test>
void CompareVectorKernel(const KernelCall& call, Test test) {
  const types::TypeDesc& type = *call.arg_types[0].type;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    call.result.Set(row, test(type.ops->compare(type, call.args[0]->Get(row), call.args[1]->Get(row))));
  }
}

void PickKernel(const KernelCall& call, bool larger) {
  ElementCompare(*call.arg_types[0].type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const ArrayArgument a(call, 0, call.rows[i]);
    const ArrayArgument b(call, 1, call.rows[i]);
    const int order = types::CompareArrays(*a, *b);
    call.result.SetDatum(call.rows[i], (larger ? order > 0 : order < 0) ? a.datum() : b.datum());
  }
}

// Every element of `part` is in `whole`; NULL is in nothing.
bool ContainsAll(const ArrayReader& whole, const ArrayReader& part) {
  const auto compare = ElementCompare(whole.element_type());
  for (size_t i = 0; i < part.count(); ++i) {
    if (part.IsNull(i)) return false;
    const Datum wanted = part.Element(i);
    bool found = false;
    for (size_t j = 0; j < whole.count() && !found; ++j) found = !whole.IsNull(j) && compare(wanted, whole.Element(j)) == 0;
    if (!found) return false;
  }
  return true;
}

bool Overlaps(const ArrayReader& a, const ArrayReader& b) {
  const auto compare = ElementCompare(a.element_type());
  for (size_t i = 0; i < a.count(); ++i) {
    if (a.IsNull(i)) continue;
    const Datum element = a.Element(i);
    for (size_t j = 0; j < b.count(); ++j) {
      if (!b.IsNull(j) && compare(element, b.Element(j)) == 0) return true;
    }
  }
  return false;
}

template <typename Test>
void PairKernel(const KernelCall& call, Test test) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const ArrayArgument a(call, 0, call.rows[i]);
    const ArrayArgument b(call, 1, call.rows[i]);
    call.result.Set(call.rows[i], test(*a, *b));
  }
}

}  // namespace

void ArrayEq(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order == 0; });
}
void ArrayNe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order != 0; });
}
void ArrayLt(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order < 0; });
}
void ArrayLe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order <= 0; });
}
void ArrayGt(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order > 0; });
}
void ArrayGe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order >= 0; });
}
void Btarraycmp(const KernelCall& call) {
  CompareKernel(call, [](int order) { return int32_t{order < 0 ? -1 : order > 0 ? 1 : 0}; });
}
void ArrayLarger(const KernelCall& call) { PickKernel(call, true); }
void ArraySmaller(const KernelCall& call) { PickKernel(call, false); }

void Oidvectoreq(const KernelCall& call) {
  CompareVectorKernel(call, [](int order) { return order == 0; });
}
void Oidvectorne(const KernelCall& call) {
  CompareVectorKernel(call, [](int order) { return order != 0; });
}
void Oidvectorlt(const KernelCall& call) {
  CompareVectorKernel(call, [](int order) { return order < 0; });
}
void Oidvectorle(const KernelCall& call) {
  CompareVectorKernel(call, [](int order) { return order <= 0; });
}
void Oidvectorgt(const KernelCall& call) {
  CompareVectorKernel(call, [](int order) { return order > 0; });
}
void Oidvectorge(const KernelCall& call) {
  CompareVectorKernel(call, [](int order) { return order >= 0; });
}
void Btoidvectorcmp(const KernelCall& call) {
  CompareVectorKernel(call, [](int order) { return int32_t{order}; });
}

void Arraycontains(const KernelCall& call) { PairKernel(call, ContainsAll); }
// width_bucket(operand, thresholds): how many of the ascending thresholds are at or below the operand.
void WidthBucketArray(const KernelCall& call) {
  const auto compare = ElementCompare(*call.arg_types[1].type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const ArrayArgument thresholds(call, 1, row);
    if (thresholds->dimension_count() > 1) Throw(SqlError::Make(kArrayElementError, "thresholds must be one-dimensional array"));
    for (size_t at = 0; at < thresholds->count(); ++at) {
      if (thresholds->IsNull(at)) Throw(SqlError::Make(kNullValueNotAllowed, "thresholds array must not contain NULLs"));
    }
    const Datum operand = call.args[0]->Get(row);
    size_t low = 0;
    size_t high = thresholds->count();
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (compare(operand, thresholds->Element(middle)) < 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    call.result.Set(row, static_cast<int32_t>(low));
  }
}

void Arraycontained(const KernelCall& call) {
  PairKernel(call, [](const ArrayReader& part, const ArrayReader& whole) { return ContainsAll(whole, part); });
}
void Arrayoverlap(const KernelCall& call) { PairKernel(call, Overlaps); }

}  // namespace mayfly::func
