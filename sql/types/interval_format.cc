// Intervals as text: postgres '1 year 2 mons -3 days 04:05:06', postgres_verbose '@ 1 year 2 mons -3 days 4 hours 5 mins 6 secs',
// sql_standard '+1-2 -3 +4:05:06', iso_8601 'P1Y2M-3DT4H5M6S'.
#include <charconv>
#include <cstdlib>

#include "sql/types/date_time_format.h"
#include "sql/types/interval.h"

namespace mayfly::types {

namespace {

void AppendNumber(int64_t value, std::string& out, size_t width = 1) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  const auto size = static_cast<size_t>(end - buffer);
  if (size < width) out.append(width - size, '0');
  out.append(buffer, size);
}

// Seconds with their fraction, without sign; "06" where padded.
void AppendSeconds(const IntervalParts& parts, bool padded, std::string& out) {
  AppendNumber(std::abs(parts.second), out, padded ? 2 : 1);
  int32_t micros = std::abs(parts.micros);
  if (micros == 0) return;
  char digits[7] = {'.'};
  for (int i = 6; i > 0; --i, micros /= 10) digits[i] = static_cast<char>('0' + micros % 10);
  size_t size = 7;
  while (digits[size - 1] == '0') --size;
  out.append(digits, size);
}

bool HasTime(const IntervalParts& p) { return p.hour != 0 || p.minute != 0 || p.second != 0 || p.micros != 0; }
bool TimeIsNegative(const IntervalParts& p) { return p.hour < 0 || p.minute < 0 || p.second < 0 || p.micros < 0; }

void AppendClock(const IntervalParts& p, size_t hour_width, std::string& out) {
  AppendNumber(std::abs(p.hour), out, hour_width);
  out += ':';
  AppendNumber(std::abs(p.minute), out, 2);
  out += ':';
  AppendSeconds(p, true, out);
}

void AppendPostgres(const IntervalParts& p, std::string& out) {
  bool is_empty = true;
  bool after_negative = false;
  const auto part = [&](int64_t value, std::string_view unit) {
    if (value == 0) return;
    if (!is_empty) out += ' ';
    if (after_negative && value > 0) out += '+';
    AppendNumber(value, out);
    out += ' ';
    out += unit;
    if (value != 1) out += 's';
    after_negative = value < 0;
    is_empty = false;
  };
  part(p.year, "year");
  part(p.month, "mon");
  part(p.day, "day");
  if (!is_empty && !HasTime(p)) return;
  if (!is_empty) out += ' ';
  if (TimeIsNegative(p)) {
    out += '-';
  } else if (after_negative) {
    out += '+';
  }
  AppendClock(p, 2, out);
}

void AppendVerbose(const IntervalParts& p, std::string& out) {
  out += '@';
  bool is_empty = true;
  bool is_ago = false;  // the first part's sign is the whole's
  const auto part = [&](int64_t value, std::string_view unit) {
    if (value == 0) return;
    if (is_empty) {
      is_ago = value < 0;
      value = std::abs(value);
    } else if (is_ago) {
      value = -value;
    }
    out += ' ';
    AppendNumber(value, out);
    out += ' ';
    out += unit;
    if (value != 1) out += 's';
    is_empty = false;
  };
  part(p.year, "year");
  part(p.month, "mon");
  part(p.day, "day");
  part(p.hour, "hour");
  part(p.minute, "min");
  if (p.second != 0 || p.micros != 0) {
    out += ' ';
    const bool negative = p.second < 0 || p.micros < 0;
    if (negative && is_empty) {
      is_ago = true;
    } else if (negative != is_ago) {
      out += '-';
    }
    AppendSeconds(p, false, out);
    out += std::abs(p.second) != 1 || p.micros != 0 ? " secs" : " sec";
    is_empty = false;
  }
  if (is_empty) out += " 0";
  if (is_ago) out += " ago";
}

void AppendSqlStandard(IntervalParts p, std::string& out) {
  const bool has_negative = p.year < 0 || p.month < 0 || p.day < 0 || TimeIsNegative(p);
  const bool has_positive =
      p.year > 0 || p.month > 0 || p.day > 0 || p.hour > 0 || p.minute > 0 || p.second > 0 || p.micros > 0;
  const bool has_months = p.year != 0 || p.month != 0;
  const bool has_day_time = p.day != 0 || HasTime(p);
  if (!has_negative && !has_positive) {
    out += '0';
    return;
  }
  if ((has_negative && has_positive) || (has_months && has_day_time)) {  // the standard has no form: sign every part
    out += p.year < 0 || p.month < 0 ? '-' : '+';
    AppendNumber(std::abs(p.year), out);
    out += '-';
    AppendNumber(std::abs(p.month), out);
    out += p.day < 0 ? " -" : " +";
    AppendNumber(std::abs(int64_t{p.day}), out);
    out += TimeIsNegative(p) ? " -" : " +";
    AppendClock(p, 1, out);
    return;
  }
  if (has_negative) out += '-';
  if (has_months) {
    AppendNumber(std::abs(p.year), out);
    out += '-';
    AppendNumber(std::abs(p.month), out);
    return;
  }
  if (p.day != 0) {
    AppendNumber(std::abs(int64_t{p.day}), out);
    out += ' ';
  }
  AppendClock(p, 1, out);
}

void AppendIso(const IntervalParts& p, std::string& out) {
  out += 'P';
  const auto part = [&](int64_t value, char unit) {
    if (value == 0) return;
    AppendNumber(value, out);
    out += unit;
  };
  part(p.year, 'Y');
  part(p.month, 'M');
  part(p.day, 'D');
  if (HasTime(p)) out += 'T';
  part(p.hour, 'H');
  part(p.minute, 'M');
  if (p.second != 0 || p.micros != 0) {
    if (p.second < 0 || p.micros < 0) out += '-';
    AppendSeconds(p, false, out);
    out += 'S';
  } else if (out.back() == 'P') {
    out += "T0S";
  }
}

}  // namespace

void AppendInterval(const Interval& interval, IntervalStyle style, std::string& out) {
  const IntervalParts parts = SplitInterval(interval);
  switch (style) {
    case IntervalStyle::kPostgres: return AppendPostgres(parts, out);
    case IntervalStyle::kPostgresVerbose: return AppendVerbose(parts, out);
    case IntervalStyle::kSqlStandard: return AppendSqlStandard(parts, out);
    case IntervalStyle::kIso8601: return AppendIso(parts, out);
  }
}

}  // namespace mayfly::types
