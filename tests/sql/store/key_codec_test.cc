#include "sql/store/key_codec.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/sql/store/store_fixture.h"

namespace mayfly::store {
namespace {

std::string KeyOf(const std::string& type, const char* text) {
  const catalog::TableDescriptor table = MakeTable({{"k", type}}, 1);
  const KeyCodec codec(table);
  const Row row(table, {text});
  std::string key;
  codec.Begin(key);
  codec.Append(0, row.values()[0], key);
  return key;
}

// The bytes are a format on disk: a change here needs a new KV format version.
TEST(KeyCodec, BytesOfEveryKeyTypeArePinned) {
  struct Case {
    const char* type;
    const char* text;
    const char* hex;  // after the prefix: table 7, index 1
  };
  constexpr Case kCases[] = {
#include "tests/sql/store/key_bytes.inc"
  };
  for (const Case& item : kCases) {
    const std::string key = KeyOf(item.type, item.text);
    EXPECT_EQ(Hex(key.substr(0, kKeyPrefixBytes)), "000000070001");
    EXPECT_EQ(Hex(key.substr(kKeyPrefixBytes)), item.hex)
        << "{\"" << item.type << "\", \"" << item.text << "\", \"" << Hex(key.substr(kKeyPrefixBytes)) << "\"},";
  }
}

TEST(KeyCodec, MemcmpOrderIsTheOrderOfValues) {
  const std::pair<const char*, std::vector<const char*>> kAscending[] = {
      {"int2", {"-32768", "-1", "0", "1", "32767"}},
      {"int4", {"-2147483648", "-1", "0", "1", "2147483647"}},
      {"int8", {"-9223372036854775808", "-1", "0", "1", "9223372036854775807"}},
      {"float8", {"-Infinity", "-1.5", "-1e-300", "0", "1e-300", "1", "Infinity", "NaN"}},
      {"numeric",
       {"-Infinity", "-1e20", "-10", "-1.5", "-0.0001", "0", "0.00001", "0.1", "1", "1.5", "10", "1e20", "Infinity", "NaN"}},
      {"text", {"", "\x01", "A", "a", "a\x01", "aa", "ab", "b", "\xc3\xa4"}},
      {"bytea", {"\\x", "\\x00", "\\x0000", "\\x00ff", "\\x01", "\\xff", "\\xff00", "\\xffff"}},
      {"bool", {"false", "true"}},
      {"date", {"-infinity", "0044-03-15 BC", "1999-12-31", "2000-01-01", "2024-02-29", "infinity"}},
      {"timestamp", {"-infinity", "1999-12-31 23:59:59.999999", "2000-01-01", "infinity"}},
      {"timestamptz", {"-infinity", "1969-12-31 00:00+00", "2024-01-01 00:00+00", "infinity"}},
      {"uuid",
       {"00000000-0000-0000-0000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "ffffffff-ffff-ffff-ffff-ffffffffffff"}},
      {"interval", {"-1 mon", "-1 day", "00:00:00.000001", "23:00", "1 day", "1 mon"}},
  };
  for (const auto& [type, values] : kAscending) {
    for (size_t i = 1; i < values.size(); ++i) {
      EXPECT_LT(KeyOf(type, values[i - 1]), KeyOf(type, values[i])) << type << " " << values[i - 1] << " < " << values[i];
    }
  }
}

TEST(KeyCodec, EqualValuesHaveEqualKeys) {
  EXPECT_EQ(KeyOf("numeric", "1.5"), KeyOf("numeric", "1.500"));
  EXPECT_EQ(KeyOf("float8", "0"), KeyOf("float8", "-0"));
  EXPECT_EQ(KeyOf("interval", "1 day"), KeyOf("interval", "24:00"));
  EXPECT_EQ(KeyOf("bpchar", "a"), KeyOf("bpchar", "a   "));
  EXPECT_NE(KeyOf("text", "a"), KeyOf("text", "a "));
}

TEST(KeyCodec, PrefixEndIsTheNextPrefix) {
  EXPECT_EQ(Hex(PrefixEnd(std::string("\x01\x02", 2))), "0103");
  EXPECT_EQ(Hex(PrefixEnd(std::string("\x01\xff", 2))), "02");
  EXPECT_EQ(PrefixEnd(std::string("\xff\xff", 2)), "");
  const storage::KeyRange range = TableRange(MakeTable({{"k", "int4"}}, 1));
  EXPECT_EQ(Hex(range.begin), "000000070001");
  EXPECT_EQ(Hex(range.end), "000000070002");
}

TEST(KeyCodec, ColumnsOfACompositeKeyStandInOrder) {
  const catalog::TableDescriptor table = MakeTable({{"a", "text"}, {"b", "int4"}, {"c", "text"}}, 2);
  const KeyCodec codec(table);
  EXPECT_EQ(codec.column_count(), 2U);
  EXPECT_EQ(codec.PositionOf(ColumnId{2}), 1U);
  EXPECT_FALSE(codec.PositionOf(ColumnId{3}).has_value());
}

}  // namespace
}  // namespace mayfly::store
