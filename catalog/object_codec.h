// The catalog's own key space in storage, and the bytes of the objects in it.
//
//   key    00 00 00 01 (StorageId 1, layout plain) | kind: 1 byte | number: 4 bytes big-endian
//
//   kind   number              value
//   f      0                   varint: the format number of the whole key space; its presence says that the catalog exists
//   q      1 OIDs, 2 storage   u32 little-endian: the first number that was never reserved
//   s      schema OID          varint format, name, varint owner, comment
//   t      table OID           varint format, name, the descriptor (descriptor_codec.cc)
//   r      role OID            varint format, name, varint flags (1 superuser, 2 can log in), password verifier
//   d      database OID        varint format, name, varint owner, comment
//   g      storage id          empty: data of a dropped table, until the engine has given its space back
//
// Integers are LEB128 varints, strings have a varint length in front. Every object begins with its format number and its name, so
// that one of a newer format can be refused by name.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "catalog/descriptor.h"

namespace mayfly::catalog {

inline constexpr StorageId kCatalogStorage{1};
// The first storage id of users' tables.
inline constexpr uint32_t kFirstUserStorage = 100;
// What this server writes, and the newest it reads.
inline constexpr uint64_t kCatalogFormat = 1;
inline constexpr uint64_t kObjectFormat = 1;

enum class ObjectKind : char {
  kFormat = 'f',
  kSequence = 'q',
  kSchema = 's',
  kTable = 't',
  kRole = 'r',
  kDatabase = 'd',
  kGarbage = 'g'
};

inline storage::TableOptions CatalogStorage() { return {.table = kCatalogStorage}; }
std::string ObjectKey(ObjectKind kind, uint32_t number);
// Kind and number of a key of this key space; false for other bytes.
bool ParseObjectKey(std::string_view key, ObjectKind& kind, uint32_t& number);

// Writes and reads format number and name, which every object begins with. `what` and the name stand in the errors: 0A000 for a
// newer format, XX001 for damage.
void AppendObjectHead(std::string& out, std::string_view name);
Result<std::string> ReadObjectHead(ByteReader& in, std::string_view what);

std::string EncodeSchema(const SchemaDescriptor& schema);
Result<SchemaDescriptor> DecodeSchema(Oid oid, std::string_view bytes);
std::string EncodeRole(const RoleDescriptor& role);
Result<RoleDescriptor> DecodeRole(Oid oid, std::string_view bytes);
std::string EncodeDatabase(const DatabaseDescriptor& database);
Result<DatabaseDescriptor> DecodeDatabase(Oid oid, std::string_view bytes);

}  // namespace mayfly::catalog
