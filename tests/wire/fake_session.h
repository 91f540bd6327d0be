// A Session that understands a handful of statements, so that the protocol can be tested without a database. What it answers is
// what PostgreSQL answers to the same statements: the scripts run against both.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sql/session/instance.h"
#include "sql/session/session.h"

namespace mayfly::wire {

using session::Format;
using session::ResultSink;
using session::Step;

// One statement's text and where it begins in the query string.
struct FakeStatement {
  std::string text;
  int32_t offset = 0;
};
std::vector<FakeStatement> SplitFakeStatements(std::string_view query);

class FakeSession final : public session::Session {
 public:
  explicit FakeSession(const session::StartupRequest& request);

  Result<Step> StartQuery(std::string_view text, bool may_block, ResultSink& sink) override;
  Status Parse(std::string_view name, std::string_view text, std::span<const Oid> parameter_types, ResultSink& sink) override;
  Status Bind(const session::BindRequest& request, ResultSink& sink) override;
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
  char transaction_status() const override { return status_; }
  std::vector<std::pair<std::string, std::string>> ReportedSettings() const override { return settings_; }
  void RequestInterrupt(SqlError error) override;
  void ShrinkWhenIdle() override { ++shrink_count; }

  int shrink_count = 0;

 private:
  struct Statement {
    std::string text;  // lower case, without what follows the first semicolon
    size_t parameter_count = 0;
  };
  struct Portal {
    Statement statement;
    std::vector<std::optional<std::string>> parameters;
    std::vector<Format> parameter_formats;
    Format format = Format::kText;
    int64_t rows_sent = 0;
    bool done = false;
  };

  Result<Step> RunQuery(bool may_block, ResultSink& sink);
  Result<Step> Run(Portal& portal, int32_t rows_max, bool simple, bool may_block, ResultSink& sink);
  Result<Step> RunRows(Portal& portal, int32_t rows_max, ResultSink& sink);
  Result<Step> RunTransaction(const std::string& text, ResultSink& sink);
  Result<Step> RunSleep(bool simple, bool may_block, ResultSink& sink);
  Status Check(const FakeStatement& statement) const;
  Status CheckTransaction(const std::string& text) const;
  Result<Portal*> FindPortal(std::string_view name);
  SqlError Failed(SqlError error);

  char status_ = 'I';
  std::vector<std::pair<std::string, std::string>> settings_;
  std::map<std::string, Statement, std::less<>> statements_;
  std::map<std::string, Portal, std::less<>> portals_;
  // The simple query that is being run, and how far it is.
  std::vector<FakeStatement> query_;
  size_t query_at_ = 0;
  bool copy_is_simple_ = false;
  int64_t copy_rows_ = 0;

  std::mutex mutex_;
  std::condition_variable interrupted_;
  std::optional<SqlError> interrupt_;
  bool sleeping_ = false;
};

class FakeInstance final : public session::Instance {
 public:
  Result<std::unique_ptr<session::Session>> NewSession(const session::StartupRequest& request) override;
  std::optional<std::string> PasswordVerifier(std::string_view user) const override;
  std::string Setting(std::string_view) const override { return {}; }

  std::map<std::string, std::string, std::less<>> verifiers;
};

}  // namespace mayfly::wire
