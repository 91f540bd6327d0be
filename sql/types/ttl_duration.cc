#include "sql/types/ttl_duration.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "sql/types/calendar.h"
#include "sql/types/date_time_token.h"
#include "sql/types/interval.h"

namespace mayfly::types {

namespace {

constexpr int64_t kNanosPerMicro = 1'000;
constexpr int64_t kNanosPerMilli = 1'000'000;
constexpr int64_t kNanosPerSecond = 1'000'000'000;

struct Unit {
  std::string_view name;
  int64_t nanos;
};
constexpr Unit kUnits[] = {
    {"ns", 1},
    {"nano", 1},
    {"nanos", 1},
    {"nanosecond", 1},
    {"nanoseconds", 1},
    {"us", kNanosPerMicro},
    {"\xC2\xB5s", kNanosPerMicro},  // U+00B5, micro sign
    {"\xCE\xBCs", kNanosPerMicro},  // U+03BC, Greek mu
    {"\xCE\x9Cs", kNanosPerMicro},  // U+039C, the capital of both
    {"micro", kNanosPerMicro},
    {"micros", kNanosPerMicro},
    {"microsecond", kNanosPerMicro},
    {"microseconds", kNanosPerMicro},
    {"ms", kNanosPerMilli},
    {"milli", kNanosPerMilli},
    {"millis", kNanosPerMilli},
    {"millisecond", kNanosPerMilli},
    {"milliseconds", kNanosPerMilli},
    {"s", kNanosPerSecond},
    {"sec", kNanosPerSecond},
    {"secs", kNanosPerSecond},
    {"second", kNanosPerSecond},
    {"seconds", kNanosPerSecond},
    {"m", 60 * kNanosPerSecond},
    {"min", 60 * kNanosPerSecond},
    {"minute", 60 * kNanosPerSecond},
    {"minutes", 60 * kNanosPerSecond},
    {"h", 3'600 * kNanosPerSecond},
    {"hour", 3'600 * kNanosPerSecond},
    {"hours", 3'600 * kNanosPerSecond},
    {"d", 86'400 * kNanosPerSecond},
    {"day", 86'400 * kNanosPerSecond},
    {"days", 86'400 * kNanosPerSecond},
};

const Unit* FindUnit(std::string_view name) {
  const auto* unit = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return u.name == name; });
  return unit == std::end(kUnits) ? nullptr : unit;
}

SqlError Refuse(std::string_view text, std::string detail) {
  return SqlError::Make(kInvalidParameterValue, "invalid value for option \"{}\": \"{}\"", "table.kv.row.ttl", text)
      .Detail(std::move(detail))
      .Hint("Write a whole number and a unit (ns, us, ms, s, min, h or d), such as '1h' or '5 min', or an interval without months and "
            "years, such as '1 day 12:00:00' or 'PT1H'.");
}
SqlError RefuseMonths(std::string_view text) { return Refuse(text, "Months and years have no fixed length."); }
SqlError RefuseRange(std::string_view text) {
  return Refuse(text, "The duration exceeds the range of 64-bit milliseconds.");
}

bool IsLetter(char c) { return IsAlpha(c) || static_cast<unsigned char>(c) >= 0x80; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Rounds up to milliseconds. `sub` of the given units make one millisecond.
Result<int64_t> ToMillis(__int128 value, int64_t units_per_milli, std::string_view text) {
  if (value <= 0) return Refuse(text, "The duration must be greater than zero.");
  const __int128 millis = (value + units_per_milli - 1) / units_per_milli;
  if (millis > std::numeric_limits<int64_t>::max()) return RefuseRange(text);
  return static_cast<int64_t>(millis);
}

// digits blanks unit, as a whole; nullopt where `lower` is something else.
std::optional<Result<int64_t>> ParseNumberAndUnit(std::string_view lower, std::string_view text) {
  constexpr __int128 kEnough = (static_cast<__int128>(1) << 100);
  size_t at = 0;
  __int128 number = 0;
  for (; at < lower.size() && IsDigit(lower[at]); ++at) number = std::min(number * 10 + (lower[at] - '0'), kEnough);
  if (at == 0) return std::nullopt;
  while (at < lower.size() && IsSpace(lower[at])) ++at;
  const Unit* unit = FindUnit(lower.substr(at));
  if (unit == nullptr) return std::nullopt;
  if (number >= kEnough) return RefuseRange(text);
  // Both factors are split, so that the product cannot overflow.
  if (unit->nanos >= kNanosPerMilli && number > std::numeric_limits<int64_t>::max()) return RefuseRange(text);
  return ToMillis(number * unit->nanos, kNanosPerMilli, text);
}

bool IsMonthsUnit(DateTimePart part) {
  return part == DateTimePart::kMonth || part == DateTimePart::kQuarter || part == DateTimePart::kYear || part == DateTimePart::kDecade ||
         part == DateTimePart::kCentury || part == DateTimePart::kMillennium;
}

// What is wrong with the words and numbers of an interval literal; nullopt where nothing is seen.
std::optional<SqlError> FindFault(std::string_view lower, std::string_view text) {
  bool has_number = false;
  bool waits_for_unit = false;
  for (size_t at = 0; at < lower.size();) {
    const size_t begin = at;
    if (IsDigit(lower[at])) {
      while (at < lower.size() && IsDigit(lower[at])) ++at;
      const char next = at < lower.size() ? lower[at] : '\0';
      if (next == '.') return Refuse(text, "A fraction is not allowed.");
      if (next == '-') return RefuseMonths(text);  // years-months
      if (waits_for_unit) return Refuse(text, next == ':' ? "A number has no unit." : "There are two numbers, but one unit.");
      has_number = true;
      waits_for_unit = next != ':';
      while (at < lower.size() && (IsDigit(lower[at]) || lower[at] == ':')) ++at;
      if (at < lower.size() && lower[at] == '.') return Refuse(text, "A fraction is not allowed.");
    } else if (IsLetter(lower[at])) {
      while (at < lower.size() && IsLetter(lower[at])) ++at;
      const std::string_view word = lower.substr(begin, at - begin);
      const DateTimeWord* unit = FindUnitWord(word);
      if (unit == nullptr && FindUnit(word) == nullptr) return Refuse(text, fmt::format("There is no unit \"{}\".", word));
      if (unit != nullptr && IsMonthsUnit(unit->part)) return RefuseMonths(text);
      if (unit == nullptr || unit->kind == DateTimePart::kUnit) waits_for_unit = false;
    } else if (lower[at] == '.' && at + 1 < lower.size() && IsDigit(lower[at + 1])) {
      return Refuse(text, "A fraction is not allowed.");
    } else {
      ++at;
    }
  }
  if (!has_number) return Refuse(text, "There is no number.");
  if (waits_for_unit) return Refuse(text, "A number has no unit.");
  return std::nullopt;
}

bool IsIso8601(std::string_view lower) { return lower.size() >= 2 && lower[0] == 'p' && (lower[1] == 't' || !IsLetter(lower[1])); }

}  // namespace

Result<int64_t> ParseTtlDuration(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  std::string lower(trimmed);
  std::transform(lower.begin(), lower.end(), lower.begin(), ToLower);
  if (auto result = ParseNumberAndUnit(lower, text)) return *std::move(result);

  std::string literal = lower;
  if (IsIso8601(lower)) {
    if (lower.find('.') != std::string::npos || lower.find('e') != std::string::npos) return Refuse(text, "A fraction is not allowed.");
    std::transform(literal.begin(), literal.end(), literal.begin(), [](char c) { return IsAlpha(c) ? static_cast<char>(c & ~0x20) : c; });
  } else if (auto fault = FindFault(lower, text)) {
    return *std::move(fault);
  }
  const auto interval = ParseInterval(literal, kIntervalFullRange, IntervalStyle::kPostgres);
  if (!interval.ok()) {
    const bool is_range = interval.error().state == kIntervalFieldOverflow || interval.error().state == kDatetimeFieldOverflow;
    return is_range ? RefuseRange(text) : Refuse(text, "This is no duration.");
  }
  if (interval->months != 0) return RefuseMonths(text);
  return ToMillis(IntervalSpan(*interval), 1'000, text);
}

}  // namespace mayfly::types
