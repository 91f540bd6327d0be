// The session itself: what session.h promises, over transaction state, settings, prepared statements and portals.
//
//   session_simple.cc    StartQuery          session_extended.cc  Parse … Sync
//   run_query.cc         SELECT and writes   run_utility.cc       everything else       session_copy.cc  COPY
//   session_info.cc      what functions and system tables may ask of a session
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/name_resolver.h"
#include "catalog/virtual_table.h"
#include "sql/command/command.h"
#include "sql/session/instance_impl.h"
#include "sql/session/prepared_statement.h"
#include "sql/session/session.h"
#include "sql/session/settings.h"
#include "sql/session/transaction_state.h"
#include "sql/store/relation_lock.h"

namespace mayfly::session {

class SessionImpl final : public Session, private command::CommandHost, private func::SessionInfo, private catalog::RuntimeInfo {
 public:
  SessionImpl(InstanceImpl& instance, const StartupRequest& request, Oid role, Settings settings, uint64_t random_seed);
  ~SessionImpl() override;

  Result<Step> StartQuery(std::string_view text, bool may_block, ResultSink& sink) override;
  Status Parse(std::string_view name, std::string_view text, std::span<const Oid> parameter_types, ResultSink& sink) override;
  Status Bind(const BindRequest& request, ResultSink& sink) override;
  Status DescribeStatement(std::string_view name, ResultSink& sink) override;
  Status DescribePortal(std::string_view name, ResultSink& sink) override;
  Result<Step> Execute(std::string_view portal, int32_t rows_max, bool may_block, ResultSink& sink) override;
  void CloseStatement(std::string_view name) override;
  void ClosePortal(std::string_view name) override;
  Result<Step> Sync(bool may_block, ResultSink& sink) override;
  Result<Step> CopyData(std::string_view bytes, bool may_block, ResultSink& sink) override;
  Result<Step> CopyDone(bool may_block, ResultSink& sink) override;
  SqlError CopyFail(std::string_view message, ResultSink& sink) override;
  void FailTransaction() override;
  char transaction_status() const override { return txn_.status(); }
  std::vector<std::pair<std::string, std::string>> ReportedSettings() const override;
  void RequestInterrupt(SqlError error) override;
  void ShrinkWhenIdle() override;

 private:
  struct StringHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  template <typename T>
  using ByName = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

  // A simple query that is under way: it may have to go on on a worker, or after COPY data.
  struct SimpleQuery {
    std::vector<std::shared_ptr<const parse::Statement>> statements;
    size_t next = 0;
    std::unique_ptr<Portal> portal;  // of statements[next], once it is analyzed
  };
  struct CopyState {
    std::unique_ptr<command::CopyIn> copy;
    std::unique_ptr<Portal> portal;
    bool simple = false;
  };

  // ---- session_impl.cc ----
  // Runs `body` as (part of) a statement: errors become results, after the transaction has been told. The only catch in sql/.
  template <typename Body>
  auto Guard(ResultSink& sink, Body body) -> Result<decltype(body())>;
  SqlError Fail(SqlError error);
  void BeginStatement();
  void RefreshSettings();
  void FinishStatement(ResultSink& sink);
  storage::LockOptions lock_options() const;
  analyze::AnalyzeContext analysis() const;
  void RequireUsable(const parse::Statement* statement) const;
  void Warn(const SqlError& notice);

  // ---- session_simple.cc ----
  Step ContinueSimpleQuery(bool may_block, ResultSink& sink);

  // ---- session_extended.cc ----
  PreparedPtr FindPreparedPtr(std::string_view name);
  Portal& FindPortal(std::string_view name);
  // Portals of a (sub)transaction, those made with at least so many savepoints: what they hold is given back before it ends. They are gone
  // once the statement that ends it has answered.
  void StopPortals(size_t savepoints);
  void EndPortals(size_t savepoints);
  void DropEndedPortals();
  // RELEASE: they belong to the transaction around now.
  void MovePortals(size_t savepoints);
  static void RequireSendable(std::span<const ResultColumn> columns, std::span<const Format> formats);
  void BindParameters(Portal& portal, const BindRequest& request);

  // ---- run_query.cc ----
  // Analyzes and plans the statement where that is not done, or no longer true. `fixed_columns`: the client knows the result's shape (0A000 if it
  // would change).
  void Prepare(PreparedStatement& prepared, bool fixed_columns);
  // What planning the statement anew would throw now.
  static void RequirePlannable(const PreparedStatement& prepared);
  static bool IsQuery(const parse::Statement& statement);
  Step RunPortal(Portal& portal, int32_t rows_max, bool may_block, ResultSink& sink);
  Step RunQuery(Portal& portal, int32_t rows_max, bool may_block, ResultSink& sink);
  void OpenQuery(Portal& portal);
  void RequireWritable(const PreparedStatement& prepared) const;
  void LockWrittenTables(Portal& portal);
  static void Describe(Portal& portal, ResultSink& sink);
  void HoldRows(Portal& portal);
  static const types::Batch* NextBatch(Portal& portal);
  bool SendRows(Portal& portal, uint64_t rows_max, ResultSink& sink);
  void FinishQuery(Portal& portal);
  std::unique_ptr<exec::ExecContext> MakeExecContext(Portal& portal);

  // ---- run_utility.cc ----
  // Result columns of a statement that is no query; empty where it returns none.
  std::vector<ResultColumn> UtilityColumns(const parse::Statement& statement);
  Step RunUtility(Portal& portal, int32_t rows_max, bool may_block, ResultSink& sink);
  // Inside BEGIN … COMMIT, or a text of several statements.
  bool InBlock() const { return txn_.in_block() || (simple_ != nullptr && simple_->statements.size() > 1); }
  void RunOther(Portal& portal, ResultSink& sink);
  void RunSqlCommand(Portal& portal);
  std::string RunChained(const parse::TransactionStatement& statement);
  std::string RunTransaction(const parse::TransactionStatement& statement);
  std::string RunSet(const parse::SetStatement& statement);
  void RunShow(Portal& portal, const parse::ShowStatement& statement, ResultSink& sink);
  void RunDiscard(const parse::DiscardStatement& statement);
  std::string RunPrepare(const Portal& portal, const parse::PrepareStatement& statement);
  std::string RunDeallocate(const parse::DeallocateStatement& statement);
  Step RunExecute(Portal& portal, const parse::ExecuteStatement& statement, int32_t rows_max, bool may_block, ResultSink& sink);
  void RunExplain(Portal& portal, const parse::ExplainStatement& statement, ResultSink& sink);
  static std::string QuoteIfNeeded(const std::string& name);
  types::OwnedDatum Evaluate(const analyze::ExprPtr& expr);
  std::unique_ptr<Portal> MakeExecutePortal(const parse::ExecuteStatement& statement);
  void SendTextRows(Portal& portal, const std::vector<std::vector<std::optional<std::string>>>& rows, ResultSink& sink);

  // ---- session_copy.cc ----
  Step StartCopy(Portal& portal, const parse::CopyStatement& statement, bool may_block, ResultSink& sink);
  void RunCopyOut(Portal& portal, const parse::CopyStatement& statement, ResultSink& sink);

  // command::CommandHost
  storage::Transaction& storage_transaction() override { return txn_.StorageForWrite(); }
  catalog::CatalogTransaction& catalog_transaction() override { return txn_.CatalogForWrite(); }
  void Notice(const SqlError& notice) override { Warn(notice); }

  // func::SessionInfo
  std::string_view database_name() const override { return database_; }
  std::string_view user_name() const override { return user_; }
  std::string_view session_user_name() const override { return user_; }
  int32_t backend_pid() const override { return backend_pid_; }
  std::vector<std::string> CurrentSchemas(bool with_implicit) const override;
  std::optional<std::string> GetSetting(std::string_view name) const override;
  std::string SetSetting(std::string_view name, std::string_view value, bool is_local) override;
  std::optional<std::string> DescribeObject(std::string_view what, Oid oid, int32_t sub_id, bool pretty) const override;
  std::optional<bool> IsVisible(std::string_view what, Oid oid) const override;

  // catalog::RuntimeInfo
  void ForEachSetting(FunctionRef<void(const SettingRow&)> fn) const override;

  InstanceImpl& instance_;
  const std::string database_;
  const std::string user_;
  const Oid role_;
  const int32_t backend_pid_;
  Settings settings_;
  TransactionState txn_;
  MemoryAccount memory_;
  std::mt19937_64 random_;

  // What follows from settings, as of settings_seen_.
  uint64_t settings_seen_ = 0;
  types::IoSettings io_settings_;
  std::vector<std::string> search_path_;
  int64_t lock_timeout_ms_ = -1;
  int64_t statement_timeout_ms_ = 0;
  int64_t work_mem_bytes_ = 0;

  // Of the statement that runs.
  catalog::SnapshotPtr catalog_;
  std::unique_ptr<types::NameResolver> names_;
  func::CallContext call_;
  ResultSink* sink_ = nullptr;
  std::string_view query_text_;    // of a simple query, during the call
  std::string planned_text_;       // of the statement that is planned: where positions of errors lie; empty = the message's own text
  std::vector<catalog::TablePtr> written_tables_;  // errors of their rows name their schema

  ByName<PreparedPtr> prepared_;
  ByName<std::unique_ptr<Portal>> portals_;
  std::optional<size_t> ended_portals_;  // of EndPortals
  std::unique_ptr<SimpleQuery> simple_;
  std::optional<CopyState> copy_;

  storage::Interrupt interrupt_;
  std::mutex interrupt_mutex_;
  bool running_ = false;                      // guarded by interrupt_mutex_
  std::optional<SqlError> interrupt_error_;   // guarded by interrupt_mutex_
};

}  // namespace mayfly::session
