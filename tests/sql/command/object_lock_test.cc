// DDL against writers and against DDL, in two sessions of one server. Nothing waits: lock_timeout is as short as it can be.
#include "sql/command/object_lock.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sql/session/instance.h"
#include "storage/memory/memory_engine.h"

namespace mayfly::command {
namespace {

class QuietSink final : public session::ResultSink {
 public:
  void RowDescription(std::span<const session::ResultColumn>, std::span<const session::Format>) override {}
  void NoData() override {}
  void ParameterDescription(std::span<const Oid>) override {}
  void Rows(const types::Batch&, std::span<const session::ResultColumn>, std::span<const session::Format>, const types::IoContext&) override {}
  void CommandComplete(std::string_view) override {}
  void EmptyQuery() override {}
  void PortalSuspended() override {}
  void CopyInResponse(const session::CopyFormat&) override {}
  void CopyOutResponse(const session::CopyFormat&) override {}
  void CopyData(std::string_view) override {}
  void CopyDone() override {}
  void Notice(const SqlError&) override {}
  void ParameterStatus(std::string_view, std::string_view) override {}
};

class TwoSessions {
 public:
  TwoSessions() : clock_(1'700'000'000'000'000), engine_(storage::NewMemoryEngine(clock_)) {
    instance_ = session::OpenInstance(*engine_, clock_, session::InstanceOptions()).value();
    session::StartupRequest request;
    request.user = "postgres";
    request.database = "mayfly";
    for (auto* session : {&first_, &second_}) *session = instance_->NewSession(request).value();
    EXPECT_EQ(Second("SET lock_timeout = '1ms'"), "ok");
    EXPECT_EQ(First("CREATE TABLE t (a int PRIMARY KEY); CREATE SCHEMA s"), "ok");
  }
  std::string First(std::string_view text) { return Run(*first_, text); }
  std::string Second(std::string_view text) { return Run(*second_, text); }

 private:
  static std::string Run(session::Session& session, std::string_view text) {
    QuietSink sink;
    const Result<session::Step> step = session.StartQuery(text, true, sink);
    return step.ok() ? "ok" : fmt::format("{} {}", step.error().state.code(), step.error().message);
  }

  ManualClock clock_;
  std::unique_ptr<storage::Engine> engine_;
  std::unique_ptr<session::Instance> instance_;
  std::unique_ptr<session::Session> first_;
  std::unique_ptr<session::Session> second_;
};

constexpr const char* kTimeout = "55P03 canceling statement due to lock timeout";

struct Conflict {
  const char* first;    // inside a transaction that stays open
  const char* second;
  const char* outcome;
};

TEST(ObjectLock, WhatConflictsWaits) {
  const Conflict conflicts[] = {
      {"ALTER TABLE t ADD b int", "INSERT INTO t VALUES (1)", kTimeout},
      {"ALTER TABLE t ADD b int", "SELECT * FROM t", "ok"},
      {"ALTER TABLE t ADD b int", "ALTER TABLE t ADD c int", kTimeout},
      {"ALTER TABLE t ADD b int", "DROP TABLE t", kTimeout},
      {"INSERT INTO t VALUES (1)", "ALTER TABLE t ADD b int", kTimeout},
      {"INSERT INTO t VALUES (1)", "TRUNCATE t", kTimeout},
      {"INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2)", "ok"},
      {"LOCK t IN ROW EXCLUSIVE MODE", "INSERT INTO t VALUES (2)", "ok"},
      {"LOCK t IN SHARE MODE", "INSERT INTO t VALUES (2)", kTimeout},
      {"LOCK t", "BEGIN; LOCK t NOWAIT", "55P03 could not obtain lock on relation \"t\""},
      {"CREATE TABLE x (a int)", "CREATE TABLE x (a int)", kTimeout},
      {"CREATE TABLE x (a int)", "CREATE TABLE y (a int)", "ok"},
      {"CREATE TABLE s.x (a int)", "DROP SCHEMA s", kTimeout},
      {"CREATE TABLE s.x (a int)", "CREATE TABLE s.y (a int)", "ok"},
      {"DROP SCHEMA s", "CREATE TABLE s.x (a int)", kTimeout},
      {"CREATE SCHEMA n", "CREATE SCHEMA n", kTimeout},
      {"ALTER TABLE t RENAME TO x", "CREATE TABLE x (a int)", kTimeout},
  };
  for (const Conflict& c : conflicts) {
    TwoSessions sessions;
    EXPECT_EQ(sessions.First("BEGIN"), "ok");
    EXPECT_EQ(sessions.First(c.first), "ok") << c.first;
    EXPECT_EQ(sessions.Second(c.second), c.outcome) << c.first << " / " << c.second;
  }
}

struct Sequel {
  const char* first;
  const char* second;   // after the first has committed
  const char* outcome;
};

TEST(ObjectLock, WhoComesLaterSeesWhatWasCommitted) {
  const Sequel sequels[] = {
      {"ALTER TABLE t ADD b int", "INSERT INTO t VALUES (1, 2)", "ok"},
      {"DROP TABLE t", "INSERT INTO t VALUES (1)", "42P01 relation \"t\" does not exist"},
      {"DROP TABLE t", "ALTER TABLE t ADD b int", "42P01 relation \"t\" does not exist"},
      {"CREATE TABLE x (a int)", "CREATE TABLE x (a int)", "42P07 relation \"x\" already exists"},
      {"DROP SCHEMA s", "CREATE TABLE s.x (a int)", "3F000 schema \"s\" does not exist"},
      {"CREATE SCHEMA n", "CREATE SCHEMA n", "42P06 schema \"n\" already exists"},
  };
  for (const Sequel& s : sequels) {
    TwoSessions sessions;
    EXPECT_EQ(sessions.Second("BEGIN; SELECT 1"), "ok");
    EXPECT_EQ(sessions.First(s.first), "ok") << s.first;
    EXPECT_EQ(sessions.Second(s.second), s.outcome) << s.first << " / " << s.second;
  }
}

TEST(ObjectLock, RollbackGivesLocksBack) {
  TwoSessions sessions;
  EXPECT_EQ(sessions.First("BEGIN; DROP TABLE t; ROLLBACK"), "ok");
  EXPECT_EQ(sessions.Second("INSERT INTO t VALUES (1)"), "ok");
  EXPECT_EQ(sessions.First("BEGIN; SAVEPOINT a"), "ok");
  EXPECT_EQ(sessions.First("ALTER TABLE t ADD b int"), "ok");
  EXPECT_EQ(sessions.Second("INSERT INTO t VALUES (2)"), kTimeout);
  EXPECT_EQ(sessions.First("ROLLBACK TO a"), "ok");
  EXPECT_EQ(sessions.Second("INSERT INTO t VALUES (2)"), "ok");
  EXPECT_EQ(sessions.First("INSERT INTO t VALUES (3)"), "ok");
}

}  // namespace
}  // namespace mayfly::command
