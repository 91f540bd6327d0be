#include "tests/wire/fake_session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/bytes.h"
#include "sql/types/vector.h"

namespace mayfly::wire {
namespace {

using types::Datum;
using types::TypeDesc;

void Int4Text(const TypeDesc&, const Datum& value, const types::IoContext&, std::string& out) {
  out.append(std::to_string(value.get<int32_t>()));
}
void Int4Binary(const TypeDesc&, const Datum& value, const types::IoContext&, std::string& out) {
  AppendBigEndian(out, value.get<int32_t>());
}
void TextBytes(const TypeDesc&, const Datum& value, const types::IoContext&, std::string& out) { out.append(value.bytes()); }

const types::TypeOps kInt4 = [] {
  types::TypeOps ops;
  ops.physical = types::PhysicalType::kInt32;
  ops.out = Int4Text;
  ops.send = Int4Binary;
  return ops;
}();
const types::TypeOps kText = [] {
  types::TypeOps ops;
  ops.out = TextBytes;
  ops.send = TextBytes;
  return ops;
}();
const TypeDesc kInt4Type{.oid = Oid{23}, .name = "int4", .ops = &kInt4, .length = 4, .category = 'N'};
const TypeDesc kTextType{.oid = Oid{25}, .name = "text", .ops = &kText, .length = -1, .category = 'S'};
const types::IoSettings kSettings;

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return lower;
}

// The number behind `prefix` in a statement like "select generate_series(1, 5)".
std::optional<int> NumberIn(const std::string& text, const char* pattern) {
  int number = 0;
  if (std::sscanf(text.c_str(), pattern, &number) != 1) return std::nullopt;
  return number;
}

// A statement that gives rows: its column and how many.
struct RowSource {
  session::ResultColumn column;
  int64_t rows = 1;
  std::string text;  // of a text column
};

std::optional<RowSource> FindRows(const std::string& text) {
  RowSource source;
  source.column.type = &kInt4Type;
  if (const auto count = NumberIn(text, "select generate_series(1, %d)")) {
    source.column.name = "generate_series";
    source.rows = *count;
  } else if (text.starts_with("select $1::int")) {
    source.column.name = "int4";
  } else if (text.starts_with("select '")) {
    source.column.name = "?column?";
    source.column.type = &kTextType;
    source.text = text.substr(8, text.size() - 9);
  } else if (text.starts_with("select abalance from pgbench_accounts")) {
    source.column.name = "abalance";
  } else if (NumberIn(text, "select %d") && text.find_first_not_of("0123456789", 7) == std::string::npos) {
    source.column.name = "?column?";
  } else {
    return std::nullopt;
  }
  return source;
}

bool IsTransaction(const std::string& text) { return text == "begin" || text == "commit" || text == "rollback"; }

// Tags of statements that only answer with one.
std::optional<std::string> PlainTag(const std::string& text) {
  if (text.starts_with("create table ")) return "CREATE TABLE";
  if (text.starts_with("drop table ")) return "DROP TABLE";
  if (text.starts_with("set ")) return "SET";
  return std::nullopt;
}

SqlError DivisionByZero() { return SqlError::MakeText(kDivisionByZero, "division by zero"); }

}  // namespace

std::vector<FakeStatement> SplitFakeStatements(std::string_view query) {
  std::vector<FakeStatement> statements;
  size_t start = 0;
  bool quoted = false;
  bool dollars = false;
  for (size_t at = 0; at <= query.size(); ++at) {
    const bool end = at == query.size();
    if (!end && query[at] == '\'') quoted = !quoted;
    if (!end && query.substr(at).starts_with("$$")) dollars = !dollars;
    if (!end && (query[at] != ';' || quoted || dollars)) continue;
    std::string_view text = query.substr(start, at - start);
    const size_t blanks = std::min(text.find_first_not_of(" \n"), text.size());
    text.remove_prefix(blanks);
    if (!text.empty()) statements.push_back({std::string(text), static_cast<int32_t>(start + blanks)});
    start = at + 1;
  }
  return statements;
}

FakeSession::FakeSession(const session::StartupRequest& request) {
  settings_ = {{"client_encoding", "UTF8"}, {"server_version", "15.0"}};
  for (const auto& setting : request.settings) settings_.push_back(setting);
}

SqlError FakeSession::Failed(SqlError error) {
  FailTransaction();
  return error;
}

void FakeSession::FailTransaction() {
  if (status_ == 'T') status_ = 'E';
  query_.clear();
}

Status FakeSession::Check(const FakeStatement& statement) const {
  const std::string text = Lower(statement.text);
  if (text == "select * from nosuch") {
    return SqlError::MakeText(kUndefinedTable, "relation \"nosuch\" does not exist").At(SourcePos{statement.offset + 14});
  }
  if (IsTransaction(text) || PlainTag(text) || FindRows(text) || text.starts_with("copy ") ||
      text.starts_with("select pg_sleep(") || text == "select 1/0") {
    return Ok();
  }
  const std::string word = statement.text.substr(0, statement.text.find(' '));
  return SqlError::Make(kSyntaxError, "syntax error at or near \"{}\"", word).At(SourcePos{statement.offset});
}

Status FakeSession::CheckTransaction(const std::string& text) const {
  if (status_ != 'E' || text == "rollback" || text == "commit") return Ok();
  return SqlError::MakeText(kInFailedSqlTransaction,
                            "current transaction is aborted, commands ignored until end of transaction block");
}

Result<Step> FakeSession::StartQuery(std::string_view text, bool may_block, ResultSink& sink) {
  if (query_.empty()) {
    statements_.erase("");
    portals_.erase("");
    query_ = SplitFakeStatements(text);
    query_at_ = 0;
    if (query_.empty()) {
      sink.EmptyQuery();
      return Step::kDone;
    }
    for (const FakeStatement& statement : query_) {
      // Names are looked up when their statement's turn comes.
      if (auto valid = Check(statement); !valid.ok() && valid.error().state == kSyntaxError)
        return Failed(std::move(valid).error());
    }
  }
  return RunQuery(may_block, sink);
}

Result<Step> FakeSession::RunQuery(bool may_block, ResultSink& sink) {
  for (; query_at_ < query_.size(); ++query_at_) {
    const FakeStatement& statement = query_[query_at_];
    Portal portal;
    portal.statement.text = Lower(statement.text);
    if (auto valid = CheckTransaction(portal.statement.text); !valid.ok()) return Failed(std::move(valid).error());
    if (auto valid = Check(statement); !valid.ok()) return Failed(std::move(valid).error());
    auto step = Run(portal, 0, true, may_block, sink);
    if (!step.ok()) return Failed(std::move(step).error());
    if (*step == Step::kDone) continue;
    if (*step == Step::kCopyIn) {
      copy_is_simple_ = true;
      ++query_at_;
    }
    return *step;
  }
  query_.clear();
  return Step::kDone;
}

Result<Step> FakeSession::Run(Portal& portal, int32_t rows_max, bool simple, bool may_block, ResultSink& sink) {
  const std::string& text = portal.statement.text;
  if (text == "select 1/0") return DivisionByZero();
  if (text.starts_with("select pg_sleep(")) return RunSleep(simple, may_block, sink);
  if (const auto source = FindRows(text)) {
    if (simple) sink.RowDescription(std::span(&source->column, 1), std::span(&portal.format, 1));
    return RunRows(portal, rows_max, sink);
  }
  if (IsTransaction(text)) return RunTransaction(text, sink);
  if (text.starts_with("copy ") && text.ends_with("from stdin")) {
    copy_rows_ = 0;
    copy_is_simple_ = false;
    sink.CopyInResponse({false, 1});
    return Step::kCopyIn;
  }
  if (text.starts_with("copy ")) {
    sink.CopyOutResponse({false, 1});
    sink.CopyData("1\n");
    sink.CopyDone();
    sink.CommandComplete("COPY 1");
    return Step::kDone;
  }
  if (text.starts_with("set application_name = '")) sink.ParameterStatus("application_name", text.substr(24, text.size() - 25));
  sink.CommandComplete(*PlainTag(text));
  return Step::kDone;
}

Result<Step> FakeSession::RunRows(Portal& portal, int32_t rows_max, ResultSink& sink) {
  const RowSource source = *FindRows(portal.statement.text);
  types::Vector column(source.column.type->physical(), 1);
  const types::Batch batch{{&column}, 1, nullptr, 0};
  const types::IoContext io{kSettings};
  int64_t sent = 0;
  for (; portal.rows_sent < source.rows; ++portal.rows_sent, ++sent) {
    if (rows_max != 0 && sent == rows_max) {
      sink.PortalSuspended();
      return Step::kDone;
    }
    column.Reset();
    if (!portal.parameters.empty() && !portal.parameters[0]) {
      column.SetNull(0);
    } else if (source.column.type == &kTextType) {
      column.SetBytes(0, source.text);
    } else {
      const bool binary = !portal.parameter_formats.empty() && portal.parameter_formats[0] == Format::kBinary;
      const std::string given = portal.parameters.empty() ? "" : *portal.parameters[0];
      const bool counts = source.column.name == "generate_series";
      column.Set<int32_t>(0, counts          ? static_cast<int32_t>(portal.rows_sent + 1)
                             : given.empty() ? std::atoi(portal.statement.text.c_str() + 7)
                             : binary        ? LoadBigEndian<int32_t>(given.data())
                                             : std::atoi(given.c_str()));
    }
    sink.Rows(batch, std::span(&source.column, 1), std::span(&portal.format, 1), io);
  }
  // PostgreSQL notices the end of the rows only when it is asked for more than there are.
  if (rows_max != 0 && sent == rows_max) {
    sink.PortalSuspended();
  } else {
    sink.CommandComplete("SELECT " + std::to_string(sent));
  }
  return Step::kDone;
}

Result<Step> FakeSession::RunTransaction(const std::string& text, ResultSink& sink) {
  if (text == "begin") {
    status_ = 'T';
    sink.CommandComplete("BEGIN");
    return Step::kDone;
  }
  if (status_ == 'I') {
    sink.Notice(SqlError::MakeText(kNoActiveSqlTransaction, "there is no transaction in progress").As(Severity::kWarning));
  }
  sink.CommandComplete(text == "commit" && status_ != 'E' ? "COMMIT" : "ROLLBACK");
  status_ = 'I';
  portals_.clear();
  return Step::kDone;
}

// Sleeps until it is interrupted, or its time is over.
Result<Step> FakeSession::RunSleep(bool simple, bool may_block, ResultSink& sink) {
  if (!may_block) return Step::kWouldBlock;
  std::unique_lock lock(mutex_);
  sleeping_ = true;
  interrupted_.wait_for(lock, std::chrono::seconds(20), [this] { return interrupt_.has_value(); });
  sleeping_ = false;
  if (interrupt_) {
    SqlError error = *std::move(interrupt_);
    interrupt_.reset();
    return error;
  }
  if (simple) sink.NoData();
  sink.CommandComplete("SELECT 1");
  return Step::kDone;
}

void FakeSession::RequestInterrupt(SqlError error) {
  const std::lock_guard lock(mutex_);
  if (!sleeping_) return;
  interrupt_ = std::move(error);
  interrupted_.notify_all();
}

Status FakeSession::Parse(std::string_view name, std::string_view text, std::span<const Oid>, ResultSink&) {
  if (!name.empty() && statements_.contains(name)) {
    return Failed(SqlError::Make(kDuplicatePstatement, "prepared statement \"{}\" already exists", name));
  }
  const std::vector<FakeStatement> statements = SplitFakeStatements(text);
  if (statements.size() > 1) {
    return Failed(SqlError::MakeText(kSyntaxError, "cannot insert multiple commands into a prepared statement"));
  }
  Statement statement;
  if (!statements.empty()) {
    statement.text = Lower(statements[0].text);
    // PostgreSQL's order: syntax, failed transaction, names.
    auto valid = Check(statements[0]);
    if (!valid.ok() && valid.error().state == kSyntaxError) return Failed(std::move(valid).error());
    if (auto allowed = CheckTransaction(statement.text); !allowed.ok()) return Failed(std::move(allowed).error());
    if (!valid.ok()) return Failed(std::move(valid).error());
  }
  statement.parameter_count = statement.text.find("$1") == std::string::npos ? 0 : 1;
  statements_.insert_or_assign(std::string(name), std::move(statement));
  return Ok();
}

Status FakeSession::Bind(const session::BindRequest& request, ResultSink&) {
  const auto found = statements_.find(request.statement);
  if (found == statements_.end()) {
    return Failed(request.statement.empty()
                      ? SqlError::MakeText(kInvalidSqlStatementName, "unnamed prepared statement does not exist")
                      : SqlError::Make(kInvalidSqlStatementName, "prepared statement \"{}\" does not exist", request.statement));
  }
  if (request.parameters.size() != found->second.parameter_count) {
    return Failed(SqlError::Make(kProtocolViolation,
                                 "bind message supplies {} parameters, but prepared statement \"{}\" requires {}",
                                 request.parameters.size(), request.statement, found->second.parameter_count));
  }
  if (auto allowed = CheckTransaction(found->second.text); !allowed.ok()) return Failed(std::move(allowed).error());
  if (!request.portal.empty() && portals_.contains(request.portal)) {
    return Failed(SqlError::Make(kDuplicateCursor, "cursor \"{}\" already exists", request.portal));
  }
  // PostgreSQL plans here, and folds constants.
  if (found->second.text == "select 1/0") return Failed(DivisionByZero());
  Portal portal;
  portal.statement = found->second;
  for (const auto& parameter : request.parameters) {
    portal.parameters.push_back(parameter ? std::optional<std::string>(*parameter) : std::nullopt);
  }
  portal.parameter_formats.assign(request.parameter_formats.begin(), request.parameter_formats.end());
  if (!request.result_formats.empty()) portal.format = request.result_formats[0];
  portals_.insert_or_assign(std::string(request.portal), std::move(portal));
  return Ok();
}

Status FakeSession::DescribeStatement(std::string_view name, ResultSink& sink) {
  const auto found = statements_.find(name);
  if (found == statements_.end()) {
    return Failed(SqlError::Make(kInvalidSqlStatementName, "prepared statement \"{}\" does not exist", name));
  }
  const std::vector<Oid> types(found->second.parameter_count, Oid{23});
  sink.ParameterDescription(types);
  const Format format = Format::kText;
  if (const auto source = FindRows(found->second.text)) {
    sink.RowDescription(std::span(&source->column, 1), std::span(&format, 1));
  } else {
    sink.NoData();
  }
  return Ok();
}

Result<FakeSession::Portal*> FakeSession::FindPortal(std::string_view name) {
  const auto found = portals_.find(name);
  if (found == portals_.end()) return Failed(SqlError::Make(kInvalidCursorName, "portal \"{}\" does not exist", name));
  return &found->second;
}

Status FakeSession::DescribePortal(std::string_view name, ResultSink& sink) {
  TRY(Portal*, portal, FindPortal(name));
  if (const auto source = FindRows(portal->statement.text)) {
    sink.RowDescription(std::span(&source->column, 1), std::span(&portal->format, 1));
  } else {
    sink.NoData();
  }
  return Ok();
}

Result<Step> FakeSession::Execute(std::string_view name, int32_t rows_max, bool may_block, ResultSink& sink) {
  TRY(Portal*, portal, FindPortal(name));
  if (portal->statement.text.empty()) {
    sink.EmptyQuery();
    return Step::kDone;
  }
  auto step = Run(*portal, rows_max, false, may_block, sink);
  if (!step.ok()) return Failed(std::move(step).error());
  return step;
}

void FakeSession::CloseStatement(std::string_view name) {
  if (const auto found = statements_.find(name); found != statements_.end()) statements_.erase(found);
}
void FakeSession::ClosePortal(std::string_view name) {
  if (const auto found = portals_.find(name); found != portals_.end()) portals_.erase(found);
}

Result<Step> FakeSession::Sync(bool, ResultSink&) {
  if (status_ == 'I') portals_.clear();
  return Step::kDone;
}

Result<Step> FakeSession::CopyData(std::string_view bytes, bool, ResultSink&) {
  if (bytes.starts_with('x')) {
    return Failed(SqlError::MakeText(kInvalidTextRepresentation, "invalid input syntax for type integer: \"x\"")
                      .Context("COPY wire_script, line 1, column a: \"x\""));
  }
  copy_rows_ += std::count(bytes.begin(), bytes.end(), '\n');
  return Step::kDone;
}

Result<Step> FakeSession::CopyDone(bool may_block, ResultSink& sink) {
  sink.CommandComplete("COPY " + std::to_string(copy_rows_));
  return copy_is_simple_ ? RunQuery(may_block, sink) : Step::kDone;
}

SqlError FakeSession::CopyFail(std::string_view message, ResultSink&) {
  return Failed(SqlError::Make(kQueryCanceled, "COPY from stdin failed: {}", message)
                    .Context(fmt::format("COPY wire_script, line {}", copy_rows_ + 1)));
}

Result<std::unique_ptr<session::Session>> FakeInstance::NewSession(const session::StartupRequest& request) {
  if (request.user == "nobody") {
    return SqlError::MakeText(kInvalidAuthorizationSpecification, "role \"nobody\" does not exist").As(Severity::kFatal);
  }
  if (request.database == "nosuch") {
    return SqlError::MakeText(kInvalidCatalogName, "database \"nosuch\" does not exist").As(Severity::kFatal);
  }
  return std::unique_ptr<session::Session>(std::make_unique<FakeSession>(request));
}

std::optional<std::string> FakeInstance::PasswordVerifier(std::string_view user) const {
  const auto found = verifiers.find(user);
  return found == verifiers.end() ? std::nullopt : std::optional<std::string>(found->second);
}

}  // namespace mayfly::wire
