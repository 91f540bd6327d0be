// Keys of the catalog's key space, and the bytes of everything but tables.
#include "catalog/object_codec.h"

namespace mayfly::catalog {

namespace {

constexpr uint64_t kSuperuserFlag = 1;
constexpr uint64_t kCanLoginFlag = 2;

Status CheckEnd(const ByteReader& in, std::string_view what, std::string_view name) {
  if (in.ok() && in.AtEnd()) return Ok();
  return SqlError::Make(kDataCorrupted, "the catalog's entry of {} \"{}\" is damaged", what, name);
}

}  // namespace

std::string ObjectKey(ObjectKind kind, uint32_t number) {
  std::string key;
  AppendBigEndian(key, kCatalogStorage.value);
  key += static_cast<char>(kind);
  AppendBigEndian(key, number);
  return key;
}

bool ParseObjectKey(std::string_view key, ObjectKind& kind, uint32_t& number) {
  ByteReader in(key);
  const auto table = in.BigEndian<uint32_t>();
  kind = static_cast<ObjectKind>(in.BigEndian<char>());
  number = in.BigEndian<uint32_t>();
  return in.ok() && in.AtEnd() && table == kCatalogStorage.value &&
         std::string_view("fqstrdg").find(static_cast<char>(kind)) != std::string_view::npos;
}

void AppendObjectHead(std::string& out, std::string_view name) {
  AppendVarint(out, kObjectFormat);
  AppendLengthPrefixed(out, name);
}

Result<std::string> ReadObjectHead(ByteReader& in, std::string_view what) {
  const uint64_t format = in.Varint();
  std::string name(in.LengthPrefixed());
  if (!in.ok() || format == 0) return SqlError::Make(kDataCorrupted, "the catalog's entry of a {} is damaged", what);
  if (format > kObjectFormat) {
    return SqlError::Make(kFeatureNotSupported, "{} \"{}\" has catalog format {}, but this server knows formats up to {} only",
                          what, name, format, kObjectFormat)
        .Hint("Use the newer server that wrote this data directory.");
  }
  return name;
}

std::string EncodeSchema(const SchemaDescriptor& schema) {
  std::string out;
  AppendObjectHead(out, schema.name);
  AppendVarint(out, schema.owner.value);
  AppendLengthPrefixed(out, schema.comment);
  return out;
}

Result<SchemaDescriptor> DecodeSchema(Oid oid, std::string_view bytes) {
  ByteReader in(bytes);
  TRY(std::string, name, ReadObjectHead(in, "schema"));
  SchemaDescriptor schema{.oid = oid, .name = std::move(name), .owner = Oid{static_cast<uint32_t>(in.Varint())}, .comment = {}};
  schema.comment = in.LengthPrefixed();
  TRY_OK(CheckEnd(in, "schema", schema.name));
  return schema;
}

std::string EncodeRole(const RoleDescriptor& role) {
  std::string out;
  AppendObjectHead(out, role.name);
  AppendVarint(out, (role.superuser ? kSuperuserFlag : 0) | (role.can_login ? kCanLoginFlag : 0));
  AppendLengthPrefixed(out, role.password_verifier);
  return out;
}

Result<RoleDescriptor> DecodeRole(Oid oid, std::string_view bytes) {
  ByteReader in(bytes);
  TRY(std::string, name, ReadObjectHead(in, "role"));
  const uint64_t flags = in.Varint();
  RoleDescriptor role{.oid = oid,
                      .name = std::move(name),
                      .superuser = (flags & kSuperuserFlag) != 0,
                      .can_login = (flags & kCanLoginFlag) != 0,
                      .password_verifier = std::string(in.LengthPrefixed())};
  TRY_OK(CheckEnd(in, "role", role.name));
  return role;
}

std::string EncodeDatabase(const DatabaseDescriptor& database) {
  std::string out;
  AppendObjectHead(out, database.name);
  AppendVarint(out, database.owner.value);
  AppendLengthPrefixed(out, database.comment);
  return out;
}

Result<DatabaseDescriptor> DecodeDatabase(Oid oid, std::string_view bytes) {
  ByteReader in(bytes);
  TRY(std::string, name, ReadObjectHead(in, "database"));
  DatabaseDescriptor database{
      .oid = oid, .name = std::move(name), .owner = Oid{static_cast<uint32_t>(in.Varint())}, .comment = {}};
  database.comment = in.LengthPrefixed();
  TRY_OK(CheckEnd(in, "database", database.name));
  return database;
}

}  // namespace mayfly::catalog
