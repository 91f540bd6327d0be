// Rows from vectors, error fields, and settings that are told late.
#include "wire/result_writer.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "sql/types/vector.h"
#include "tests/wire/script.h"
#include "wire/error_fields.h"

namespace mayfly::wire {
namespace {

std::string Lines(std::string_view bytes) {
  std::string lines;
  while (!bytes.empty()) {
    const size_t total = 1 + LoadBigEndian<uint32_t>(bytes.data() + 1);
    lines += DescribeBackendMessage(bytes[0], bytes.substr(5, total - 5)) + "\n";
    bytes.remove_prefix(total);
  }
  return lines;
}

const types::TypeOps kNumberOps = [] {
  types::TypeOps ops;
  ops.physical = types::PhysicalType::kInt64;
  ops.out = [](const types::TypeDesc&, const types::Datum& value, const types::IoContext&, std::string& out) {
    out += std::to_string(value.get<int64_t>());
  };
  ops.send = [](const types::TypeDesc&, const types::Datum& value, const types::IoContext&, std::string& out) {
    AppendBigEndian(out, value.get<int64_t>());
  };
  return ops;
}();
const types::TypeDesc kNumber{.oid = Oid{20}, .name = "int8", .ops = &kNumberOps, .length = 8};

TEST(ResultWriterTest, RowsAreSelectedConstantNullAndInTheirFormats) {
  types::Vector first(types::PhysicalType::kInt64, 4);
  for (int64_t row = 0; row < 4; ++row) first.Set<int64_t>(static_cast<size_t>(row), 10 * row);
  first.SetNull(2);
  types::Vector second(types::PhysicalType::kInt64, 4);
  second.Set<int64_t>(0, 7);
  second.SetConstant();
  const uint16_t selected[] = {1, 2, 3};
  const types::Batch batch{{&first, &second}, 4, selected, 3};
  const session::ResultColumn columns[] = {{"a", Oid{}, 0, &kNumber, -1}, {"b", Oid{}, 0, &kNumber, -1}};
  const Format formats[] = {Format::kText, Format::kBinary};
  const types::IoSettings settings;
  ResultWriter writer;
  writer.Rows(batch, columns, formats, types::IoContext{settings});
  const std::string seven = R"("\x00\x00\x00\x00\x00\x00\x00\x07")";
  EXPECT_EQ(Lines(writer.output()),
            "DataRow [\"10\", " + seven + "]\nDataRow [NULL, " + seven + "]\nDataRow [\"30\", " + seven + "]\n");
}

TEST(ResultWriterTest, ARowMayHaveNoColumns) {
  const types::Batch batch{{}, 2, nullptr, 0};
  const types::IoSettings settings;
  ResultWriter writer;
  writer.Rows(batch, {}, {}, types::IoContext{settings});
  EXPECT_EQ(Lines(writer.output()), "DataRow []\nDataRow []\n");
}

TEST(ResultWriterTest, ChangedSettingsAreToldOnceAndLast) {
  ResultWriter writer;
  writer.ParameterStatus("TimeZone", "UTC");
  writer.ParameterStatus("DateStyle", "ISO, MDY");
  writer.ParameterStatus("TimeZone", "Asia/Tokyo");
  EXPECT_EQ(writer.output(), "");
  writer.AppendChangedSettings();
  writer.AppendChangedSettings();
  EXPECT_EQ(Lines(writer.output()), "ParameterStatus \"TimeZone\" \"Asia/Tokyo\"\nParameterStatus \"DateStyle\" \"ISO, MDY\"\n");
}

TEST(ErrorFieldsTest, AllFieldsAreSent) {
  SqlError error =
      SqlError::MakeText(kUniqueViolation, "m").Detail("d").Hint("h").Context("w").Table("s", "t").Column("c").Constraint("n");
  error.type = "ty";
  error.position = SourcePos{2};
  error.internal_query = "é x";
  error.internal_position = SourcePos{3};
  std::string out;
  AppendErrorResponse(out, error, "éx");
  EXPECT_EQ(Lines(out),
            "ErrorResponse S=ERROR C=23505 M=\"m\" D=\"d\" H=\"h\" W=\"w\" s=\"s\" t=\"t\" c=\"c\" d=\"ty\" n=\"n\" P=2 p=\"3\" "
            "q=\"é x\"\n");
  for (const char* place : {"Ferror_fields.cc", "RAppendFields", "VERROR"})
    EXPECT_NE(out.find(std::string(place) + '\0'), std::string::npos);
}

TEST(ErrorFieldsTest, PositionsCountCharactersInsideOfTheText) {
  struct Case {
    const char* text;
    int32_t offset;
    int32_t position;
  };
  for (const Case& c : {Case{"abc", 0, 1}, Case{"abc", 2, 3}, Case{"abc", 3, 4}, Case{"abc", 4, 0}, Case{"abc", -1, 0},
                        Case{"", 0, 0}, Case{"é€x", 5, 3}, Case{"é€x", 2, 2}}) {
    EXPECT_EQ(CharacterPosition(c.text, SourcePos{c.offset}), c.position) << c.text << " " << c.offset;
  }
}

TEST(ErrorFieldsTest, APositionThatTheParserCountedWins) {
  SqlError error = SqlError::MakeText(kSyntaxError, "m").At(SourcePos{0});
  error.character_position = 9;
  std::string out;
  AppendErrorResponse(out, error, "abc");
  EXPECT_EQ(Lines(out), "ErrorResponse S=ERROR C=42601 M=\"m\" P=9\n");
}

TEST(ErrorFieldsTest, AZeroByteEndsAFieldAndNotTheMessage) {
  std::string out;
  AppendNoticeResponse(out, SqlError::MakeText(kWarning, std::string("a\0b", 3)).As(Severity::kWarning), {});
  EXPECT_EQ(Lines(out), "NoticeResponse S=WARNING C=01000 M=\"a\"\n");
}

}  // namespace
}  // namespace mayfly::wire
