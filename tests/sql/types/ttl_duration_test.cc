#include "sql/types/ttl_duration.h"

#include <gtest/gtest.h>

#include <limits>

namespace mayfly::types {
namespace {

constexpr int64_t kSecond = 1'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

TEST(TtlDuration, ReadsEveryUnitInEveryCase) {
  const struct {
    const char* text;
    int64_t millis;
  } cases[] = {
      {"1ns", 1},
      {"1 nano", 1},
      {"1 NANOS", 1},
      {"1000000 nanosecond", 1},
      {"1000001 nanoseconds", 2},
      {"1us", 1},
      {"1000\xC2\xB5s", 1},
      {"1001 \xC2\xB5S", 2},
      {"1000 \xCE\xBCs", 1},
      {"1000 micro", 1},
      {"2000micros", 2},
      {"2001microsecond", 3},
      {"2001 microseconds", 3},
      {"1ms", 1},
      {"7 milli", 7},
      {"7 millis", 7},
      {"7 Millisecond", 7},
      {"7 MILLISECONDS", 7},
      {"1s", kSecond},
      {"2 sec", 2 * kSecond},
      {"2 secs", 2 * kSecond},
      {"2 second", 2 * kSecond},
      {"2 Seconds", 2 * kSecond},
      {"3m", 3 * kMinute},
      {"3M", 3 * kMinute},
      {" 5 min", 5 * kMinute},
      {"5 minute", 5 * kMinute},
      {"5minutes", 5 * kMinute},
      {"1h", kHour},
      {"1 H", kHour},
      {"1 hour", kHour},
      {"36 hours", 36 * kHour},
      {"1d", kDay},
      {"1 day", kDay},
      {"  007   days  ", 7 * kDay},
      {"\t1\tday\n", kDay},
  };
  for (const auto& c : cases) {
    const auto result = ParseTtlDuration(c.text);
    ASSERT_TRUE(result.ok()) << c.text << ": " << result.error().detail;
    EXPECT_EQ(*result, c.millis) << c.text;
  }
}

TEST(TtlDuration, ReadsIntervalsAndIso8601) {
  const struct {
    const char* text;
    int64_t millis;
  } cases[] = {
      {"1 day 12:00:00", kDay + 12 * kHour},
      {"12:00", 12 * kHour},
      {"00:00:01", kSecond},
      {"1 week", 7 * kDay},
      {"2 weeks 1 day", 15 * kDay},
      {"1 hour 30 minutes", 90 * kMinute},
      {"1h 30m", 90 * kMinute},
      {"@ 1 hour", kHour},
      {"1 day -2:00", 22 * kHour},
      {"1 sec 1 us", kSecond + 1},
      {"PT1H", kHour},
      {"pt1h", kHour},
      {"P1D", kDay},
      {"P1W", 7 * kDay},
      {"P1DT12H", kDay + 12 * kHour},
      {"PT1M30S", kMinute + 30 * kSecond},
      {"PT04:05:06", 4 * kHour + 5 * kMinute + 6 * kSecond},
  };
  for (const auto& c : cases) {
    const auto result = ParseTtlDuration(c.text);
    ASSERT_TRUE(result.ok()) << c.text << ": " << result.error().detail;
    EXPECT_EQ(*result, c.millis) << c.text;
  }
}

TEST(TtlDuration, KeepsTheWholeRangeOfMilliseconds) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(*ParseTtlDuration("9223372036854775807 ms"), kMax);
  EXPECT_EQ(*ParseTtlDuration("9223372036854775807000000 ns"), kMax);
  EXPECT_EQ(*ParseTtlDuration("9223372036854775806000001 ns"), kMax);
  EXPECT_EQ(*ParseTtlDuration("9223372036854775 s"), 9223372036854775000);
  EXPECT_EQ(*ParseTtlDuration("106751991167 d"), 106751991167 * kDay);
}

TEST(TtlDuration, RefusesWhatIsNoDurationAndSaysWhy) {
  const struct {
    const char* text;
    const char* detail;
  } cases[] = {
      {"", "There is no number."},
      {"   ", "There is no number."},
      {"h", "There is no number."},
      {"hour", "There is no number."},
      {"one hour", "There is no unit \"one\"."},
      {"5", "A number has no unit."},
      {" 5 ", "A number has no unit."},
      {"1 12:00:00", "A number has no unit."},
      {"5 fortnights", "There is no unit \"fortnights\"."},
      {"1 hourz", "There is no unit \"hourz\"."},
      {"1 2 h", "There are two numbers, but one unit."},
      {"1 2", "There are two numbers, but one unit."},
      {"1.5h", "A fraction is not allowed."},
      {"1.5 days", "A fraction is not allowed."},
      {".5 h", "A fraction is not allowed."},
      {"1.h", "A fraction is not allowed."},
      {"00:00:01.5", "A fraction is not allowed."},
      {"PT1.5H", "A fraction is not allowed."},
      {"0h", "The duration must be greater than zero."},
      {"0 ns", "The duration must be greater than zero."},
      {"00:00", "The duration must be greater than zero."},
      {"PT0S", "The duration must be greater than zero."},
      {"-1h", "The duration must be greater than zero."},
      {"-1 ms", "The duration must be greater than zero."},
      {"1 hour ago", "The duration must be greater than zero."},
      {"1 day -24:00", "The duration must be greater than zero."},
      {"PT-1H", "The duration must be greater than zero."},
      {"1 month", "Months and years have no fixed length."},
      {"1 mon", "Months and years have no fixed length."},
      {"2 years", "Months and years have no fixed length."},
      {"1 year 2 days", "Months and years have no fixed length."},
      {"1 qtr", "Months and years have no fixed length."},
      {"1 decade", "Months and years have no fixed length."},
      {"1-2", "Months and years have no fixed length."},
      {"P1M", "Months and years have no fixed length."},
      {"P1Y", "Months and years have no fixed length."},
      {"P0001-02-03T04:05:06", "Months and years have no fixed length."},
      {"9223372036854775808 ms", "The duration exceeds the range of 64-bit milliseconds."},
      {"9223372036854775807 s", "The duration exceeds the range of 64-bit milliseconds."},
      {"9223372036854775807000001 ns", "The duration exceeds the range of 64-bit milliseconds."},
      {"106751991168 d", "The duration exceeds the range of 64-bit milliseconds."},
      {"99999999999999999999999999999999999999999999 ns", "The duration exceeds the range of 64-bit milliseconds."},
      {"99999999999 weeks", "The duration exceeds the range of 64-bit milliseconds."},
      {"1 day 5 nanos", "This is no duration."},
      {"P1X", "This is no duration."},
      {"1 h \x01", "This is no duration."},
      {"12:60", "The duration exceeds the range of 64-bit milliseconds."},
  };
  for (const auto& c : cases) {
    const auto result = ParseTtlDuration(c.text);
    ASSERT_FALSE(result.ok()) << c.text << " gave " << *result;
    EXPECT_EQ(result.error().state.code(), "22023") << c.text;
    EXPECT_EQ(result.error().detail, c.detail) << c.text;
    EXPECT_EQ(result.error().message, fmt::format("invalid value for option \"table.kv.row.ttl\": \"{}\"", c.text));
    EXPECT_FALSE(result.error().hint.empty()) << c.text;
  }
}

}  // namespace
}  // namespace mayfly::types
