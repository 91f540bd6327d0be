// Indexes over the constant fact tables: by OID without a hash (the OIDs of facts are below 10000), and by name.
#pragma once

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/strong_id.h"

namespace mayfly::catalog {

// Row number by OID. Made at compile time.
struct OidIndex {
  static constexpr size_t kOidMax = 10000;
  static constexpr size_t kNone = 0xffff;

  std::array<uint16_t, kOidMax> rows{};

  size_t Find(Oid oid) const { return oid.value < kOidMax ? rows[oid.value] : kNone; }
};

// Requires: ascending OIDs (a table out of order, or with a number twice, does not compile).
template <size_t count, typename OidOf>
consteval OidIndex MakeOidIndex(OidOf oid_of) {
  static_assert(count < OidIndex::kNone);
  OidIndex index;
  index.rows.fill(static_cast<uint16_t>(OidIndex::kNone));
  uint32_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t oid = oid_of(i);
    if (oid <= last || oid >= OidIndex::kOidMax) throw "OIDs must ascend, below 10000";
    last = oid;
    index.rows[oid] = static_cast<uint16_t>(i);
  }
  return index;
}

// Rows by name, in the order of the table. Borrows the rows.
template <typename Row>
class NameIndex {
 public:
  explicit NameIndex(std::span<const Row> rows) {
    for (const Row& row : rows) sorted_.push_back(&row);
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const Row* a, const Row* b) { return a->name < b->name; });
    for (size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
      while (end < sorted_.size() && sorted_[end]->name == sorted_[begin]->name) ++end;
      groups_.emplace(sorted_[begin]->name, std::span(sorted_).subspan(begin, end - begin));
    }
  }
  NameIndex(const NameIndex&) = delete;
  NameIndex& operator=(const NameIndex&) = delete;

  std::span<const Row* const> Find(std::string_view name) const {
    const auto at = groups_.find(name);
    return at == groups_.end() ? std::span<const Row* const>{} : at->second;
  }

 private:
  std::vector<const Row*> sorted_;
  boost::unordered_flat_map<std::string_view, std::span<const Row* const>> groups_;
};

}  // namespace mayfly::catalog
