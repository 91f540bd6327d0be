#include "sql/types/interval.h"

#include <limits>

#include "sql/types/date_time_format.h"
#include "sql/types/hash.h"
#include "sql/types/timestamp.h"

namespace mayfly::types {

namespace {

// A key is the span in microseconds: 10 bytes, big-endian with the sign bit turned, since |span| < 2^73.
constexpr unsigned kKeyBytes = 10;

Result<Datum> IntervalIn(const TypeDesc&, std::string_view text, int32_t typmod, const IoContext& io, Arena&) {
  TRY(Interval, interval, ParseInterval(text, IntervalRange(typmod), io.settings.interval_style));
  TRY_OK(AdjustIntervalForTypmod(interval, typmod));
  return Datum(interval);
}

void IntervalOut(const TypeDesc&, const Datum& value, const IoContext& io, std::string& out) {
  AppendInterval(value.get<Interval>(), io.settings.interval_style, out);
}

Result<Datum> IntervalReceive(const TypeDesc&, std::string_view bytes, int32_t typmod, const IoContext&, Arena&) {
  if (bytes.size() < 16) return SqlError::Make(kProtocolViolation, "insufficient data left in message");
  if (bytes.size() > 16) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  Interval interval{.micros = LoadBigEndian<int64_t>(bytes.data()),
                    .days = LoadBigEndian<int32_t>(bytes.data() + 8),
                    .months = LoadBigEndian<int32_t>(bytes.data() + 12)};
  TRY_OK(AdjustIntervalForTypmod(interval, typmod));
  return Datum(interval);
}

void IntervalSend(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  const auto interval = value.get<Interval>();
  AppendBigEndian(out, interval.micros);
  AppendBigEndian(out, interval.days);
  AppendBigEndian(out, interval.months);
}

int IntervalCompare(const TypeDesc&, const Datum& a, const Datum& b) { return CompareIntervals(a.get<Interval>(), b.get<Interval>()); }

uint64_t IntervalHash(const TypeDesc&, const Datum& value) {
  const __int128 span = IntervalSpan(value.get<Interval>());
  return HashCombine(HashInt64(static_cast<int64_t>(span)), static_cast<uint64_t>(span >> 64));
}

void IntervalEncodeKey(const TypeDesc&, const Datum& value, std::string& out) {
  const __int128 span = IntervalSpan(value.get<Interval>());
  AppendBigEndian(out, static_cast<uint16_t>(static_cast<uint16_t>(span >> 64) ^ 0x8000));
  AppendBigEndian(out, static_cast<uint64_t>(span));
}

int32_t Clamp(__int128 value) {
  constexpr auto kMax = std::numeric_limits<int32_t>::max();
  constexpr auto kMin = std::numeric_limits<int32_t>::min();
  return value > kMax ? kMax : value < kMin ? kMin : static_cast<int32_t>(value);
}

// An interval of the same span: as many months as fit, then days.
Result<Datum> IntervalDecodeKey(const TypeDesc&, ByteReader& key, Arena&) {
  static_assert(kKeyBytes == sizeof(uint16_t) + sizeof(uint64_t));
  const auto high = static_cast<int16_t>(key.BigEndian<uint16_t>() ^ 0x8000);
  const auto low = key.BigEndian<uint64_t>();
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key ends within its interval column");
  __int128 span = (static_cast<__int128>(high) << 64) + static_cast<__int128>(low);
  Interval interval;
  interval.months = Clamp(span / (kDaysPerMonth * kMicrosPerDay));
  span -= static_cast<__int128>(interval.months) * kDaysPerMonth * kMicrosPerDay;
  interval.days = Clamp(span / kMicrosPerDay);
  span -= static_cast<__int128>(interval.days) * kMicrosPerDay;
  interval.micros = static_cast<int64_t>(span);
  return Datum(interval);
}

constexpr int32_t kYearMonth = kIntervalYear | kIntervalMonth;
constexpr int32_t kDayTime = kIntervalDay | kIntervalHour | kIntervalMinute | kIntervalSecond;
struct RangeName {
  int32_t range;
  std::string_view name;
};
constexpr RangeName kRanges[] = {
    {kIntervalYear, " year"},
    {kIntervalMonth, " month"},
    {kIntervalDay, " day"},
    {kIntervalHour, " hour"},
    {kIntervalMinute, " minute"},
    {kIntervalSecond, " second"},
    {kYearMonth, " year to month"},
    {kIntervalDay | kIntervalHour, " day to hour"},
    {kIntervalDay | kIntervalHour | kIntervalMinute, " day to minute"},
    {kDayTime, " day to second"},
    {kIntervalHour | kIntervalMinute, " hour to minute"},
    {kIntervalHour | kIntervalMinute | kIntervalSecond, " hour to second"},
    {kIntervalMinute | kIntervalSecond, " minute to second"},
    {kIntervalFullRange, ""},
};
const RangeName* FindRange(int32_t range) {
  for (const RangeName& row : kRanges) {
    if (row.range == range) return &row;
  }
  return nullptr;
}

Result<int32_t> IntervalTypmodIn(std::span<const int32_t> modifiers) {
  const SqlError invalid = SqlError::Make(kInvalidParameterValue, "invalid INTERVAL type modifier");
  if (modifiers.empty() || modifiers.size() > 2 || FindRange(modifiers[0]) == nullptr) return invalid;
  if (modifiers.size() == 1) {
    return modifiers[0] == kIntervalFullRange ? -1 : IntervalTypmod(modifiers[0], kIntervalFullPrecision);
  }
  if (modifiers[1] < 0) {
    return SqlError::Make(kInvalidParameterValue, "INTERVAL({}) precision must not be negative", modifiers[1]);
  }
  return IntervalTypmod(modifiers[0], modifiers[1] < kSecondDigitsMax ? modifiers[1] : kSecondDigitsMax);
}

void IntervalTypmodOut(int32_t typmod, std::string& out) {
  if (typmod < 0) return;
  const RangeName* range = FindRange(IntervalRange(typmod));
  if (range != nullptr) out += range->name;
  if (IntervalPrecision(typmod) != kIntervalFullPrecision) out += fmt::format("({})", IntervalPrecision(typmod));
}

}  // namespace

const TypeOps kIntervalOps = {
    .physical = PhysicalType::kInterval,
    .in = IntervalIn,
    .out = IntervalOut,
    .recv = IntervalReceive,
    .send = IntervalSend,
    .compare = IntervalCompare,
    .hash = IntervalHash,
    .encode_key = IntervalEncodeKey,
    .decode_key = IntervalDecodeKey,
    .key_is_lossless = false,
    .typmod_in = IntervalTypmodIn,
    .typmod_out = IntervalTypmodOut,
};

Status AdjustIntervalForTypmod(Interval& interval, int32_t typmod) {
  if (typmod < 0) return Ok();
  const int32_t range = IntervalRange(typmod);
  if (FindRange(range) == nullptr) return SqlError::Make(kInternalError, "unrecognized interval typmod: {}", typmod);
  // Only what lies below the last field is cut off; fields above the first one stay.
  if (range == kIntervalYear) {
    interval = {.micros = 0, .days = 0, .months = interval.months / kMonthsPerYear * kMonthsPerYear};
  } else if (range == kIntervalMonth || range == kYearMonth) {
    interval.days = 0;
    interval.micros = 0;
  } else if (range == kIntervalDay) {
    interval.micros = 0;
  } else if (range == kIntervalHour || range == (kIntervalDay | kIntervalHour)) {
    interval.micros = interval.micros / kMicrosPerHour * kMicrosPerHour;
  } else if ((range & kIntervalMinute) != 0 && (range & kIntervalSecond) == 0) {
    interval.micros = interval.micros / kMicrosPerMinute * kMicrosPerMinute;
  }
  const int32_t precision = IntervalPrecision(typmod);
  if (precision == kIntervalFullPrecision) return Ok();
  if (precision > kSecondDigitsMax) {
    return SqlError::Make(kInvalidParameterValue, "interval({}) precision must be between {} and {}", precision, 0, kSecondDigitsMax);
  }
  interval.micros = RoundMicros(interval.micros, precision);
  return Ok();
}

}  // namespace mayfly::types
