// The words and numbers that date, time and interval literals are made of.
//
// A literal is cut into fields by character class, as PostgreSQL does it; what a number means is decided later, from the fields before it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mayfly::types {

// Why a literal is refused; DateTimeError turns it into PostgreSQL's error.
enum class DecodeStatus : uint8_t { kOk, kBadFormat, kFieldOverflow, kMonthDayOverflow, kIntervalOverflow, kZoneOverflow, kUnknownZone };

enum class FieldKind : uint8_t {
  kNumber,   // digits, at most one '.'
  kText,     // letters
  kDate,     // digits and letters joined by '-', '/' or '.'; also a zone name with punctuation
  kTime,     // digits with ':'
  kZone,     // '+' or '-' and digits; in an interval a signed number
  kSpecial,  // a sign and letters: '-infinity'
};
struct DateTimeField {
  FieldKind kind = FieldKind::kNumber;
  std::string_view text;  // lower case
};

// The fields of one literal, with the characters that they view. Not copyable.
class DateTimeFields {
 public:
  DateTimeFields() = default;
  DateTimeFields(const DateTimeFields&) = delete;
  DateTimeFields& operator=(const DateTimeFields&) = delete;

  // kBadFormat where a character fits nowhere, or there are more fields or characters than `buffer_bytes` (at most 256) takes.
  DecodeStatus Split(std::string_view text, size_t buffer_bytes);
  size_t size() const { return size_; }
  const DateTimeField& operator[](size_t i) const { return fields_[i]; }

 private:
  static constexpr size_t kFieldsMax = 25;
  static constexpr size_t kBufferMax = 256;

  class Scanner;

  char buffer_[kBufferMax];
  std::array<DateTimeField, kFieldsMax> fields_;
  size_t size_ = 0;
};

// What a field sets; also the meaning of a word. The bits of a set of them tell a second value for the same thing.
enum class DateTimePart : uint8_t {
  kReserved, kMonth, kYear, kDay, kJulian, kZone, kDaylightZone, kDynamicZone, kIgnore, kAmPm, kHour, kMinute, kSecond, kMillisecond,
  kMicrosecond, kDayOfYear, kDayOfWeek, kUnit, kAdBc, kAgo, kIsoTime, kWeek, kDecade, kCentury, kMillennium, kDaylightModifier, kQuarter,
  kIsoDayOfWeek, kIsoYear, kTimezone, kTimezoneHour, kTimezoneMinute, kEpoch, kInfinity, kMinusInfinity, kNow, kToday, kTomorrow, kYesterday,
  kZulu, kTime, kNone,
};
constexpr uint64_t PartBit(DateTimePart part) { return uint64_t{1} << static_cast<unsigned>(part); }
inline constexpr uint64_t kDateBits = PartBit(DateTimePart::kYear) | PartBit(DateTimePart::kMonth) | PartBit(DateTimePart::kDay);
inline constexpr uint64_t kSecondBits =
    PartBit(DateTimePart::kSecond) | PartBit(DateTimePart::kMillisecond) | PartBit(DateTimePart::kMicrosecond);
inline constexpr uint64_t kTimeBits = PartBit(DateTimePart::kHour) | PartBit(DateTimePart::kMinute) | kSecondBits;

struct DateTimeWord {
  std::string_view name;
  DateTimePart kind;                        // what it sets
  int32_t value = 0;                        // month number, day of week, am/pm (0/1), ad/bc (0/1), seconds of DST
  DateTimePart part = DateTimePart::kNone;  // of kReserved, kUnit and kIsoTime
};
// Words of dates and times ('jan', 'now', 'pm', 'y'), and units of intervals and fields ('hour', 'qtr'). `text` is lower case; only its first 10
// characters count. Null where unknown.
const DateTimeWord* FindDateTimeWord(std::string_view text);
const DateTimeWord* FindUnitWord(std::string_view text);

// strtol for a field: an optional sign, digits; moves `text` behind them. nullopt past int64; zero where there is no digit.
std::optional<int64_t> TakeInt64(std::string_view& text);
std::optional<int32_t> TakeInt32(std::string_view& text);
// ".25" -> 0.25, "." -> 0. `text` must be consumed as a whole.
DecodeStatus ParseFraction(std::string_view text, double& fraction);
DecodeStatus ParseFractionMicros(std::string_view text, int32_t& micros);

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace mayfly::types
