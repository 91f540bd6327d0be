#include "sql/types/timestamp.h"

#include <cstdlib>

#include "sql/types/date_time_format.h"
#include "sql/types/date_time_ops.h"
#include "sql/types/date_time_parse.h"
#include "sql/types/type.h"

namespace mayfly::types {

namespace {

constexpr size_t kTextBytesMax = 128 + 25;
constexpr int64_t kUnixEpochTimestamp = -kUnixEpochSeconds * kMicrosPerSecond;

const TimeZone& SessionZone(const IoSettings& settings) { return settings.time_zone == nullptr ? *TimeZone::Utc() : *settings.time_zone; }

// The timestamp of parsed text; `offset_seconds` is 0 for a plain timestamp.
Result<int64_t> FromParsed(const ParsedDateTime& parsed, int32_t offset_seconds, std::string_view text) {
  switch (parsed.kind) {
    case DateTimeKind::kEpoch: return kUnixEpochTimestamp;
    case DateTimeKind::kInfinity: return kTimestampInfinity;
    case DateTimeKind::kMinusInfinity: return kTimestampMinusInfinity;
    case DateTimeKind::kValue: break;
  }
  const auto timestamp = TimestampFromCivil(parsed.civil, offset_seconds);
  if (!timestamp) return SqlError::Make(kDatetimeFieldOverflow, "timestamp out of range: \"{}\"", text);
  return *timestamp;
}

Result<Datum> WithTypmod(int64_t timestamp, int32_t typmod) {
  TRY_OK(AdjustTimestampForTypmod(timestamp, typmod));
  return Datum(timestamp);
}

Result<Datum> TimestampIn(const TypeDesc&, std::string_view text, int32_t typmod, const IoContext& io, Arena&) {
  ParsedDateTime parsed;
  bool has_zone = false;
  if (!ParseIsoDateTime(text, parsed.civil, has_zone, parsed.offset_seconds)) {
    TRY(ParsedDateTime, slow, ParseDateTime(text, "timestamp", kTextBytesMax, io.settings));
    parsed = slow;
  }
  TRY(int64_t, timestamp, FromParsed(parsed, 0, text));
  return WithTypmod(timestamp, typmod);
}

Result<Datum> TimestamptzIn(const TypeDesc&, std::string_view text, int32_t typmod, const IoContext& io, Arena&) {
  ParsedDateTime parsed;
  bool has_zone = false;
  if (!ParseIsoDateTime(text, parsed.civil, has_zone, parsed.offset_seconds)) {
    TRY(ParsedDateTime, slow, ParseDateTime(text, "timestamp with time zone", kTextBytesMax, io.settings));
    parsed = slow;
  } else if (!has_zone) {
    parsed.offset_seconds = SessionZone(io.settings).OffsetOfLocal(LocalSeconds(parsed.civil));
  }
  TRY(int64_t, timestamp, FromParsed(parsed, parsed.offset_seconds, text));
  return WithTypmod(timestamp, typmod);
}

void TimestampOut(const TypeDesc&, const Datum& value, const IoContext& io, std::string& out) {
  AppendTimestamp(value.get<int64_t>(), io.settings, out);
}

void TimestamptzOut(const TypeDesc&, const Datum& value, const IoContext& io, std::string& out) {
  AppendTimestamptz(value.get<int64_t>(), io.settings, out);
}

Result<Datum> TimestampReceive(const TypeDesc&, std::string_view bytes, int32_t typmod, const IoContext&, Arena&) {
  TRY(int64_t, timestamp, ReceiveInteger<int64_t>(bytes));
  if (IsFiniteTimestamp(timestamp) && !IsTimestampInRange(timestamp)) return TimestampOutOfRange();
  return WithTypmod(timestamp, typmod);
}

Result<int32_t> TimestampTypmodIn(std::span<const int32_t> modifiers) { return SecondsTypmodIn(modifiers, "TIMESTAMP", ""); }
Result<int32_t> TimestamptzTypmodIn(std::span<const int32_t> modifiers) {
  return SecondsTypmodIn(modifiers, "TIMESTAMP", " WITH TIME ZONE");
}
void TypmodOut(int32_t typmod, std::string_view zone, std::string& out) {
  if (typmod >= 0) out += fmt::format("({})", typmod);
  out += zone;
}
void TimestampTypmodOut(int32_t typmod, std::string& out) { TypmodOut(typmod, " without time zone", out); }
void TimestamptzTypmodOut(int32_t typmod, std::string& out) { TypmodOut(typmod, " with time zone", out); }

}  // namespace

const TypeOps kTimestampOps = {
    .physical = PhysicalType::kInt64,
    .in = TimestampIn,
    .out = TimestampOut,
    .recv = TimestampReceive,
    .send = SendInteger<int64_t>,
    .compare = CompareIntegers<int64_t>,
    .hash = HashInteger<int64_t>,
    .encode_key = EncodeIntegerKey<int64_t>,
    .decode_key = DecodeIntegerKey<int64_t>,
    .key_is_lossless = true,
    .typmod_in = TimestampTypmodIn,
    .typmod_out = TimestampTypmodOut,
};

const TypeOps kTimestamptzOps = {
    .physical = PhysicalType::kInt64,
    .in = TimestamptzIn,
    .out = TimestamptzOut,
    .recv = TimestampReceive,
    .send = SendInteger<int64_t>,
    .compare = CompareIntegers<int64_t>,
    .hash = HashInteger<int64_t>,
    .encode_key = EncodeIntegerKey<int64_t>,
    .decode_key = DecodeIntegerKey<int64_t>,
    .key_is_lossless = true,
    .typmod_in = TimestamptzTypmodIn,
    .typmod_out = TimestamptzTypmodOut,
};

int64_t RoundMicros(int64_t micros, int32_t precision) {
  constexpr int64_t kScale[] = {1'000'000, 100'000, 10'000, 1'000, 100, 10, 1};
  const int64_t scale = kScale[precision];
  if (scale == 1) return micros;
  return micros >= 0 ? (micros + scale / 2) / scale * scale : -((-micros + scale / 2) / scale * scale);
}

Status AdjustTimestampForTypmod(int64_t& timestamp, int32_t typmod) {
  if (typmod < 0 || typmod == kSecondDigitsMax || !IsFiniteTimestamp(timestamp)) return Ok();
  if (typmod > kSecondDigitsMax) {
    return SqlError::Make(kInvalidParameterValue, "timestamp({}) precision must be between {} and {}", typmod, 0, kSecondDigitsMax);
  }
  timestamp = RoundMicros(timestamp, typmod);
  return Ok();
}

Result<int64_t> TimestampFromDate(int32_t date) {
  if (date == kDateInfinity) return kTimestampInfinity;
  if (date == kDateMinusInfinity) return kTimestampMinusInfinity;
  const auto timestamp = static_cast<__int128>(date) * kMicrosPerDay;
  if (timestamp >= kTimestampEnd) return SqlError::Make(kDatetimeFieldOverflow, "date out of range for timestamp");
  return static_cast<int64_t>(timestamp);
}

int32_t DateFromTimestamp(int64_t timestamp) {
  if (timestamp == kTimestampInfinity) return kDateInfinity;
  if (timestamp == kTimestampMinusInfinity) return kDateMinusInfinity;
  return static_cast<int32_t>(FloorDivide(timestamp, kMicrosPerDay));
}

Result<int64_t> LocalFromTimestamptz(int64_t timestamptz, ZoneCursor& zone) {
  if (!IsFiniteTimestamp(timestamptz)) return timestamptz;
  const ZoneSpan& span = zone.At(FloorDivide(timestamptz, kMicrosPerSecond) + kUnixEpochSeconds);
  int64_t local = 0;
  if (__builtin_add_overflow(timestamptz, span.offset_seconds * kMicrosPerSecond, &local) || !IsTimestampInRange(local)) {
    return TimestampOutOfRange();
  }
  return local;
}

Result<int64_t> TimestamptzFromLocal(int64_t timestamp, const TimeZone& zone) {
  if (!IsFiniteTimestamp(timestamp)) return timestamp;
  const int32_t offset = zone.OffsetOfLocal(FloorDivide(timestamp, kMicrosPerSecond) + kUnixEpochSeconds);
  int64_t utc = 0;
  if (__builtin_sub_overflow(timestamp, offset * kMicrosPerSecond, &utc) || !IsTimestampInRange(utc)) return TimestampOutOfRange();
  return utc;
}

Result<int64_t> TimestamptzFromDate(int32_t date, const TimeZone& zone) {
  TRY(int64_t, local, TimestampFromDate(date));
  auto utc = TimestamptzFromLocal(local, zone);
  if (!utc.ok()) return SqlError::Make(kDatetimeFieldOverflow, "date out of range for timestamp");
  return utc;
}

Result<int32_t> SecondsTypmodIn(std::span<const int32_t> modifiers, std::string_view what, std::string_view zone) {
  if (modifiers.size() != 1) return SqlError::Make(kInvalidParameterValue, "invalid type modifier");
  const int32_t digits = modifiers[0];
  if (digits < 0) return SqlError::Make(kInvalidParameterValue, "{}({}){} precision must not be negative", what, digits, zone);
  return digits < kSecondDigitsMax ? digits : kSecondDigitsMax;
}

SqlError TimestampOutOfRange() { return SqlError::Make(kDatetimeFieldOverflow, "timestamp out of range"); }

}  // namespace mayfly::types
