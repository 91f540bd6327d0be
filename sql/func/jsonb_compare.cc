// Comparison of jsonb, containment @> <@ and existence ? ?| ?& (PostgreSQL manual, 8.14.3).
#include "sql/func/array_function.h"
#include "sql/func/lift.h"
#include "sql/types/jsonb.h"

namespace mayfly::func {

namespace {

using types::JsonbView;
using types::JsonKind;

template <typename Test>
void CompareKernel(const KernelCall& call, Test test) {
  Lift<bool(std::string_view, std::string_view)>(
      call, [test](std::string_view a, std::string_view b) { return test(types::CompareJsonb(JsonbView(a), JsonbView(b))); });
}

bool Contains(JsonbView whole, JsonbView part);

bool ArrayHas(JsonbView array, JsonbView element) {
  for (size_t i = 0; i < array.count(); ++i) {
    const JsonbView member = array.Element(i);
    if (member.kind() != element.kind()) continue;
    if (member.is_scalar() ? types::EqualJsonb(member, element) : Contains(member, element)) return true;
  }
  return false;
}

// Every member of `part` has its match in `whole`, order and repetition aside.
bool Contains(JsonbView whole, JsonbView part) {
  if (whole.kind() != part.kind()) return false;
  if (whole.is_scalar()) return types::EqualJsonb(whole, part);
  for (size_t i = 0; i < part.count(); ++i) {
    if (whole.kind() == JsonKind::kArray) {
      if (!ArrayHas(whole, part.Element(i))) return false;
      continue;
    }
    const std::optional<JsonbView> value = whole.Find(part.Key(i));
    if (!value || !Contains(*value, part.Value(i))) return false;
  }
  return true;
}

// On top, an array may contain a scalar: '["a"]' @> '"a"'.
bool TopContains(JsonbView whole, JsonbView part) {
  if (whole.kind() == JsonKind::kArray && part.is_scalar()) return ArrayHas(whole, part);
  return Contains(whole, part);
}

// A key of an object, or a string in an array, or a string on top.
bool Exists(JsonbView value, std::string_view name) {
  if (value.kind() == JsonKind::kObject) return value.Find(name).has_value();
  if (value.kind() == JsonKind::kString) return value.string() == name;
  if (value.kind() != JsonKind::kArray) return false;
  for (size_t i = 0; i < value.count(); ++i) {
    if (value.Element(i).kind() == JsonKind::kString && value.Element(i).string() == name) return true;
  }
  return false;
}

// NULL names are passed over.
void ExistsKernel(const KernelCall& call, bool all) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const types::Datum value = call.args[0]->Get(row);
    const ArrayArgument names(call, 1, row);
    bool result = all;
    for (size_t at = 0; at < names->count() && result == all; ++at) {
      if (!names->IsNull(at) && Exists(JsonbView(value.bytes()), names->Element(at).bytes()) != all) result = !all;
    }
    call.result.Set(row, result);
  }
}

}  // namespace

void JsonbEq(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order == 0; });
}
void JsonbNe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order != 0; });
}
void JsonbLt(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order < 0; });
}
void JsonbLe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order <= 0; });
}
void JsonbGt(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order > 0; });
}
void JsonbGe(const KernelCall& call) {
  CompareKernel(call, [](int order) { return order >= 0; });
}
void JsonbCmp(const KernelCall& call) {
  Lift<int32_t(std::string_view, std::string_view)>(
      call, [](std::string_view a, std::string_view b) { return int32_t{types::CompareJsonb(JsonbView(a), JsonbView(b))}; });
}

void JsonbContains(const KernelCall& call) {
  Lift<bool(std::string_view, std::string_view)>(
      call, [](std::string_view whole, std::string_view part) { return TopContains(JsonbView(whole), JsonbView(part)); });
}
void JsonbContained(const KernelCall& call) {
  Lift<bool(std::string_view, std::string_view)>(
      call, [](std::string_view part, std::string_view whole) { return TopContains(JsonbView(whole), JsonbView(part)); });
}
void JsonbExists(const KernelCall& call) {
  Lift<bool(std::string_view, std::string_view)>(
      call, [](std::string_view value, std::string_view name) { return Exists(JsonbView(value), name); });
}
void JsonbExistsAny(const KernelCall& call) { ExistsKernel(call, false); }
void JsonbExistsAll(const KernelCall& call) { ExistsKernel(call, true); }

}  // namespace mayfly::func
