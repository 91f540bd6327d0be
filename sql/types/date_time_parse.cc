// One decoder: fields are classified in the order they come, and each meaning depends on those before it, so its more than 600 lines stay together.
#include "sql/types/date_time_parse.h"

#include <limits>

#include "sql/types/time_zone.h"

namespace mayfly::types {

namespace {

using enum DateTimePart;
using enum DecodeStatus;

// As atoi: saturates as a long, then keeps the low 32 bits, so that a silly year is refused as PostgreSQL refuses it.
int32_t ToInt(std::string_view digits) {
  return static_cast<int32_t>(TakeInt64(digits).value_or(std::numeric_limits<int64_t>::max()));
}

// Reads the fields of one literal from left to right. `seen_` is the set of parts that are known; a field that sets one again is wrong.
class Decoder {
 public:
  Decoder(const DateTimeFields& fields, const IoSettings& settings, bool time_only)
      : fields_(fields), settings_(settings), zone_(settings.time_zone == nullptr ? TimeZone::Utc() : settings.time_zone), time_only_(time_only) {}

  DecodeStatus Run() {
    for (at_ = 0; at_ < fields_.size(); ++at_) {
      sets_ = 0;
      bool ignored = false;
      const DecodeStatus status = Field(fields_[at_], ignored);
      if (status != kOk) return status;
      if (ignored) continue;
      if ((sets_ & seen_) != 0) return kBadFormat;
      seen_ |= sets_;
    }
    if (const DecodeStatus status = FinishDate(); status != kOk) return status;
    if (const DecodeStatus status = FinishMeridian(); status != kOk) return status;
    return time_only_ ? FinishTimeOnly() : FinishDateTime();
  }

  const ParsedDateTime& result() const { return out_; }
  std::string_view unknown_zone() const { return unknown_zone_; }

 private:
  DecodeStatus Field(const DateTimeField& field, bool& ignored) {
    switch (field.kind) {
      case FieldKind::kDate: return time_only_ ? DateFieldOfTime(field.text) : DateField(field.text);
      case FieldKind::kTime: return TimeField(field.text);
      case FieldKind::kZone: sets_ = PartBit(kZone); return ParseZoneOffset(field.text, out_.offset_seconds);
      case FieldKind::kNumber:
        if (prefix_ != kNone) return PrefixedNumber(field.text);
        return time_only_ ? NumberOfTime(field.text) : NumberOfDate(field.text);
      case FieldKind::kText:
      case FieldKind::kSpecial: return Word(field.text, ignored);
    }
    return kBadFormat;
  }

  bool Has(uint64_t bits) const { return (seen_ & bits) == bits; }
  CivilTime& civil() { return out_.civil; }

  // ---- fields joined by punctuation

  DecodeStatus DateField(std::string_view text) {
    if (prefix_ == kJulian) return JulianWithZone(text);
    if (prefix_ == kNone && !Has(PartBit(kMonth) | PartBit(kDay))) return SplitDate(text);
    // A date is there already: a zone name with punctuation, or hhmmss-zz, which may follow a "t".
    if (!IsDigit(text[0]) && prefix_ == kNone) return NamedZone(text);
    if (prefix_ != kNone && prefix_ != kTime) return kBadFormat;
    prefix_ = kNone;
    return TimeWithZone(text, seen_);
  }

  DecodeStatus DateFieldOfTime(std::string_view text) {
    const size_t count = fields_.size();
    const bool date_first = at_ == 0 && count >= 2 && (fields_[count - 1].kind == FieldKind::kDate || fields_[1].kind == FieldKind::kTime);
    if (date_first) return SplitDate(text);
    if (!IsDigit(text[0])) return NamedZone(text);
    return TimeWithZone(text, seen_ | kDateBits);
  }

  DecodeStatus TimeWithZone(std::string_view text, uint64_t seen) {
    if (Has(kTimeBits)) return kBadFormat;
    const size_t dash = text.find('-');
    if (dash == std::string_view::npos) return kBadFormat;
    if (const DecodeStatus status = ParseZoneOffset(text.substr(dash), out_.offset_seconds); status != kOk) return status;
    if (const DecodeStatus status = RunTogether(text.substr(0, dash), seen); status != kOk) return status;
    sets_ |= PartBit(kZone);
    return kOk;
  }

  DecodeStatus NamedZone(std::string_view text) {
    named_zone_ = TimeZone::Find(text);
    sets_ = PartBit(kZone);
    if (named_zone_ != nullptr) return kOk;
    unknown_zone_ = text;
    return kUnknownZone;
  }

  DecodeStatus JulianWithZone(std::string_view text) {
    const auto day = TakeInt32(text);
    if (!day || *day < 0) return kFieldOverflow;
    SetJulianDay(*day);
    sets_ = kDateBits | kTimeBits | PartBit(kZone);
    prefix_ = kNone;
    return ParseZoneOffset(text, out_.offset_seconds);
  }

  void SetJulianDay(int32_t day) {
    CivilFromDays(int64_t{day} - kJulianEpoch, civil());
    is_julian_ = true;
  }

  // Two or three parts, one of which may be a month's name.
  DecodeStatus SplitDate(std::string_view text) {
    std::string_view parts[kPartsMax];
    size_t count = 0;
    while (!text.empty() && count < kPartsMax) {
      while (!text.empty() && !IsDigit(text[0]) && !IsAlpha(text[0])) text.remove_prefix(1);
      if (text.empty()) return kBadFormat;
      size_t end = 1;
      const bool digits = IsDigit(text[0]);
      while (end < text.size() && (digits ? IsDigit(text[end]) : IsAlpha(text[end]))) ++end;
      parts[count++] = text.substr(0, end);
      text.remove_prefix(end < text.size() ? end + 1 : end);
    }
    uint64_t all = 0;
    bool has_month_name = false;
    for (size_t i = 0; i < count; ++i) {
      if (!IsAlpha(parts[i][0])) continue;
      const DateTimeWord* word = FindDateTimeWord(parts[i]);
      if (word != nullptr && word->kind == kIgnore) continue;
      if (word == nullptr || word->kind != kMonth || ((seen_ | all) & PartBit(kMonth)) != 0) return kBadFormat;
      civil().month = word->value;
      has_month_name = true;
      all |= PartBit(kMonth);
      parts[i] = {};
    }
    for (size_t i = 0; i < count; ++i) {
      if (parts[i].empty()) continue;
      if (const DecodeStatus status = PlainNumber(parts[i], has_month_name, seen_ | all); status != kOk) return status;
      if (((seen_ | all) & sets_) != 0) return kBadFormat;
      all |= sets_;
    }
    sets_ = all;
    return ((seen_ | all) & ~(PartBit(kDayOfYear) | PartBit(kZone))) == kDateBits ? kOk : kBadFormat;
  }

  // ---- times

  DecodeStatus TimeField(std::string_view text) {
    if (!time_only_) {  // a time of day may follow any label
      if (prefix_ != kNone && prefix_ != kTime) return kBadFormat;
      prefix_ = kNone;
    }
    sets_ = kTimeBits;
    ClockTime time;
    if (const DecodeStatus status = ParseClockTime(text, false, time); status != kOk) return status;
    if (time.hour > std::numeric_limits<int32_t>::max()) return kFieldOverflow;
    civil().hour = static_cast<int32_t>(time.hour);
    civil().minute = time.minute;
    civil().second = time.second;
    civil().micros = time.micros;
    return !time_only_ && TimeOverflows() ? kFieldOverflow : kOk;
  }

  bool TimeOverflows() const {
    const CivilTime& c = out_.civil;
    if (c.hour < 0 || c.hour > 24 || c.minute < 0 || c.minute > 59 || c.second < 0 || c.second > 60) return true;
    return c.micros < 0 || c.micros > kMicrosPerSecond || MicrosOfDay(c) > kMicrosPerDay;
  }

  // ---- numbers

  // A number after a label: y2001m02d04, J2451187, t040506.
  DecodeStatus PrefixedNumber(std::string_view text) {
    const DateTimePart prefix = prefix_;
    std::string_view rest = text;
    const auto parsed = TakeInt32(rest);
    if (!parsed) return kFieldOverflow;
    const int32_t value = *parsed;
    if (!rest.empty() && (rest[0] != '.' || (prefix != kJulian && prefix != kTime && prefix != kSecond))) return kBadFormat;
    prefix_ = kNone;
    sets_ = PartBit(prefix);
    switch (prefix) {
      case kYear: civil().year = value; return kOk;
      case kMonth:
        if (Has(PartBit(kMonth) | PartBit(kHour))) {  // "m" after an hour is minutes
          civil().minute = value;
          sets_ = PartBit(kMinute);
        } else {
          civil().month = value;
        }
        return kOk;
      case kDay: civil().day = value; return kOk;
      case kHour: civil().hour = value; return kOk;
      case kMinute: civil().minute = value; return kOk;
      case kSecond:
        civil().second = value;
        if (rest.empty()) return kOk;
        sets_ = kSecondBits;
        return ParseFractionMicros(rest, civil().micros);
      case kJulian: return JulianNumber(value, rest);
      case kTime:
        if (const DecodeStatus status = RunTogether(text, seen_ | kDateBits); status != kOk) return status;
        return sets_ == kTimeBits ? kOk : kBadFormat;
      default: return kBadFormat;
    }
  }

  DecodeStatus JulianNumber(int32_t day, std::string_view fraction) {
    if (day < 0) return kFieldOverflow;
    sets_ = kDateBits;
    SetJulianDay(day);
    if (fraction.empty()) return kOk;
    double part = 0;
    if (const DecodeStatus status = ParseFraction(fraction, part); status != kOk) return status;
    TimeFromMicros(static_cast<int64_t>(part * static_cast<double>(kMicrosPerDay)), civil());
    sets_ |= kTimeBits;
    return kOk;
  }

  DecodeStatus NumberOfDate(std::string_view text) {
    const size_t dot = text.find('.');
    if (dot != std::string_view::npos && (seen_ & kDateBits) == 0) return SplitDate(text);
    if (dot != std::string_view::npos && dot > 2) return RunTogether(text, seen_);
    if (text.size() >= 6 && ((seen_ & kDateBits) == 0 || (seen_ & kTimeBits) == 0)) return RunTogether(text, seen_);
    return PlainNumber(text, has_month_name_, seen_);
  }

  DecodeStatus NumberOfTime(std::string_view text) {
    const size_t dot = text.find('.');
    const uint64_t seen = seen_ | kDateBits;
    if (dot != std::string_view::npos) {
      const bool date_first = at_ == 0 && fields_.size() >= 2 && fields_[fields_.size() - 1].kind == FieldKind::kDate;
      if (date_first) return SplitDate(text);
      return dot > 2 ? RunTogether(text, seen) : kBadFormat;
    }
    if (text.size() > 4) return RunTogether(text, seen);
    return PlainNumber(text, false, seen);
  }

  // yyyymmdd, hhmmss or hhmm, with a fraction of a second.
  DecodeStatus RunTogether(std::string_view text, uint64_t seen) {
    const size_t dot = text.find('.');
    if (dot != std::string_view::npos) {
      if (const DecodeStatus status = ParseFractionMicros(text.substr(dot), civil().micros); status != kOk) return status;
      text = text.substr(0, dot);
    } else if ((seen & kDateBits) != kDateBits && text.size() >= 6) {
      const size_t year_digits = text.size() - 4;
      sets_ = kDateBits;
      civil().day = ToInt(text.substr(year_digits + 2));
      civil().month = ToInt(text.substr(year_digits, 2));
      civil().year = ToInt(text.substr(0, year_digits));
      if (year_digits == 2) two_digit_year_ = true;
      return kOk;
    }
    if ((seen & kTimeBits) == kTimeBits || (text.size() != 6 && text.size() != 4)) return kBadFormat;
    sets_ = kTimeBits;
    civil().hour = ToInt(text.substr(0, 2));
    civil().minute = ToInt(text.substr(2, 2));
    civil().second = text.size() == 6 ? ToInt(text.substr(4)) : 0;
    return kOk;
  }

  // One number; what it means follows from what is known, its width and DateStyle's order.
  DecodeStatus PlainNumber(std::string_view text, bool has_month_name, uint64_t seen) {
    sets_ = 0;
    std::string_view rest = text;
    const auto parsed = TakeInt32(rest);
    if (!parsed) return kFieldOverflow;
    const size_t digits = text.size() - rest.size();
    if (digits == 0) return kBadFormat;
    if (!rest.empty()) {
      if (rest[0] != '.') return kBadFormat;
      if (digits > 2) return RunTogether(text, seen | kDateBits);
      if (const DecodeStatus status = ParseFractionMicros(rest, civil().micros); status != kOk) return status;
    }
    const int32_t value = *parsed;
    const uint64_t known = seen & kDateBits;
    if (text.size() == 3 && known == PartBit(kYear) && value >= 1 && value <= 366) {
      sets_ = PartBit(kDayOfYear) | PartBit(kMonth) | PartBit(kDay);
      day_of_year_ = value;
      return kOk;
    }
    if (known == kDateBits) return RunTogether(text, seen);
    SetDatePart(MeaningOf(text.size(), has_month_name, known), value, text.size());
    return kOk;
  }

  DateTimePart MeaningOf(size_t width, bool has_month_name, uint64_t known) {
    const bool year_first = width >= 3 || settings_.date_order == DateOrder::kYmd;
    switch (known) {
      case 0: return year_first ? kYear : settings_.date_order == DateOrder::kDmy ? kDay : kMonth;
      case PartBit(kYear): return kMonth;
      case PartBit(kMonth): return has_month_name && year_first ? kYear : kDay;
      case PartBit(kYear) | PartBit(kMonth):
        if (has_month_name && width >= 3 && two_digit_year_) {  // the first number was the day after all
          civil().day = civil().year;
          return kJulian;  // stands for "the year, and the day is set"
        }
        return kDay;
      case PartBit(kDay): return kMonth;
      default: return kYear;
    }
  }

  void SetDatePart(DateTimePart part, int32_t value, size_t width) {
    if (part == kJulian) {
      civil().year = value;
      two_digit_year_ = false;
      sets_ = PartBit(kDay);
      return;
    }
    sets_ = PartBit(part);
    if (part == kDay) civil().day = value;
    if (part == kMonth) civil().month = value;
    if (part == kYear) {
      civil().year = value;
      two_digit_year_ = width <= 2;
    }
  }

  // ---- words

  DecodeStatus Word(std::string_view text, bool& ignored) {
    if (const auto abbreviation = FindZoneAbbreviation(text.substr(0, 10))) {
      sets_ = PartBit(kZone);
      if (abbreviation->zone != nullptr) {
        sets_ |= PartBit(kDynamicZone);
        abbreviation_zone_ = abbreviation->zone;
        abbreviation_ = text;
      } else {
        if (abbreviation->is_dst) sets_ |= PartBit(kDaylightZone);
        out_.offset_seconds = abbreviation->offset_seconds;
      }
      return kOk;
    }
    const DateTimeWord* word = FindDateTimeWord(text);
    if (word == nullptr) {
      named_zone_ = TimeZone::Find(text);
      sets_ = PartBit(kZone);
      return named_zone_ == nullptr ? kBadFormat : kOk;
    }
    sets_ = PartBit(word->kind);
    switch (word->kind) {
      case kIgnore: ignored = true; return kOk;
      case kReserved: return Reserved(word->part);
      case kMonth:
        if (time_only_) return kBadFormat;
        if (Has(PartBit(kMonth)) && !has_month_name_ && !Has(PartBit(kDay)) && civil().month >= 1 && civil().month <= 31) {
          civil().day = civil().month;  // "8 Feb": the number was the day
          sets_ = PartBit(kDay);
        }
        has_month_name_ = true;
        civil().month = word->value;
        return kOk;
      case kDaylightModifier:
        sets_ |= PartBit(kDaylightZone);
        out_.offset_seconds += word->value;
        return kOk;
      case kAmPm: meridian_ = word->value == 0 ? Meridian::kAm : Meridian::kPm; return kOk;
      case kAdBc: is_bc_ = word->value == 1; return kOk;
      case kDayOfWeek: return time_only_ ? kBadFormat : kOk;
      case kUnit:
        sets_ = 0;
        prefix_ = word->part;
        return kOk;
      case kIsoTime: return IsoTime();
      default: return kBadFormat;
    }
  }

  // "t" before a time.
  DecodeStatus IsoTime() {
    sets_ = 0;
    if (!time_only_ && !Has(kDateBits)) return kBadFormat;
    if (at_ + 1 >= fields_.size()) return kBadFormat;
    const FieldKind next = fields_[at_ + 1].kind;
    if (next != FieldKind::kNumber && next != FieldKind::kTime && next != FieldKind::kDate) return kBadFormat;
    prefix_ = kTime;
    return kOk;
  }

  DecodeStatus Reserved(DateTimePart part) {
    switch (part) {
      case kNow:
        sets_ = time_only_ ? kTimeBits : kDateBits | kTimeBits | PartBit(kZone);
        SetNow(0, true);
        return kOk;
      case kZulu:
        sets_ = kTimeBits | PartBit(kZone);
        civil().hour = civil().minute = civil().second = 0;
        out_.offset_seconds = 0;
        return kOk;
      case kYesterday:
      case kToday:
      case kTomorrow:
        if (time_only_) return kBadFormat;
        sets_ = kDateBits;
        SetNow(part == kYesterday ? -1 : part == kToday ? 0 : 1, false);
        return kOk;
      case kEpoch:
      case kInfinity:
      case kMinusInfinity:
        if (time_only_) return kBadFormat;
        out_.kind = part == kEpoch ? DateTimeKind::kEpoch : part == kInfinity ? DateTimeKind::kInfinity : DateTimeKind::kMinusInfinity;
        return kOk;
      default: return kBadFormat;
    }
  }

  void SetNow(int32_t days, bool with_time) {
    const int64_t now = settings_.transaction_timestamp;
    const int32_t offset = zone_->OffsetAt(FloorDivide(now, kMicrosPerSecond) + kUnixEpochSeconds);
    CivilTime local = CivilFromTimestamp(now + int64_t{offset} * kMicrosPerSecond);
    if (with_time) {
      civil() = local;
      if (!time_only_) out_.offset_seconds = offset;
      return;
    }
    CivilFromDays(DaysFromCivil(local.year, local.month, local.day) + days, local);
    civil().year = local.year;
    civil().month = local.month;
    civil().day = local.day;
  }

  // ---- the whole

  DecodeStatus FinishDate() {
    CivilTime& c = civil();
    if ((seen_ & PartBit(kYear)) != 0 && !is_julian_) {
      if (is_bc_) {
        if (c.year <= 0) return kFieldOverflow;
        c.year = -(c.year - 1);
      } else if (two_digit_year_) {
        if (c.year < 0) return kFieldOverflow;
        c.year += c.year < 70 ? 2000 : c.year < 100 ? 1900 : 0;
      } else if (c.year <= 0) {
        return kFieldOverflow;
      }
    }
    // Differs: before 4714 BC PostgreSQL's day numbers wrap, and a day of the year lands anywhere; here the date is out of range.
    if ((seen_ & PartBit(kDayOfYear)) != 0) CivilFromDays(DaysFromCivil(c.year, 1, 1) + day_of_year_ - 1, c);
    if ((seen_ & PartBit(kMonth)) != 0 && (c.month < 1 || c.month > 12)) return kMonthDayOverflow;
    if ((seen_ & PartBit(kDay)) != 0 && (c.day < 1 || c.day > 31)) return kMonthDayOverflow;
    if (Has(kDateBits) && c.day > DaysInMonth(c.year, c.month)) return kFieldOverflow;
    return kOk;
  }

  DecodeStatus FinishMeridian() {
    if (meridian_ == Meridian::k24) return kOk;
    if (civil().hour > 12) return kFieldOverflow;
    if (meridian_ == Meridian::kAm && civil().hour == 12) civil().hour = 0;
    if (meridian_ == Meridian::kPm && civil().hour != 12) civil().hour += 12;
    return kOk;
  }

  DecodeStatus FinishDateTime() {
    if (out_.kind != DateTimeKind::kValue) return kOk;
    if (!Has(kDateBits)) return kBadFormat;
    return FinishZone(LocalSeconds(civil()));
  }

  DecodeStatus FinishTimeOnly() {
    if (TimeOverflows()) return kFieldOverflow;
    if (!Has(kTimeBits)) return kBadFormat;
    const bool modified = (seen_ & PartBit(kDaylightModifier)) != 0;
    if (named_zone_ != nullptr) {
      if (modified || (!named_zone_->FixedOffset() && !Has(kDateBits))) return kBadFormat;
    }
    if (abbreviation_zone_ != nullptr && modified) return kBadFormat;
    if ((seen_ & PartBit(kZone)) == 0 && modified) return kBadFormat;
    return kOk;
  }

  DecodeStatus FinishZone(int64_t local_seconds) {
    const bool modified = (seen_ & PartBit(kDaylightModifier)) != 0;
    if (named_zone_ != nullptr) {
      if (modified) return kBadFormat;
      out_.offset_seconds = named_zone_->OffsetOfLocal(local_seconds);
    }
    if (abbreviation_zone_ != nullptr) {
      if (modified) return kBadFormat;
      out_.offset_seconds = AbbreviationOffsetOfLocal(*abbreviation_zone_, abbreviation_, local_seconds);
    }
    if ((seen_ & PartBit(kZone)) == 0) {
      if (modified) return kBadFormat;
      out_.offset_seconds = zone_->OffsetOfLocal(local_seconds);
    }
    return kOk;
  }

  static constexpr size_t kPartsMax = 25;
  enum class Meridian : uint8_t { k24, kAm, kPm };

  const DateTimeFields& fields_;
  const IoSettings& settings_;
  const TimeZone* zone_;
  const bool time_only_;

  ParsedDateTime out_;
  size_t at_ = 0;
  uint64_t seen_ = 0;
  uint64_t sets_ = 0;              // by the field at hand
  DateTimePart prefix_ = kNone;    // a label waits for its number
  int32_t day_of_year_ = 0;
  Meridian meridian_ = Meridian::k24;
  bool has_month_name_ = false;
  bool is_julian_ = false;
  bool two_digit_year_ = false;
  bool is_bc_ = false;
  const TimeZone* named_zone_ = nullptr;
  const TimeZone* abbreviation_zone_ = nullptr;
  std::string_view abbreviation_;
  std::string_view unknown_zone_;
};

Result<ParsedDateTime> Parse(std::string_view text, std::string_view type_name, size_t buffer_bytes, const IoSettings& settings,
                             bool time_only) {
  DateTimeFields fields;
  if (const DecodeStatus status = fields.Split(text, buffer_bytes); status != kOk) return DateTimeError(status, text, type_name);
  Decoder decoder(fields, settings, time_only);
  const DecodeStatus status = decoder.Run();
  if (status == kUnknownZone) return SqlError::Make(kInvalidParameterValue, "time zone \"{}\" not recognized", decoder.unknown_zone());
  if (status != kOk) return DateTimeError(status, text, type_name);
  return decoder.result();
}

// `count` digits at `data`, or -1.
int32_t FixedDigits(const char* data, size_t count) {
  int32_t value = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!IsDigit(data[i])) return -1;
    value = value * 10 + (data[i] - '0');
  }
  return value;
}

}  // namespace

Result<ParsedDateTime> ParseDateTime(std::string_view text, std::string_view type_name, size_t buffer_bytes, const IoSettings& settings) {
  return Parse(text, type_name, buffer_bytes, settings, false);
}

Result<ParsedDateTime> ParseTimeOfDay(std::string_view text, std::string_view type_name, size_t buffer_bytes, const IoSettings& settings) {
  return Parse(text, type_name, buffer_bytes, settings, true);
}

bool ParseIsoDateTime(std::string_view text, CivilTime& civil, bool& has_zone, int32_t& offset_seconds) {
  has_zone = false;
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return false;
  civil.year = FixedDigits(text.data(), 4);
  civil.month = FixedDigits(text.data() + 5, 2);
  civil.day = FixedDigits(text.data() + 8, 2);
  if (civil.year < 1 || civil.month < 1 || civil.month > 12 || civil.day < 1 || civil.day > DaysInMonth(civil.year, civil.month)) return false;
  if (text.size() == 10) return true;
  if (text.size() < 19 || (text[10] != ' ' && text[10] != 'T') || text[13] != ':' || text[16] != ':') return false;
  civil.hour = FixedDigits(text.data() + 11, 2);
  civil.minute = FixedDigits(text.data() + 14, 2);
  civil.second = FixedDigits(text.data() + 17, 2);
  if (civil.hour < 0 || civil.hour > 23 || civil.minute < 0 || civil.minute > 59 || civil.second < 0 || civil.second > 59) return false;
  text.remove_prefix(19);
  if (!text.empty() && text[0] == '.') {
    size_t digits = 0;
    int32_t micros = 0;
    for (; digits + 1 < text.size() && IsDigit(text[digits + 1]); ++digits) {
      if (digits == 6) return false;
      micros = micros * 10 + (text[digits + 1] - '0');
    }
    for (size_t i = digits; i < 6; ++i) micros *= 10;
    civil.micros = micros;
    text.remove_prefix(digits + 1);
  }
  if (text.empty()) return true;
  has_zone = true;
  if (text == "Z") {
    offset_seconds = 0;
    return true;
  }
  if (text.size() != 3 && (text.size() != 6 || text[3] != ':')) return false;
  return (text[0] == '+' || text[0] == '-') && ParseZoneOffset(text, offset_seconds) == kOk;
}

DecodeStatus ParseZoneOffset(std::string_view text, int32_t& offset_seconds) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return kBadFormat;
  std::string_view rest = text.substr(1);
  const auto first = TakeInt32(rest);
  if (!first) return kZoneOverflow;
  int32_t hour = *first;
  int32_t minute = 0;
  int32_t second = 0;
  if (!rest.empty() && rest[0] == ':') {
    rest.remove_prefix(1);
    const auto part = TakeInt32(rest);
    if (!part) return kZoneOverflow;
    minute = *part;
    if (!rest.empty() && rest[0] == ':') {
      rest.remove_prefix(1);
      const auto last = TakeInt32(rest);
      if (!last) return kZoneOverflow;
      second = *last;
    }
  } else if (rest.empty() && text.size() > 3) {  // hhmm
    minute = hour % 100;
    hour /= 100;
  }
  if (hour < 0 || hour > 15 || minute < 0 || minute > 59 || second < 0 || second > 59) return kZoneOverflow;
  offset_seconds = (hour * 60 + minute) * 60 + second;
  if (text[0] == '-') offset_seconds = -offset_seconds;
  return rest.empty() ? kOk : kBadFormat;
}

DecodeStatus ParseClockTime(std::string_view text, bool minutes_first, ClockTime& time) {
  time = {};
  const auto hour = TakeInt64(text);
  if (!hour) return kFieldOverflow;
  if (text.empty() || text[0] != ':') return kBadFormat;
  text.remove_prefix(1);
  const auto minute = TakeInt32(text);
  if (!minute) return kFieldOverflow;
  time.hour = *hour;
  time.minute = *minute;
  const bool has_fraction_only = !text.empty() && text[0] == '.';
  if (!text.empty() && text[0] == ':') {
    text.remove_prefix(1);
    const auto second = TakeInt32(text);
    if (!second) return kFieldOverflow;
    time.second = *second;
    if (!text.empty() && text[0] != '.') return kBadFormat;
  } else if (!text.empty() && !has_fraction_only) {
    return kBadFormat;
  } else if (has_fraction_only || minutes_first) {  // mm:ss.f, or as the interval's fields say
    if (time.hour > std::numeric_limits<int32_t>::max() || time.hour < std::numeric_limits<int32_t>::min()) return kFieldOverflow;
    time.second = time.minute;
    time.minute = static_cast<int32_t>(time.hour);
    time.hour = 0;
  }
  if (!text.empty()) {
    if (const DecodeStatus status = ParseFractionMicros(text, time.micros); status != kOk) return status;
  }
  const bool valid = time.hour >= 0 && time.minute >= 0 && time.minute <= 59 && time.second >= 0 && time.second <= 60;
  return valid ? kOk : kFieldOverflow;
}

int32_t AbbreviationOffsetOfLocal(const TimeZone& zone, std::string_view abbreviation, int64_t local_seconds) {
  const int32_t offset = zone.OffsetOfLocal(local_seconds);
  return zone.OffsetOfAbbreviation(abbreviation, local_seconds - offset).value_or(offset);
}

int64_t LocalSeconds(const CivilTime& civil) {
  return (DaysFromCivil(civil.year, civil.month, civil.day) + kUnixEpochDays) * kSecondsPerDay +
         (int64_t{civil.hour} * 60 + civil.minute) * 60 + civil.second;
}

SqlError DateTimeError(DecodeStatus status, std::string_view text, std::string_view type_name) {
  switch (status) {
    case kFieldOverflow: return SqlError::Make(kDatetimeFieldOverflow, "date/time field value out of range: \"{}\"", text);
    case kMonthDayOverflow:
      return SqlError::Make(kDatetimeFieldOverflow, "date/time field value out of range: \"{}\"", text)
          .Hint("Perhaps you need a different \"datestyle\" setting.");
    case kIntervalOverflow: return SqlError::Make(kIntervalFieldOverflow, "interval field value out of range: \"{}\"", text);
    case kZoneOverflow: return SqlError::Make(kInvalidTimeZoneDisplacementValue, "time zone displacement out of range: \"{}\"", text);
    default: return SqlError::Make(kInvalidDatetimeFormat, "invalid input syntax for type {}: \"{}\"", type_name, text);
  }
}

}  // namespace mayfly::types
