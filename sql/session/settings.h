// Settings (PostgreSQL's GUC): rows of settings.def, and the values that one session has, with SET, SET LOCAL, transactions and savepoints.
//
//   default (settings.def) < configuration file < startup packet < SET < SET LOCAL
//
// SET lasts if its transaction commits; SET LOCAL ends with it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/types/type.h"

namespace mayfly::session {

enum class SettingType : uint8_t { kBool, kInteger, kString, kEnum };
enum class SettingContext : uint8_t { kInternal, kPostmaster, kUser };

struct SettingRow {
  std::string_view name;
  SettingType type;
  SettingContext context;
  std::string_view default_value;
  bool reported;  // GUC_REPORT: the client hears of changes
  std::string_view unit, min, max, values, category, description;

  bool is_list() const { return name == "search_path" || name == "DateStyle"; }
};
std::span<const SettingRow> AllSettings();
// Any case. Null where there is none.
const SettingRow* FindSetting(std::string_view name);

// The canonical stored form of `text` for a setting: 22023 with PostgreSQL's texts and hints.
Result<std::string> CheckSetting(const SettingRow& row, std::string_view text);
// The stored form as SHOW prints it: 5000 of unit ms as "5s".
std::string ShowSetting(const SettingRow& row, std::string_view stored);

class Settings {
 public:
  // `base`: configuration file values, stored form, by lower-case name.
  explicit Settings(std::map<std::string, std::string> base) : base_(std::move(base)) {}

  // Stored form; nullopt where there is no such setting. Names with a dot are users' own, and exist once set.
  std::optional<std::string> Get(std::string_view name) const;
  std::string Show(std::string_view name) const;  // 42704
  // What RESET would return to, stored form. Requires: a setting of the table.
  std::string ResetValue(std::string_view name) const;
  // Requires a transaction (the implicit one too) to be begun. 42704, 55P02 for those that cannot be changed now, 22023.
  Status Set(std::string_view name, std::string_view text, bool is_local);
  Status Reset(std::string_view name);
  void ResetAll();
  // At start-up, before any transaction: becomes what RESET returns to.
  Status SetAtStartup(std::string_view name, std::string_view text);
  // A value that no client can set (session_authorization).
  void SetInternal(std::string_view name, std::string value);

  void BeginTransaction();
  void Commit();
  void Rollback();
  // The transaction failed: its settings go at once, though its block goes on.
  void Fail();
  size_t SetSavepoint();
  void RollbackToSavepoint(size_t savepoint);

  // Counts changes; consumers refresh what they derived when it moved.
  uint64_t version() const { return version_; }
  // Names of reported settings whose shown value is another than at the last call.
  std::vector<std::string> TakeChangedReports();

  // Derived from the values.
  Result<types::IoSettings> MakeIoSettings() const;
  std::vector<std::string> SearchPath(std::string_view user) const;
  int64_t GetInteger(std::string_view name) const;
  bool GetBool(std::string_view name) const { return Get(name) == "on"; }

 private:
  using Values = std::map<std::string, std::string>;
  Status Check(std::string_view name, const SettingRow** row) const;
  Values TransactionModes() const;
  void BeforeChange(std::string_view name);
  void RestoreTo(Values session, Values local);

  Values base_;
  Values session_;
  Values local_;
  std::optional<Values> before_;  // session_ at the start of the transaction
  std::vector<std::pair<Values, Values>> savepoints_;
  std::vector<std::pair<std::string, std::string>> touched_reports_;  // name, value that the client knows
  uint64_t version_ = 1;
};

// 'a, "B c"' -> {"a", "B c"}: an identifier list as in search_path. nullopt where malformed.
std::optional<std::vector<std::string>> SplitIdentifiers(std::string_view text);

}  // namespace mayfly::session
