// Values of settings: what is accepted, how it is shown, and which transaction it belongs to. Expectations are PostgreSQL's.
#include "sql/session/settings.h"

#include <gtest/gtest.h>

namespace mayfly::session {
namespace {

// The value as SHOW prints it, or the error.
std::string Shown(std::string_view name, std::string_view text) {
  const SettingRow* row = FindSetting(name);
  if (row == nullptr) return "unknown";
  const Result<std::string> stored = CheckSetting(*row, text);
  if (stored.ok()) return ShowSetting(*row, *stored);
  const SqlError& error = stored.error();
  std::string out = std::string(error.state.code()) + " " + error.message;
  if (!error.detail.empty()) out += " / " + error.detail;
  if (!error.hint.empty()) out += " / " + error.hint;
  return out;
}

TEST(CheckSetting, TakesWhatPostgreSqlTakes) {
  constexpr const char* kMemoryUnits = R"( / Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".)";
  constexpr const char* kTimeUnits = R"( / Valid units for this parameter are "us", "ms", "s", "min", "h", and "d".)";
  const struct {
    std::string_view name, text;
    std::string expected;
  } kCases[] = {
      {"work_mem", "1.5MB", "1536kB"},
      {"work_mem", " 2 MB ", "2MB"},
      {"work_mem", "65536", "64MB"},
      {"work_mem", "0x100", "256kB"},
      {"work_mem", "99.6", "100kB"},
      {"work_mem", "1e3", "1000kB"},
      {"work_mem", "63", R"(22023 63 kB is outside the valid range for parameter "work_mem" (64 .. 2147483647))"},
      {"work_mem", "4TB", R"(22023 invalid value for parameter "work_mem": "4TB" / Value exceeds integer range.)"},
      {"work_mem", "1mb", std::string(R"(22023 invalid value for parameter "work_mem": "1mb")") + kMemoryUnits},
      {"work_mem", "", R"(22023 invalid value for parameter "work_mem": "")"},
      {"work_mem", "12MB x", std::string(R"(22023 invalid value for parameter "work_mem": "12MB x")") + kMemoryUnits},
      {"statement_timeout", "1.5min", "90s"},
      {"statement_timeout", "2h", "2h"},
      {"statement_timeout", "1500us", "2ms"},
      {"statement_timeout", "3s ", "3s"},
      {"statement_timeout", "3 fortnights",
       std::string(R"(22023 invalid value for parameter "statement_timeout": "3 fortnights")") + kTimeUnits},
      {"default_transaction_read_only", "t", "on"},
      {"default_transaction_read_only", "of", "off"},
      {"default_transaction_read_only", "YES", "on"},
      {"default_transaction_read_only", "o", R"(22023 parameter "default_transaction_read_only" requires a Boolean value)"},
      {"default_transaction_read_only", "2", R"(22023 parameter "default_transaction_read_only" requires a Boolean value)"},
      {"synchronous_commit", "TRUE", "on"},
      {"synchronous_commit", "sometimes",
       R"(22023 invalid value for parameter "synchronous_commit": "sometimes" / Available values: local, remote_write, remote_apply, on, off.)"},
      {"extra_float_digits", "x", R"(22023 invalid value for parameter "extra_float_digits": "x")"},
      {"extra_float_digits", "1MB", R"(22023 invalid value for parameter "extra_float_digits": "1MB")"},
      {"DateStyle", "ISO, xyz", R"(22023 invalid value for parameter "DateStyle": "ISO, xyz" / Unrecognized key word: "xyz".)"},
      {"DateStyle", "sql", "SQL, MDY"},
      {"datestyle", "german", "German, DMY"},
      {"DATESTYLE", "postgres, ymd", "Postgres, YMD"},
      {"application_name", "a\tb", "a?b"},
      {"client_encoding", "utf-8", "UTF8"},
      {"client_encoding", "unicode", "UTF8"},
      {"client_encoding", "nosuch", R"(22023 invalid value for parameter "client_encoding": "nosuch")"},
      {"client_encoding", "latin1", R"(0A000 client_encoding "latin1" is not supported)"},
      {"TimeZone", "3", "<+03>-03"},
      {"TimeZone", "-3.5", "<-03:30>+03:30"},
      {"TimeZone", "nosuch", R"(22023 invalid value for parameter "TimeZone": "nosuch")"},
      {"nosuch", "1", "unknown"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Shown(test.name, test.text), test.expected) << test.name << " = " << test.text;
}

TEST(SplitIdentifiers, ReadsListsAsSearchPathHasThem) {
  const struct {
    std::string_view text;
    std::optional<std::vector<std::string>> expected;
  } kCases[] = {
      {"", std::vector<std::string>{}},
      {"a", std::vector<std::string>{"a"}},
      {"\"$user\", public", std::vector<std::string>{"$user", "public"}},
      {" A , \"B c\" ", std::vector<std::string>{"a", "B c"}},
      {"\"a\"\"b\"", std::vector<std::string>{"a\"b"}},
      {"\"a", std::nullopt},
      {"a,,b", std::nullopt},
      {",a", std::nullopt},
      {"a,", std::nullopt},
  };
  for (const auto& test : kCases) EXPECT_EQ(SplitIdentifiers(test.text), test.expected) << test.text;
}

class SettingsTest : public testing::Test {
 protected:
  void Set(std::string_view value, bool is_local = false) { ASSERT_TRUE(settings_.Set("application_name", value, is_local).ok()); }
  std::string Now() const { return settings_.Show("application_name"); }

  Settings settings_{{{"application_name", "base"}}};
};

TEST_F(SettingsTest, SetLastsIfItsTransactionCommits) {
  settings_.BeginTransaction();
  Set("kept");
  settings_.Commit();
  settings_.BeginTransaction();
  Set("lost");
  settings_.Rollback();
  EXPECT_EQ(Now(), "kept");
}

TEST_F(SettingsTest, LocalValuesEndWithTheirTransaction) {
  settings_.BeginTransaction();
  Set("session");
  Set("local", true);
  EXPECT_EQ(Now(), "local");
  settings_.Commit();
  EXPECT_EQ(Now(), "session");
}

TEST_F(SettingsTest, SavepointsBringValuesBack) {
  settings_.BeginTransaction();
  Set("one");
  const size_t first = settings_.SetSavepoint();
  Set("two", true);
  const size_t second = settings_.SetSavepoint();
  Set("three");
  settings_.RollbackToSavepoint(second);
  EXPECT_EQ(Now(), "two");
  settings_.RollbackToSavepoint(first);
  EXPECT_EQ(Now(), "one");
  settings_.Commit();
  EXPECT_EQ(Now(), "one");
}

TEST_F(SettingsTest, AFailedTransactionGivesItsValuesUpAtOnce) {
  settings_.BeginTransaction();
  Set("one");
  settings_.Fail();
  EXPECT_EQ(Now(), "base");
  settings_.Rollback();
  EXPECT_EQ(Now(), "base");
}

TEST_F(SettingsTest, ReportsNameWhatReallyChanged) {
  settings_.BeginTransaction();
  Set("one");
  EXPECT_EQ(settings_.TakeChangedReports(), std::vector<std::string>{"application_name"});
  Set("two");
  Set("one");
  EXPECT_TRUE(settings_.TakeChangedReports().empty()) << "back to what the client knows";
  ASSERT_TRUE(settings_.Set("work_mem", "8MB", false).ok());
  EXPECT_TRUE(settings_.TakeChangedReports().empty()) << "not a reported setting";
  settings_.Rollback();
  EXPECT_EQ(settings_.TakeChangedReports(), std::vector<std::string>{"application_name"});
}

TEST_F(SettingsTest, ResetReturnsToTheBase) {
  settings_.BeginTransaction();
  Set("one");
  ASSERT_TRUE(settings_.Reset("application_name").ok());
  EXPECT_EQ(Now(), "base");
  EXPECT_EQ(settings_.Reset("nosuch").error().state, kUndefinedObject);
  EXPECT_EQ(settings_.Reset("server_version").error().state, kCantChangeRuntimeParam);
  EXPECT_EQ(settings_.Reset("my.own").error().state, kUndefinedObject);
  ASSERT_TRUE(settings_.Set("my.own", "x", false).ok());
  ASSERT_TRUE(settings_.Reset("my.own").ok());
  EXPECT_EQ(settings_.Show("my.own"), "");
}

TEST_F(SettingsTest, ResetAllKeepsTheModesOfTheTransaction) {
  settings_.BeginTransaction();
  ASSERT_TRUE(settings_.Set("transaction_isolation", "serializable", true).ok());
  Set("one");
  settings_.ResetAll();
  EXPECT_EQ(Now(), "base");
  EXPECT_EQ(settings_.Show("transaction_isolation"), "serializable");
}

}  // namespace
}  // namespace mayfly::session
