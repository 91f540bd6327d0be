// What one change does to a state, and to storage.
#include "catalog/change_log.h"

#include <type_traits>

namespace mayfly::catalog {

namespace {

std::string Encode(const TableDescriptor& table) { return EncodeTable(table); }
std::string Encode(const SchemaDescriptor& schema) { return EncodeSchema(schema); }
std::string Encode(const RoleDescriptor& role) { return EncodeRole(role); }
std::string Encode(const DatabaseDescriptor& database) { return EncodeDatabase(database); }

void Drop(CatalogState& state, Oid oid, const TableDescriptor*) { state.DropTable(oid); }
void Drop(CatalogState& state, Oid oid, const SchemaDescriptor*) { state.DropSchema(oid); }
void Drop(CatalogState& state, Oid oid, const RoleDescriptor*) { state.DropRole(oid); }
void Drop(CatalogState&, Oid, const DatabaseDescriptor*) {}

}  // namespace

ObjectKind KindOf(const ChangedObject& object) {
  constexpr ObjectKind kKinds[] = {ObjectKind::kTable, ObjectKind::kSchema, ObjectKind::kRole, ObjectKind::kDatabase};
  static_assert(std::size(kKinds) == std::variant_size_v<ChangedObject>);
  return kKinds[object.index()];
}

std::optional<std::string> EncodeObject(const ChangedObject& object) {
  return std::visit([](const auto& pointer) { return pointer == nullptr ? std::optional<std::string>{} : Encode(*pointer); },
                    object);
}

void ApplyChange(const Change& change, CatalogState& state) {
  std::visit(
      [&](const auto& pointer) {
        if (pointer == nullptr) {
          Drop(state, change.oid, pointer.get());
        } else {
          state.Put(pointer);
        }
      },
      change.object);
}

}  // namespace mayfly::catalog
