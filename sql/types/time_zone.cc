#include "sql/types/time_zone.h"

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <unordered_map>

#include "sql/types/calendar.h"

namespace mayfly::types {

namespace {

constexpr int64_t kRepeatSeconds = 146'097 * kSecondsPerDay;  // 400 Gregorian years, a whole number of weeks
// Tables that end later than this were extended by a yearly rule, so they repeat. 2300-01-01.
constexpr int64_t kFarFuture = 10'413'792'000;
// Clients can invent POSIX zones without end; past this many no new one is found.
constexpr size_t kZonesMax = 4096;
constexpr size_t kNameBytesMax = 255;

char AsciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char AsciiUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
std::string Mapped(std::string_view text, char (*map)(char)) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), map);
  return out;
}

// Lower-case name -> name of every zone file of the system.
const std::unordered_map<std::string, std::string>& InstalledZones() {
  static const auto* zones = [] {
    auto* map = new std::unordered_map<std::string, std::string>();  // NOLINT: lives until the process ends
    const char* directory = std::getenv("TZDIR");
    const std::filesystem::path root = directory != nullptr ? directory : "/usr/share/zoneinfo";
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
      if (it->path().filename().native().starts_with('.')) {
        if (it->is_directory(error)) it.disable_recursion_pending();
        continue;
      }
      if (!it->is_regular_file(error)) continue;
      std::string name = it->path().lexically_relative(root).native();
      map->emplace(Mapped(name, AsciiLower), std::move(name));
    }
    return map;
  }();
  return *zones;
}

int64_t ToUnix(const cctz::time_point<cctz::seconds>& at) { return at.time_since_epoch().count(); }
cctz::time_point<cctz::seconds> FromUnix(int64_t seconds) {
  return cctz::time_point<cctz::seconds>(cctz::seconds(seconds));
}

uint8_t TypeIndex(ZoneTable& table, const cctz::time_zone::absolute_lookup& lookup) {
  for (size_t i = 0; i < table.types.size(); ++i) {
    const ZoneType& type = table.types[i];
    if (type.offset_seconds == lookup.offset && type.is_dst == lookup.is_dst && type.abbreviation == lookup.abbr) {
      return static_cast<uint8_t>(i);
    }
  }
  table.types.push_back({lookup.offset, lookup.is_dst, lookup.abbr});
  return static_cast<uint8_t>(table.types.size() - 1);
}

// The table of an installed zone. `name` is one of InstalledZones: cctz would follow paths and its own prefixes in others.
std::optional<ZoneTable> LoadInstalledZone(const std::string& name) {
  cctz::time_zone zone;
  if (!cctz::load_time_zone(name, &zone)) return std::nullopt;
  ZoneTable table;
  auto at = cctz::time_point<cctz::seconds>::min();
  table.first_type = TypeIndex(table, zone.lookup(FromUnix(-(int64_t{1} << 50))));
  cctz::time_zone::civil_transition transition;
  while (zone.next_transition(at, &transition)) {
    at = zone.lookup(transition.to).trans;
    if (!table.at.empty() && ToUnix(at) <= table.at.back()) break;
    table.at.push_back(ToUnix(at));
    table.type.push_back(TypeIndex(table, zone.lookup(at)));
  }
  table.repeats_after = !table.at.empty() && table.at.back() > kFarFuture;
  return table;
}

// All zones found so far, by upper-case name.
struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<std::string, std::unique_ptr<const TimeZone>> zones;
};
Registry& TheRegistry() {
  static auto* registry = new Registry();  // NOLINT: zones outlive static destruction
  return *registry;
}

std::unique_ptr<const TimeZone> LoadZone(const std::string& upper_name) {
  const auto& installed = InstalledZones();
  const auto file = installed.find(Mapped(upper_name, AsciiLower));
  if (file != installed.end()) {
    if (auto table = LoadInstalledZone(file->second)) return std::make_unique<TimeZone>(file->second, *std::move(table));
  }
  if (auto table = ParsePosixZone(upper_name)) return std::make_unique<TimeZone>(upper_name, *std::move(table));
  return nullptr;
}

}  // namespace

TimeZone::TimeZone(std::string name, ZoneTable table)
    : name_(std::move(name)), table_(std::move(table)), is_utc_(table_.at.empty() && table_.types[0].offset_seconds == 0) {}

const TimeZone* TimeZone::Utc() {
  static const auto* utc = [] {
    ZoneTable table;
    table.types.push_back({0, false, "UTC"});
    return new TimeZone("UTC", std::move(table));  // NOLINT: lives until the process ends
  }();
  return utc;
}

const TimeZone* TimeZone::Find(std::string_view name) {
  if (name.empty() || name.size() > kNameBytesMax) return nullptr;
  std::string upper = Mapped(name, AsciiUpper);
  if (upper == "UTC") return Utc();
  Registry& registry = TheRegistry();
  {
    std::shared_lock lock(registry.mutex);
    const auto found = registry.zones.find(upper);
    if (found != registry.zones.end()) return found->second.get();
  }
  auto zone = LoadZone(upper);
  if (zone == nullptr) return nullptr;
  std::unique_lock lock(registry.mutex);
  if (registry.zones.size() >= kZonesMax && !registry.zones.contains(upper)) return nullptr;
  return registry.zones.try_emplace(std::move(upper), std::move(zone)).first->second.get();
}

Result<const TimeZone*> TimeZone::Lookup(std::string_view name) {
  const TimeZone* zone = Find(name);
  if (zone == nullptr) return SqlError::Make(kInvalidParameterValue, "time zone \"{}\" not recognized", name);
  return zone;
}

const TimeZone* TimeZone::ForOffset(int32_t offset_seconds) {
  const int32_t size = std::abs(offset_seconds);
  if (size >= 7 * kSecondsPerDay) return nullptr;
  std::string digits = fmt::format("{:02}", size / 3'600);
  if (size % 3'600 != 0) digits += fmt::format(":{:02}", size / 60 % 60);
  if (size % 60 != 0) digits += fmt::format(":{:02}", size % 60);
  return offset_seconds >= 0 ? Find(fmt::format("<+{}>-{}", digits, digits)) : Find(fmt::format("<-{}>+{}", digits, digits));
}

std::optional<int32_t> TimeZone::FixedOffset() const {
  const int32_t offset = table_.types[0].offset_seconds;
  const bool same =
      std::all_of(table_.types.begin(), table_.types.end(), [&](const ZoneType& type) { return type.offset_seconds == offset; });
  return same ? std::optional(offset) : std::nullopt;
}

ZoneSpan TimeZone::SpanFrom(size_t index) const {
  const ZoneType& type = table_.types[index == 0 ? table_.first_type : table_.type[index - 1]];
  ZoneSpan span;
  span.begin = index == 0 ? std::numeric_limits<int64_t>::min() : table_.at[index - 1];
  span.end = index == table_.at.size() ? std::numeric_limits<int64_t>::max() : table_.at[index];
  span.offset_seconds = type.offset_seconds;
  span.is_dst = type.is_dst;
  span.abbreviation = type.abbreviation;
  return span;
}

ZoneSpan TimeZone::At(int64_t unix_seconds) const {
  const std::vector<int64_t>& at = table_.at;
  int64_t shift = 0;
  if (table_.repeats_after && unix_seconds >= at.back()) {
    shift = ((unix_seconds - at.back()) / kRepeatSeconds + 1) * kRepeatSeconds;
  } else if (table_.repeats_before && unix_seconds < at.front()) {
    shift = -((at.front() - unix_seconds - 1) / kRepeatSeconds + 1) * kRepeatSeconds;
  }
  const auto next = std::upper_bound(at.begin(), at.end(), unix_seconds - shift);
  ZoneSpan span = SpanFrom(static_cast<size_t>(next - at.begin()));
  if (span.begin != std::numeric_limits<int64_t>::min()) span.begin += shift;
  if (span.end != std::numeric_limits<int64_t>::max()) span.end += shift;
  return span;
}

int32_t TimeZone::OffsetOfLocal(int64_t local_seconds) const {
  if (table_.at.empty()) return table_.types[0].offset_seconds;
  // No offset is longer than a day: the only change that can matter is the first one after a day before.
  const ZoneSpan before = At(local_seconds - kSecondsPerDay);
  if (before.end == std::numeric_limits<int64_t>::max()) return before.offset_seconds;
  const ZoneSpan after = At(before.end);
  const int64_t by_before = local_seconds - before.offset_seconds;
  const int64_t by_after = local_seconds - after.offset_seconds;
  if (by_before < before.end && by_after < before.end) return before.offset_seconds;
  if (by_before > before.end && by_after >= before.end) return after.offset_seconds;
  return by_before > by_after ? before.offset_seconds : after.offset_seconds;
}

std::optional<int32_t> TimeZone::OffsetOfAbbreviation(std::string_view abbreviation, int64_t unix_seconds) const {
  const std::string upper = Mapped(abbreviation, AsciiUpper);
  const auto next = static_cast<size_t>(std::upper_bound(table_.at.begin(), table_.at.end(), unix_seconds) - table_.at.begin());
  const auto type_of = [&](size_t index) -> const ZoneType& {
    return table_.types[index == 0 ? table_.first_type : table_.type[index - 1]];
  };
  for (size_t i = next + 1; i-- > 0;) {
    if (type_of(i).abbreviation == upper) return type_of(i).offset_seconds;
  }
  for (size_t i = next + 1; i <= table_.at.size(); ++i) {
    if (type_of(i).abbreviation == upper) return type_of(i).offset_seconds;
  }
  return std::nullopt;
}

namespace {
struct AbbreviationRow {
  std::string_view name;
  int32_t offset_seconds;
  bool is_dst;
  const char* zone;
};
constexpr AbbreviationRow kAbbreviations[] = {
#define ABBREVIATION(name, seconds, is_dst) {name, seconds, is_dst, nullptr},
#define ABBREVIATION_OF(name, zone) {name, 0, false, zone},
#include "sql/types/time_zone_abbreviation.def"
#undef ABBREVIATION
#undef ABBREVIATION_OF
};
static_assert(std::is_sorted(std::begin(kAbbreviations), std::end(kAbbreviations),
                             [](const AbbreviationRow& a, const AbbreviationRow& b) { return a.name < b.name; }));
}  // namespace

std::optional<ZoneAbbreviation> FindZoneAbbreviation(std::string_view text) {
  const auto* row = std::lower_bound(std::begin(kAbbreviations), std::end(kAbbreviations), text,
                                     [](const AbbreviationRow& a, std::string_view b) { return a.name < b; });
  if (row == std::end(kAbbreviations) || row->name != text) return std::nullopt;
  if (row->zone == nullptr) return ZoneAbbreviation{row->offset_seconds, row->is_dst, nullptr};
  const TimeZone* zone = TimeZone::Find(row->zone);
  if (zone == nullptr) return std::nullopt;
  return ZoneAbbreviation{0, false, zone};
}

}  // namespace mayfly::types
