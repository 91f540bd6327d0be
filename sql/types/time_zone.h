// Time zones as PostgreSQL names them: IANA names in any case, POSIX forms ('PST8PDT', '<+05>-05', '+02', 'X5Y,M3.2.0,M11.1.0'), and the
// zone abbreviations of date/time input. https://www.postgresql.org/docs/15/datetime-posix-timezone-specs.html
//
// A zone is a sorted table of transitions, filled once for 400 years beyond the last recorded one; the Gregorian calendar repeats
// after 400 years, so later instants map into the table. Seconds here are since the Unix epoch, offsets are seconds east of UTC.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mayfly::types {

// One kind of time that a zone keeps.
struct ZoneType {
  int32_t offset_seconds = 0;
  bool is_dst = false;
  std::string abbreviation;
};

// A stretch of time without a change: begin <= t < end.
struct ZoneSpan {
  int64_t begin = std::numeric_limits<int64_t>::max();
  int64_t end = std::numeric_limits<int64_t>::min();
  int32_t offset_seconds = 0;
  bool is_dst = false;
  std::string_view abbreviation;  // lives as long as the zone
};

// What a zone is made of.
struct ZoneTable {
  std::vector<int64_t> at;     // ascending
  std::vector<uint8_t> type;   // kept from at[i] on; index into types
  std::vector<ZoneType> types;
  uint8_t first_type = 0;      // before at[0]
  bool repeats_after = false;  // beyond the last transition the last 400 years repeat
  bool repeats_before = false;
};

// Immutable, lives until the process ends, shared by all threads; compared by address.
class TimeZone {
 public:
  TimeZone(std::string name, ZoneTable table);

  static const TimeZone* Utc();
  // Null where the name is unknown, malformed, or counts leap seconds. Thread-safe; found zones are kept process-wide.
  static const TimeZone* Find(std::string_view name);
  // Find, or 22023 `time zone "x" not recognized`.
  static Result<const TimeZone*> Lookup(std::string_view name);
  // The zone of SET TIME ZONE 5 or INTERVAL '-05:30': '<+05>-05'. Null beyond a week.
  static const TimeZone* ForOffset(int32_t offset_seconds);

  std::string_view name() const { return name_; }
  bool is_utc() const { return is_utc_; }
  // The offset of a zone that never changes it.
  std::optional<int32_t> FixedOffset() const;

  ZoneSpan At(int64_t unix_seconds) const;
  int32_t OffsetAt(int64_t unix_seconds) const { return is_utc_ ? 0 : At(unix_seconds).offset_seconds; }
  // The offset of a local time, in seconds as if it were UTC. In a gap the offset before it counts, in an overlap the one after.
  int32_t OffsetOfLocal(int64_t local_seconds) const;
  // What `abbreviation` (any case) meant in this zone at the last use before `unix_seconds`, else at the first use after it.
  std::optional<int32_t> OffsetOfAbbreviation(std::string_view abbreviation, int64_t unix_seconds) const;

 private:
  ZoneSpan SpanFrom(size_t index) const;

  std::string name_;
  ZoneTable table_;
  bool is_utc_;
};

// Offsets of instants that come in some order: looks into the table only where the span is left. For loops over rows.
class ZoneCursor {
 public:
  explicit ZoneCursor(const TimeZone* zone) : zone_(zone == nullptr ? TimeZone::Utc() : zone) {}
  const ZoneSpan& At(int64_t unix_seconds) {
    if (unix_seconds < span_.begin || unix_seconds >= span_.end) span_ = zone_->At(unix_seconds);
    return span_;
  }
  const TimeZone& zone() const { return *zone_; }

 private:
  const TimeZone* zone_;
  ZoneSpan span_;
};

// An abbreviation of input ('EST', 'msk'), PostgreSQL's default set.
struct ZoneAbbreviation {
  int32_t offset_seconds = 0;
  bool is_dst = false;
  const TimeZone* zone = nullptr;  // set where the meaning has changed over time: then ask OffsetOfAbbreviation
};
// `text` in lower case. nullopt where unknown.
std::optional<ZoneAbbreviation> FindZoneAbbreviation(std::string_view text);

// The table of a POSIX zone string; nullopt where it is malformed. (sql/types/posix_zone.cc)
std::optional<ZoneTable> ParsePosixZone(std::string_view text);

}  // namespace mayfly::types
