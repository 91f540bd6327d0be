// The template of to_char, to_date and to_timestamp, cut into patterns and the text between them.
// https://www.postgresql.org/docs/15/functions-formatting.html
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace mayfly::func {

// What a pattern stands for; how it is written (HH or hh, Day or DAY) is PictureNode::letters.
enum class PictureKey : uint8_t {
  kAdDots, kAmDots, kAd, kAm, kCentury, kDayName, kDayOfYear, kDay, kDayShort, kDayOfWeek, kFraction, kExact, kHour24, kHour12, kIsoDayOfYear,
  kIsoDayOfWeek, kIsoWeek, kIsoYear4, kIsoYear3, kIsoYear2, kIsoYear1, kJulian, kMinute, kMonth, kMonthName, kMonthShort, kMillis, kOffset,
  kQuarter, kRoman, kSecondOfDay, kSecond, kZoneHour, kZoneMinute, kZone, kMicros, kWeekOfYear, kWeekOfMonth, kYearComma, kYear4, kYear3,
  kYear2, kYear1,
};
enum class LetterCase : uint8_t { kUpper, kLower, kCapital };
// Which calendar a pattern of input belongs to; the two must not be mixed.
enum class PictureCalendar : uint8_t { kNone, kGregorian, kIsoWeek };

struct PictureNode {
  enum class Kind : uint8_t { kPattern, kText, kSeparator, kSpace };
  Kind kind = Kind::kText;
  PictureKey key{};
  LetterCase letters = LetterCase::kUpper;
  PictureCalendar calendar = PictureCalendar::kNone;
  uint8_t digits = 0;       // of kFraction: FF1 … FF6
  bool fill_mode = false;   // FM
  bool translate = false;   // TM
  bool spell = false;       // SP: ignored, as PostgreSQL does
  bool ordinal_upper = false;  // TH
  bool ordinal_lower = false;  // th
  bool is_digit_key = false;   // input takes digits
  std::string_view text;    // the pattern's name, or the character (UTF-8)
};
using DateTimePicture = std::vector<PictureNode>;

// The nodes view `text`.
DateTimePicture ParseDateTimePicture(std::string_view text);
// Bytes of the UTF-8 character that `text` begins with.
size_t CharacterBytes(std::string_view text);
// "st", "nd", "rd", "th" for the number that `digits` ends in.
std::string_view OrdinalSuffix(std::string_view digits, bool upper);
// I … XII, and their lower-case forms, by month 1..12.
extern const std::string_view kRomanMonths[12];

}  // namespace mayfly::func
