// Dates, times and intervals as text, in the four DateStyles and the four IntervalStyles. Appends; allocates nothing but the string's growth.
#pragma once

#include <cstdint>
#include <string>

#include "sql/types/calendar.h"
#include "sql/types/type.h"

namespace mayfly::types {

// Infinite dates and timestamps are "infinity" and "-infinity".
void AppendDate(int32_t date, const IoSettings& settings, std::string& out);
// HH:MM:SS[.ffffff]; micros in 0 .. 24 hours inclusive.
void AppendTime(int64_t micros, std::string& out);
void AppendTimestamp(int64_t timestamp, const IoSettings& settings, std::string& out);
// In settings.time_zone (null: UTC).
void AppendTimestamptz(int64_t timestamp, const IoSettings& settings, std::string& out);

// A broken-down local time; `abbreviation` null and no zone printed where has_zone is false.
struct ZonedCivil {
  CivilTime civil;
  bool has_zone = false;
  int32_t offset_seconds = 0;
  std::string_view abbreviation;
};
void AppendDateTime(const ZonedCivil& time, const IoSettings& settings, std::string& out);
// "+05", "-03:30", "+00:19:32".
void AppendZoneOffset(int32_t offset_seconds, std::string& out);

void AppendInterval(const Interval& interval, IntervalStyle style, std::string& out);

// Days and the abbreviation of names ("Mon", "Jan") as PostgreSQL prints them.
extern const std::string_view kDayNames[7];
extern const std::string_view kMonthNames[12];

}  // namespace mayfly::types
