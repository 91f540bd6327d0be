// The changes of one catalog transaction, in order: replayed over the newest published state they give what the transaction sees,
// and at commit the next published state.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "catalog/object_codec.h"
#include "catalog/snapshot.h"

namespace mayfly::catalog {

// The object, or null where it was dropped.
using ChangedObject = std::variant<TablePtr, std::shared_ptr<const SchemaDescriptor>, std::shared_ptr<const RoleDescriptor>,
                                   std::shared_ptr<const DatabaseDescriptor>>;

struct Change {
  Oid oid;
  ChangedObject object;
  // Of a table that got another storage or was dropped: where its rows were. 0 = nowhere.
  StorageId garbage;
};

ObjectKind KindOf(const ChangedObject& object);
// The stored bytes; nullopt for a dropped object.
std::optional<std::string> EncodeObject(const ChangedObject& object);
void ApplyChange(const Change& change, CatalogState& state);

}  // namespace mayfly::catalog
