// The bytes of stored values, pinned.
#include "storage/value_layout.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <limits>

namespace mayfly::storage {
namespace {

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

TEST(ValueLayoutTest, GoldenBytes) {
  struct Case {
    ValueLayout layout;
    Tag tag;
    std::string_view payload;
    std::string_view hex;
  };
  for (const Case& c :
       {Case{ValueLayout::kPlain, 1, "ab", "6162"}, Case{ValueLayout::kPlain, 1, "", ""},
        Case{ValueLayout::kTagged, 0x0102030405060708, "ab", "08070605040302016162"},
        Case{ValueLayout::kTagged, -1, "", "ffffffffffffffff"}, Case{ValueLayout::kTagged, kNeverTag, "x", "ffffffffffffff7f78"},
        Case{ValueLayout::kTagged, std::numeric_limits<int64_t>::min(), "", "0000000000000080"}}) {
    std::string stored;
    EncodeValue(c.layout, c.tag, c.payload, stored);
    EXPECT_EQ(Hex(stored), c.hex);
    EXPECT_EQ(stored.size(), StoredSize(c.layout, c.payload.size()));
    const auto decoded = DecodeValue(c.layout, stored);
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(decoded->payload, c.payload);
    EXPECT_EQ(decoded->tag, c.layout == ValueLayout::kPlain ? kNeverTag : c.tag);
  }
}

TEST(ValueLayoutTest, EncodingAppends) {
  std::string stored = "head";
  EncodeValue(ValueLayout::kPlain, 0, "tail", stored);
  EXPECT_EQ(stored, "headtail");
}

TEST(ValueLayoutTest, TooShortValuesAreDamage) {
  for (size_t size = 0; size < sizeof(Tag); ++size) {
    const auto decoded = DecodeValue(ValueLayout::kTagged, std::string(size, 'x'));
    ASSERT_FALSE(decoded.ok()) << size;
    EXPECT_EQ(decoded.error().state.code(), "XX001");
  }
  EXPECT_TRUE(DecodeValue(ValueLayout::kTagged, std::string(sizeof(Tag), 'x')).ok());
  EXPECT_TRUE(DecodeValue(ValueLayout::kPlain, "").ok());
}

TEST(ValueLayoutTest, NewerVersionsAreRefusedByName) {
  EXPECT_EQ(*ValueLayoutFromVersion(1, "t"), ValueLayout::kPlain);
  EXPECT_EQ(*ValueLayoutFromVersion(2, "t"), ValueLayout::kTagged);
  for (const int version : {0, 3, -1, 1000}) {
    const auto layout = ValueLayoutFromVersion(version, "sessions");
    ASSERT_FALSE(layout.ok());
    EXPECT_EQ(layout.error().state.code(), "0A000");
    EXPECT_NE(layout.error().message.find("\"sessions\""), std::string::npos);
    EXPECT_NE(layout.error().message.find(std::to_string(version)), std::string::npos);
  }
}

}  // namespace
}  // namespace mayfly::storage
