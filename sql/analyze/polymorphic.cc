// Polymorphic types (PostgreSQL manual, 38.2.5): anyelement and its family must agree exactly, the anycompatible family on a
// common type. Range and enum families never match, since no type of ours is one.
#include "base/check.h"
#include "sql/analyze/coerce.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

enum class Kind : uint8_t { kNone, kElement, kNonArray, kArray, kCompatible, kCompatibleNonArray, kCompatibleArray, kNever };

Kind KindOf(Oid type) {
  switch (type.value) {
    case 2283: return Kind::kElement;
    case 2776: return Kind::kNonArray;
    case 2277: return Kind::kArray;
    case 5077: return Kind::kCompatible;
    case 5079: return Kind::kCompatibleNonArray;
    case 5078: return Kind::kCompatibleArray;
    case 3500:
    case 3831:
    case 4537:
    case 5080:
    case 4538: return Kind::kNever;  // anyenum, anyrange, anymultirange, anycompatible(multi)range
    default: return Kind::kNone;
  }
}

// What the arguments tell. Null = nothing.
struct Deduced {
  const TypeDesc* element = nullptr;
  const TypeDesc* array = nullptr;
  const TypeDesc* compatible = nullptr;
  bool any_compatible = false;  // a known argument of that family
};

bool IsTrueArray(const TypeDesc* type) { return type->element != nullptr; }

// The common type of types rather than expressions; null where there is none.
const TypeDesc* CommonOf(const std::vector<const TypeDesc*>& all) {
  std::vector<ExprPtr> exprs;
  exprs.reserve(all.size());
  for (const TypeDesc* type : all) exprs.push_back(MakeExpr(CaseTestValue{}, type));
  return SelectCommonType(exprs, {});
}

// False where the arguments contradict each other.
bool Deduce(std::span<const TypeDesc* const> actual, std::span<const TypeDesc* const> declared, Deduced& out) {
  bool non_array = false;
  bool compatible_non_array = false;
  std::vector<const TypeDesc*> compatible;
  for (size_t i = 0; i < actual.size(); ++i) {
    const Kind kind = KindOf(declared[i]->oid);
    const TypeDesc* type = actual[i];
    non_array = non_array || kind == Kind::kNonArray;
    compatible_non_array = compatible_non_array || kind == Kind::kCompatibleNonArray;
    if (kind == Kind::kNone) continue;
    if (IsUnknown(type)) continue;
    switch (kind) {
      case Kind::kElement:
      case Kind::kNonArray:
        if (out.element != nullptr && out.element != type) return false;
        out.element = type;
        break;
      case Kind::kArray:
        if (out.array != nullptr && out.array != type) return false;
        out.array = type;
        break;
      case Kind::kCompatible:
      case Kind::kCompatibleNonArray: compatible.push_back(type); break;
      case Kind::kCompatibleArray:
        if (!IsTrueArray(type)) return false;
        compatible.push_back(type->element);
        break;
      default: return false;
    }
  }
  if (out.array != nullptr) {
    if (!IsTrueArray(out.array)) {
      // An anyarray column of the catalogs (pg_stats) may be passed on as it is.
      if (out.array->oid != catalog::kOidAnyArray || out.element != nullptr) return false;
    } else {
      if (out.element != nullptr && out.element != out.array->element) return false;
      out.element = out.array->element;
    }
  }
  if (non_array && out.element != nullptr && IsTrueArray(out.element)) return false;
  if (!compatible.empty()) {
    out.any_compatible = true;
    out.compatible = CommonOf(compatible);
    if (out.compatible == nullptr) return false;
    if (compatible_non_array && IsTrueArray(out.compatible)) return false;
  }
  return true;
}

[[noreturn]] void ThrowUndetermined() {
  Throw(SqlError::Make(kDatatypeMismatch, "could not determine polymorphic type because input has type unknown"));
}

const TypeDesc* ArrayOf(const TypeDesc* element) {
  if (element->array == nullptr) {
    Throw(SqlError::Make(kUndefinedObject, "could not find array type for data type {}", TypeText(element)));
  }
  return element->array;
}

// What a declared polymorphic type becomes.
const TypeDesc* Substitute(Kind kind, const Deduced& deduced) {
  switch (kind) {
    case Kind::kElement:
    case Kind::kNonArray:
      if (deduced.element == nullptr) ThrowUndetermined();
      return deduced.element;
    case Kind::kArray:
      if (deduced.array != nullptr) return deduced.array;
      if (deduced.element == nullptr) ThrowUndetermined();
      return ArrayOf(deduced.element);
    case Kind::kCompatible:
    case Kind::kCompatibleNonArray: return deduced.compatible != nullptr ? deduced.compatible : TextType();
    case Kind::kCompatibleArray: return ArrayOf(deduced.compatible != nullptr ? deduced.compatible : TextType());
    default: ThrowUndetermined();
  }
}

}  // namespace

bool IsPolymorphic(Oid type) { return KindOf(type) != Kind::kNone; }

bool IsPolymorphicMatch(std::span<const TypeDesc* const> actual, std::span<const TypeDesc* const> declared) {
  Deduced deduced;
  return Deduce(actual, declared, deduced);
}

const TypeDesc* ResolvePolymorphic(std::span<const TypeDesc* const> actual, std::vector<const TypeDesc*>& declared,
                                   const TypeDesc* result) {
  bool any = KindOf(result->oid) != Kind::kNone;
  for (const TypeDesc* type : declared) any = any || KindOf(type->oid) != Kind::kNone;
  if (!any) return result;
  Deduced deduced;
  Check(Deduce(actual, declared, deduced), "polymorphic arguments do not match after resolution");
  for (size_t i = 0; i < declared.size(); ++i) {
    const Kind kind = KindOf(declared[i]->oid);
    if (kind != Kind::kNone) declared[i] = Substitute(kind, deduced);
  }
  const Kind kind = KindOf(result->oid);
  return kind == Kind::kNone ? result : Substitute(kind, deduced);
}

}  // namespace mayfly::analyze
