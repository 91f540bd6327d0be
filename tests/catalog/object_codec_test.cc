// The bytes of the catalog's objects: fixed for ever, read totally.
#include "catalog/object_codec.h"

#include "tests/catalog/catalog_harness.h"

namespace mayfly::catalog {
namespace {

std::string Hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return out;
}

TEST(ObjectCodecTest, KeysAreDrawnInTheHeader) {
  EXPECT_EQ(Hex(ObjectKey(ObjectKind::kTable, 16384)),
            "00000001"
            "74"
            "00004000");
  ObjectKind kind{};
  uint32_t number = 0;
  ASSERT_TRUE(ParseObjectKey(ObjectKey(ObjectKind::kGarbage, 7), kind, number));
  EXPECT_EQ(kind, ObjectKind::kGarbage);
  EXPECT_EQ(number, 7u);
  for (const std::string_view bad : {"", "abc", "aaaat0000", "\0\0\0\1z0000"})
    EXPECT_FALSE(ParseObjectKey(bad, kind, number)) << bad;
}

TEST(ObjectCodecTest, GoldenBytes) {
  EXPECT_EQ(Hex(EncodeSchema({.oid = Oid{5}, .name = "s", .owner = Oid{10}, .comment = "c"})),
            "01"
            "0173"
            "0a"
            "0163");
  EXPECT_EQ(Hex(EncodeRole({.oid = Oid{5}, .name = "r", .superuser = false, .can_login = true, .password_verifier = "p"})),
            "01"
            "0172"
            "02"
            "0170");
  EXPECT_EQ(Hex(EncodeDatabase({.oid = Oid{5}, .name = "d", .owner = Oid{10}, .comment = {}})),
            "01"
            "0164"
            "0a"
            "00");
  TableDescriptor table;
  table.oid = Oid{16384};
  table.type_oid = Oid{16385};
  table.name = "t";
  table.schema = kPublicSchema;
  table.owner = kBootstrapRole;
  table.storage = StorageId{100};
  table.kv_format_version = 2;
  table.columns = {
      {.id = ColumnId{1},
       .name = "a",
       .type = FindType(kOidInt4),
       .not_null = true,
       .default_sql = "1",
       .missing_value = {},
       .comment = {}},
      {.id = ColumnId{2}, .name = "b", .type = FindType(kOidInt8), .default_sql = {}, .missing_value = "m", .comment = "c"}};
  table.layouts = {{1, {ColumnId{2}}}};
  table.indexes = {{.oid = Oid{16386}, .name = "i", .constraint_oid = Oid{16387}, .columns = {ColumnId{1}}, .comment = {}}};
  table.ttl = TtlOptions{.ttl_ms = 1000, .time_column = ColumnId{2}, .ttl_text = "1s"};
  EXPECT_EQ(Hex(EncodeTable(table)),
            "01"
            "0174"
            "808001"
            "818001"
            "9811"
            "0a"
            "72"
            "64"
            "02"
            "02"
            "00"
            "00"
            "02"
            "01"
            "0161"
            "17"
            "01"
            "01"
            "0131"
            "00"
            "02"
            "0162"
            "14"
            "01"
            "04"
            "00"
            "016d"
            "0163"
            "01"
            "01"
            "01"
            "02"
            "01"
            "828001"
            "0169"
            "838001"
            "01"
            "01"
            "01"
            "03"
            "00"
            "d00f"
            "02"
            "023173");
}

class DescriptorBytesTest : public CatalogTest {};

TEST_F(DescriptorBytesTest, EveryTruncationIsRefused) {
  const auto txn = catalog_->Begin();
  const std::string bytes = EncodeTable(MakeTable(*txn, "t"));
  ASSERT_TRUE(DecodeTable(bytes).ok());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = DecodeTable(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(decoded.ok()) << size;
    EXPECT_EQ(decoded.error().state, kDataCorrupted);
  }
  EXPECT_FALSE(DecodeTable(bytes + "x").ok());
}

TEST_F(DescriptorBytesTest, ANewerFormatIsRefusedByName) {
  const auto txn = catalog_->Begin();
  std::string bytes = EncodeTable(MakeTable(*txn, "t"));
  bytes[0] = 9;
  const auto decoded = DecodeTable(bytes);
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(decoded.error().state, kFeatureNotSupported);
  EXPECT_EQ(decoded.error().message, "table \"t\" has catalog format 9, but this server knows formats up to 1 only");
}

TEST_F(DescriptorBytesTest, ATtlColumnThatDoesNotExistIsDamage) {
  const auto txn = catalog_->Begin();
  TableDescriptor table = MakeTable(*txn, "t");
  table.ttl->time_column = ColumnId{9};
  EXPECT_FALSE(DecodeTable(EncodeTable(table)).ok());
}

}  // namespace
}  // namespace mayfly::catalog
