// Types, operators, casts and operator classes as constant arrays, and their indexes. Functions stand in facts_proc.cc.
#include "catalog/facts.h"

#include <algorithm>

#include "catalog/oid_index.h"
#include "catalog/type_oid.h"

namespace mayfly::catalog {

namespace {

using namespace type_oid;

// Types that stand in system catalogs only: shown as text, never read or computed with.
void OpaqueOut(const types::TypeDesc&, const types::Datum& value, const types::IoContext&, std::string& out) {
  out += value.bytes();
}
constexpr types::TypeOps kOpaqueOps = {.physical = types::PhysicalType::kBytes, .out = OpaqueOut, .send = OpaqueOut};

constexpr uint32_t kTypeOids[] = {
#define TYPE(oid, ...) oid,
#include "catalog/data/type.def"
#undef TYPE
};
constexpr size_t kTypeCount = std::size(kTypeOids);
static_assert(std::is_sorted(std::begin(kTypeOids), std::end(kTypeOids)));

extern const types::TypeDesc kTypes[kTypeCount];

// Null for 0 and for a type that is not in the table.
constexpr const types::TypeDesc* Link(uint32_t oid) {
  const auto* at = std::lower_bound(std::begin(kTypeOids), std::end(kTypeOids), oid);
  return at == std::end(kTypeOids) || *at != oid ? nullptr : kTypes + (at - kTypeOids);
}
// name, point and others have a typelem without being arrays; record[] is one of the pseudo-types.
constexpr const types::TypeDesc* ElementLink(uint32_t oid, char category) {
  return category == 'A' || category == 'P' ? Link(oid) : nullptr;
}

constinit const types::TypeDesc kTypes[kTypeCount] = {
#define TYPE(oid, constant, name, ops, kind, length, by_value, category, preferred, delimiter, element, array, ...) \
  {Oid{oid}, name, ops, ElementLink(element, category), Link(array), length, category, preferred, delimiter},
#include "catalog/data/type.def"
#undef TYPE
};

constexpr TypeRow kTypeRows[] = {
#define TYPE(oid, constant, name, ops, kind, length, by_value, category, preferred, delimiter, element, array, alignment, \
             storage, collation, input, output, receive, send, typmod_in, typmod_out, description)                        \
  {Link(oid),  kind,        by_value,     alignment, storage,        Oid{element},    Oid{array}, Oid{collation},         \
   Oid{input}, Oid{output}, Oid{receive}, Oid{send}, Oid{typmod_in}, Oid{typmod_out}, description},
#include "catalog/data/type.def"
#undef TYPE
};

constexpr int kMerge = 1;
constexpr int kHash = 2;

constexpr OperatorRow kOperators[] = {
#define OPERATOR(oid, name, left, right, result, proc, commutator, negator, flags, restriction, join, description) \
  {Oid{oid},                                                                                                       \
   name,                                                                                                           \
   Oid{left},                                                                                                      \
   Oid{right},                                                                                                     \
   Oid{result},                                                                                                    \
   Oid{proc},                                                                                                      \
   Oid{commutator},                                                                                                \
   Oid{negator},                                                                                                   \
   ((flags)&kMerge) != 0,                                                                                          \
   ((flags)&kHash) != 0,                                                                                           \
   Oid{restriction},                                                                                               \
   Oid{join},                                                                                                      \
   description},
#include "catalog/data/operator.def"
#undef OPERATOR
};

constexpr CastRow kCasts[] = {
#define CAST(source, target, proc, context, method) \
  {Oid{source}, Oid{target}, Oid{proc}, static_cast<CastContext>(context), static_cast<CastMethod>(method)},
#include "catalog/data/cast.def"
#undef CAST
};
constexpr uint64_t CastKey(Oid source, Oid target) { return (uint64_t{source.value} << 32) | target.value; }
constexpr bool CastBefore(const CastRow& a, const CastRow& b) {
  return CastKey(a.source, a.target) < CastKey(b.source, b.target);
}
static_assert(std::is_sorted(std::begin(kCasts), std::end(kCasts), CastBefore));

struct BtreeRow {
  uint32_t type;
  BtreeOperators operators;
};
#define OPCLASS(...)
constexpr BtreeRow kBtree[] = {
#define BTREE(type, less, equal, greater) {type, {Oid{less}, Oid{equal}, Oid{greater}}},
#include "catalog/data/opclass.def"
#undef BTREE
};
#undef OPCLASS
static_assert(std::is_sorted(std::begin(kBtree), std::end(kBtree), [](const auto& a, const auto& b) { return a.type < b.type; }));

#define BTREE(...)
constexpr OperatorClassRow kOperatorClasses[] = {
#define OPCLASS(oid, name, family, family_name, input, key, is_default) \
  {Oid{oid}, name, Oid{family}, family_name, Oid{input}, Oid{key}, is_default},
#include "catalog/data/opclass.def"
#undef OPCLASS
};
#undef BTREE

constinit const auto kTypeIndex = MakeOidIndex<kTypeCount>([](size_t i) { return kTypeOids[i]; });
constinit const auto kOperatorIndex = MakeOidIndex<std::size(kOperators)>([](size_t i) { return kOperators[i].oid.value; });

const NameIndex<types::TypeDesc>& TypeNames() {
  static const NameIndex<types::TypeDesc> index{std::span<const types::TypeDesc>(kTypes)};
  return index;
}
const NameIndex<OperatorRow>& OperatorNames() {
  static const NameIndex<OperatorRow> index{std::span<const OperatorRow>(kOperators)};
  return index;
}

}  // namespace

std::span<const TypeRow> AllTypes() { return kTypeRows; }
std::span<const OperatorRow> AllOperators() { return kOperators; }
std::span<const CastRow> AllCasts() { return kCasts; }
std::span<const OperatorClassRow> AllOperatorClasses() { return kOperatorClasses; }

const TypeRow* FindTypeRow(Oid oid) {
  const size_t at = kTypeIndex.Find(oid);
  return at == OidIndex::kNone ? nullptr : &kTypeRows[at];
}

const types::TypeDesc* FindType(Oid oid) {
  const size_t at = kTypeIndex.Find(oid);
  return at == OidIndex::kNone ? nullptr : &kTypes[at];
}

const types::TypeDesc* FindTypeByName(std::string_view name) {
  const auto found = TypeNames().Find(name);
  return found.empty() ? nullptr : found.front();
}

std::span<const OperatorRow* const> FindOperatorsByName(std::string_view name) { return OperatorNames().Find(name); }

const OperatorRow* FindOperator(Oid oid) {
  const size_t at = kOperatorIndex.Find(oid);
  return at == OidIndex::kNone ? nullptr : &kOperators[at];
}

const CastRow* FindCast(Oid source, Oid target) {
  const CastRow wanted{source, target, {}, {}, {}};
  const auto* at = std::lower_bound(std::begin(kCasts), std::end(kCasts), wanted, CastBefore);
  return at != std::end(kCasts) && at->source == source && at->target == target ? at : nullptr;
}

BtreeOperators FindBtreeOperators(Oid type) {
  const auto find = [](uint32_t oid) {
    const auto* at = std::lower_bound(std::begin(kBtree), std::end(kBtree), oid,
                                      [](const BtreeRow& row, uint32_t value) { return row.type < value; });
    return at != std::end(kBtree) && at->type == oid ? at->operators : BtreeOperators{};
  };
  if (const BtreeOperators own = find(type.value); own.equal.valid()) return own;
  const types::TypeDesc* desc = FindType(type);
  if (desc == nullptr || desc->element == nullptr) return {};
  return find(kOidAnyArray.value);
}

}  // namespace mayfly::catalog
