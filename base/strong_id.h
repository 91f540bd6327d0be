// Ids of different kinds are different types: swapping two of them does not compile.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace mayfly {

// An integer of kind Tag. Zero is "none" (PostgreSQL's InvalidOid).
template <typename Tag, typename Integer>
struct StrongId {
  using integer_type = Integer;
  Integer value = 0;
  constexpr bool valid() const { return value != 0; }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

// Object identifier, as clients see it in the catalogs.
using Oid = StrongId<struct OidTag, uint32_t>;
// A table's or index's key prefix in storage. Never reused.
using StorageId = StrongId<struct StorageIdTag, uint32_t>;
// A column for its whole life: ADD, DROP and RENAME COLUMN never change or reuse one. Doubles as pg_attribute.attnum.
using ColumnId = StrongId<struct ColumnIdTag, int16_t>;
// Counts catalog changes; a plan made at another version is made again.
using CatalogVersion = StrongId<struct CatalogVersionTag, uint64_t>;

}  // namespace mayfly

template <typename Tag, typename Integer>
struct std::hash<mayfly::StrongId<Tag, Integer>> {
  size_t operator()(mayfly::StrongId<Tag, Integer> id) const noexcept { return std::hash<Integer>{}(id.value); }
};
