// Reading dates, times and timestamps from text, in every form that PostgreSQL takes.
// https://www.postgresql.org/docs/15/datetime-input-rules.html
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "sql/types/calendar.h"
#include "sql/types/date_time_token.h"
#include "sql/types/type.h"

namespace mayfly::types {

enum class DateTimeKind : uint8_t { kValue, kEpoch, kInfinity, kMinusInfinity };

struct ParsedDateTime {
  DateTimeKind kind = DateTimeKind::kValue;
  CivilTime civil;             // meaningful for kValue; a second may be 60 and micros 1000000
  int32_t offset_seconds = 0;  // east of UTC: as written, or the session zone's at that time
};

// A date with or without time. `type_name` stands in the error 22007; `buffer_bytes` is how long the literal's fields may be.
Result<ParsedDateTime> ParseDateTime(std::string_view text, std::string_view type_name, size_t buffer_bytes, const IoSettings& settings);
// A time of day; a zone and, in a few forms, a date may stand beside it and are checked.
Result<ParsedDateTime> ParseTimeOfDay(std::string_view text, std::string_view type_name, size_t buffer_bytes, const IoSettings& settings);

// The plain form YYYY-MM-DD[ HH:MM:SS[.ffffff][+HH[:MM]]], four-digit year, nothing else; false for anything it is not sure of.
// `has_zone` says whether offset_seconds was written.
bool ParseIsoDateTime(std::string_view text, CivilTime& civil, bool& has_zone, int32_t& offset_seconds);

// "+05:30" -> 19800. The whole of `text`.
DecodeStatus ParseZoneOffset(std::string_view text, int32_t& offset_seconds);
// HH:MM[:SS[.f]] or MM:SS.f of an interval or time: hours may be any number.
struct ClockTime {
  int64_t hour = 0;
  int32_t minute = 0;
  int32_t second = 0;
  int32_t micros = 0;
};
// `minutes_first`: two fields are minutes and seconds (INTERVAL MINUTE TO SECOND).
DecodeStatus ParseClockTime(std::string_view text, bool minutes_first, ClockTime& time);

// The offset of a local time where `zone` is the meaning of an abbreviation over time.
int32_t AbbreviationOffsetOfLocal(const TimeZone& zone, std::string_view abbreviation, int64_t local_seconds);
// Seconds since the Unix epoch as if `civil` were UTC.
int64_t LocalSeconds(const CivilTime& civil);

// PostgreSQL's error for a refused literal: 22007, 22008, 22009, 22015.
SqlError DateTimeError(DecodeStatus status, std::string_view text, std::string_view type_name);

}  // namespace mayfly::types
