// to_timestamp(text, text) and to_date(text, text): reading by a template.
#include <charconv>
#include <limits>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/date_time_picture.h"
#include "sql/func/lift.h"
#include "sql/types/date_time_format.h"
#include "sql/types/date_time_parse.h"

namespace mayfly::func {

namespace {

using enum PictureKey;
using Kind = PictureNode::Kind;

[[noreturn]] void ThrowInvalid(std::string message, std::string detail = {}, std::string hint = {}) {
  Throw(SqlError::MakeText(kInvalidDatetimeFormat, std::move(message)).Detail(std::move(detail)).Hint(std::move(hint)));
}

// What the template found; 0 stands for "not given", as in PostgreSQL.
struct Fields {
  int32_t hour = 0, minute = 0, second = 0, second_of_day = 0, millis = 0, micros = 0;
  int32_t pm = 0, bc = 0;
  int32_t year = 0, century = 0, month = 0, day = 0, day_of_year = 0, day_of_week = 0, week = 0, week_of_month = 0, julian = 0;
  int32_t zone_sign = 0, zone_hour = 0, zone_minute = 0;
  int32_t year_digits = 0;
  int32_t fraction_digits = 0;  // of FF1 … FF6: what the result is rounded to
  bool has_12_hours = false;
  PictureCalendar calendar = PictureCalendar::kNone;
};

// Walks through text and template side by side.
class Scanner {
 public:
  Scanner(std::string_view text, const DateTimePicture& picture) : text_(text), rest_(text), picture_(picture) {}

  Fields Run() {
    for (at_ = 0; at_ < picture_.size() && !rest_.empty(); ++at_) {
      const PictureNode& node = picture_[at_];
      const bool is_pattern = node.kind == Kind::kPattern;
      if (!exact_ && !(is_pattern && node.key == kExact) && (is_pattern || at_ == 0)) SkipBlanks();
      if (node.kind == Kind::kSeparator || node.kind == Kind::kSpace) {
        Separator();
      } else if (!is_pattern) {
        Literal();
      } else {
        Pattern(node);
        if (!exact_) {
          extra_ = 0;
          SkipBlanks();
        }
      }
    }
    return f_;
  }

 private:
  void SkipBlanks() {
    while (!rest_.empty() && types::IsSpace(rest_[0])) {
      rest_.remove_prefix(1);
      ++extra_;
    }
  }
  void SkipCharacter() {
    if (!rest_.empty()) rest_.remove_prefix(CharacterBytes(rest_));
  }
  static bool IsSeparatorCharacter(char c) { return c > ' ' && c < 127 && !types::IsDigit(c) && !types::IsAlpha(c); }

  // One of the template takes one of the text, if there is one.
  void Separator() {
    if (exact_) return SkipCharacter();
    --extra_;
    if (!rest_.empty() && (types::IsSpace(rest_[0]) || IsSeparatorCharacter(rest_[0]))) {
      rest_.remove_prefix(1);
      ++extra_;
    }
  }
  void Literal() {
    if (!exact_ && extra_ > 0) {
      --extra_;
      return;
    }
    SkipCharacter();
  }

  void SetOnce(int32_t& field, int32_t value, const PictureNode& node) {
    if (field != 0 && field != value) {
      ThrowInvalid(fmt::format("conflicting values for \"{}\" field in formatting string", node.text),
                   "This value contradicts a previous setting for the same field type.");
    }
    field = value;
  }

  // True where the number before ends by itself: digits are taken as long as they come.
  bool NextIsNoDigit() const {
    const PictureNode& node = picture_[at_];
    if (node.ordinal_upper || node.ordinal_lower) return true;
    if (at_ + 1 == picture_.size()) return true;
    const PictureNode& next = picture_[at_ + 1];
    if (next.kind == Kind::kPattern) return !next.is_digit_key;
    return !(next.text.size() == 1 && types::IsDigit(next.text[0]));
  }

  // strtol of a prefix of `text`: how many bytes, 0 for none.
  static size_t TakeInteger(std::string_view text, int64_t& value, bool& overflow) {
    size_t at = 0;
    while (at < text.size() && types::IsSpace(text[at])) ++at;
    const size_t sign = at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const size_t digits = at;
    while (at < text.size() && types::IsDigit(text[at])) ++at;
    value = 0;
    if (at == digits) return 0;
    const size_t begin = text[sign] == '+' ? digits : sign;
    overflow = std::from_chars(text.data() + begin, text.data() + at, value).ec != std::errc();
    return at;
  }

  // A number of `width` characters at most, or of any where it ends by itself. Returns the bytes taken.
  size_t Integer(int32_t* field, size_t width, const PictureNode& node) {
    const std::string_view before = rest_;
    while (!rest_.empty() && types::IsSpace(rest_[0])) rest_.remove_prefix(1);
    const std::string_view copy = rest_.substr(0, width);
    int64_t value = 0;
    bool overflow = false;
    if (node.fill_mode || NextIsNoDigit()) {
      const size_t used = TakeInteger(before, value, overflow);
      rest_ = before.substr(used);
    } else {
      constexpr std::string_view kHint = "If your source string is not fixed-width, try using the \"FM\" modifier.";
      if (copy.size() < width) {
        ThrowInvalid(fmt::format("source string too short for \"{}\" formatting field", node.text),
                     fmt::format("Field requires {} characters, but only {} remain.", width, copy.size()), std::string(kHint));
      }
      const size_t used = TakeInteger(copy, value, overflow);
      if (used > 0 && used < width) {
        ThrowInvalid(fmt::format("invalid value \"{}\" for \"{}\"", copy, node.text),
                     fmt::format("Field requires {} characters, but only {} could be parsed.", width, used), std::string(kHint));
      }
      rest_.remove_prefix(used);
    }
    if (rest_.size() == before.size()) {
      ThrowInvalid(fmt::format("invalid value \"{}\" for \"{}\"", copy, node.text), "Value must be an integer.");
    }
    constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
    constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
    if (overflow || value < kMin || value > kMax) {
      Throw(SqlError::Make(kDatetimeFieldOverflow, "value for \"{}\" in source string is out of range", node.text)
                .Detail(fmt::format("Value must be in the range {} to {}.", kMin, kMax)));
    }
    if (field != nullptr) SetOnce(*field, static_cast<int32_t>(value), node);
    return before.size() - rest_.size();
  }
  size_t Integer(int32_t* field, const PictureNode& node) { return Integer(field, node.text.size(), node); }

  // The index of the first of `names` (cut to `width` bytes) that the text begins with, in any case.
  template <size_t N>
  int32_t Name(const std::string_view (&names)[N], size_t width, const PictureNode& node) {
    for (size_t i = 0; i < N; ++i) {
      const std::string_view name = names[i].substr(0, width);
      if (rest_.size() < name.size()) continue;
      bool is_equal = true;
      for (size_t k = 0; k < name.size() && is_equal; ++k) is_equal = types::ToLower(rest_[k]) == types::ToLower(name[k]);
      if (!is_equal) continue;
      rest_.remove_prefix(name.size());
      return static_cast<int32_t>(i);
    }
    size_t word = 0;
    while (word < rest_.size() && !types::IsSpace(rest_[word])) ++word;
    ThrowInvalid(fmt::format("invalid value \"{}\" for \"{}\"", rest_.substr(0, word), node.text),
                 "The given value did not match any of the allowed values for this field.");
  }

  static int32_t FullYear(int32_t year) {
    return year < 70 ? year + 2000 : year < 100 ? year + 1900 : year < 520 ? year + 2000 : year < 1000 ? year + 1000 : year;
  }

  void Pattern(const PictureNode& node) {
    if (node.calendar != PictureCalendar::kNone) {
      if (f_.calendar != PictureCalendar::kNone && f_.calendar != node.calendar) {
        ThrowInvalid("invalid combination of date conventions", {},
                     "Do not mix Gregorian and ISO week date conventions in a formatting template.");
      }
      f_.calendar = node.calendar;
    }
    if (!ClockPattern(node) && !NamePattern(node)) NumberPattern(node);
    if ((node.ordinal_upper || node.ordinal_lower) && TakesOrdinal(node.key)) {
      SkipCharacter();
      SkipCharacter();
    }
  }
  static bool TakesOrdinal(PictureKey key) {
    switch (key) {
      case kExact:
      case kAmDots:
      case kAm:
      case kAdDots:
      case kAd:
      case kMonthName:
      case kMonthShort:
      case kDayName:
      case kDayShort:
      case kRoman:
      case kZoneHour:
      case kZoneMinute: return false;
      default: return true;
    }
  }

  bool ClockPattern(const PictureNode& node) {
    switch (node.key) {
      case kExact: exact_ = true; return true;
      case kHour12:
        f_.has_12_hours = true;
        Integer(&f_.hour, 2, node);
        return true;
      case kHour24: Integer(&f_.hour, 2, node); return true;
      case kMinute: Integer(&f_.minute, node); return true;
      case kSecond: Integer(&f_.second, node); return true;
      case kMillis: Scale(f_.millis, 3, 3, node); return true;
      case kFraction:
        f_.fraction_digits = node.digits;
        Scale(f_.micros, node.digits, 6, node);
        return true;
      case kMicros: Scale(f_.micros, 6, 6, node); return true;
      case kSecondOfDay: Integer(&f_.second_of_day, node); return true;
      case kZone:
      case kOffset: {
        const std::string_view name = node.text;
        Throw(SqlError::Make(kFeatureNotSupported, "formatting code \"{}\" is only supported in to_char", name));
      }
      case kZoneHour:
        if (!rest_.empty() && (rest_[0] == '+' || rest_[0] == '-' || rest_[0] == ' ')) {
          f_.zone_sign = rest_[0] == '-' ? -1 : 1;
          rest_.remove_prefix(1);
        } else {  // a minus may have been taken for a separator
          f_.zone_sign = extra_ > 0 && rest_.data() > text_.data() && rest_.data()[-1] == '-' ? -1 : 1;
        }
        Integer(&f_.zone_hour, 2, node);
        return true;
      case kZoneMinute:
        if (f_.zone_sign == 0) f_.zone_sign = 1;
        Integer(&f_.zone_minute, 2, node);
        return true;
      default: return false;
    }
  }
  // A fraction of a second: '25' of MS is 250 milliseconds. `digits` are read, `places` kept.
  void Scale(int32_t& field, size_t digits, size_t places, const PictureNode& node) {
    const size_t used = Integer(&field, digits, node);
    for (size_t i = used; i < places; ++i) field *= 10;
  }

  bool NamePattern(const PictureNode& node) {
    static constexpr std::string_view kAmPm[] = {"AM", "PM"};
    static constexpr std::string_view kAmPmDots[] = {"A.M.", "P.M."};
    static constexpr std::string_view kAdBc[] = {"AD", "BC"};
    static constexpr std::string_view kAdBcDots[] = {"A.D.", "B.C."};
    static constexpr std::string_view kRoman12[] = {"XII", "XI", "X", "IX", "VIII", "VII", "VI", "V", "IV", "III", "II", "I"};
    constexpr size_t kAll = std::string_view::npos;
    switch (node.key) {
      case kAm:
      case kAmDots:
        SetOnce(f_.pm, node.key == kAm ? Name(kAmPm, kAll, node) : Name(kAmPmDots, kAll, node), node);
        f_.has_12_hours = true;
        return true;
      case kAd: SetOnce(f_.bc, Name(kAdBc, kAll, node), node); return true;
      case kAdDots: SetOnce(f_.bc, Name(kAdBcDots, kAll, node), node); return true;
      case kMonthName: SetOnce(f_.month, Name(types::kMonthNames, kAll, node) + 1, node); return true;
      case kMonthShort: SetOnce(f_.month, Name(types::kMonthNames, 3, node) + 1, node); return true;
      case kDayName:
      case kDayShort:
        SetOnce(f_.day_of_week, Name(types::kDayNames, node.key == kDayName ? kAll : 3, node), node);
        ++f_.day_of_week;
        return true;
      case kRoman: SetOnce(f_.month, 12 - Name(kRoman12, kAll, node), node); return true;
      default: return false;
    }
  }

  void NumberPattern(const PictureNode& node) {
    switch (node.key) {
      case kMonth: Integer(&f_.month, node); return;
      case kDayOfYear: Integer(&f_.day_of_year, node); return;
      case kIsoDayOfYear: Integer(&f_.day_of_year, 3, node); return;
      case kDay: Integer(&f_.day, node); return;
      case kDayOfWeek: Integer(&f_.day_of_week, node); return;
      case kIsoDayOfWeek:
        Integer(&f_.day_of_week, 1, node);
        if (++f_.day_of_week > 7) f_.day_of_week = 1;  // Sunday is 1
        return;
      case kWeekOfYear:
      case kIsoWeek: Integer(&f_.week, node); return;
      case kQuarter: Integer(nullptr, node); return;  // says nothing about the date
      case kCentury: Integer(&f_.century, node); return;
      case kWeekOfMonth: Integer(&f_.week_of_month, node); return;
      case kJulian: Integer(&f_.julian, node); return;
      case kYearComma: YearWithComma(node); return;
      case kYear4:
      case kIsoYear4:
        Integer(&f_.year, node);
        f_.year_digits = 4;
        return;
      default: {
        if (Integer(&f_.year, node) < 4) f_.year = FullYear(f_.year);
        const bool is_three = node.key == kYear3 || node.key == kIsoYear3;
        f_.year_digits = is_three ? 3 : node.key == kYear2 || node.key == kIsoYear2 ? 2 : 1;
      }
    }
  }
  void YearWithComma(const PictureNode& node) {
    int64_t thousands = 0;
    int64_t years = 0;
    bool overflow = false;
    const size_t used = TakeInteger(rest_, thousands, overflow);
    if (used == 0 || used >= rest_.size() || rest_[used] != ',') ThrowInvalid("invalid input string for \"Y,YYY\"");
    size_t begin = used + 1;
    while (begin < rest_.size() && types::IsSpace(rest_[begin])) ++begin;
    const std::string_view tail = rest_.substr(begin, 3);
    const size_t digits = TakeInteger(tail, years, overflow);
    if (digits == 0) ThrowInvalid("invalid input string for \"Y,YYY\"");
    SetOnce(f_.year, static_cast<int32_t>(years + thousands * 1'000), node);
    f_.year_digits = 4;
    rest_.remove_prefix(begin + digits);
  }

  std::string_view text_;
  std::string_view rest_;
  const DateTimePicture& picture_;
  Fields f_;
  size_t at_ = 0;
  int32_t extra_ = 0;  // characters of the text skipped beyond those of the template
  bool exact_ = false;
};

// ---- from fields to a point of time

struct Parsed {
  types::CivilTime civil;
  bool has_zone = false;
  int32_t offset_seconds = 0;
  int32_t fraction_digits = 0;  // 0: all
};

[[noreturn]] void ThrowOverflow(std::string_view text) {
  Throw(types::DateTimeError(types::DecodeStatus::kFieldOverflow, text, "timestamp"));
}

void ResolveClock(const Fields& f, types::CivilTime& civil) {
  civil.hour = f.second_of_day / 3'600;
  civil.minute = f.second_of_day % 3'600 / 60;
  civil.second = f.second_of_day % 60;
  if (f.second != 0) civil.second = f.second;
  if (f.minute != 0) civil.minute = f.minute;
  if (f.hour != 0) civil.hour = f.hour;
  civil.micros = f.millis * 1'000 + f.micros;
  if (!f.has_12_hours) return;
  if (civil.hour < 1 || civil.hour > 12) {
    ThrowInvalid(fmt::format("hour \"{}\" is invalid for the 12-hour clock", civil.hour), {},
                 "Use the 24-hour clock, or give an hour between 1 and 12.");
  }
  if (f.pm != 0 && civil.hour < 12) civil.hour += 12;
  if (f.pm == 0 && civil.hour == 12) civil.hour = 0;
}

void ResolveYear(const Fields& f, types::CivilTime& civil) {
  const int32_t century = f.bc != 0 ? -f.century : f.century;
  if (f.year != 0 && f.century != 0 && f.year_digits <= 2) {  // the year's last two digits
    civil.year = f.year % 100;
    if (civil.year != 0) {
      civil.year = century >= 0 ? civil.year + (century - 1) * 100 : (century + 1) * 100 - civil.year + 1;
    } else {
      civil.year = century * 100 + (century >= 0 ? 0 : 1);
    }
    return;
  }
  if (f.year != 0) {
    civil.year = f.bc != 0 ? -f.year : f.year;
    if (civil.year < 0) ++civil.year;
    return;
  }
  if (f.century == 0) return;
  civil.year = century >= 0 ? (century - 1) * 100 + 1 : century * 100 + 1;
}

void ResolveDayOfYear(const Fields& f, int32_t day_of_year, types::CivilTime& civil) {
  if (civil.year == 0 && f.bc == 0) ThrowInvalid("cannot calculate day of year without year information");
  if (f.calendar == PictureCalendar::kIsoWeek) {
    types::CivilFromDays(types::IsoYearBegin(civil.year) - 1 + day_of_year, civil);
    return;
  }
  int32_t month = 1;
  int32_t before = 0;
  while (month <= 12 && day_of_year > before + types::DaysInMonth(civil.year, month)) before += types::DaysInMonth(civil.year, month++);
  if (civil.month <= 1) civil.month = month;
  if (civil.day <= 1) civil.day = day_of_year - before;
}

Parsed Resolve(Fields f, std::string_view text) {
  Parsed parsed;
  types::CivilTime& civil = parsed.civil;
  civil.year = 0;
  parsed.fraction_digits = f.fraction_digits;
  ResolveClock(f, civil);
  ResolveYear(f, civil);
  if (f.julian != 0) types::CivilFromDays(int64_t{f.julian} - types::kJulianEpoch, civil);
  if (f.week != 0) {
    if (f.calendar == PictureCalendar::kIsoWeek) {
      const int32_t day = f.day_of_week == 0 ? 0 : f.day_of_week > 1 ? f.day_of_week - 2 : 6;  // Sunday ends the week
      types::CivilFromDays(types::IsoYearBegin(civil.year) + int64_t{f.week - 1} * 7 + day, civil);
    } else {
      f.day_of_year = (f.week - 1) * 7 + 1;
    }
  }
  if (f.week_of_month != 0) f.day = (f.week_of_month - 1) * 7 + 1;
  if (f.day != 0) civil.day = f.day;
  if (f.month != 0) civil.month = f.month;
  if (f.day_of_year != 0 && (civil.month <= 1 || civil.day <= 1)) ResolveDayOfYear(f, f.day_of_year, civil);
  const bool is_date = civil.month >= 1 && civil.month <= 12 && civil.day >= 1 && civil.day <= types::DaysInMonth(civil.year, civil.month);
  const bool is_time = civil.hour >= 0 && civil.hour < 24 && civil.minute >= 0 && civil.minute < 60 && civil.second >= 0 &&
                       civil.second < 60 && civil.micros >= 0 && civil.micros < types::kMicrosPerSecond;
  if (!is_date || !is_time) ThrowOverflow(text);
  if (f.zone_sign != 0) {
    if (f.zone_hour < 0 || f.zone_hour > 15 || f.zone_minute < 0 || f.zone_minute >= 60) {
      Throw(types::DateTimeError(types::DecodeStatus::kZoneOverflow, text, "timestamp"));
    }
    parsed.has_zone = true;
    parsed.offset_seconds = f.zone_sign * (f.zone_hour * 60 + f.zone_minute) * 60;
  }
  return parsed;
}

// Keeps the template of the last row, which is that of all rows as a rule.
class TemplateReader {
 public:
  Parsed Read(std::string_view text, std::string_view format) {
    if (!has_parsed_ || format != format_) {
      picture_ = ParseDateTimePicture(format);
      format_ = format;
      has_parsed_ = true;
    }
    return Resolve(Scanner(text, picture_).Run(), text);
  }

 private:
  DateTimePicture picture_;
  std::string_view format_;
  bool has_parsed_ = false;
};

}  // namespace

void ToTimestamp(const KernelCall& call) {
  const types::TimeZone& zone = SessionZone(call.context);
  TemplateReader reader;
  Lift<int64_t(std::string_view, std::string_view)>(call, [&](std::string_view text, std::string_view format) {
    Parsed parsed = reader.Read(text, format);
    if (!parsed.has_zone) parsed.offset_seconds = zone.OffsetOfLocal(types::LocalSeconds(parsed.civil));
    const auto timestamp = types::TimestampFromCivil(parsed.civil, parsed.offset_seconds);
    if (!timestamp) Throw(types::TimestampOutOfRange());
    return parsed.fraction_digits == 0 ? *timestamp : types::RoundMicros(*timestamp, parsed.fraction_digits);
  });
}

void ToDate(const KernelCall& call) {
  TemplateReader reader;
  Lift<int32_t(std::string_view, std::string_view)>(call, [&](std::string_view text, std::string_view format) {
    const types::CivilTime civil = reader.Read(text, format).civil;
    const int64_t days = types::DaysFromCivil(civil.year, civil.month, civil.day);
    if (!types::IsJulianMonth(civil.year, civil.month) || !types::IsDateInRange(days)) {
      Throw(SqlError::Make(kDatetimeFieldOverflow, "date out of range: \"{}\"", text));
    }
    return static_cast<int32_t>(days);
  });
}

}  // namespace mayfly::func
