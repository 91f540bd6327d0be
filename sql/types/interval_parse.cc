// Interval literals other than ISO 8601: '1 day 12:00:00', '@ 1 hour ago', '1-2', '-1 +02:03'. Fields are read from right to left, so that a unit is
// known before its number.
#include <cmath>
#include <limits>

#include "sql/types/date_time_parse.h"
#include "sql/types/interval.h"

namespace mayfly::types {

bool IntervalSum::AddFractionOfMicros(double fraction, int64_t unit_micros) {
  if (fraction == 0) return true;
  double scaled = fraction * static_cast<double>(unit_micros);
  auto whole = static_cast<int64_t>(scaled);
  scaled -= static_cast<double>(whole);
  if (scaled > 0.5) ++whole;
  if (scaled < -0.5) --whole;
  return !__builtin_add_overflow(micros, whole, &micros);
}

bool IntervalSum::AddMicros(int64_t value, double fraction, int64_t unit_micros) {
  int64_t product = 0;
  if (__builtin_mul_overflow(value, unit_micros, &product) || __builtin_add_overflow(micros, product, &micros)) return false;
  return AddFractionOfMicros(fraction, unit_micros);
}

bool IntervalSum::AddDays(int64_t value, int32_t scale) {
  int32_t product = 0;
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) return false;
  return !__builtin_mul_overflow(static_cast<int32_t>(value), scale, &product) && !__builtin_add_overflow(days, product, &days);
}

bool IntervalSum::AddFractionOfDays(double fraction, int32_t scale) {
  if (fraction == 0) return true;
  const double scaled = fraction * scale;
  const auto whole = static_cast<int32_t>(scaled);
  if (__builtin_add_overflow(days, whole, &days)) return false;
  return AddFractionOfMicros(scaled - whole, kMicrosPerDay);
}

bool IntervalSum::AddMonths(int64_t value) {
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) return false;
  return !__builtin_add_overflow(months, static_cast<int32_t>(value), &months);
}

bool IntervalSum::AddYears(int64_t value, int32_t scale) {
  int32_t product = 0;
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) return false;
  return !__builtin_mul_overflow(static_cast<int32_t>(value), scale, &product) && !__builtin_add_overflow(years, product, &years);
}

bool IntervalSum::AddFractionOfYears(double fraction, int32_t scale) {
  return !__builtin_add_overflow(months, static_cast<int32_t>(std::rint(fraction * scale * kMonthsPerYear)), &months);
}

namespace {

using enum DateTimePart;
using enum DecodeStatus;

class IntervalDecoder {
 public:
  IntervalDecoder(const DateTimeFields& fields, int32_t range, IntervalStyle style) : fields_(fields), range_(range), style_(style) {}

  DecodeStatus Run(IntervalSum& sum) {
    uint64_t seen = 0;
    for (size_t i = fields_.size(); i-- > 0;) {
      sets_ = 0;
      if (const DecodeStatus status = Field(fields_[i]); status != kOk) return status;
      if ((sets_ & seen) != 0) return kBadFormat;
      seen |= sets_;
    }
    if (seen == 0) return kBadFormat;
    if (style_ == IntervalStyle::kSqlStandard && fields_[0].text[0] == '-' && !HasMoreSigns()) MakeNegative();
    if (is_ago_ && !Negate()) return kFieldOverflow;
    sum = sum_;
    return kOk;
  }

 private:
  DecodeStatus Field(const DateTimeField& field) {
    switch (field.kind) {
      case FieldKind::kTime: unit_ = kDay; return Clock(field.text, false);
      case FieldKind::kZone: {
        // A signed time of day; or else a signed number.
        if (field.text.find(':') != std::string_view::npos && Clock(field.text.substr(1), field.text[0] == '-') == kOk) {
          unit_ = kDay;
          return kOk;
        }
        sets_ = 0;
        return Number(field.text);
      }
      case FieldKind::kDate:
      case FieldKind::kNumber: return Number(field.text);
      case FieldKind::kText:
      case FieldKind::kSpecial: return Word(field.text);
    }
    return kBadFormat;
  }

  DecodeStatus Clock(std::string_view text, bool negative) {
    sets_ = kTimeBits;
    ClockTime time;
    if (const DecodeStatus status = ParseClockTime(text, range_ == (kIntervalMinute | kIntervalSecond), time); status != kOk) return status;
    IntervalSum clock;
    if (!clock.AddMicros(time.hour, 0, kMicrosPerHour) || !clock.AddMicros(time.minute, 0, kMicrosPerMinute) ||
        !clock.AddMicros(time.second, 0, kMicrosPerSecond) || !clock.AddMicros(time.micros, 0, 1)) {
      return kFieldOverflow;
    }
    sum_.micros = negative ? -clock.micros : clock.micros;
    return kOk;
  }

  DecodeStatus Word(std::string_view text) {
    const DateTimeWord* word = FindUnitWord(text);
    if (word == nullptr) return kBadFormat;
    if (word->kind == kIgnore) return kOk;
    is_ago_ = is_ago_ || word->kind == kAgo;
    unit_ = word->part;  // of "ago" none, which no number may follow
    has_unit_ = true;
    return kOk;
  }

  // What the rightmost number is, if nothing says it.
  DateTimePart UnitOfRange() const {
    switch (range_) {
      case kIntervalYear: return kYear;
      case kIntervalMonth:
      case kIntervalYear | kIntervalMonth: return kMonth;
      case kIntervalDay: return kDay;
      case kIntervalHour:
      case kIntervalDay | kIntervalHour: return kHour;
      case kIntervalMinute:
      case kIntervalHour | kIntervalMinute:
      case kIntervalDay | kIntervalHour | kIntervalMinute: return kMinute;
      default: return kSecond;
    }
  }

  DecodeStatus Number(std::string_view text) {
    if (!has_unit_ && unit_ == kNone) unit_ = UnitOfRange();
    const bool negative = text[0] == '-';
    const auto whole = TakeInt64(text);
    if (!whole) return kFieldOverflow;
    int64_t value = *whole;
    double fraction = 0;
    if (!text.empty() && text[0] == '-') {  // years-months
      text.remove_prefix(1);
      const auto months = TakeInt32(text);
      if (!months || *months < 0 || *months >= kMonthsPerYear) return kFieldOverflow;
      if (!text.empty()) return kBadFormat;
      unit_ = kMonth;
      if (__builtin_mul_overflow(value, int64_t{kMonthsPerYear}, &value) ||
          __builtin_add_overflow(value, negative ? -*months : *months, &value)) {
        return kFieldOverflow;
      }
    } else if (!text.empty()) {
      if (text[0] != '.') return kBadFormat;
      if (const DecodeStatus status = ParseFraction(text, fraction); status != kOk) return status;
      if (negative) fraction = -fraction;
    }
    return Add(value, fraction);
  }

  DecodeStatus Add(int64_t value, double fraction) {
    sets_ = PartBit(unit_ == kNone ? kIgnore : unit_);
    bool fits = false;
    switch (unit_) {
      case kMicrosecond: fits = sum_.AddMicros(value, fraction, 1); break;
      case kMillisecond: fits = sum_.AddMicros(value, fraction, 1'000); break;
      case kSecond:
        fits = sum_.AddMicros(value, fraction, kMicrosPerSecond);
        if (fraction != 0) sets_ = kSecondBits;
        break;
      case kMinute: fits = sum_.AddMicros(value, fraction, kMicrosPerMinute); break;
      case kHour:
        fits = sum_.AddMicros(value, fraction, kMicrosPerHour);
        unit_ = kDay;  // a number to the left of it
        break;
      case kDay: fits = sum_.AddDays(value, 1) && sum_.AddFractionOfMicros(fraction, kMicrosPerDay); break;
      case kWeek: fits = sum_.AddDays(value, 7) && sum_.AddFractionOfDays(fraction, 7); break;
      case kMonth: fits = sum_.AddMonths(value) && sum_.AddFractionOfDays(fraction, kDaysPerMonth); break;
      case kYear: fits = sum_.AddYears(value, 1) && sum_.AddFractionOfYears(fraction, 1); break;
      case kDecade: fits = sum_.AddYears(value, 10) && sum_.AddFractionOfYears(fraction, 10); break;
      case kCentury: fits = sum_.AddYears(value, 100) && sum_.AddFractionOfYears(fraction, 100); break;
      case kMillennium: fits = sum_.AddYears(value, 1'000) && sum_.AddFractionOfYears(fraction, 1'000); break;
      default: return kBadFormat;
    }
    return fits ? kOk : kFieldOverflow;
  }

  bool HasMoreSigns() const {
    for (size_t i = 1; i < fields_.size(); ++i) {
      if (fields_[i].text[0] == '-' || fields_[i].text[0] == '+') return true;
    }
    return false;
  }

  // SQL's single leading sign counts for every part.
  void MakeNegative() {
    if (sum_.micros > 0) sum_.micros = -sum_.micros;
    if (sum_.days > 0) sum_.days = -sum_.days;
    if (sum_.months > 0) sum_.months = -sum_.months;
    if (sum_.years > 0) sum_.years = -sum_.years;
  }

  bool Negate() {
    return !__builtin_sub_overflow(int64_t{0}, sum_.micros, &sum_.micros) && !__builtin_sub_overflow(0, sum_.days, &sum_.days) &&
           !__builtin_sub_overflow(0, sum_.months, &sum_.months) && !__builtin_sub_overflow(0, sum_.years, &sum_.years);
  }

  const DateTimeFields& fields_;
  const int32_t range_;
  const IntervalStyle style_;
  IntervalSum sum_;
  DateTimePart unit_ = kNone;
  bool has_unit_ = false;  // a word came before (to the right)
  bool is_ago_ = false;
  uint64_t sets_ = 0;
};

}  // namespace

Result<Interval> ParseInterval(std::string_view text, int32_t range, IntervalStyle style) {
  DateTimeFields fields;
  IntervalSum sum;
  DecodeStatus status = fields.Split(text, 256);
  if (status == kOk) status = IntervalDecoder(fields, range, style).Run(sum);
  if (status == kBadFormat) {
    sum = {};
    status = ParseIso8601Interval(text, sum);
  }
  if (status == kFieldOverflow) status = kIntervalOverflow;
  if (status != kOk) return DateTimeError(status, text, "interval");
  Interval interval{.micros = sum.micros, .days = sum.days, .months = 0};
  int32_t months = 0;
  if (__builtin_mul_overflow(sum.years, kMonthsPerYear, &months) || __builtin_add_overflow(months, sum.months, &interval.months)) {
    return SqlError::Make(kDatetimeFieldOverflow, "interval out of range");
  }
  return interval;
}

}  // namespace mayfly::types
