// Comparison of whole records, by the btree order of their fields: NULL equals NULL and sorts last (PostgreSQL manual, 9.24.6).
#include "sql/func/lift.h"
#include "sql/types/record.h"

namespace mayfly::func {

namespace {

template <typename Test>
void CompareKernel(const KernelCall& call, Test test) {
  Lift<bool(std::string_view, std::string_view)>(
      call, [test](std::string_view a, std::string_view b) { return test(types::CompareRecords(a, b)); });
}

}  // namespace

void RecordEq(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order == 0; });
}
void RecordNe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order != 0; });
}
void RecordLt(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order < 0; });
}
void RecordLe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order <= 0; });
}
void RecordGt(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order > 0; });
}
void RecordGe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order >= 0; });
}
void Btrecordcmp(const KernelCall& call) {
  Lift<int32_t(std::string_view, std::string_view)>(call, [](std::string_view a, std::string_view b) {
    const int order = types::CompareRecords(a, b);
    return int32_t{order < 0 ? -1 : order > 0 ? 1 : 0};
  });
}

}  // namespace mayfly::func
