// A server without sockets for tests: an engine and an instance under a clock that the test moves; sessions that print what a client sees.
//
// Answers are one line each, so that a test reads like a session:
//   rows       "1|x;2|NULL"        values by their text form, rows separated by ';'
//   tag        "INSERT 0 1"
//   error      "42703 column \"x\" does not exist @8"      the position counts characters from 1, as PostgreSQL's does
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/function_ref.h"
#include "sql/session/instance.h"
#include "storage/engine.h"
#include "tests/storage/engine_harness.h"

namespace mayfly::harness {

// A session and what it answered.
class SqlClient {
 public:
  explicit SqlClient(std::unique_ptr<session::Session> session) : session_(std::move(session)) {}

  // Runs the text. The rows of all its statements, or the error.
  std::string Rows(std::string_view sql);
  // The last command tag, or the error. Rows are not shown.
  std::string Tag(std::string_view sql);
  // The error, or nothing.
  std::string ErrorOf(std::string_view sql);
  // The rows of one statement, sorted as text: for those that promise no order.
  std::string SortedRows(std::string_view sql);
  // EXPLAIN's lines, one a line.
  std::string Explain(std::string_view sql);
  // Bytes of COPY … TO STDOUT, or the error.
  std::string CopyOut(std::string_view sql);
  // COPY … FROM STDIN: tag or error.
  std::string CopyIn(std::string_view sql, std::string_view data);
  // Messages of notices since the last call.
  std::vector<std::string> TakeNotices() { return std::exchange(notices_, {}); }
  // Columns of the last statement that returned rows: "id, data".
  const std::string& columns() const { return columns_; }

  // The extended protocol, all in text format: a named statement, then its execution with parameters.
  std::string Prepare(std::string_view name, std::string_view sql);
  std::string Execute(std::string_view name, const std::vector<std::optional<std::string>>& parameters);

  // A portal of a prepared statement without parameters, and its next rows (fewer than asked for at the end).
  std::string Open(std::string_view portal, std::string_view statement);
  std::string Fetch(std::string_view portal, int32_t rows_max);

  session::Session& session() { return *session_; }

 private:
  struct Answer;
  class Sink;
  Answer Run(std::string_view sql);

  std::unique_ptr<session::Session> session_;
  std::vector<std::string> notices_;
  std::string columns_;
};

class SqlServer {
 public:
  // 2023-11-14 22:13:20 UTC.
  static constexpr int64_t kStartMs = 1'700'000'000'000;

  // `clock` replaces the harness's own.
  explicit SqlServer(storage::EngineKind kind, Clock* clock = nullptr);
  ~SqlServer();

  // Closes everything and opens it again; sessions must be gone. On the memory engine the catalog alone starts anew.
  void Restart();
  // Restart, with `change` made to the data directory while nothing is open.
  void RestartAfter(FunctionRef<void()> change);
  // The process dies where it stands, and is started again. Sessions must be gone.
  void Crash();
  // Opens an instance on the engine again after something was changed below it; the error where it refuses.
  std::string Reopen();

  std::unique_ptr<SqlClient> Connect();
  storage::Engine& engine() { return *engine_; }
  storage::EngineKind kind() const { return kind_; }
  bool persistent() const { return kind_ == storage::EngineKind::kRocksDb; }
  ManualClock& clock() { return clock_; }
  void AdvanceMs(int64_t ms) { clock_.Advance(ms * 1000); }
  const std::string& directory() const { return directory_.path(); }
  // What storage is told of a user's table.
  storage::TableOptions OptionsOf(std::string_view table);

 private:
  void OpenEngine();
  Clock& time() { return other_clock_ != nullptr ? *other_clock_ : clock_; }

  storage::ScratchDirectory directory_;
  const storage::EngineKind kind_;
  ManualClock clock_{kStartMs * 1000};
  Clock* other_clock_;
  std::unique_ptr<storage::Engine> engine_;
  std::unique_ptr<session::Instance> instance_;
};

// A test that runs on every engine, with one session at hand.
class EverySqlEngine : public ::testing::TestWithParam<storage::EngineKind> {
 protected:
  EverySqlEngine() : db_(server_.Connect()) {}

  std::string Rows(std::string_view sql) { return db_->Rows(sql); }
  std::string Tag(std::string_view sql) { return db_->Tag(sql); }
  // Runs statements that must succeed.
  void Do(std::string_view sql) { EXPECT_EQ(db_->ErrorOf(sql), "") << sql; }
  void Restart() {
    db_.reset();
    server_.Restart();
    db_ = server_.Connect();
  }

  SqlServer server_{GetParam()};
  std::unique_ptr<SqlClient> db_;
};

// INSTANTIATE_TEST_SUITE_P(Engines, Suite, kEveryEngine, storage::EngineParamName);
inline const auto kEveryEngine = ::testing::Values(storage::EngineKind::kMemory, storage::EngineKind::kRocksDb);

}  // namespace mayfly::harness
