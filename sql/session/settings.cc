#include "sql/session/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "sql/types/encoding_name.h"
#include "sql/types/time_zone.h"

namespace mayfly::session {

namespace {

constexpr SettingRow kSettings[] = {
#define SETTING(name, type, context, default_value, reported, unit, min, max, values, category, description) \
  {name, SettingType::type, SettingContext::context, default_value, reported, unit, min, max, values, category, description},
#include "sql/session/settings.def"
#undef SETTING
};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

SqlError Invalid(const SettingRow& row, std::string_view text) {
  return SqlError::Make(kInvalidParameterValue, "invalid value for parameter \"{}\": \"{}\"", row.name, text);
}

Result<std::string> CheckBool(const SettingRow& row, std::string_view text) {
  const std::string lower = Lower(text);
  const auto is = [&](std::string_view word, size_t least) { return lower.size() >= least && word.substr(0, lower.size()) == lower; };
  if (is("true", 1) || is("yes", 1) || is("on", 2) || lower == "1") return std::string("on");
  if (is("false", 1) || is("no", 1) || is("off", 2) || lower == "0") return std::string("off");
  return SqlError::Make(kInvalidParameterValue, "parameter \"{}\" requires a Boolean value", row.name);
}

// Units in terms of the base units ms and kB.
struct Unit {
  std::string_view base, name;
  double factor;
};
constexpr Unit kUnits[] = {{"ms", "us", 0.001}, {"ms", "ms", 1},         {"ms", "s", 1000},          {"ms", "min", 60000},
                           {"ms", "h", 3600000}, {"ms", "d", 86400000}, {"kB", "B", 1.0 / 1024},     {"kB", "kB", 1},
                           {"kB", "MB", 1024},   {"kB", "GB", 1048576}, {"kB", "TB", 1073741824}};

// A number at the start of `text`, as C writes them (0x10, 010), with fraction or exponent; what follows is left in `rest`. nullopt: none.
std::optional<double> ReadNumber(std::string_view text, std::string_view& rest) {
  const std::string copy(text);
  char* end = nullptr;
  auto value = static_cast<double>(std::strtoll(copy.c_str(), &end, 0));
  size_t used = static_cast<size_t>(end - copy.c_str());
  if (used == 0 || copy[used] == '.' || copy[used] == 'e' || copy[used] == 'E') {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    used = static_cast<size_t>(stop - text.data());
  }
  rest = Trim(text.substr(used));
  return value;
}

Result<std::string> CheckInteger(const SettingRow& row, std::string_view text) {
  std::string_view unit;
  const std::optional<double> number = ReadNumber(Trim(text), unit);
  if (!number) return Invalid(row, text);
  double value = *number;
  if (!unit.empty()) {
    const auto* known = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return u.base == row.unit && u.name == unit; });
    if (known == std::end(kUnits)) {
      if (row.unit.empty()) return Invalid(row, text);
      return Invalid(row, text).Hint(row.unit == "ms" ? "Valid units for this parameter are \"us\", \"ms\", \"s\", \"min\", \"h\", and \"d\"."
                                                      : "Valid units for this parameter are \"B\", \"kB\", \"MB\", \"GB\", and \"TB\".");
    }
    value *= known->factor;
  }
  if (!(std::abs(value) <= INT32_MAX)) return Invalid(row, text).Hint("Value exceeds integer range.");
  const auto rounded = static_cast<int64_t>(__builtin_llround(value));
  int64_t min = INT32_MIN;
  int64_t max = INT32_MAX;
  std::from_chars(row.min.data(), row.min.data() + row.min.size(), min);
  std::from_chars(row.max.data(), row.max.data() + row.max.size(), max);
  if (rounded < min || rounded > max) {
    const std::string suffix = row.unit.empty() ? "" : fmt::format(" {}", row.unit);
    return SqlError::Make(kInvalidParameterValue, "{}{} is outside the valid range for parameter \"{}\" ({} .. {})", rounded, suffix, row.name, min,
                          max);
  }
  return std::to_string(rounded);
}

Result<std::string> CheckEnum(const SettingRow& row, std::string_view text) {
  const std::string lower = Lower(text);
  const size_t slash = row.values.find('/');
  std::string hint;
  for (const std::string_view value : Split(row.values.substr(0, slash), ',')) {
    if (lower == value) return lower;
    hint += (hint.empty() ? "" : ", ") + std::string(value);
  }
  if (slash != std::string_view::npos) {
    for (const std::string_view alias : Split(row.values.substr(slash + 1), ',')) {
      const size_t equals = alias.find('=');
      if (lower == alias.substr(0, equals)) return std::string(alias.substr(equals + 1));
    }
  }
  return Invalid(row, text).Hint(fmt::format("Available values: {}.", hint));
}

Result<std::string> CheckDateStyle(const SettingRow& row, std::string_view text, std::string_view current) {
  std::string style(current.substr(0, current.find(',')));
  std::string order(Trim(current.substr(current.find(',') + 1)));
  for (const std::string_view part : Split(text, ',')) {
    const std::string word = Lower(Trim(part));
    if (word == "iso") style = "ISO";
    else if (word == "sql") style = "SQL";
    else if (word.starts_with("postgres")) style = "Postgres";
    else if (word == "german") {
      style = "German";
      order = "DMY";
    } else if (word == "ymd") order = "YMD";
    else if (word == "dmy" || word.starts_with("euro")) order = "DMY";
    else if (word == "mdy" || word == "us" || word.starts_with("noneuro")) order = "MDY";
    else if (word == "default") {
      style = "ISO";
      order = "MDY";
    } else {
      return Invalid(row, text).Detail(fmt::format("Unrecognized key word: \"{}\".", word));
    }
  }
  return style + ", " + order;
}

// "3" and "-3.5" are hours east of UTC; shown as the POSIX zones "<+03>-03" and "<-03:30>+03:30".
std::optional<std::string> ZoneOfHours(std::string_view text) {
  double hours = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hours);
  if (error != std::errc() || end != text.data() + text.size() || !(std::abs(hours) < 168)) return std::nullopt;
  const auto seconds = static_cast<int64_t>(std::abs(hours) * 3600);
  std::string offset = fmt::format("{:02}", seconds / 3600);
  if (seconds % 3600 != 0) offset += fmt::format(":{:02}", seconds % 3600 / 60);
  if (seconds % 60 != 0) offset += fmt::format(":{:02}", seconds % 60);
  return hours < 0 ? fmt::format("<-{}>+{}", offset, offset) : fmt::format("<+{}>-{}", offset, offset);
}

Result<std::string> CheckString(const SettingRow& row, std::string_view text) {
  if (row.name == "TimeZone") {
    const types::TimeZone* zone = types::TimeZone::Find(ZoneOfHours(text).value_or(std::string(text)));
    if (zone == nullptr) return Invalid(row, text);
    return std::string(zone->name());
  }
  if (row.name == "DateStyle") return CheckDateStyle(row, text, "ISO, MDY");
  if (row.name == "search_path") {
    if (!SplitIdentifiers(text)) return Invalid(row, text).Detail("List syntax is invalid.");
    return std::string(text);
  }
  if (row.name == "client_encoding") {
    const std::string name = types::NormalizedEncodingName(text);
    if (name.empty()) return Invalid(row, text);
    if (name == "UTF8") return name;
    return SqlError::NotSupported(fmt::format("client_encoding \"{}\"", text));
  }
  if (row.name == "application_name") {
    // Not beyond an identifier's length, and printable ASCII only.
    std::string name(text.substr(0, 63));
    std::replace_if(name.begin(), name.end(), [](char c) { return c < 32 || c > 126; }, '?');
    return name;
  }
  return std::string(text);
}

}  // namespace

std::span<const SettingRow> AllSettings() { return kSettings; }

const SettingRow* FindSetting(std::string_view name) {
  const std::string lower = Lower(name);
  const auto* row = std::find_if(std::begin(kSettings), std::end(kSettings), [&](const SettingRow& r) { return Lower(r.name) == lower; });
  return row == std::end(kSettings) ? nullptr : row;
}

Result<std::string> CheckSetting(const SettingRow& row, std::string_view text) {
  switch (row.type) {
    case SettingType::kBool: return CheckBool(row, text);
    case SettingType::kInteger: return CheckInteger(row, text);
    case SettingType::kEnum: return CheckEnum(row, text);
    case SettingType::kString: return CheckString(row, text);
  }
  return std::string(text);
}

std::string ShowSetting(const SettingRow& row, std::string_view stored) {
  if (row.unit.empty()) return std::string(stored);
  int64_t value = 0;
  std::from_chars(stored.data(), stored.data() + stored.size(), value);
  if (value <= 0) return std::string(stored);
  const Unit* best = nullptr;
  for (const Unit& unit : kUnits) {
    if (unit.base == row.unit && unit.factor >= 1 && value % static_cast<int64_t>(unit.factor) == 0) best = &unit;
  }
  return fmt::format("{}{}", value / static_cast<int64_t>(best->factor), best->name);
}

std::optional<std::string> Settings::Get(std::string_view name) const {
  const std::string key = Lower(name);
  for (const Values* values : {&local_, &session_, &base_}) {
    if (const auto at = values->find(key); at != values->end()) return at->second;
  }
  const SettingRow* row = FindSetting(name);
  if (row == nullptr) return std::nullopt;
  return std::string(row->default_value);
}

std::string Settings::Show(std::string_view name) const {
  const std::optional<std::string> value = Get(name);
  if (!value) Throw(SqlError::Make(kUndefinedObject, "unrecognized configuration parameter \"{}\"", name));
  const SettingRow* row = FindSetting(name);
  return row == nullptr ? *value : ShowSetting(*row, *value);
}

std::string Settings::ResetValue(std::string_view name) const {
  const auto at = base_.find(Lower(name));
  return at != base_.end() ? at->second : std::string(FindSetting(name)->default_value);
}

Status Settings::Check(std::string_view name, const SettingRow** row) const {
  *row = FindSetting(name);
  if (*row == nullptr) {
    if (name.find('.') != std::string_view::npos) return Ok();
    return SqlError::Make(kUndefinedObject, "unrecognized configuration parameter \"{}\"", name);
  }
  if ((*row)->context == SettingContext::kInternal) {
    return SqlError::Make(kCantChangeRuntimeParam, "parameter \"{}\" cannot be changed", (*row)->name);
  }
  if ((*row)->context == SettingContext::kPostmaster) {
    return SqlError::Make(kCantChangeRuntimeParam, "parameter \"{}\" cannot be changed without restarting the server", (*row)->name);
  }
  return Ok();
}

Status Settings::Set(std::string_view name, std::string_view text, bool is_local) {
  const SettingRow* row = nullptr;
  TRY_OK(Check(name, &row));
  std::string value(text);
  if (row != nullptr) {
    TRY(std::string, checked, row->name == "DateStyle" ? CheckDateStyle(*row, text, *Get("datestyle")) : CheckSetting(*row, text));
    value = std::move(checked);
  }
  const std::string key = Lower(name);
  BeforeChange(key);
  if (is_local) {
    local_[key] = std::move(value);
  } else {
    session_[key] = std::move(value);
    local_.erase(key);
  }
  return Ok();
}

Status Settings::Reset(std::string_view name) {
  const SettingRow* row = nullptr;
  TRY_OK(Check(name, &row));
  const std::string key = Lower(name);
  const bool is_known = row != nullptr || Get(key).has_value();
  if (!is_known) return SqlError::Make(kUndefinedObject, "unrecognized configuration parameter \"{}\"", name);
  BeforeChange(key);
  session_.erase(key);
  local_.erase(key);
  // A user's own setting stays known, and empty.
  if (row == nullptr && !base_.contains(key)) session_[key];
  return Ok();
}

void Settings::ResetAll() { RestoreTo({}, TransactionModes()); }

// The modes of the running transaction are no settings of the session: they go with it.
Settings::Values Settings::TransactionModes() const {
  Values modes;
  for (const char* name : {"transaction_deferrable", "transaction_isolation", "transaction_read_only"}) {
    if (const auto at = local_.find(name); at != local_.end()) modes.insert(*at);
  }
  return modes;
}

Status Settings::SetAtStartup(std::string_view name, std::string_view text) {
  const SettingRow* row = nullptr;
  TRY_OK(Check(name, &row));
  std::string value(text);
  if (row != nullptr) {
    TRY(std::string, checked, CheckSetting(*row, text));
    value = std::move(checked);
  }
  base_[Lower(name)] = std::move(value);
  ++version_;
  return Ok();
}

void Settings::SetInternal(std::string_view name, std::string value) {
  BeforeChange(name);
  base_[Lower(name)] = std::move(value);
}

void Settings::BeginTransaction() { before_ = session_; }

void Settings::Commit() {
  before_.reset();
  savepoints_.clear();
  if (!local_.empty()) RestoreTo(session_, {});
}

void Settings::Rollback() {
  savepoints_.clear();
  if (before_) RestoreTo(*std::exchange(before_, std::nullopt), {});
}

size_t Settings::SetSavepoint() {
  savepoints_.emplace_back(session_, local_);
  return savepoints_.size() - 1;
}

void Settings::RollbackToSavepoint(size_t savepoint) {
  const auto [session, local] = savepoints_[savepoint];
  savepoints_.resize(savepoint + 1);
  RestoreTo(session, local);
}

void Settings::Fail() {
  if (!savepoints_.empty()) {
    RollbackToSavepoint(savepoints_.size() - 1);
  } else if (before_) {
    RestoreTo(*before_, TransactionModes());
  }
}

void Settings::RestoreTo(Values session, Values local) {
  if (session == session_ && local == local_) return;
  for (const Values* values : std::initializer_list<const Values*>{&session_, &local_, &session, &local}) {
    for (const auto& [name, value] : *values) BeforeChange(name);
  }
  session_ = std::move(session);
  local_ = std::move(local);
}

void Settings::BeforeChange(std::string_view name) {
  ++version_;
  const SettingRow* row = FindSetting(name);
  if (row == nullptr || !row->reported) return;
  const auto is_same = [&](const auto& touched) { return touched.first == row->name; };
  if (std::none_of(touched_reports_.begin(), touched_reports_.end(), is_same)) touched_reports_.emplace_back(row->name, Show(row->name));
}

std::vector<std::string> Settings::TakeChangedReports() {
  std::vector<std::string> changed;
  for (auto& [name, value] : std::exchange(touched_reports_, {})) {
    if (Show(name) != value) changed.push_back(std::move(name));
  }
  return changed;
}

Result<types::IoSettings> Settings::MakeIoSettings() const {
  types::IoSettings io;
  const std::string date_style = *Get("datestyle");
  if (date_style.starts_with("SQL")) io.date_style = types::DateStyle::kSql;
  if (date_style.starts_with("Postgres")) io.date_style = types::DateStyle::kPostgres;
  if (date_style.starts_with("German")) io.date_style = types::DateStyle::kGerman;
  if (date_style.ends_with("DMY")) io.date_order = types::DateOrder::kDmy;
  if (date_style.ends_with("YMD")) io.date_order = types::DateOrder::kYmd;
  const std::string interval_style = *Get("intervalstyle");
  if (interval_style == "postgres_verbose") io.interval_style = types::IntervalStyle::kPostgresVerbose;
  if (interval_style == "sql_standard") io.interval_style = types::IntervalStyle::kSqlStandard;
  if (interval_style == "iso_8601") io.interval_style = types::IntervalStyle::kIso8601;
  if (Get("bytea_output") == "escape") io.bytea_output = types::ByteaOutput::kEscape;
  io.extra_float_digits = static_cast<int>(GetInteger("extra_float_digits"));
  TRY(const types::TimeZone*, zone, types::TimeZone::Lookup(*Get("timezone")));
  io.time_zone = zone;
  return io;
}

std::vector<std::string> Settings::SearchPath(std::string_view user) const {
  std::vector<std::string> path = SplitIdentifiers(*Get("search_path")).value_or(std::vector<std::string>{});
  for (std::string& schema : path) {
    if (schema == "$user") schema = user;
  }
  return path;
}

int64_t Settings::GetInteger(std::string_view name) const {
  const std::string text = *Get(name);
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<std::vector<std::string>> SplitIdentifiers(std::string_view text) {
  std::vector<std::string> names;
  text = Trim(text);
  while (!text.empty()) {
    std::string name;
    if (text.front() == '"') {
      text.remove_prefix(1);
      while (true) {
        const size_t quote = text.find('"');
        if (quote == std::string_view::npos) return std::nullopt;
        name += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (text.empty() || text.front() != '"') break;
        name += '"';
        text.remove_prefix(1);
      }
    } else {
      const size_t end = std::min(text.find_first_of(", "), text.size());
      name = Lower(text.substr(0, end));
      if (name.empty()) return std::nullopt;
      text.remove_prefix(end);
    }
    names.push_back(std::move(name));
    text = Trim(text);
    if (text.empty()) break;
    if (text.front() != ',') return std::nullopt;
    text = Trim(text.substr(1));
    if (text.empty()) return std::nullopt;
  }
  return names;
}

}  // namespace mayfly::session
