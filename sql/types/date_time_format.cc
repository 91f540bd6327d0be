#include "sql/types/date_time_format.h"

#include <cstring>

#include "sql/types/time_zone.h"

namespace mayfly::types {

const std::string_view kDayNames[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
const std::string_view kMonthNames[12] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};

namespace {

constexpr size_t kZoneBytesMax = 10;

// Fills a small buffer on the stack; one append at the end.
class Writer {
 public:
  void Char(char c) { *at_++ = c; }
  void Text(std::string_view text) {
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  // Requires: 0 <= value <= 99.
  void TwoDigits(int32_t value) {
    at_[0] = static_cast<char>('0' + value / 10);
    at_[1] = static_cast<char>('0' + value % 10);
    at_ += 2;
  }
  // Requires: value >= 0. At least four digits.
  void Year(int32_t value) {
    if (value < 10'000) {
      TwoDigits(value / 100);
      TwoDigits(value % 100);
      return;
    }
    char digits[12];
    size_t count = 0;
    for (; value != 0; value /= 10) digits[count++] = static_cast<char>('0' + value % 10);
    while (count > 0) Char(digits[--count]);
  }
  // ".ffffff" without trailing zeros; nothing for 0.
  void Fraction(int32_t micros) {
    if (micros == 0) return;
    Char('.');
    int32_t digits = 6;
    for (; micros % 10 == 0; micros /= 10) --digits;
    for (int32_t i = digits; i-- > 0; micros /= 10) at_[i] = static_cast<char>('0' + micros % 10);
    at_ += digits;
  }
  void Clock(const CivilTime& civil) {
    TwoDigits(civil.hour);
    Char(':');
    TwoDigits(civil.minute);
    Char(':');
    TwoDigits(civil.second);
    Fraction(civil.micros);
  }
  void Offset(int32_t offset_seconds) {
    Char(offset_seconds < 0 ? '-' : '+');
    const int32_t size = offset_seconds < 0 ? -offset_seconds : offset_seconds;
    if (size >= 100 * 3'600) Char(static_cast<char>('0' + size / 3'600 / 100));
    TwoDigits(size / 3'600 % 100);
    if (size % 3'600 == 0) return;
    Char(':');
    TwoDigits(size / 60 % 60);
    if (size % 60 == 0) return;
    Char(':');
    TwoDigits(size % 60);
  }
  void AppendTo(std::string& out) const { out.append(buffer_, static_cast<size_t>(at_ - buffer_)); }

 private:
  char buffer_[96];
  char* at_ = buffer_;
};

int32_t ShownYear(int32_t year) { return year > 0 ? year : -(year - 1); }

void WriteDay(Writer& w, const CivilTime& civil, const IoSettings& settings) {
  const bool day_first = settings.date_order == DateOrder::kDmy;
  switch (settings.date_style) {
    case DateStyle::kIso:
      w.Year(ShownYear(civil.year));
      w.Char('-');
      w.TwoDigits(civil.month);
      w.Char('-');
      w.TwoDigits(civil.day);
      return;
    case DateStyle::kSql:
    case DateStyle::kPostgres: {
      const char separator = settings.date_style == DateStyle::kSql ? '/' : '-';
      w.TwoDigits(day_first ? civil.day : civil.month);
      w.Char(separator);
      w.TwoDigits(day_first ? civil.month : civil.day);
      w.Char(separator);
      break;
    }
    case DateStyle::kGerman:
      w.TwoDigits(civil.day);
      w.Char('.');
      w.TwoDigits(civil.month);
      w.Char('.');
      break;
  }
  w.Year(ShownYear(civil.year));
}

// "Sat Jan 01 00:00:00 2000"
void WritePostgresStyle(Writer& w, const CivilTime& civil, const IoSettings& settings) {
  w.Text(kDayNames[DayOfWeek(DaysFromCivil(civil.year, civil.month, civil.day))].substr(0, 3));
  w.Char(' ');
  const std::string_view month = kMonthNames[civil.month - 1].substr(0, 3);
  if (settings.date_order == DateOrder::kDmy) {
    w.TwoDigits(civil.day);
    w.Char(' ');
    w.Text(month);
  } else {
    w.Text(month);
    w.Char(' ');
    w.TwoDigits(civil.day);
  }
  w.Char(' ');
  w.Clock(civil);
  w.Char(' ');
  w.Year(ShownYear(civil.year));
}

bool AppendInfinity(bool negative, bool positive, std::string& out) {
  if (negative) out += "-infinity";
  if (positive) out += "infinity";
  return negative || positive;
}

}  // namespace

void AppendDate(int32_t date, const IoSettings& settings, std::string& out) {
  if (AppendInfinity(date == kDateMinusInfinity, date == kDateInfinity, out)) return;
  CivilTime civil;
  CivilFromDays(date, civil);
  Writer w;
  WriteDay(w, civil, settings);
  if (civil.year <= 0) w.Text(" BC");
  w.AppendTo(out);
}

void AppendTime(int64_t micros, std::string& out) {
  CivilTime civil;
  TimeFromMicros(micros, civil);
  Writer w;
  w.Clock(civil);
  w.AppendTo(out);
}

void AppendDateTime(const ZonedCivil& time, const IoSettings& settings, std::string& out) {
  const CivilTime& civil = time.civil;
  Writer w;
  if (settings.date_style == DateStyle::kPostgres) {
    WritePostgresStyle(w, civil, settings);
  } else {
    WriteDay(w, civil, settings);
    w.Char(' ');
    w.Clock(civil);
  }
  if (time.has_zone) {
    if (settings.date_style == DateStyle::kIso) {
      w.Offset(time.offset_seconds);
    } else {
      w.Char(' ');
      w.Text(time.abbreviation.substr(0, kZoneBytesMax));
    }
  }
  if (civil.year <= 0) w.Text(" BC");
  w.AppendTo(out);
}

void AppendTimestamp(int64_t timestamp, const IoSettings& settings, std::string& out) {
  if (AppendInfinity(timestamp == kTimestampMinusInfinity, timestamp == kTimestampInfinity, out)) return;
  ZonedCivil time;
  time.civil = CivilFromTimestamp(timestamp);
  AppendDateTime(time, settings, out);
}

void AppendTimestamptz(int64_t timestamp, const IoSettings& settings, std::string& out) {
  if (AppendInfinity(timestamp == kTimestampMinusInfinity, timestamp == kTimestampInfinity, out)) return;
  const TimeZone* zone = settings.time_zone == nullptr ? TimeZone::Utc() : settings.time_zone;
  thread_local ZoneCursor cursor(nullptr);
  if (&cursor.zone() != zone) cursor = ZoneCursor(zone);
  const ZoneSpan& span = cursor.At(FloorDivide(timestamp, kMicrosPerSecond) + kUnixEpochSeconds);
  AppendDateTime({.civil = CivilFromTimestamp(timestamp + span.offset_seconds * kMicrosPerSecond),
                  .has_zone = true,
                  .offset_seconds = span.offset_seconds,
                  .abbreviation = span.abbreviation},
                 settings, out);
}

void AppendZoneOffset(int32_t offset_seconds, std::string& out) {
  Writer w;
  w.Offset(offset_seconds);
  w.AppendTo(out);
}

}  // namespace mayfly::types
