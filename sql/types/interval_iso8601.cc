#include <charconv>
#include <cmath>
#include <limits>

#include "sql/types/interval.h"

namespace mayfly::types {

namespace {

using enum DecodeStatus;

class Iso8601Decoder {
 public:
  Iso8601Decoder(std::string_view text, IntervalSum& sum) : text_(text), sum_(sum) {}

  DecodeStatus Run() {
    if (text_.size() < 2 || text_[0] != 'P') return kBadFormat;
    text_.remove_prefix(1);
    while (!text_.empty() && !is_done_) {
      if (text_[0] == 'T') {
        BeginTime();
        continue;
      }
      const std::string_view field = text_;
      if (const DecodeStatus status = Number(); status != kOk) return status;
      char unit = '\0';
      if (!text_.empty()) {
        unit = text_[0];
        text_.remove_prefix(1);
      }
      if (const DecodeStatus status = in_date_ ? DateUnit(field, unit) : TimeUnit(field, unit); status != kOk) return status;
    }
    return kOk;
  }

 private:
  void BeginTime() {
    in_date_ = false;
    has_field_ = false;
    text_.remove_prefix(1);
  }

  // Any decimal number, into whole_ and fraction_.
  DecodeStatus Number() {
    if (text_.empty() || !(IsDigit(text_[0]) || text_[0] == '-' || text_[0] == '.')) return kBadFormat;
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return kBadFormat;
    text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    if (std::isnan(value) || value < -1.0e15 || value > 1.0e15) return kFieldOverflow;
    whole_ = static_cast<int64_t>(std::trunc(value));
    fraction_ = value - static_cast<double>(whole_);
    return kOk;
  }

  static size_t IntegerWidth(std::string_view field) {
    if (!field.empty() && field[0] == '-') field.remove_prefix(1);
    return std::min(field.find_first_not_of("0123456789"), field.size());
  }

  DecodeStatus DateUnit(std::string_view field, char unit) {
    bool fits = false;
    switch (unit) {
      case 'Y': fits = sum_.AddYears(whole_, 1) && sum_.AddFractionOfYears(fraction_, 1); break;
      case 'M': fits = sum_.AddMonths(whole_) && sum_.AddFractionOfDays(fraction_, kDaysPerMonth); break;
      case 'W': fits = sum_.AddDays(whole_, 7) && sum_.AddFractionOfDays(fraction_, 7); break;
      case 'D': fits = sum_.AddDays(whole_, 1) && sum_.AddFractionOfMicros(fraction_, kMicrosPerDay); break;
      case 'T':
      case '\0':
        if (IntegerWidth(field) == 8 && !has_field_) return BasicDate(unit);
        return ExtendedDate(unit);
      case '-': return ExtendedDate(unit);
      default: return kBadFormat;
    }
    has_field_ = true;
    return fits ? kOk : kFieldOverflow;
  }

  // P00010203
  DecodeStatus BasicDate(char unit) {
    if (!sum_.AddYears(whole_ / 10'000, 1) || !sum_.AddMonths(whole_ / 100 % 100) || !sum_.AddDays(whole_ % 100, 1) ||
        !sum_.AddFractionOfMicros(fraction_, kMicrosPerDay)) {
      return kFieldOverflow;
    }
    return EndDate(unit);
  }

  // P0001-02-03
  DecodeStatus ExtendedDate(char unit) {
    if (has_field_) return kBadFormat;
    if (!sum_.AddYears(whole_, 1) || !sum_.AddFractionOfYears(fraction_, 1)) return kFieldOverflow;
    if (unit != '-') return EndDate(unit);
    if (const DecodeStatus status = Number(); status != kOk) return status;
    if (!sum_.AddMonths(whole_) || !sum_.AddFractionOfDays(fraction_, kDaysPerMonth)) return kFieldOverflow;
    if (text_.empty() || text_[0] == 'T') return EndDateHere();
    if (text_[0] != '-') return kBadFormat;
    text_.remove_prefix(1);
    if (const DecodeStatus status = Number(); status != kOk) return status;
    if (!sum_.AddDays(whole_, 1) || !sum_.AddFractionOfMicros(fraction_, kMicrosPerDay)) return kFieldOverflow;
    return text_.empty() || text_[0] == 'T' ? EndDateHere() : kBadFormat;
  }

  // Behind a 'T' that is read, or at the end.
  DecodeStatus EndDate(char unit) {
    is_done_ = unit == '\0';
    in_date_ = false;
    has_field_ = false;
    return kOk;
  }
  // Before a 'T', or at the end.
  DecodeStatus EndDateHere() {
    is_done_ = text_.empty();
    if (!is_done_) BeginTime();
    return kOk;
  }

  DecodeStatus TimeUnit(std::string_view field, char unit) {
    bool fits = false;
    switch (unit) {
      case 'H': fits = sum_.AddMicros(whole_, fraction_, kMicrosPerHour); break;
      case 'M': fits = sum_.AddMicros(whole_, fraction_, kMicrosPerMinute); break;
      case 'S': fits = sum_.AddMicros(whole_, fraction_, kMicrosPerSecond); break;
      case '\0':
        if (IntegerWidth(field) == 6 && !has_field_) {  // T040506
          is_done_ = true;
          fits = sum_.AddMicros(whole_ / 10'000, 0, kMicrosPerHour) && sum_.AddMicros(whole_ / 100 % 100, 0, kMicrosPerMinute) &&
                 sum_.AddMicros(whole_ % 100, 0, kMicrosPerSecond) && sum_.AddFractionOfMicros(fraction_, 1);
          return fits ? kOk : kFieldOverflow;
        }
        return ExtendedTime(unit);
      case ':': return ExtendedTime(unit);
      default: return kBadFormat;
    }
    has_field_ = true;
    return fits ? kOk : kFieldOverflow;
  }

  // T04:05:06
  DecodeStatus ExtendedTime(char unit) {
    if (has_field_) return kBadFormat;
    is_done_ = true;
    if (!sum_.AddMicros(whole_, fraction_, kMicrosPerHour)) return kFieldOverflow;
    if (unit == '\0') return kOk;
    if (const DecodeStatus status = Number(); status != kOk) return status;
    if (!sum_.AddMicros(whole_, fraction_, kMicrosPerMinute)) return kFieldOverflow;
    if (text_.empty()) return kOk;
    if (text_[0] != ':') return kBadFormat;
    text_.remove_prefix(1);
    if (const DecodeStatus status = Number(); status != kOk) return status;
    if (!sum_.AddMicros(whole_, fraction_, kMicrosPerSecond)) return kFieldOverflow;
    return text_.empty() ? kOk : kBadFormat;
  }

  std::string_view text_;
  IntervalSum& sum_;
  int64_t whole_ = 0;
  double fraction_ = 0;
  bool in_date_ = true;
  bool has_field_ = false;
  bool is_done_ = false;
};

}  // namespace

DecodeStatus ParseIso8601Interval(std::string_view text, IntervalSum& sum) { return Iso8601Decoder(text, sum).Run(); }

}  // namespace mayfly::types
