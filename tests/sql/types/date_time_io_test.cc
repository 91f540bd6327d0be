// Text and binary forms of dates, times and intervals against PostgreSQL's own (make_date_time_golden.py), and what keys must keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sql/types/calendar.h"
#include "sql/types/time_zone.h"
#include "sql/types/type.h"

namespace mayfly::types {
namespace {

struct Case {
  std::string type;
  int32_t typmod = -1;
  IoSettings settings;
  std::string literal;
  std::string binary;
  std::string text;
};

const TypeOps& OpsOf(const std::string& type) {
  static const std::map<std::string, const TypeOps*> ops = {{"date", &kDateOps},
                                                            {"time", &kTimeOps},
                                                            {"timestamp", &kTimestampOps},
                                                            {"timestamptz", &kTimestamptzOps},
                                                            {"interval", &kIntervalOps}};
  return *ops.at(type);
}

std::vector<Case> ReadCases() {
  std::ifstream file(MAYFLY_SOURCE_DIR "/tests/sql/types/date_time_io.golden");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> fields;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    if (fields.size() != 9) continue;
    Case c{.type = fields[0], .typmod = std::stoi(fields[1]), .settings = {}, .literal = fields[6], .binary = fields[7], .text = fields[8]};
    c.settings.time_zone = TimeZone::Find(fields[2]);
    c.settings.date_style = fields[3] == "iso"        ? DateStyle::kIso
                            : fields[3] == "postgres" ? DateStyle::kPostgres
                            : fields[3] == "sql"      ? DateStyle::kSql
                                                      : DateStyle::kGerman;
    c.settings.date_order = fields[4] == "mdy" ? DateOrder::kMdy : fields[4] == "dmy" ? DateOrder::kDmy : DateOrder::kYmd;
    c.settings.interval_style = fields[5] == "postgres"           ? IntervalStyle::kPostgres
                                : fields[5] == "postgres_verbose" ? IntervalStyle::kPostgresVerbose
                                : fields[5] == "sql_standard"     ? IntervalStyle::kSqlStandard
                                                                  : IntervalStyle::kIso8601;
    cases.push_back(std::move(c));
  }
  return cases;
}

std::string Hex(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

TEST(DateTimeIo, AgreesWithPostgreSqlOnEveryGoldenLiteral) {
  const auto cases = ReadCases();
  ASSERT_GT(cases.size(), 2000U);
  Arena arena;
  for (const Case& c : cases) {
    const TypeOps& ops = OpsOf(c.type);
    const TypeDesc type{.oid = Oid{0}, .name = c.type, .ops = &ops};
    const IoContext io{c.settings};
    const auto value = ops.in(type, c.literal, c.typmod, io, arena);
    if (!value.ok()) {
      EXPECT_EQ(fmt::format("{} {}", value.error().state.code(), value.error().message), c.text) << c.type << " " << c.literal;
      continue;
    }
    std::string text;
    ops.out(type, *value, io, text);
    EXPECT_EQ(text, c.text) << c.type << " " << c.literal;
    std::string binary;
    ops.send(type, *value, io, binary);
    EXPECT_EQ(Hex(binary), c.binary) << c.type << " " << c.literal;
    const auto received = ops.recv(type, binary, -1, io, arena);
    ASSERT_TRUE(received.ok()) << c.literal;
    EXPECT_EQ(ops.compare(type, *received, *value), 0) << c.literal;
  }
}

TEST(DateTimeIo, KeysKeepTheOrderAndComeBackEqual) {
  std::map<std::string, std::vector<Datum>> values;
  Arena arena;
  for (const Case& c : ReadCases()) {
    const TypeOps& ops = OpsOf(c.type);
    const TypeDesc type{.oid = Oid{0}, .name = c.type, .ops = &ops};
    const auto value = ops.in(type, c.literal, -1, IoContext{c.settings}, arena);
    if (value.ok()) values[c.type].push_back(*value);
  }
  values["interval"].push_back(Datum(Interval{INT64_MAX, INT32_MAX, INT32_MAX}));
  values["interval"].push_back(Datum(Interval{INT64_MIN, INT32_MIN, INT32_MIN}));
  values["interval"].push_back(Datum(Interval{INT64_MIN, INT32_MAX, INT32_MIN}));
  for (auto& [name, list] : values) {
    const TypeOps& ops = OpsOf(name);
    const TypeDesc type{.oid = Oid{0}, .name = name, .ops = &ops};
    std::sort(list.begin(), list.end(), [&](const Datum& a, const Datum& b) { return ops.compare(type, a, b) < 0; });
    std::string last;
    for (size_t i = 0; i < list.size(); ++i) {
      std::string key;
      ops.encode_key(type, list[i], key);
      if (i > 0) {
        const bool is_equal = ops.compare(type, list[i - 1], list[i]) == 0;
        EXPECT_EQ(last == key, is_equal) << name;
        EXPECT_LE(last, key) << name;
        if (is_equal) {
          EXPECT_EQ(ops.hash(type, list[i - 1]), ops.hash(type, list[i])) << name;
        }
      }
      ByteReader reader(key);
      const auto decoded = ops.decode_key(type, reader, arena);
      ASSERT_TRUE(decoded.ok()) << name;
      EXPECT_TRUE(reader.AtEnd());
      EXPECT_EQ(ops.compare(type, *decoded, list[i]), 0) << name;
      ByteReader cut(std::string_view(key).substr(0, key.size() - 1));
      EXPECT_FALSE(ops.decode_key(type, cut, arena).ok());
      last = key;
    }
  }
}

TEST(DateTimeIo, IntervalsOfOneSpanAreEqual) {
  const TypeDesc type{.oid = Oid{0}, .name = "interval", .ops = &kIntervalOps};
  const Datum month(Interval{0, 0, 1});
  const Datum days(Interval{0, 30, 0});
  const Datum hours(Interval{720 * kMicrosPerHour, 0, 0});
  for (const Datum& other : {days, hours}) {
    EXPECT_EQ(kIntervalOps.compare(type, month, other), 0);
    EXPECT_EQ(kIntervalOps.hash(type, month), kIntervalOps.hash(type, other));
  }
}

TEST(DateTimeIo, BinaryInputOutOfRangeOrOfWrongLengthIsRefused) {
  const IoSettings settings;
  const IoContext io{settings};
  Arena arena;
  const struct {
    const char* type;
    std::string bytes;
    const char* error;
  } cases[] = {
      {"date", std::string("\x7f\xff\xff\x00", 4), "22008 date out of range"},
      {"date", std::string("\x00\x00", 2), "08P01 insufficient data left in message"},
      {"date", std::string(5, '\0'), "22P03 incorrect binary data format"},
      {"time", std::string(8, '\xff'), "22008 time out of range"},
      {"time", std::string("\x00\x00\x00\x14\x1d\xd7\x60\x01", 8), "22008 time out of range"},
      {"timestamp", std::string("\x7f\xff\xff\xff\xff\xff\xff\xfe", 8), "22008 timestamp out of range"},
      {"timestamptz", std::string("\x80\x00\x00\x00\x00\x00\x00\x01", 8), "22008 timestamp out of range"},
      {"timestamptz", "", "08P01 insufficient data left in message"},
      {"interval", std::string(15, '\0'), "08P01 insufficient data left in message"},
      {"interval", std::string(17, '\0'), "22P03 incorrect binary data format"},
  };
  for (const auto& c : cases) {
    const TypeOps& ops = OpsOf(c.type);
    const TypeDesc type{.oid = Oid{0}, .name = c.type, .ops = &ops};
    const auto value = ops.recv(type, c.bytes, -1, io, arena);
    ASSERT_FALSE(value.ok()) << c.type;
    EXPECT_EQ(fmt::format("{} {}", value.error().state.code(), value.error().message), c.error);
  }
}

TEST(DateTimeIo, TypmodsAreReadAndPrinted) {
  EXPECT_EQ(*kTimestampOps.typmod_in(std::vector<int32_t>{3}), 3);
  EXPECT_EQ(*kTimestamptzOps.typmod_in(std::vector<int32_t>{7}), 6);
  EXPECT_EQ(kTimestamptzOps.typmod_in(std::vector<int32_t>{-1}).error().message, "TIMESTAMP(-1) WITH TIME ZONE precision must not be negative");
  EXPECT_EQ(kTimestampOps.typmod_in(std::vector<int32_t>{1, 2}).error().message, "invalid type modifier");
  EXPECT_EQ(kTimeOps.typmod_in(std::vector<int32_t>{-2}).error().message, "TIME(-2) precision must not be negative");
  EXPECT_EQ(*kIntervalOps.typmod_in(std::vector<int32_t>{0x7FFF}), -1);
  EXPECT_EQ(kIntervalOps.typmod_in(std::vector<int32_t>{5}).error().message, "invalid INTERVAL type modifier");
  const struct {
    const TypeOps& ops;
    int32_t typmod;
    const char* text;
  } cases[] = {
      {kTimestampOps, 3, "(3) without time zone"},
      {kTimestampOps, -1, " without time zone"},
      {kTimestamptzOps, 0, "(0) with time zone"},
      {kTimeOps, 6, "(6) without time zone"},
      {kIntervalOps, -1, ""},
      {kIntervalOps, (7176 << 16) | 3, " day to second(3)"},
      {kIntervalOps, (4 << 16) | 0xFFFF, " year"},
      {kIntervalOps, (0x7FFF << 16) | 2, "(2)"},
  };
  for (const auto& c : cases) {
    std::string text;
    c.ops.typmod_out(c.typmod, text);
    EXPECT_EQ(text, c.text);
  }
}

TEST(DateTimeIo, NowAndItsKinAreThoseOfTheTransactionInTheSessionsZone) {
  IoSettings settings;
  settings.time_zone = TimeZone::Find("America/New_York");
  settings.transaction_timestamp = 757'389'600'123'456;  // 2024-01-01 02:00:00.123456 UTC, the evening before in New York
  const IoContext io{settings};
  Arena arena;
  const struct {
    const char* type;
    const char* literal;
    const char* text;
  } cases[] = {
      {"timestamptz", "now", "2023-12-31 21:00:00.123456-05"},
      {"timestamp", "now", "2023-12-31 21:00:00.123456"},
      {"time", "NOW", "21:00:00.123456"},
      {"date", "today", "2023-12-31"},
      {"date", "tomorrow", "2024-01-01"},
      {"date", "yesterday", "2023-12-30"},
      {"timestamptz", "today 10:00", "2023-12-31 10:00:00-05"},
      {"timestamptz", "tomorrow allballs", "2023-12-31 19:00:00-05"},
  };
  for (const auto& c : cases) {
    const TypeOps& ops = OpsOf(c.type);
    const TypeDesc type{.oid = Oid{0}, .name = c.type, .ops = &ops};
    std::string text;
    ops.out(type, ops.in(type, c.literal, -1, io, arena).value(), io, text);
    EXPECT_EQ(text, c.text) << c.literal;
  }
}

}  // namespace
}  // namespace mayfly::types
