// Names for type OIDs in the .def rows (INT4, TEXT_ARRAY), and lists of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace mayfly::catalog::type_oid {

#define TYPE(oid, constant, ...) inline constexpr uint32_t constant = oid;
#include "catalog/data/type.def"
#undef TYPE

template <uint32_t... oids>
inline constexpr std::array<uint32_t, sizeof...(oids)> kList{oids...};

// Equal lists are one object.
template <uint32_t... oids>
constexpr std::span<const uint32_t> List() {
  return kList<oids...>;
}

}  // namespace mayfly::catalog::type_oid
