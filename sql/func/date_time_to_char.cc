// to_char(timestamp, text), to_char(timestamptz, text), to_char(interval, text).
#include <cstdlib>
#include <string>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/date_time_picture.h"
#include "sql/types/date_time_format.h"

namespace mayfly::func {

namespace {

using enum PictureKey;
using types::Interval;

// The parts of a value that patterns print; of an interval they may be negative.
struct Shown {
  bool is_interval = false;
  int32_t year = 0;
  int32_t month = 0;
  int32_t day = 0;
  int64_t hour = 0;
  int32_t minute = 0;
  int32_t second = 0;
  int32_t micros = 0;
  int32_t day_of_year = 0;
  int32_t day_of_week = 0;
  int64_t days = 0;  // since 2000-01-01
  int32_t offset_seconds = 0;
  std::string_view zone;  // empty for a plain timestamp

  // There is no year 0 to be shown.
  int32_t ShownYear(int32_t y) const { return is_interval || y > 0 ? y : -(y - 1); }
};

Shown OfLocal(int64_t local) {
  const types::CivilTime c = types::CivilFromTimestamp(local);
  Shown shown;
  shown.year = c.year;
  shown.month = c.month;
  shown.day = c.day;
  shown.hour = c.hour;
  shown.minute = c.minute;
  shown.second = c.second;
  shown.micros = c.micros;
  shown.days = types::FloorDivide(local, types::kMicrosPerDay);
  shown.day_of_year = static_cast<int32_t>(shown.days - types::DaysFromCivil(c.year, 1, 1)) + 1;
  shown.day_of_week = types::DayOfWeek(shown.days);
  return shown;
}

// The day number that PostgreSQL's formula gives to the parts of an interval as if they were a date; months may be 0 or negative.
int64_t DaysOfParts(int64_t year, int32_t month, int32_t day) {
  year += month > 2 ? 4'800 : 4'799;
  month += month > 2 ? 1 : 13;
  const int64_t century = year / 100;
  return year * 365 - 32'167 + year / 4 - century + century / 4 + 7'834 * month / 256 + day - types::kJulianEpoch;
}

Shown OfInterval(const Interval& interval) {
  const types::IntervalParts p = types::SplitInterval(interval);
  Shown shown;
  shown.is_interval = true;
  shown.year = p.year;
  shown.month = p.month;
  shown.day = p.day;
  shown.hour = p.hour;
  shown.minute = p.minute;
  shown.second = p.second;
  shown.micros = p.micros;
  shown.day_of_year = (p.year * types::kMonthsPerYear + p.month) * types::kDaysPerMonth + p.day;
  shown.days = DaysOfParts(p.year, p.month, p.day);
  return shown;
}

class Printer {
 public:
  Printer(const Shown& value, std::string& out) : v_(value), out_(out) {}

  void Print(const PictureNode& node) {
    if (node.kind != PictureNode::Kind::kPattern) {
      out_ += node.text;
      return;
    }
    const size_t begin = out_.size();
    if (Clock(node) || Zone(node) || Day(node)) {
      Ordinal(node, begin);
      return;
    }
    Year(node);
    Ordinal(node, begin);
  }

 private:
  // printf("%0*d"): zeros up to `width` characters, the sign among them; none in fill mode.
  void Padded(const PictureNode& node, int64_t value, size_t width) {
    out_ += fmt::format("{:0{}}", value, node.fill_mode ? 0 : width);
  }
  // A negative value is one character wider.
  void Number(const PictureNode& node, int64_t value, size_t width) { Padded(node, value, value < 0 ? width + 1 : width); }

  void Ordinal(const PictureNode& node, size_t begin) {
    if (!node.ordinal_upper && !node.ordinal_lower) return;
    const std::string_view printed = std::string_view(out_).substr(begin);
    if (!IsNumeric(node.key) || printed.empty()) return;
    if (!types::IsDigit(printed.back())) {
      Throw(SqlError::Make(kInvalidTextRepresentation, "\"{}\" is not a number", printed));
    }
    out_ += OrdinalSuffix(printed, node.ordinal_upper);
  }
  static bool IsNumeric(PictureKey key) {
    switch (key) {
      case kAdDots:
      case kAd:
      case kAmDots:
      case kAm:
      case kDayName:
      case kDayShort:
      case kMonthName:
      case kMonthShort:
      case kRoman:
      case kZone:
      case kZoneHour:
      case kZoneMinute:
      case kOffset:
      case kExact: return false;
      default: return true;
    }
  }

  void Letters(std::string_view capital, LetterCase letters) {
    for (size_t i = 0; i < capital.size(); ++i) {
      char c = capital[i];
      if (letters == LetterCase::kLower) c = types::ToLower(c);
      if (letters == LetterCase::kUpper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      out_ += c;
    }
  }
  // A name, padded with blanks on the right where not in fill mode.
  void Name(const PictureNode& node, std::string_view name, size_t width) {
    Letters(name, node.letters);
    if (!node.fill_mode && !node.translate && name.size() < width) out_.append(width - name.size(), ' ');
  }
  void Invalid(bool in_interval) const {
    if (!in_interval || !v_.is_interval) return;
    Throw(SqlError::Make(kInvalidDatetimeFormat, "invalid format specification for an interval value")
              .Hint("Intervals are not tied to specific calendar dates."));
  }

  bool Clock(const PictureNode& node) {
    switch (node.key) {
      case kAmDots: Letters(v_.hour % 24 >= 12 ? "P.M." : "A.M.", node.letters); return true;
      case kAm: Letters(v_.hour % 24 >= 12 ? "PM" : "AM", node.letters); return true;
      case kHour12: Padded(node, v_.hour % 12 == 0 ? 12 : v_.hour % 12, v_.hour < 0 ? 3 : 2); return true;
      case kHour24: Number(node, v_.hour, 2); return true;
      case kMinute: Number(node, v_.minute, 2); return true;
      case kSecond: Number(node, v_.second, 2); return true;
      case kFraction: Fraction(node.digits); return true;
      case kMillis: Fraction(3); return true;
      case kMicros: Fraction(6); return true;
      case kSecondOfDay: out_ += std::to_string((v_.hour * 60 + v_.minute) * 60 + v_.second); return true;
      default: return false;
    }
  }
  void Fraction(int digits) {
    int32_t value = v_.micros;
    for (int i = 6; i > digits; --i) value /= 10;
    out_ += fmt::format("{:0{}}", value, digits);
  }

  bool Zone(const PictureNode& node) {
    const int32_t size = std::abs(v_.offset_seconds);
    switch (node.key) {
      case kZone:
        Invalid(true);
        if (node.letters == LetterCase::kUpper) {
          out_ += v_.zone;
        } else {
          Letters(v_.zone, LetterCase::kLower);
        }
        return true;
      case kZoneHour:
        Invalid(true);
        out_ += fmt::format("{}{:02}", v_.offset_seconds >= 0 ? '+' : '-', size / 3'600);
        return true;
      case kZoneMinute:
        Invalid(true);
        out_ += fmt::format("{:02}", size % 3'600 / 60);
        return true;
      case kOffset:
        Invalid(true);
        out_ += v_.offset_seconds >= 0 ? '+' : '-';
        Number(node, size / 3'600, 2);
        if (size % 3'600 != 0) out_ += fmt::format(":{:02}", size % 3'600 / 60);
        return true;
      default: return false;
    }
  }

  bool Day(const PictureNode& node) {
    switch (node.key) {
      case kDayName: Invalid(true); Name(node, types::kDayNames[v_.day_of_week], 9); return true;
      case kDayShort: Invalid(true); Letters(types::kDayNames[v_.day_of_week].substr(0, 3), node.letters); return true;
      case kDayOfYear: Padded(node, v_.day_of_year, 3); return true;
      case kIsoDayOfYear: Padded(node, v_.days - types::IsoYearBegin(IsoYear()) + 1, 3); return true;
      case kDay: Padded(node, v_.day, 2); return true;
      case kDayOfWeek: Invalid(true); out_ += std::to_string(v_.day_of_week + 1); return true;
      case kIsoDayOfWeek: Invalid(true); out_ += std::to_string(v_.day_of_week == 0 ? 7 : v_.day_of_week); return true;
      case kWeekOfYear: Padded(node, (v_.day_of_year - 1) / 7 + 1, 2); return true;
      case kIsoWeek: Padded(node, (v_.days - types::IsoYearBegin(IsoYear())) / 7 + 1, 2); return true;
      case kWeekOfMonth: out_ += std::to_string((v_.day - 1) / 7 + 1); return true;
      case kJulian: out_ += std::to_string(v_.days + types::kJulianEpoch); return true;
      case kMonthName:
        Invalid(true);
        Name(node, types::kMonthNames[v_.month - 1], 9);
        return true;
      case kMonthShort: Invalid(true); Letters(types::kMonthNames[v_.month - 1].substr(0, 3), node.letters); return true;
      case kMonth: Number(node, v_.month, 2); return true;
      case kRoman: Roman(node); return true;
      case kExact: return true;
      default: return false;
    }
  }
  // Right-padded to four. No month is the last one of the year that it ends; negative ones count back from there.
  void Roman(const PictureNode& node) {
    if (v_.month == 0 && v_.year == 0) return;
    int32_t month = v_.month;
    if (month == 0) {
      month = v_.year >= 0 ? 12 : 1;
    } else if (month < 0) {
      month += 13;
    }
    const std::string_view name = kRomanMonths[month - 1];
    Letters(name, node.letters);
    if (!node.fill_mode && name.size() < 4) out_.append(4 - name.size(), ' ');
  }

  // At most one away from the year: of an interval too, whose days may be many.
  int32_t IsoYear() const {
    if (v_.days < types::IsoYearBegin(v_.year)) return v_.year - 1;
    return v_.days >= types::IsoYearBegin(v_.year + 1) ? v_.year + 1 : v_.year;
  }

  void Year(const PictureNode& node) {
    const int32_t year = v_.ShownYear(v_.year);
    switch (node.key) {
      case kAdDots: Invalid(true); Letters(v_.year <= 0 ? "B.C." : "A.D.", node.letters); return;
      case kAd: Invalid(true); Letters(v_.year <= 0 ? "BC" : "AD", node.letters); return;
      case kQuarter:
        if (v_.month != 0) out_ += std::to_string((v_.month - 1) / 3 + 1);
        return;
      case kCentury: return Century(node);
      case kYearComma: out_ += fmt::format("{},{:03}", year / 1'000, year - year / 1'000 * 1'000); return;
      case kYear4: return Number(node, year, 4);
      case kYear3: return Padded(node, year % 1'000, year >= 0 ? 3 : 4);
      case kYear2: return Padded(node, year % 100, year >= 0 ? 2 : 3);
      case kYear1: out_ += std::to_string(year % 10); return;
      default: break;
    }
    const int32_t iso_year = v_.ShownYear(IsoYear());
    const size_t sign = year >= 0 ? 0 : 1;
    if (node.key == kIsoYear4) Padded(node, iso_year, 4 + sign);
    if (node.key == kIsoYear3) Padded(node, iso_year % 1'000, 3 + sign);
    if (node.key == kIsoYear2) Padded(node, iso_year % 100, 2 + sign);
    if (node.key == kIsoYear1) out_ += std::to_string(iso_year % 10);
  }
  void Century(const PictureNode& node) {
    int32_t century = v_.year / 100;
    if (!v_.is_interval) century = v_.year > 0 ? (v_.year - 1) / 100 + 1 : v_.year / 100 - 1;
    if (century <= 99 && century >= -99) {
      Number(node, century, 2);
    } else {
      out_ += std::to_string(century);
    }
  }

  const Shown& v_;
  std::string& out_;
};

// Prints `make(value)` of each row by its template, which is parsed once where it is constant. NULL for an empty template, and where make gives
// false (infinity).
template <typename T, typename Make>
void PrintEach(const KernelCall& call, Make&& make) {
  const types::Vector& values = *call.args[0];
  const types::Vector& formats = *call.args[1];
  DateTimePicture picture;
  std::string_view parsed;
  std::string out;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const std::string_view format = formats.data<types::StringRef>()[formats.Index(row)].view();
    if (i == 0 || (!formats.is_constant() && format != parsed)) {
      picture = ParseDateTimePicture(format);
      parsed = format;
    }
    Shown shown;
    if (format.empty() || !make(values.data<T>()[values.Index(row)], shown)) {
      call.result.SetNull(row);
      continue;
    }
    out.clear();
    Printer printer(shown, out);
    for (const PictureNode& node : picture) printer.Print(node);
    call.result.SetBytes(row, out);
  }
}

}  // namespace

void TimestampToChar(const KernelCall& call) {
  PrintEach<int64_t>(call, [](int64_t timestamp, Shown& shown) {
    if (!types::IsFiniteTimestamp(timestamp)) return false;
    shown = OfLocal(timestamp);
    return true;
  });
}

void TimestamptzToChar(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  PrintEach<int64_t>(call, [&](int64_t timestamptz, Shown& shown) {
    if (!types::IsFiniteTimestamp(timestamptz)) return false;
    const types::ZoneSpan& span = zone.At(types::FloorDivide(timestamptz, types::kMicrosPerSecond) + types::kUnixEpochSeconds);
    shown = OfLocal(timestamptz + span.offset_seconds * types::kMicrosPerSecond);
    shown.offset_seconds = span.offset_seconds;
    shown.zone = span.abbreviation;
    return true;
  });
}

void IntervalToChar(const KernelCall& call) {
  PrintEach<Interval>(call, [](const Interval& interval, Shown& shown) {
    shown = OfInterval(interval);
    return true;
  });
}

}  // namespace mayfly::func
