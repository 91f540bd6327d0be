#include "sql/func/date_time_picture.h"

#include <algorithm>
#include <string>

#include "sql/types/date_time_token.h"

namespace mayfly::func {

const std::string_view kRomanMonths[12] = {"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"};

namespace {

using enum PictureKey;
using types::ToLower;

struct Pattern {
  std::string_view name;
  PictureKey key;
  PictureCalendar calendar = PictureCalendar::kNone;
  bool is_digit = true;
  uint8_t digits = 0;
  LetterCase letters = LetterCase::kUpper;
};

constexpr auto kGregorian = PictureCalendar::kGregorian;
constexpr auto kIso = PictureCalendar::kIsoWeek;

// In upper case, longer names before their beginnings; each exists in lower case too. The capitalized ones are complete.
constexpr Pattern kPatterns[] = {
    {"A.D.", kAdDots, PictureCalendar::kNone, false},
    {"A.M.", kAmDots, PictureCalendar::kNone, false},
    {"AD", kAd, PictureCalendar::kNone, false},
    {"AM", kAm, PictureCalendar::kNone, false},
    {"B.C.", kAdDots, PictureCalendar::kNone, false},
    {"BC", kAd, PictureCalendar::kNone, false},
    {"CC", kCentury},
    {"DAY", kDayName, PictureCalendar::kNone, false},
    {"DDD", kDayOfYear, kGregorian},
    {"DD", kDay, kGregorian},
    {"DY", kDayShort, PictureCalendar::kNone, false},
    {"D", kDayOfWeek, kGregorian},
    {"FF1", kFraction, PictureCalendar::kNone, true, 1},
    {"FF2", kFraction, PictureCalendar::kNone, true, 2},
    {"FF3", kFraction, PictureCalendar::kNone, true, 3},
    {"FF4", kFraction, PictureCalendar::kNone, true, 4},
    {"FF5", kFraction, PictureCalendar::kNone, true, 5},
    {"FF6", kFraction, PictureCalendar::kNone, true, 6},
    {"FX", kExact, PictureCalendar::kNone, false},
    {"HH24", kHour24},
    {"HH12", kHour12},
    {"HH", kHour12},
    {"IDDD", kIsoDayOfYear, kIso},
    {"ID", kIsoDayOfWeek, kIso},
    {"IW", kIsoWeek, kIso},
    {"IYYY", kIsoYear4, kIso},
    {"IYY", kIsoYear3, kIso},
    {"IY", kIsoYear2, kIso},
    {"I", kIsoYear1, kIso},
    {"J", kJulian},
    {"MI", kMinute},
    {"MM", kMonth, kGregorian},
    {"MONTH", kMonthName, kGregorian, false},
    {"MON", kMonthShort, kGregorian, false},
    {"MS", kMillis},
    {"OF", kOffset, PictureCalendar::kNone, false},
    {"P.M.", kAmDots, PictureCalendar::kNone, false},
    {"PM", kAm, PictureCalendar::kNone, false},
    {"Q", kQuarter},
    {"RM", kRoman, kGregorian, false},
    {"SSSSS", kSecondOfDay},
    {"SSSS", kSecondOfDay},
    {"SS", kSecond},
    {"TZH", kZoneHour, PictureCalendar::kNone, false},
    {"TZM", kZoneMinute},
    {"TZ", kZone, PictureCalendar::kNone, false},
    {"US", kMicros},
    {"WW", kWeekOfYear, kGregorian},
    {"W", kWeekOfMonth, kGregorian},
    {"Y,YYY", kYearComma, kGregorian},
    {"YYYY", kYear4, kGregorian},
    {"YYY", kYear3, kGregorian},
    {"YY", kYear2, kGregorian},
    {"Y", kYear1, kGregorian},
};
constexpr Pattern kCapitalPatterns[] = {
    {"Day", kDayName, PictureCalendar::kNone, false, 0, LetterCase::kCapital},
    {"Dy", kDayShort, PictureCalendar::kNone, false, 0, LetterCase::kCapital},
    {"Month", kMonthName, kGregorian, false, 0, LetterCase::kCapital},
    {"Mon", kMonthShort, kGregorian, false, 0, LetterCase::kCapital},
};

bool BeginsWithLower(std::string_view text, std::string_view upper) {
  if (text.size() < upper.size()) return false;
  return std::equal(upper.begin(), upper.end(), text.begin(), [](char a, char b) { return ToLower(a) == b; });
}

const Pattern* FindPattern(std::string_view text, LetterCase& letters) {
  letters = LetterCase::kCapital;
  for (const Pattern& pattern : kCapitalPatterns) {
    if (text.starts_with(pattern.name)) return &pattern;
  }
  for (const Pattern& pattern : kPatterns) {
    letters = LetterCase::kUpper;
    if (text.starts_with(pattern.name)) return &pattern;
    letters = LetterCase::kLower;
    if (BeginsWithLower(text, pattern.name)) return &pattern;
  }
  return nullptr;
}

// Takes one of two spellings off the front.
bool Skip(std::string_view& text, std::string_view upper, std::string_view lower) {
  if (!text.starts_with(upper) && !text.starts_with(lower)) return false;
  text.remove_prefix(upper.size());
  return true;
}

bool IsSeparator(char c) { return c > ' ' && c < 127 && !types::IsDigit(c) && !types::IsAlpha(c); }

PictureNode TakeCharacter(std::string_view& text) {
  PictureNode node;
  node.text = text.substr(0, CharacterBytes(text));
  text.remove_prefix(node.text.size());
  return node;
}

void TakeQuoted(std::string_view& text, DateTimePicture& picture) {
  text.remove_prefix(1);
  while (!text.empty()) {
    if (text[0] == '"') {
      text.remove_prefix(1);
      return;
    }
    if (text[0] == '\\' && text.size() > 1) text.remove_prefix(1);
    picture.push_back(TakeCharacter(text));
  }
}

}  // namespace

size_t CharacterBytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(size, text.size());
}

DateTimePicture ParseDateTimePicture(std::string_view text) {
  DateTimePicture picture;
  while (!text.empty()) {
    PictureNode node;
    if (Skip(text, "FM", "fm")) {
      node.fill_mode = true;
    } else if (Skip(text, "TM", "tm")) {
      node.translate = true;
    }
    if (text.empty()) break;
    if (const Pattern* pattern = FindPattern(text, node.letters)) {
      node.kind = PictureNode::Kind::kPattern;
      node.key = pattern->key;
      node.calendar = pattern->calendar;
      node.digits = pattern->digits;
      node.is_digit_key = pattern->is_digit;
      node.text = text.substr(0, pattern->name.size());
      text.remove_prefix(pattern->name.size());
      if (text.starts_with("TH")) {
        node.ordinal_upper = true;
        text.remove_prefix(2);
      } else if (text.starts_with("th")) {
        node.ordinal_lower = true;
        text.remove_prefix(2);
      } else if (text.starts_with("SP")) {
        node.spell = true;
        text.remove_prefix(2);
      }
      picture.push_back(node);
    } else if (text[0] == '"') {
      TakeQuoted(text, picture);
    } else {
      if (text[0] == '\\' && text.size() > 1 && text[1] == '"') text.remove_prefix(1);
      PictureNode character = TakeCharacter(text);
      if (IsSeparator(character.text[0])) {
        character.kind = PictureNode::Kind::kSeparator;
      } else if (types::IsSpace(character.text[0])) {
        character.kind = PictureNode::Kind::kSpace;
      }
      picture.push_back(character);
    }
  }
  return picture;
}

std::string_view OrdinalSuffix(std::string_view digits, bool upper) {
  const char last = digits.empty() ? '0' : digits.back();
  const bool is_teen = digits.size() > 1 && digits[digits.size() - 2] == '1';
  if (!is_teen && last == '1') return upper ? "ST" : "st";
  if (!is_teen && last == '2') return upper ? "ND" : "nd";
  if (!is_teen && last == '3') return upper ? "RD" : "rd";
  return upper ? "TH" : "th";
}

}  // namespace mayfly::func
