#include "storage/local_transaction.h"

#include "base/check.h"

namespace mayfly::storage {

namespace {

// Past this many, a commit is remembered as "something changed" instead of key by key.
constexpr size_t kRememberedKeysMax = 1 << 16;

}  // namespace

int64_t LocalTransaction::ttl_now_ms() const {
  EnsureEntered();
  return live_.ttl_now_ms;
}

void LocalTransaction::Enter() const {
  std::lock_guard lock(mutex_);
  state_.views.Enter(live_);
  entered_.store(true, std::memory_order_release);
}

void LocalTransaction::TakeVersionOnce() const {
  EnsureEntered();
  std::lock_guard lock(mutex_);
  if (has_version()) return;
  if (serializable()) state_.serial.Enter(serial_id_ = state_.transaction_ids.fetch_add(1, std::memory_order_relaxed));
  state_.views.AnnounceVersion(live_);
  const uint64_t version = TakeVersion();
  live_.version.store(version, std::memory_order_seq_cst);
  if (serializable()) state_.serial.SetVersion(serial_id_, version);
  has_version_.store(true, std::memory_order_release);
}

void LocalTransaction::BeginStatement() {
  if (options_.isolation != Isolation::kReadCommitted) return;
  if (!entered_.load(std::memory_order_relaxed)) return;
  has_version_.store(false, std::memory_order_release);
  DropVersion();
  state_.views.Leave(live_);
  entered_.store(false, std::memory_order_release);
}

Result<bool> LocalTransaction::Lock(std::string_view key, LockMode mode, const LockOptions& options) {
  if (options_.read_only && mode == LockMode::kExclusive) {
    return SqlError::Make(kReadOnlySqlTransaction, "cannot lock rows in a read-only transaction");
  }
  TRY_OK(state_.locks.Acquire(owner_, key, mode, options));
  if (!has_version()) return true;
  Changed changed = state_.recent.ChangedSince(key, live_.version.load(std::memory_order_relaxed));
  if (changed == Changed::kUnknown) {
    TRY(const bool, differs, DiffersFromNewest(key));
    changed = differs ? Changed::kYes : Changed::kNo;
  }
  if (changed == Changed::kNo) return true;
  if (options_.isolation == Isolation::kReadCommitted) return false;
  return SqlError::Make(kTRSerializationFailure, "could not serialize access due to concurrent update");
}

void LocalTransaction::RecordRead(const KeyRange& range) {
  EnsureVersion();
  RecordRange(range);
}

Status LocalTransaction::CheckWritable() const {
  Check(!finished_, "a transaction that has ended was written to");
  if (options_.read_only) return SqlError::Make(kReadOnlySqlTransaction, "cannot write in a read-only transaction");
  return Ok();
}

Status LocalTransaction::CheckSize(std::string_view key, std::string_view payload) const {
  const Limits& limits = state_.limits;
  if (key.size() > limits.key_bytes_max) {
    return SqlError::Make(kProgramLimitExceeded, "key of {} bytes exceeds the maximum of {} bytes", key.size(),
                          limits.key_bytes_max);
  }
  if (payload.size() > limits.value_bytes_max) {
    return SqlError::Make(kProgramLimitExceeded, "row of {} bytes exceeds the maximum of {} bytes", payload.size(),
                          limits.value_bytes_max);
  }
  if (writes_.bytes() + key.size() + payload.size() > limits.transaction_bytes_max) {
    return SqlError::Make(kProgramLimitExceeded, "transaction writes more than the maximum of {} bytes",
                          limits.transaction_bytes_max);
  }
  return Ok();
}

Status LocalTransaction::Put(const TableOptions& table, std::string_view key, std::string_view payload, Tag tag) {
  TRY_OK(CheckWritable());
  TRY_OK(CheckSize(key, payload));
  writes_.Put(table.layout, key, payload, tag);
  return Ok();
}

Status LocalTransaction::Delete(const TableOptions& table, std::string_view key) {
  TRY_OK(CheckWritable());
  TRY_OK(CheckSize(key, {}));
  writes_.Delete(table.layout, key);
  return Ok();
}

Status LocalTransaction::DeleteRange(const TableOptions& table, const KeyRange& range) {
  TRY_OK(CheckWritable());
  if (!range.end.empty() && range.end <= range.begin) return Ok();
  writes_.DeleteRange(table.layout, range, ++order_);
  return Ok();
}

Status LocalTransaction::AddToCounter(std::string_view counter, int64_t delta) {
  TRY_OK(CheckWritable());
  writes_.AddToCounter(counter, delta);
  return Ok();
}

Result<std::optional<bool>> LocalTransaction::GetOwn(const TableOptions& table, std::string_view key, GetBuffer& buffer) const {
  const WriteSet::Entry* entry = writes_.Find(key);
  if (entry == nullptr) {
    if (!writes_.ranges().empty() && writes_.RangeCovering(key) != nullptr && !HasBulkLoads()) return std::optional<bool>(false);
    return std::optional<bool>();
  }
  if (entry->is_delete) return std::optional<bool>(false);
  buffer.copy_.assign(entry->stored);
  bool damaged = false;
  const bool visible = IsVisible(table, ttl_now_ms(), buffer.copy_, buffer.row_, damaged);
  if (damaged) return DamagedValue(state_, table, buffer.copy_);
  return std::optional<bool>(visible);
}

size_t LocalTransaction::SetSavepoint() {
  savepoints_.push_back({owner_.mark(), BulkLoadMark()});
  return writes_.SetSavepoint();
}

Status LocalTransaction::RollbackToSavepoint(size_t savepoint) {
  Check(savepoint < savepoints_.size(), "no such savepoint");
  writes_.RollbackTo(savepoint);
  DropBulkLoadsAfter(savepoints_[savepoint].bulk_loads);
  state_.locks.ReleaseTo(owner_, savepoints_[savepoint].locks);
  savepoints_.resize(savepoint + 1);
  return Ok();
}

void LocalTransaction::ReleaseSavepoint(size_t savepoint) {
  Check(savepoint < savepoints_.size(), "no such savepoint");
  writes_.Release(savepoint);
  savepoints_.resize(savepoint);
}

Status LocalTransaction::Commit(Durability durability) {
  Check(!finished_, "a transaction was ended twice");
  if (!has_writes()) {
    Finish();
    return Ok();
  }
  Result<uint64_t> commit = ValidateAndApply(durability);
  if (commit.ok()) {
    state_.commits.fetch_add(1, std::memory_order_relaxed);
    // The own view must not make the own keys worth remembering.
    state_.views.Leave(live_);
    RememberKeys(*commit);
  }
  Finish();
  if (!commit.ok()) return std::move(commit).error();
  return Ok();
}

Result<uint64_t> LocalTransaction::ValidateAndApply(Durability durability) {
  std::unique_lock<std::mutex> turn;
  if (serializable() && has_version()) {
    turn = state_.serial.LockCommits();
    reads_.Seal();
    TRY_OK(state_.serial.Validate(reads_, live_.version.load(std::memory_order_relaxed)));
  } else if (serializable()) {
    turn = state_.serial.LockCommits();
  }
  Result<uint64_t> commit = Apply(writes_, durability);
  if (!commit.ok() || !state_.serial.any()) return commit;
  if (HasBulkLoads()) {
    state_.serial.AppendUnknown(*commit);
  } else {
    state_.serial.Append(writes_, *commit);
  }
  return commit;
}

void LocalTransaction::RememberKeys(uint64_t commit) {
  if (!state_.views.any_version()) return;
  if (HasBulkLoads() || !writes_.ranges().empty() || writes_.entries().size() > kRememberedKeysMax) {
    state_.recent.ForgetUpTo(commit);
    return;
  }
  for (const auto& [key, entry] : writes_.entries()) state_.recent.Record(key, commit);
}

void LocalTransaction::Rollback() { Finish(); }

void LocalTransaction::Finish() {
  if (finished_) return;
  finished_ = true;
  if (serial_id_ != 0) state_.serial.Leave(serial_id_);
  state_.locks.ReleaseAll(owner_);
  has_version_.store(false, std::memory_order_release);
  DropVersion();
  state_.views.Leave(live_);
}

}  // namespace mayfly::storage
