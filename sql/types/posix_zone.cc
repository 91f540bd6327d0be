// POSIX zone strings: STD offset [DST [offset] [,start[/time],end[/time]]], offsets west of Greenwich. As PostgreSQL reads them, names may be
// empty or in <>, offsets reach a week, and a zone with DST but without rules keeps those of the United States.
#include <array>

#include "sql/types/calendar.h"
#include "sql/types/time_zone.h"

namespace mayfly::types {

namespace {

constexpr int32_t kYearBegin = 1970;
constexpr int32_t kYearEnd = kYearBegin + 402;

// When DST begins or ends, local time.
struct Rule {
  char kind = 'M';  // 'M' month.week.day, 'J' 1..365 without leap day, '0' 0..365
  int32_t month = 0;
  int32_t week = 0;
  int32_t day = 0;
  int32_t seconds = 2 * 3'600;
};

// Seconds from the start of `year` to the change.
int64_t SecondsInYear(const Rule& rule, int32_t year) {
  int64_t day = rule.day;
  if (rule.kind == 'J') {
    day = rule.day - 1 + (rule.day >= 60 && IsLeapYear(year) ? 1 : 0);
  } else if (rule.kind == 'M') {
    const int64_t first = DaysFromCivil(year, rule.month, 1);
    int32_t in_month = (rule.day - DayOfWeek(first) + 7) % 7;
    for (int32_t week = 1; week < rule.week && in_month + 7 < DaysInMonth(year, rule.month); ++week) in_month += 7;
    day = first + in_month - DaysFromCivil(year, 1, 1);
  }
  return day * kSecondsPerDay + rule.seconds;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<ZoneTable> Parse() {
    ZoneType standard;
    if (!Name(standard.abbreviation) || text_.empty() || !Offset(standard.offset_seconds)) return std::nullopt;
    standard.offset_seconds = -standard.offset_seconds;
    ZoneTable table;
    if (text_.empty()) {
      table.types.push_back(std::move(standard));
      return table;
    }
    ZoneType daylight;
    if (!Name(daylight.abbreviation) || daylight.abbreviation.empty()) return std::nullopt;
    daylight.is_dst = true;
    daylight.offset_seconds = standard.offset_seconds + 3'600;
    if (!text_.empty() && text_[0] != ',' && text_[0] != ';') {
      if (!Offset(daylight.offset_seconds)) return std::nullopt;
      daylight.offset_seconds = -daylight.offset_seconds;
    }
    if (text_.empty()) text_ = ",M3.2.0,M11.1.0";
    Rule start;
    Rule end;
    if (!(Skip(',') || Skip(';')) || !ReadRule(start) || !Skip(',') || !ReadRule(end) || !text_.empty()) return std::nullopt;
    Fill(table, std::move(standard), std::move(daylight), start, end);
    return table;
  }

 private:
  bool Skip(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool Name(std::string& name) {
    if (Skip('<')) {
      const size_t end = text_.find('>');
      if (end == std::string_view::npos) return false;
      name = text_.substr(0, end);
      text_.remove_prefix(end + 1);
      return true;
    }
    const size_t end = std::min(text_.find_first_of("0123456789,-+"), text_.size());
    name = text_.substr(0, end);
    text_.remove_prefix(end);
    return true;
  }

  bool Number(int32_t min, int32_t max, int32_t& value) {
    if (text_.empty() || text_[0] < '0' || text_[0] > '9') return false;
    value = 0;
    while (!text_.empty() && text_[0] >= '0' && text_[0] <= '9') {
      value = value * 10 + (text_[0] - '0');
      if (value > max) return false;
      text_.remove_prefix(1);
    }
    return value >= min;
  }

  // [+-]hh[:mm[:ss]] in seconds, with the sign as written.
  bool Offset(int32_t& seconds) {
    const bool negative = Skip('-');
    if (!negative) Skip('+');
    int32_t part = 0;
    if (!Number(0, 24 * 7 - 1, part)) return false;
    seconds = part * 3'600;
    if (Skip(':')) {
      if (!Number(0, 59, part)) return false;
      seconds += part * 60;
      if (Skip(':')) {
        if (!Number(0, 60, part)) return false;
        seconds += part;
      }
    }
    if (negative) seconds = -seconds;
    return true;
  }

  bool ReadRule(Rule& rule) {
    if (Skip('J')) {
      rule.kind = 'J';
      if (!Number(1, 365, rule.day)) return false;
    } else if (Skip('M')) {
      if (!Number(1, 12, rule.month) || !Skip('.') || !Number(1, 5, rule.week) || !Skip('.') || !Number(0, 6, rule.day)) return false;
    } else {
      rule.kind = '0';
      if (!Number(0, 365, rule.day)) return false;
    }
    return !Skip('/') || Offset(rule.seconds);
  }

  static void Fill(ZoneTable& table, ZoneType standard, ZoneType daylight, const Rule& start, const Rule& end) {
    const int32_t standard_offset = standard.offset_seconds;
    const int32_t daylight_offset = daylight.offset_seconds;
    for (int32_t year = kYearBegin; year < kYearEnd; ++year) {
      const int64_t begin = (DaysFromCivil(year, 1, 1) + kUnixEpochDays) * kSecondsPerDay;
      const int64_t year_seconds = (IsLeapYear(year) ? 366 : 365) * kSecondsPerDay;
      const int64_t to_daylight = begin + SecondsInYear(start, year) - standard_offset;
      const int64_t to_standard = begin + SecondsInYear(end, year) - daylight_offset;
      const bool reversed = to_standard < to_daylight;
      const bool changes = reversed || (to_daylight < to_standard &&
                                        to_standard - to_daylight < year_seconds + (daylight_offset - standard_offset));
      if (!changes) continue;
      table.at.push_back(reversed ? to_standard : to_daylight);
      table.type.push_back(reversed ? 0 : 1);
      table.at.push_back(reversed ? to_daylight : to_standard);
      table.type.push_back(reversed ? 1 : 0);
    }
    if (table.at.empty()) {  // DST all the year
      table.types.push_back(std::move(daylight));
      return;
    }
    table.types.push_back(std::move(standard));
    table.types.push_back(std::move(daylight));
    table.repeats_after = true;
    table.repeats_before = true;
  }

  std::string_view text_;
};

}  // namespace

std::optional<ZoneTable> ParsePosixZone(std::string_view text) { return Parser(text).Parse(); }

}  // namespace mayfly::types
