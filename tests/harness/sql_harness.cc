#include "tests/harness/sql_harness.h"

#include <algorithm>
#include <filesystem>

#include "catalog/catalog.h"

namespace mayfly::harness {

struct SqlClient::Answer {
  std::vector<std::string> rows;
  std::string tag;
  std::string copied;
  bool wants_copy = false;
  std::string error;  // empty: it went well
};

namespace {

std::string Print(const SqlError& error) {
  std::string text = std::string(error.state.code()) + ' ' + error.message;
  if (error.character_position > 0) {
    text += fmt::format(" @{}", error.character_position);
  } else if (error.position.known()) {
    text += fmt::format(" @{}", error.position.offset + 1);  // the texts are ASCII
  }
  return text;
}

std::string Join(const std::vector<std::string>& lines, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) text.append(i == 0 ? "" : separator).append(lines[i]);
  return text;
}

}  // namespace

class SqlClient::Sink final : public session::ResultSink {
 public:
  Sink(Answer& answer, SqlClient& client) : answer_(answer), client_(client) {}

  void RowDescription(std::span<const session::ResultColumn> columns, std::span<const session::Format>) override {
    client_.columns_.clear();
    for (const session::ResultColumn& column : columns) client_.columns_ += (client_.columns_.empty() ? "" : ", ") + column.name;
  }
  void Rows(const types::Batch& batch, std::span<const session::ResultColumn> columns, std::span<const session::Format>,
            const types::IoContext& io) override {
    const types::Selection rows = batch.selection();
    for (size_t i = 0; i < rows.count; ++i) {
      std::string line;
      for (size_t column = 0; column < columns.size(); ++column) {
        if (column > 0) line += '|';
        const types::Datum value = batch.columns[column]->Get(rows[i]);
        if (value.is_null()) {
          line += "NULL";
        } else {
          columns[column].type->ops->out(*columns[column].type, value, io, line);
        }
      }
      answer_.rows.push_back(std::move(line));
    }
  }
  void CommandComplete(std::string_view tag) override { answer_.tag = tag; }
  void Notice(const SqlError& notice) override { client_.notices_.push_back(notice.message); }
  void CopyInResponse(const session::CopyFormat&) override { answer_.wants_copy = true; }
  void CopyData(std::string_view bytes) override { answer_.copied += bytes; }
  void NoData() override {}
  void ParameterDescription(std::span<const Oid>) override {}
  void EmptyQuery() override {}
  void PortalSuspended() override {}
  void CopyOutResponse(const session::CopyFormat&) override {}
  void CopyDone() override {}
  void ParameterStatus(std::string_view, std::string_view) override {}

 private:
  Answer& answer_;
  SqlClient& client_;
};

SqlClient::Answer SqlClient::Run(std::string_view sql) {
  Answer answer;
  Sink sink(answer, *this);
  const Result<session::Step> step = session_->StartQuery(sql, /*may_block=*/true, sink);
  if (!step.ok()) answer.error = Print(step.error());
  return answer;
}

std::string SqlClient::Rows(std::string_view sql) {
  const Answer answer = Run(sql);
  return answer.error.empty() ? Join(answer.rows, ";") : answer.error;
}

std::string SqlClient::Tag(std::string_view sql) {
  const Answer answer = Run(sql);
  return answer.error.empty() ? answer.tag : answer.error;
}

std::string SqlClient::ErrorOf(std::string_view sql) { return Run(sql).error; }

std::string SqlClient::SortedRows(std::string_view sql) {
  Answer answer = Run(sql);
  std::ranges::sort(answer.rows);
  return answer.error.empty() ? Join(answer.rows, ";") : answer.error;
}

std::string SqlClient::Explain(std::string_view sql) {
  const Answer answer = Run("EXPLAIN (COSTS OFF) " + std::string(sql));
  return answer.error.empty() ? Join(answer.rows, "\n") : answer.error;
}

std::string SqlClient::CopyOut(std::string_view sql) {
  const Answer answer = Run(sql);
  return answer.error.empty() ? answer.copied : answer.error;
}

std::string SqlClient::CopyIn(std::string_view sql, std::string_view data) {
  Answer answer;
  Sink sink(answer, *this);
  Result<session::Step> step = session_->StartQuery(sql, true, sink);
  if (step.ok() && *step == session::Step::kCopyIn) step = session_->CopyData(data, true, sink);
  if (step.ok() && *step == session::Step::kCopyIn) step = session_->CopyDone(true, sink);
  return step.ok() ? answer.tag : Print(step.error());
}

std::string SqlClient::Prepare(std::string_view name, std::string_view sql) {
  Answer answer;
  Sink sink(answer, *this);
  const Status parsed = session_->Parse(name, sql, {}, sink);
  std::string result = parsed.ok() ? "" : Print(parsed.error());
  if (const Result<session::Step> synced = session_->Sync(true, sink); !synced.ok()) result = Print(synced.error());
  return result;
}

std::string SqlClient::Execute(std::string_view name, const std::vector<std::optional<std::string>>& parameters) {
  Answer answer;
  Sink sink(answer, *this);
  std::vector<std::optional<std::string_view>> values;
  for (const auto& parameter : parameters) values.emplace_back(parameter);
  std::string error;
  const auto note = [&](const auto& result) {
    if (!result.ok() && error.empty()) error = Print(result.error());
    return result.ok();
  };
  if (note(session_->Bind({.portal = "", .statement = name, .parameter_formats = {}, .parameters = values, .result_formats = {}}, sink)) &&
      note(session_->DescribePortal("", sink))) {
    note(session_->Execute("", 0, true, sink));
  }
  note(session_->Sync(true, sink));
  if (!error.empty()) return error;
  return answer.rows.empty() ? answer.tag : Join(answer.rows, ";");
}

std::string SqlClient::Open(std::string_view portal, std::string_view statement) {
  Answer answer;
  Sink sink(answer, *this);
  const Status bound =
      session_->Bind({.portal = portal, .statement = statement, .parameter_formats = {}, .parameters = {}, .result_formats = {}}, sink);
  return bound.ok() ? "" : Print(bound.error());
}

std::string SqlClient::Fetch(std::string_view portal, int32_t rows_max) {
  Answer answer;
  Sink sink(answer, *this);
  const Result<session::Step> step = session_->Execute(portal, rows_max, true, sink);
  return step.ok() ? Join(answer.rows, ";") : Print(step.error());
}

SqlServer::SqlServer(storage::EngineKind kind, Clock* clock) : kind_(kind), other_clock_(clock) {
  OpenEngine();
  const std::string error = Reopen();
  EXPECT_EQ(error, "");
}

SqlServer::~SqlServer() {
  instance_.reset();
  engine_.reset();
}

void SqlServer::OpenEngine() {
  if (kind_ == storage::EngineKind::kMemory) {
    engine_ = storage::NewMemoryEngine(time());
  } else {
    engine_ = storage::Must(storage::OpenRocksDbEngine(storage::SmallOptions(directory_.path()), time()));
  }
}

// The files as they are now are what the next start finds; what the orderly end writes is thrown away.
void SqlServer::Crash() {
  namespace fs = std::filesystem;
  const storage::ScratchDirectory copy;
  constexpr auto kWhole = fs::copy_options::recursive | fs::copy_options::overwrite_existing;
  fs::copy(directory(), copy.path(), kWhole);
  RestartAfter([&] {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory())) fs::remove_all(entry.path());
    fs::copy(copy.path(), directory(), kWhole);
  });
}

std::string SqlServer::Reopen() {
  instance_.reset();
  session::InstanceOptions options;
  options.random_seed = 1;
  options.settings.emplace_back("TimeZone", "UTC");
  auto instance = session::OpenInstance(*engine_, time(), options);
  if (!instance.ok()) return Print(instance.error());
  instance_ = std::move(instance).value();
  return "";
}

void SqlServer::Restart() {
  RestartAfter([] {});
}

void SqlServer::RestartAfter(FunctionRef<void()> change) {
  instance_.reset();
  if (persistent()) engine_.reset();
  change();
  if (persistent()) OpenEngine();
  EXPECT_EQ(Reopen(), "");
}

std::unique_ptr<SqlClient> SqlServer::Connect() {
  session::StartupRequest request;
  request.user = "postgres";
  request.database = "mayfly";
  return std::make_unique<SqlClient>(storage::Must(instance_->NewSession(request)));
}

storage::TableOptions SqlServer::OptionsOf(std::string_view table) {
  const auto catalog = storage::Must(catalog::OpenCatalog(*engine_, {}));
  const catalog::TablePtr found = catalog->Current()->FindTable(catalog::kPublicSchema, table);
  EXPECT_NE(found, nullptr) << table;
  return found->storage_options();
}

}  // namespace mayfly::harness
