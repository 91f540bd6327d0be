#include "sql/parse/edit_list.h"

#include <gtest/gtest.h>

namespace mayfly::parse {
namespace {

//           0123456789
// client    abcXYdefZg
// parsed    abc1234def9g   XY -> 1234, Z -> 9, and "" -> + before g
EditList MakeEdits() {
  EditList edits;
  edits.Add({.begin = 3, .deleted_size = 2, .inserted = "1234"});
  edits.Add({.begin = 8, .deleted_size = 1, .inserted = ""});
  edits.Add({.begin = 9, .deleted_size = 0, .inserted = "+"});
  return edits;
}

TEST(EditList, Applies) { EXPECT_EQ(MakeEdits().Apply("abcXYdefZg"), "abc1234def+g"); }

TEST(EditList, MapsPositionsBack) {
  const EditList edits = MakeEdits();
  const size_t expected[] = {0, 1, 2, 3, 3, 3, 3, 5, 6, 7, 9, 9, 10};
  for (size_t parsed = 0; parsed < std::size(expected); ++parsed) EXPECT_EQ(edits.Original(parsed), expected[parsed]) << parsed;
}

TEST(EditList, FindsTheEditAroundAPosition) {
  const EditList edits = MakeEdits();
  EXPECT_EQ(edits.Covering(2), nullptr);
  ASSERT_NE(edits.Covering(3), nullptr);
  EXPECT_EQ(edits.Covering(6)->inserted, "1234");
  EXPECT_EQ(edits.Covering(7), nullptr);
  EXPECT_EQ(edits.Covering(10)->inserted, "+");
  EXPECT_EQ(EditList().Covering(0), nullptr);
  EXPECT_EQ(EditList().Original(7), 7u);
}

}  // namespace
}  // namespace mayfly::parse
