#include "sql/session/transaction_state.h"

#include "base/check.h"

namespace mayfly::session {

namespace {

// Microseconds between the Unix epoch and PostgreSQL's, 2000-01-01.
constexpr int64_t kEpochDeltaMicros = 946'684'800LL * 1'000'000;

SqlError Warning(SqlState state, std::string_view text) { return SqlError::MakeText(state, std::string(text)).As(Severity::kWarning); }

}  // namespace

TransactionState::TransactionState(storage::Engine& engine, catalog::Catalog& catalog, Settings& settings)
    : engine_(engine), catalog_(catalog), settings_(settings) {}

void TransactionState::Start(int64_t now_micros) {
  started_ = true;
  transaction_timestamp_ = now_micros - kEpochDeltaMicros;
  settings_.BeginTransaction();
  const auto set_default = [&](std::string_view name, std::string_view source) {
    const std::string value = *settings_.Get(source);
    if (value != *settings_.Get(name)) settings_.Set(name, value, true).value();
  };
  if (settings_.version() == plain_version_) return;
  const uint64_t version = settings_.version();
  set_default("transaction_isolation", "default_transaction_isolation");
  set_default("transaction_read_only", "default_transaction_read_only");
  set_default("transaction_deferrable", "default_transaction_deferrable");
  // Nothing to set: skip the look next time, as long as no setting changes.
  if (settings_.version() == version) plain_version_ = version;
}

const TransactionState::Modes& TransactionState::modes() const {
  if (modes_.version == settings_.version()) return modes_;
  const std::string level = *settings_.Get("transaction_isolation");
  modes_.isolation = level == "serializable"      ? storage::Isolation::kSerializable
                     : level == "repeatable read" ? storage::Isolation::kRepeatableRead
                                                  : storage::Isolation::kReadCommitted;
  modes_.read_only = settings_.GetBool("transaction_read_only");
  modes_.buffered = settings_.Get("synchronous_commit") == "off";
  modes_.version = settings_.version();
  return modes_;
}

void TransactionState::BeginStatement(int64_t now_micros) {
  if (!started_) Start(now_micros);
  if (storage_ != nullptr) storage_->BeginStatement();
}

void TransactionState::TakeSnapshot() {
  has_snapshot_ = true;
  if (storage_ == nullptr && isolation() != storage::Isolation::kReadCommitted) StorageForWrite();
}

storage::Transaction& TransactionState::StorageForWrite() {
  if (storage_ == nullptr) {
    // READ ONLY is the session's business: LOCK TABLE works in such a transaction too.
    storage_ = engine_.NewTransaction({isolation(), false});
    storage_->BeginStatement();
  }
  return *storage_;
}

catalog::CatalogTransaction& TransactionState::CatalogForWrite() {
  if (catalog_txn_ == nullptr) catalog_txn_ = catalog_.Begin();
  return *catalog_txn_;
}

catalog::SnapshotPtr TransactionState::CatalogSnapshot() const {
  return catalog_txn_ != nullptr ? catalog_txn_->snapshot() : catalog_.Current();
}

CatalogVersion TransactionState::CatalogVersionNow() const {
  return catalog_txn_ != nullptr ? catalog_txn_->snapshot()->version() : catalog_.version();
}

void TransactionState::BeginBlock(const parse::TransactionModes& modes, Warn warn) {
  if (in_block_) {
    warn(Warning(kActiveSqlTransaction, "there is already a transaction in progress"));
  } else {
    in_block_ = true;
  }
  SetModes(modes);
}

// As PostgreSQL's check hooks of the three settings.
void TransactionState::CheckModes(const parse::TransactionModes& modes) const {
  const auto refuse = [](std::string_view text) { Throw(SqlError::MakeText(kActiveSqlTransaction, std::string(text))); };
  const bool is_nested = !savepoints_.empty();
  if (modes.isolation && *modes.isolation != settings_.Get("transaction_isolation")) {
    if (has_snapshot_) refuse("SET TRANSACTION ISOLATION LEVEL must be called before any query");
    if (is_nested) refuse("SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction");
  }
  if (modes.read_only == false && read_only()) {
    if (is_nested) refuse("cannot set transaction read-write mode inside a read-only transaction");
    if (has_snapshot_) refuse("transaction read-write mode must be set before any query");
  }
  if (modes.deferrable) {
    if (is_nested) refuse("SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction");
    if (has_snapshot_) refuse("SET TRANSACTION [NOT] DEFERRABLE must be called before any query");
  }
}

void TransactionState::SetModes(const parse::TransactionModes& modes) {
  CheckModes(modes);
  if (modes.isolation) settings_.Set("transaction_isolation", *modes.isolation, true).value();
  if (modes.read_only) settings_.Set("transaction_read_only", *modes.read_only ? "on" : "off", true).value();
  if (modes.deferrable) settings_.Set("transaction_deferrable", *modes.deferrable ? "on" : "off", true).value();
}

parse::TransactionModes TransactionState::CurrentModes() const {
  return {.isolation = settings_.Get("transaction_isolation"),
          .read_only = settings_.GetBool("transaction_read_only"),
          .deferrable = settings_.GetBool("transaction_deferrable")};
}

bool TransactionState::CommitBlock(Warn warn) {
  if (!in_block_) {
    warn(Warning(kNoActiveSqlTransaction, "there is no transaction in progress"));
    Commit();
    return true;
  }
  if (failed_) {
    Rollback();
    return false;
  }
  Commit();
  return true;
}

void TransactionState::RollbackBlock(Warn warn) {
  if (!in_block_) warn(Warning(kNoActiveSqlTransaction, "there is no transaction in progress"));
  Rollback();
}

void TransactionState::Commit() {
  if (has_catalog_changes()) catalog_txn_->WriteTo(StorageForWrite()).value();
  if (storage_ != nullptr && storage_->has_writes()) {
    Status committed = storage_->Commit(modes().buffered ? storage::Durability::kBuffered : storage::Durability::kFlushed);
    if (!committed.ok()) {
      // The transaction is over, and left nothing.
      Rollback();
      Throw(std::move(committed).error());
    }
  }
  if (has_catalog_changes()) catalog_txn_->Publish();
  settings_.Commit();
  Reset();
}

void TransactionState::Rollback() {
  if (storage_ != nullptr) storage_->Rollback();
  settings_.Rollback();
  Reset();
}

void TransactionState::Reset() {
  storage_.reset();
  catalog_txn_.reset();
  savepoints_.clear();
  started_ = in_block_ = failed_ = has_snapshot_ = false;
}

void TransactionState::CommitImplicit() {
  if (started_ && !in_block_) Commit();
}

void TransactionState::OnError() {
  if (!started_) return;
  if (!in_block_) {
    Rollback();
    return;
  }
  failed_ = true;
  settings_.Fail();
  // Locks are given back at once where nothing can be continued.
  if (savepoints_.empty()) {
    if (storage_ != nullptr) storage_->Rollback();
    storage_.reset();
    catalog_txn_.reset();
  }
}

void TransactionState::RequireBlock(std::string_view command) const {
  if (!in_block_) Throw(SqlError::Make(kNoActiveSqlTransaction, "{} can only be used in transaction blocks", command));
}

size_t TransactionState::FindSavepoint(const std::string& name, std::string_view command) const {
  RequireBlock(command);
  for (size_t i = savepoints_.size(); i > 0; --i) {
    if (savepoints_[i - 1].name == name) return i - 1;
  }
  Throw(SqlError::Make(kSEInvalidSpecification, "savepoint \"{}\" does not exist", name));
}

void TransactionState::SetSavepoint(const std::string& name) {
  RequireBlock("SAVEPOINT");
  Savepoint savepoint{name, StorageForWrite().SetSavepoint(), std::nullopt, settings_.SetSavepoint()};
  if (catalog_txn_ != nullptr) savepoint.catalog = catalog_txn_->SetSavepoint();
  savepoints_.push_back(std::move(savepoint));
}

size_t TransactionState::ReleaseSavepoint(const std::string& name) {
  const size_t index = FindSavepoint(name, "RELEASE SAVEPOINT");
  storage_->ReleaseSavepoint(savepoints_[index].storage);
  savepoints_.resize(index);
  return index;
}

void TransactionState::RollbackToSavepoint(const std::string& name) {
  const size_t index = FindSavepoint(name, "ROLLBACK TO SAVEPOINT");
  const Savepoint& savepoint = savepoints_[index];
  storage_->RollbackToSavepoint(savepoint.storage).value();
  if (savepoint.catalog) {
    catalog_txn_->RollbackToSavepoint(*savepoint.catalog);
  } else {
    catalog_txn_.reset();
  }
  settings_.RollbackToSavepoint(savepoint.settings);
  savepoints_.resize(index + 1);
  failed_ = false;
}

}  // namespace mayfly::session
