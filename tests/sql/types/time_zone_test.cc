#include "sql/types/time_zone.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "sql/types/calendar.h"

namespace mayfly::types {
namespace {

int64_t Seconds(int32_t year, int32_t month, int32_t day, int32_t hour = 0, int32_t minute = 0) {
  return (DaysFromCivil(year, month, day) + kUnixEpochDays) * kSecondsPerDay + hour * 3600 + minute * 60;
}

TEST(TimeZone, IsFoundInAnyCaseAndNamedAsInstalled) {
  const struct {
    const char* given;
    const char* name;
  } cases[] = {{"utc", "UTC"},
               {"UTC", "UTC"},
               {"europe/paris", "Europe/Paris"},
               {"AMERICA/NEW_YORK", "America/New_York"},
               {"est", "EST"},
               {"pst8pdt", "PST8PDT"},
               {"foo5", "FOO5"},
               {"+02", "+02"},
               {"<+05>-05", "<+05>-05"},
               {"x5y,m3.2.0,m11.1.0", "X5Y,M3.2.0,M11.1.0"}};
  for (const auto& c : cases) {
    const TimeZone* zone = TimeZone::Find(c.given);
    ASSERT_NE(zone, nullptr) << c.given;
    EXPECT_EQ(zone->name(), c.name);
    EXPECT_EQ(zone, TimeZone::Find(c.given)) << "found twice, made once";
  }
}

TEST(TimeZone, UnknownNamesAreRefused) {
  for (const char* name : {"", "nope", "x", "Europe", "Europe/", "../etc/passwd", "/etc/localtime", "Europe//Paris", ".", "zone.tab",
                           "right/Europe/Paris", "FOO", "FOO200", "FOO5BAR,M13.1.0,M11.1.0", "FOO5BAR,", "<+05", "FOO5:60"}) {
    EXPECT_EQ(TimeZone::Find(name), nullptr) << name;
    const auto zone = TimeZone::Lookup(name);
    ASSERT_FALSE(zone.ok());
    EXPECT_EQ(zone.error().state.code(), "22023");
    EXPECT_EQ(zone.error().message, fmt::format("time zone \"{}\" not recognized", name));
  }
  EXPECT_EQ(TimeZone::Find(std::string(300, 'a')), nullptr);
}

TEST(TimeZone, OffsetsFollowTheRulesFarIntoBothEnds) {
  const struct {
    const char* zone;
    int64_t at;
    int32_t offset;
    const char* abbreviation;
  } cases[] = {
      {"UTC", Seconds(2024, 7, 1), 0, "UTC"},
      {"America/New_York", Seconds(2024, 7, 1), -4 * 3600, "EDT"},
      {"America/New_York", Seconds(2024, 1, 1), -5 * 3600, "EST"},
      {"America/New_York", Seconds(1800, 1, 1), -17762, "LMT"},
      {"America/New_York", Seconds(2500, 7, 1), -4 * 3600, "EDT"},
      {"America/New_York", Seconds(29000, 1, 1), -5 * 3600, "EST"},
      {"Asia/Kolkata", Seconds(2024, 7, 1), 19800, "IST"},
      {"Asia/Kolkata", Seconds(9999, 7, 1), 19800, "IST"},
      {"Australia/Lord_Howe", Seconds(2024, 7, 1), 37800, "+1030"},
      {"FOO5BAR", Seconds(1800, 7, 1), -4 * 3600, "BAR"},
      {"FOO5BAR", Seconds(5000, 1, 1), -5 * 3600, "FOO"},
      {"X5Y4,J60/0,J300/0", Seconds(2024, 3, 1, 5), -4 * 3600, "Y"},
      {"X5Y4,59/0,299/0", Seconds(2023, 3, 1, 5), -4 * 3600, "Y"},
      {"X-3:30:15", 0, 12615, "X"},
  };
  for (const auto& c : cases) {
    const TimeZone* zone = TimeZone::Find(c.zone);
    ASSERT_NE(zone, nullptr) << c.zone;
    const ZoneSpan span = zone->At(c.at);
    EXPECT_EQ(span.offset_seconds, c.offset) << c.zone << " " << c.at;
    EXPECT_EQ(span.abbreviation, c.abbreviation) << c.zone;
    EXPECT_LE(span.begin, c.at);
    EXPECT_GT(span.end, c.at);
    EXPECT_EQ(zone->OffsetAt(c.at), c.offset);
  }
}

TEST(TimeZone, ALocalTimeInAGapTakesTheOffsetBeforeAndInAnOverlapTheOneAfter) {
  const TimeZone* zone = TimeZone::Find("America/New_York");
  const struct {
    int64_t local;
    int32_t hours;
  } cases[] = {
      {Seconds(2024, 3, 10, 1, 59), -5}, {Seconds(2024, 3, 10, 2, 0), -5},  {Seconds(2024, 3, 10, 2, 30), -5}, {Seconds(2024, 3, 10, 3, 0), -4},
      {Seconds(2024, 11, 3, 0, 59), -4}, {Seconds(2024, 11, 3, 1, 0), -5},  {Seconds(2024, 11, 3, 1, 59), -5}, {Seconds(2024, 11, 3, 2, 0), -5},
      {Seconds(2500, 7, 1), -4},         {Seconds(2024, 3, 9, 12), -5},
  };
  for (const auto& c : cases) EXPECT_EQ(zone->OffsetOfLocal(c.local), c.hours * 3600) << c.local;
}

TEST(TimeZone, FixedOffsetsHavePostgreSqlsNames) {
  EXPECT_EQ(TimeZone::ForOffset(5 * 3600)->name(), "<+05>-05");
  EXPECT_EQ(TimeZone::ForOffset(-19800)->name(), "<-05:30>+05:30");
  EXPECT_EQ(TimeZone::ForOffset(-19800)->FixedOffset(), -19800);
  EXPECT_EQ(TimeZone::ForOffset(0)->FixedOffset(), 0);
  EXPECT_EQ(TimeZone::ForOffset(8 * 86400), nullptr);
  EXPECT_EQ(TimeZone::Find("Europe/Paris")->FixedOffset(), std::nullopt);
}

TEST(TimeZone, AbbreviationsMeanAnOffsetOrAZonesHistory) {
  EXPECT_EQ(FindZoneAbbreviation("est")->offset_seconds, -5 * 3600);
  EXPECT_FALSE(FindZoneAbbreviation("est")->is_dst);
  EXPECT_TRUE(FindZoneAbbreviation("edt")->is_dst);
  EXPECT_EQ(FindZoneAbbreviation("z")->offset_seconds, 0);
  EXPECT_FALSE(FindZoneAbbreviation("nope").has_value());
  EXPECT_FALSE(FindZoneAbbreviation("").has_value());
  const auto moscow = FindZoneAbbreviation("msk");
  ASSERT_TRUE(moscow.has_value());
  ASSERT_NE(moscow->zone, nullptr);
  EXPECT_EQ(moscow->zone->OffsetOfAbbreviation("msk", Seconds(2012, 1, 1)), 4 * 3600);
  EXPECT_EQ(moscow->zone->OffsetOfAbbreviation("msk", Seconds(2020, 1, 1)), 3 * 3600);
  EXPECT_EQ(moscow->zone->OffsetOfAbbreviation("xyz", 0), std::nullopt);
}

TEST(TimeZone, ThreadsFindOneZone) {
  std::vector<std::thread> threads;
  std::vector<const TimeZone*> found(8);
  for (size_t i = 0; i < found.size(); ++i) threads.emplace_back([&, i] { found[i] = TimeZone::Find("Pacific/Chatham"); });
  for (std::thread& thread : threads) thread.join();
  for (const TimeZone* zone : found) EXPECT_EQ(zone, found[0]);
}

TEST(ZoneCursor, GivesWhatTheZoneGivesInAnyOrder) {
  const TimeZone* zone = TimeZone::Find("Europe/Berlin");
  ZoneCursor cursor(zone);
  for (int64_t t = Seconds(1890, 1, 1); t < Seconds(2600, 1, 1); t += 86'400 * 97 + 12'345) {
    EXPECT_EQ(cursor.At(t).offset_seconds, zone->OffsetAt(t));
    EXPECT_EQ(cursor.At(-t).offset_seconds, zone->OffsetAt(-t));
  }
}

}  // namespace
}  // namespace mayfly::types
