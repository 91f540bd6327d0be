#include "sql/session/session_impl.h"

#include "sql/session/guard.h"
#include "sql/types/utf8.h"

namespace mayfly::session {

namespace {

constexpr int64_t kEpochDeltaMicros = 946'684'800LL * 1'000'000;

// Order of client_min_messages; INFO always passes.
int Level(std::string_view name) {
  if (name.starts_with("debug")) return 0;
  if (name == "log") return 1;
  if (name == "notice") return 2;
  if (name == "warning") return 3;
  return 4;
}
int Level(Severity severity) {
  switch (severity) {
    case Severity::kDebug: return 0;
    case Severity::kLog: return 1;
    case Severity::kNotice: return 2;
    case Severity::kWarning: return 3;
    default: return 5;
  }
}

}  // namespace

SessionImpl::SessionImpl(InstanceImpl& instance, const StartupRequest& request, Oid role, Settings settings, uint64_t random_seed)
    : instance_(instance),
      database_(request.database),
      user_(request.user),
      role_(role),
      backend_pid_(request.backend_pid),
      settings_(std::move(settings)),
      txn_(instance.engine(), instance.catalog(), settings_),
      memory_(0, &instance.memory()),
      random_(random_seed),
      call_{.io = {io_settings_}} {
  call_.session = this;
  call_.clock = &instance.clock();
  call_.random = &random_;
  call_.interrupt = &interrupt_.requested;
  RefreshSettings();
  settings_.TakeChangedReports();
}

SessionImpl::~SessionImpl() { instance_.timer().Disarm(this); }

void SessionImpl::RefreshSettings() {
  if (settings_seen_ == settings_.version()) return;
  settings_seen_ = settings_.version();
  const int64_t transaction_timestamp = io_settings_.transaction_timestamp;
  io_settings_ = settings_.MakeIoSettings().value();
  io_settings_.transaction_timestamp = transaction_timestamp;
  search_path_ = settings_.SearchPath(user_);
  lock_timeout_ms_ = settings_.GetInteger("lock_timeout");
  if (lock_timeout_ms_ == 0) lock_timeout_ms_ = -1;
  statement_timeout_ms_ = settings_.GetInteger("statement_timeout");
  work_mem_bytes_ = settings_.GetInteger("work_mem") * 1024;
}

void SessionImpl::BeginStatement() {
  written_tables_.clear();
  const int64_t now = instance_.clock().NowMicros();
  txn_.BeginStatement(now);
  RefreshSettings();
  call_.statement_timestamp = now - kEpochDeltaMicros;
  io_settings_.transaction_timestamp = txn_.transaction_timestamp();
  if (catalog_ == nullptr || catalog_->version() != txn_.CatalogVersionNow() || txn_.has_catalog_changes()) {
    catalog_ = txn_.CatalogSnapshot();
    names_ = nullptr;
  }
  if (names_ == nullptr) {
    names_ = catalog::MakeNameResolver(*catalog_, search_path_);
    call_.io.names = names_.get();
  }
}

storage::LockOptions SessionImpl::lock_options() const { return {lock_timeout_ms_, &interrupt_}; }

analyze::AnalyzeContext SessionImpl::analysis() const { return {*catalog_, search_path_, call_.io, database_}; }

// In a failed transaction only its end is allowed.
void SessionImpl::RequireUsable(const parse::Statement* statement) const {
  if (!txn_.failed() || statement == nullptr) return;
  if (const auto* transaction = std::get_if<parse::TransactionStatement>(&statement->node)) {
    using Kind = parse::TransactionStatement::Kind;
    if (transaction->kind == Kind::kCommit || transaction->kind == Kind::kRollback || transaction->kind == Kind::kRollbackTo) return;
  }
  Throw(SqlError::Make(kInFailedSqlTransaction, "current transaction is aborted, commands ignored until end of transaction block"));
}

void SessionImpl::Warn(const SqlError& notice) {
  if (Level(notice.severity) >= Level(*settings_.Get("client_min_messages"))) sink_->Notice(notice);
}

SqlError SessionImpl::Fail(SqlError error) {
  if (!planned_text_.empty() && error.position.known()) {
    error.character_position = static_cast<int32_t>(types::Utf8Count(std::string_view(planned_text_).substr(0, error.position.offset))) + 1;
  }
  planned_text_.clear();
  const std::lock_guard lock(interrupt_mutex_);
  if (error.state == kQueryCanceled && interrupt_error_) error = *interrupt_error_;
  for (const catalog::TablePtr& table : written_tables_) {
    if (!error.schema.empty() || error.table != table->name || catalog_ == nullptr) continue;
    if (const catalog::SchemaDescriptor* schema = catalog_->FindSchema(table->schema)) error.schema = schema->name;
  }
  return error;
}

// What Guard does after an error of a statement. Scans end before the transaction that they read.
void SessionImpl::FailTransaction() {
  simple_.reset();
  copy_.reset();
  ended_portals_.reset();
  StopPortals(txn_.savepoint_count());
  txn_.OnError();
  if (!txn_.in_block()) portals_.clear();
  if (sink_ != nullptr) FinishStatement(*sink_);
}

void SessionImpl::FinishStatement(ResultSink& sink) {
  // The next statement's timeout is armed before it begins.
  RefreshSettings();
  for (const std::string& name : settings_.TakeChangedReports()) sink.ParameterStatus(name, settings_.Show(name));
}

void SessionImpl::RequestInterrupt(SqlError error) {
  const std::lock_guard lock(interrupt_mutex_);
  if (!running_) return;
  interrupt_error_ = std::move(error);
  interrupt_.requested.store(true, std::memory_order_relaxed);
}

std::vector<std::pair<std::string, std::string>> SessionImpl::ReportedSettings() const {
  std::vector<std::pair<std::string, std::string>> reported;
  for (const session::SettingRow& row : AllSettings()) {
    if (row.reported) reported.emplace_back(row.name, settings_.Show(row.name));
  }
  return reported;
}

void SessionImpl::ShrinkWhenIdle() {
  if (txn_.started()) return;
  for (auto& [name, prepared] : prepared_) prepared->idle_execution.reset();
  catalog_.reset();
  names_.reset();
  planned_text_ = std::string();
}

}  // namespace mayfly::session
