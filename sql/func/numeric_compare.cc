// Comparison of numeric, on its bytes.
#include "sql/func/lift.h"
#include "sql/types/numeric.h"

namespace mayfly::func {

namespace {

template <typename Test>
void CompareNumerics(const KernelCall& call, Test test) {
  Lift<bool(std::string_view, std::string_view)>(
      call, [test](std::string_view a, std::string_view b) { return test(types::CompareNumericBytes(a, b)); });
}

}  // namespace

void NumericEq(const KernelCall& call) {
  CompareNumerics(call, [](int order) { return order == 0; });
}
void NumericNe(const KernelCall& call) {
  CompareNumerics(call, [](int order) { return order != 0; });
}
void NumericLt(const KernelCall& call) {
  CompareNumerics(call, [](int order) { return order < 0; });
}
void NumericLe(const KernelCall& call) {
  CompareNumerics(call, [](int order) { return order <= 0; });
}
void NumericGt(const KernelCall& call) {
  CompareNumerics(call, [](int order) { return order > 0; });
}
void NumericGe(const KernelCall& call) {
  CompareNumerics(call, [](int order) { return order >= 0; });
}
void NumericCmp(const KernelCall& call) {
  Lift<int32_t(std::string_view, std::string_view)>(
      call, [](std::string_view a, std::string_view b) { return int32_t{types::CompareNumericBytes(a, b)}; });
}
// Of equal values the second one, which may show another scale.
void NumericLarger(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view)>(
      call, [](std::string_view a, std::string_view b) { return types::CompareNumericBytes(a, b) > 0 ? a : b; });
}
void NumericSmaller(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view)>(
      call, [](std::string_view a, std::string_view b) { return types::CompareNumericBytes(a, b) < 0 ? a : b; });
}

}  // namespace mayfly::func
