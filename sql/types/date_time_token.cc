#include "sql/types/date_time_token.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace mayfly::types {

namespace {

using enum DateTimePart;

constexpr size_t kWordBytes = 10;

// Sorted by name.
constexpr DateTimeWord kDateTimeWords[] = {
    {"-infinity", kReserved, 0, kMinusInfinity},
    {"ad", kAdBc, 0},
    {"allballs", kReserved, 0, kZulu},
    {"am", kAmPm, 0},
    {"apr", kMonth, 4},
    {"april", kMonth, 4},
    {"at", kIgnore},
    {"aug", kMonth, 8},
    {"august", kMonth, 8},
    {"bc", kAdBc, 1},
    {"d", kUnit, 0, kDay},
    {"dec", kMonth, 12},
    {"december", kMonth, 12},
    {"dow", kUnit, 0, kDayOfWeek},
    {"doy", kUnit, 0, kDayOfYear},
    {"dst", kDaylightModifier, 3600},
    {"epoch", kReserved, 0, kEpoch},
    {"feb", kMonth, 2},
    {"february", kMonth, 2},
    {"fri", kDayOfWeek, 5},
    {"friday", kDayOfWeek, 5},
    {"h", kUnit, 0, kHour},
    {"infinity", kReserved, 0, kInfinity},
    {"isodow", kUnit, 0, kIsoDayOfWeek},
    {"isoyear", kUnit, 0, kIsoYear},
    {"j", kUnit, 0, kJulian},
    {"jan", kMonth, 1},
    {"january", kMonth, 1},
    {"jd", kUnit, 0, kJulian},
    {"jul", kMonth, 7},
    {"julian", kUnit, 0, kJulian},
    {"july", kMonth, 7},
    {"jun", kMonth, 6},
    {"june", kMonth, 6},
    {"m", kUnit, 0, kMonth},
    {"mar", kMonth, 3},
    {"march", kMonth, 3},
    {"may", kMonth, 5},
    {"mm", kUnit, 0, kMinute},
    {"mon", kDayOfWeek, 1},
    {"monday", kDayOfWeek, 1},
    {"nov", kMonth, 11},
    {"november", kMonth, 11},
    {"now", kReserved, 0, kNow},
    {"oct", kMonth, 10},
    {"october", kMonth, 10},
    {"on", kIgnore},
    {"pm", kAmPm, 1},
    {"s", kUnit, 0, kSecond},
    {"sat", kDayOfWeek, 6},
    {"saturday", kDayOfWeek, 6},
    {"sep", kMonth, 9},
    {"sept", kMonth, 9},
    {"september", kMonth, 9},
    {"sun", kDayOfWeek, 0},
    {"sunday", kDayOfWeek, 0},
    {"t", kIsoTime, 0, kTime},
    {"thu", kDayOfWeek, 4},
    {"thur", kDayOfWeek, 4},
    {"thurs", kDayOfWeek, 4},
    {"thursday", kDayOfWeek, 4},
    {"today", kReserved, 0, kToday},
    {"tomorrow", kReserved, 0, kTomorrow},
    {"tue", kDayOfWeek, 2},
    {"tues", kDayOfWeek, 2},
    {"tuesday", kDayOfWeek, 2},
    {"wed", kDayOfWeek, 3},
    {"wednesday", kDayOfWeek, 3},
    {"weds", kDayOfWeek, 3},
    {"y", kUnit, 0, kYear},
    {"yesterday", kReserved, 0, kYesterday},
};

constexpr DateTimeWord kUnitWords[] = {
    {"@", kIgnore},
    {"ago", kAgo},
    {"c", kUnit, 0, kCentury},
    {"cent", kUnit, 0, kCentury},
    {"centuries", kUnit, 0, kCentury},
    {"century", kUnit, 0, kCentury},
    {"d", kUnit, 0, kDay},
    {"day", kUnit, 0, kDay},
    {"days", kUnit, 0, kDay},
    {"dec", kUnit, 0, kDecade},
    {"decade", kUnit, 0, kDecade},
    {"decades", kUnit, 0, kDecade},
    {"decs", kUnit, 0, kDecade},
    {"h", kUnit, 0, kHour},
    {"hour", kUnit, 0, kHour},
    {"hours", kUnit, 0, kHour},
    {"hr", kUnit, 0, kHour},
    {"hrs", kUnit, 0, kHour},
    {"m", kUnit, 0, kMinute},
    {"microsecon", kUnit, 0, kMicrosecond},
    {"mil", kUnit, 0, kMillennium},
    {"millennia", kUnit, 0, kMillennium},
    {"millennium", kUnit, 0, kMillennium},
    {"millisecon", kUnit, 0, kMillisecond},
    {"mils", kUnit, 0, kMillennium},
    {"min", kUnit, 0, kMinute},
    {"mins", kUnit, 0, kMinute},
    {"minute", kUnit, 0, kMinute},
    {"minutes", kUnit, 0, kMinute},
    {"mon", kUnit, 0, kMonth},
    {"mons", kUnit, 0, kMonth},
    {"month", kUnit, 0, kMonth},
    {"months", kUnit, 0, kMonth},
    {"ms", kUnit, 0, kMillisecond},
    {"msec", kUnit, 0, kMillisecond},
    {"msecond", kUnit, 0, kMillisecond},
    {"mseconds", kUnit, 0, kMillisecond},
    {"msecs", kUnit, 0, kMillisecond},
    {"qtr", kUnit, 0, kQuarter},
    {"quarter", kUnit, 0, kQuarter},
    {"s", kUnit, 0, kSecond},
    {"sec", kUnit, 0, kSecond},
    {"second", kUnit, 0, kSecond},
    {"seconds", kUnit, 0, kSecond},
    {"secs", kUnit, 0, kSecond},
    {"timezone", kUnit, 0, kTimezone},
    {"timezone_h", kUnit, 0, kTimezoneHour},
    {"timezone_m", kUnit, 0, kTimezoneMinute},
    {"us", kUnit, 0, kMicrosecond},
    {"usec", kUnit, 0, kMicrosecond},
    {"usecond", kUnit, 0, kMicrosecond},
    {"useconds", kUnit, 0, kMicrosecond},
    {"usecs", kUnit, 0, kMicrosecond},
    {"w", kUnit, 0, kWeek},
    {"week", kUnit, 0, kWeek},
    {"weeks", kUnit, 0, kWeek},
    {"y", kUnit, 0, kYear},
    {"year", kUnit, 0, kYear},
    {"years", kUnit, 0, kYear},
    {"yr", kUnit, 0, kYear},
    {"yrs", kUnit, 0, kYear},
};

constexpr bool ByName(const DateTimeWord& a, const DateTimeWord& b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(kDateTimeWords), std::end(kDateTimeWords), ByName));
static_assert(std::is_sorted(std::begin(kUnitWords), std::end(kUnitWords), ByName));

template <size_t N>
const DateTimeWord* Find(const DateTimeWord (&words)[N], std::string_view text) {
  text = text.substr(0, kWordBytes);
  const auto* word = std::lower_bound(std::begin(words), std::end(words), text,
                                      [](const DateTimeWord& a, std::string_view b) { return a.name < b; });
  return word != std::end(words) && word->name == text ? word : nullptr;
}

constexpr bool IsPunctuation(char c) { return c > ' ' && c < 127 && !IsDigit(c) && !IsAlpha(c); }
constexpr bool IsAlnum(char c) { return IsDigit(c) || IsAlpha(c); }

}  // namespace

const DateTimeWord* FindDateTimeWord(std::string_view text) { return Find(kDateTimeWords, text); }
const DateTimeWord* FindUnitWord(std::string_view text) { return Find(kUnitWords, text); }

// Cuts one literal. Every Take copies characters, lower-cased, into the current field.
class DateTimeFields::Scanner {
 public:
  Scanner(DateTimeFields& out, std::string_view text, size_t buffer_bytes) : out_(out), text_(text), limit_(buffer_bytes) {}

  DecodeStatus Run() {
    while (at_ < text_.size() && ok_) {
      if (IsSpace(Peek())) {
        ++at_;
        continue;
      }
      begin_ = used_;
      FieldKind kind;
      if (IsDigit(Peek())) {
        kind = Number();
      } else if (Peek() == '.') {
        Take();
        Digits();
        kind = FieldKind::kNumber;
      } else if (IsAlpha(Peek())) {
        kind = Word();
      } else if (Peek() == '+' || Peek() == '-') {
        if (!Signed(kind)) return DecodeStatus::kBadFormat;
      } else if (IsPunctuation(Peek())) {
        ++at_;
        continue;
      } else {
        return DecodeStatus::kBadFormat;
      }
      if (!ok_ || out_.size_ == kFieldsMax) return DecodeStatus::kBadFormat;
      out_.fields_[out_.size_++] = {kind, {out_.buffer_ + begin_, used_ - begin_}};
      ++used_;  // the field's end counts as a character
    }
    return ok_ ? DecodeStatus::kOk : DecodeStatus::kBadFormat;
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void Take() {
    if (used_ + 1 >= limit_) {
      ok_ = false;
      at_ = text_.size();
      return;
    }
    out_.buffer_[used_++] = ToLower(text_[at_++]);
  }
  void Digits() {
    while (IsDigit(Peek())) Take();
  }

  FieldKind Number() {
    Digits();
    const char c = Peek();
    if (c == ':') {
      while (IsDigit(Peek()) || Peek() == ':' || Peek() == '.') Take();
      return FieldKind::kTime;
    }
    if (c != '-' && c != '/' && c != '.') return FieldKind::kNumber;
    Take();
    if (!IsDigit(Peek())) {  // a month in letters, or nothing
      while (IsAlnum(Peek()) || Peek() == c) Take();
      return FieldKind::kDate;
    }
    Digits();
    if (Peek() != c) return c == '.' ? FieldKind::kNumber : FieldKind::kDate;
    while (IsDigit(Peek()) || Peek() == c) Take();
    return FieldKind::kDate;
  }

  FieldKind Word() {
    while (IsAlpha(Peek())) Take();
    bool is_date = Peek() == '-' || Peek() == '/' || Peek() == '.';
    if (Peek() == '+' || IsDigit(Peek())) is_date = FindDateTimeWord({out_.buffer_ + begin_, used_ - begin_}) == nullptr;
    if (!is_date) return FieldKind::kText;
    do {
      Take();
    } while (IsAlnum(Peek()) || (Peek() != '\0' && std::string_view("+-/_.:").find(Peek()) != std::string_view::npos));
    return FieldKind::kDate;
  }

  bool Signed(FieldKind& kind) {
    Take();
    while (IsSpace(Peek())) ++at_;
    if (IsDigit(Peek())) {
      kind = FieldKind::kZone;
      while (IsDigit(Peek()) || Peek() == ':' || Peek() == '.' || Peek() == '-') Take();
      return true;
    }
    kind = FieldKind::kSpecial;
    if (!IsAlpha(Peek())) return false;
    while (IsAlpha(Peek())) Take();
    return true;
  }

  DateTimeFields& out_;
  std::string_view text_;
  size_t limit_;
  size_t at_ = 0;
  size_t used_ = 0;
  size_t begin_ = 0;
  bool ok_ = true;
};

DecodeStatus DateTimeFields::Split(std::string_view text, size_t buffer_bytes) {
  size_ = 0;
  return Scanner(*this, text, std::min(buffer_bytes, kBufferMax)).Run();
}

std::optional<int64_t> TakeInt64(std::string_view& text) {
  size_t i = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++i;
  if (i == text.size() || !IsDigit(text[i])) return 0;
  __int128 value = 0;
  bool overflow = false;
  for (; i < text.size() && IsDigit(text[i]); ++i) {
    value = value * 10 + (text[i] - '0');
    if (value > static_cast<__int128>(std::numeric_limits<int64_t>::max()) + 1) {
      overflow = true;
      value = 0;
    }
  }
  text.remove_prefix(i);
  if (negative) value = -value;
  if (overflow || value > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(value);
}

std::optional<int32_t> TakeInt32(std::string_view& text) {
  const auto value = TakeInt64(text);
  if (!value || *value < std::numeric_limits<int32_t>::min() || *value > std::numeric_limits<int32_t>::max()) return std::nullopt;
  return static_cast<int32_t>(*value);
}

DecodeStatus ParseFraction(std::string_view text, double& fraction) {
  fraction = 0;
  if (text == ".") return DecodeStatus::kOk;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fraction);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size()) return DecodeStatus::kBadFormat;
  return error == std::errc() && end == text.data() + text.size() ? DecodeStatus::kOk : DecodeStatus::kBadFormat;
}

DecodeStatus ParseFractionMicros(std::string_view text, int32_t& micros) {
  double fraction = 0;
  const DecodeStatus status = ParseFraction(text, fraction);
  micros = static_cast<int32_t>(std::rint(fraction * 1e6));
  return status;
}

}  // namespace mayfly::types
