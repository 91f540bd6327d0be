// timezone(): AT TIME ZONE with a name or an interval.
#include <algorithm>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/lift.h"
#include "sql/func/time_zone_argument.h"
#include "sql/types/date_time_format.h"
#include "sql/types/date_time_parse.h"

namespace mayfly::func {

namespace {

using types::Interval;

int64_t UnixSeconds(int64_t timestamp) { return types::FloorDivide(timestamp, types::kMicrosPerSecond) + types::kUnixEpochSeconds; }

// timestamp + seconds; infinities stay.
int64_t Shift(int64_t timestamp, int64_t seconds) {
  if (!types::IsFiniteTimestamp(timestamp)) return timestamp;
  int64_t shifted = 0;
  if (__builtin_add_overflow(timestamp, seconds * types::kMicrosPerSecond, &shifted) || !types::IsTimestampInRange(shifted)) {
    Throw(types::TimestampOutOfRange());
  }
  return shifted;
}

// Seconds east that an interval stands for.
int64_t IntervalOffset(const Interval& zone) {
  if (zone.months != 0 || zone.days != 0) {
    std::string text;
    types::AppendInterval(zone, types::IntervalStyle::kPostgres, text);
    Throw(SqlError::Make(kInvalidParameterValue, "interval time zone \"{}\" must not include months or days", text));
  }
  return zone.micros / types::kMicrosPerSecond;
}

int64_t TimestampAt(const types::Vector& vector, size_t row) { return vector.data<int64_t>()[vector.Index(row)]; }

}  // namespace

ZoneMeaning FindZoneMeaning(std::string_view text) {
  ZoneMeaning meaning;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), types::ToLower);
  if (const auto abbreviation = types::FindZoneAbbreviation(lower)) {
    meaning.offset_seconds = abbreviation->offset_seconds;
    meaning.zone = abbreviation->zone;
    if (meaning.zone != nullptr) meaning.abbreviation = std::move(lower);
    return meaning;
  }
  meaning.zone = types::TimeZone::Lookup(text).value();
  return meaning;
}

int32_t OffsetAt(const ZoneMeaning& meaning, int64_t timestamptz) {
  if (meaning.zone == nullptr) return meaning.offset_seconds;
  const int64_t seconds = UnixSeconds(timestamptz);
  if (!meaning.abbreviation.empty()) {
    if (const auto offset = meaning.zone->OffsetOfAbbreviation(meaning.abbreviation, seconds)) return *offset;
  }
  return meaning.zone->OffsetAt(seconds);
}

int32_t OffsetOfLocal(const ZoneMeaning& meaning, int64_t timestamp) {
  if (meaning.zone == nullptr) return meaning.offset_seconds;
  const int64_t seconds = UnixSeconds(timestamp);
  if (!meaning.abbreviation.empty()) return types::AbbreviationOffsetOfLocal(*meaning.zone, meaning.abbreviation, seconds);
  return meaning.zone->OffsetOfLocal(seconds);
}

// timestamp AT TIME ZONE text -> timestamptz
void TimestampZone(const KernelCall& call) {
  TimeZoneArgument zones(*call.args[0]);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const int64_t timestamp = TimestampAt(*call.args[1], row);
    const bool is_finite = types::IsFiniteTimestamp(timestamp);
    call.result.Set(row, is_finite ? Shift(timestamp, -OffsetOfLocal(zones.At(row), timestamp)) : timestamp);
  }
}

// timestamptz AT TIME ZONE text -> timestamp
void TimestamptzZone(const KernelCall& call) {
  TimeZoneArgument zones(*call.args[0]);
  types::ZoneCursor cursor(nullptr);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const int64_t timestamptz = TimestampAt(*call.args[1], row);
    if (!types::IsFiniteTimestamp(timestamptz)) {
      call.result.Set(row, timestamptz);
      continue;
    }
    const ZoneMeaning& meaning = zones.At(row);
    if (meaning.zone == nullptr || !meaning.abbreviation.empty()) {
      call.result.Set(row, Shift(timestamptz, OffsetAt(meaning, timestamptz)));
      continue;
    }
    if (&cursor.zone() != meaning.zone) cursor = types::ZoneCursor(meaning.zone);
    call.result.Set(row, types::LocalFromTimestamptz(timestamptz, cursor).value());
  }
}

void TimestampIzone(const KernelCall& call) {
  Lift<int64_t(Interval, int64_t)>(call, [](const Interval& zone, int64_t timestamp) {
    return types::IsFiniteTimestamp(timestamp) ? Shift(timestamp, -IntervalOffset(zone)) : timestamp;
  });
}
void TimestamptzIzone(const KernelCall& call) {
  Lift<int64_t(Interval, int64_t)>(call, [](const Interval& zone, int64_t timestamptz) {
    return types::IsFiniteTimestamp(timestamptz) ? Shift(timestamptz, IntervalOffset(zone)) : timestamptz;
  });
}

}  // namespace mayfly::func
