// tests/golden/command: SQL in; tags, notices, errors and rows out. A fresh in-memory server for each file; a case may have several statements.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "sql/session/instance.h"
#include "storage/memory/memory_engine.h"
#include "tests/golden/golden.h"

namespace mayfly::command {
namespace {

std::string PrintError(const SqlError& error) {
  std::string out = fmt::format("{} {} {}", SeverityName(error.severity), error.state.code(), error.message);
  if (error.character_position > 0) out += fmt::format(" @{}", error.character_position);
  if (error.position.known()) out += fmt::format(" @{}", error.position.offset + 1);  // the texts are ASCII
  out += "\n";
  if (!error.detail.empty()) out += "  DETAIL: " + error.detail + "\n";
  if (!error.hint.empty()) out += "  HINT: " + error.hint + "\n";
  return out;
}

// Prints what a client would see.
class PrintingSink final : public session::ResultSink {
 public:
  std::string Take() { return std::exchange(out_, {}); }

  void RowDescription(std::span<const session::ResultColumn> columns, std::span<const session::Format>) override {
    std::string line;
    for (const session::ResultColumn& column : columns) line += (line.empty() ? "" : " | ") + column.name;
    out_ += "[" + line + "]\n";
  }
  void Rows(const types::Batch& batch, std::span<const session::ResultColumn> columns, std::span<const session::Format>,
            const types::IoContext& io) override {
    const types::Selection rows = batch.selection();
    for (size_t i = 0; i < rows.count; ++i) {
      for (size_t column = 0; column < columns.size(); ++column) {
        if (column > 0) out_ += " | ";
        const types::Datum value = batch.columns[column]->Get(rows[i]);
        if (value.is_null()) {
          out_ += "NULL";
        } else {
          columns[column].type->ops->out(*columns[column].type, value, io, out_);
        }
      }
      out_ += "\n";
    }
  }
  void CommandComplete(std::string_view tag) override { out_ += std::string(tag) + "\n"; }
  void Notice(const SqlError& notice) override { out_ += PrintError(notice); }
  void NoData() override {}
  void ParameterDescription(std::span<const Oid>) override {}
  void EmptyQuery() override {}
  void PortalSuspended() override {}
  void CopyInResponse(const session::CopyFormat&) override {}
  void CopyOutResponse(const session::CopyFormat&) override {}
  void CopyData(std::string_view bytes) override { out_ += bytes; }
  void CopyDone() override {}
  void ParameterStatus(std::string_view, std::string_view) override {}

 private:
  std::string out_;
};

class Server {
 public:
  Server() : clock_(1'700'000'000'000'000), engine_(storage::NewMemoryEngine(clock_)) {
    instance_ = session::OpenInstance(*engine_, clock_, session::InstanceOptions()).value();
    session::StartupRequest request;
    request.user = "postgres";
    request.database = "mayfly";
    session_ = instance_->NewSession(request).value();
  }
  std::string Run(const std::string& text) {
    PrintingSink sink;
    const Result<session::Step> step = session_->StartQuery(text, true, sink);
    return step.ok() ? sink.Take() : sink.Take() + PrintError(step.error());
  }

 private:
  ManualClock clock_;
  std::unique_ptr<storage::Engine> engine_;
  std::unique_ptr<session::Instance> instance_;
  std::unique_ptr<session::Session> session_;
};

class CommandGolden : public testing::TestWithParam<std::string> {};

TEST_P(CommandGolden, Agrees) {
  Server server;
  golden::RunFile(std::filesystem::path(MAYFLY_SOURCE_DIR) / "tests/golden/command" / GetParam(),
                  [&](const std::string& text) { return server.Run(text); });
}

INSTANTIATE_TEST_SUITE_P(Files, CommandGolden,
                         testing::Values("create_table.txt", "create_table_error.txt", "ttl_option.txt", "alter_table.txt", "primary_key.txt",
                                         "rename.txt", "drop.txt", "schema.txt", "truncate.txt", "comment.txt", "lock_table.txt",
                                         "maintenance.txt"),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

}  // namespace
}  // namespace mayfly::command
