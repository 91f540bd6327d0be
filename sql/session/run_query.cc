// Running a portal; SELECT, INSERT, UPDATE and DELETE by their plans.
#include <algorithm>
#include <numeric>

#include "sql/analyze/analyze.h"
#include "sql/session/session_impl.h"

namespace mayfly::session {

namespace {

bool SameColumns(const std::vector<ResultColumn>& a, const std::vector<ResultColumn>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].name != b[i].name || a[i].type != b[i].type || a[i].typmod != b[i].typmod) return false;
  }
  return true;
}

std::string_view CommandName(analyze::Command command) {
  switch (command) {
    case analyze::Command::kSelect: return "SELECT";
    case analyze::Command::kInsert: return "INSERT";
    case analyze::Command::kUpdate: return "UPDATE";
    case analyze::Command::kDelete: return "DELETE";
  }
  return "";
}

// As PostgreSQL tags it where it may not run.
std::string_view CommandTag(const PreparedStatement& prepared) {
  switch (prepared.lock) {
    case analyze::RowLock::kNone: return CommandName(prepared.plan->command);
    case analyze::RowLock::kKeyShare: return "SELECT FOR KEY SHARE";
    case analyze::RowLock::kShare: return "SELECT FOR SHARE";
    case analyze::RowLock::kNoKeyUpdate: return "SELECT FOR NO KEY UPDATE";
    case analyze::RowLock::kUpdate: return "SELECT FOR UPDATE";
  }
  return "";
}

}  // namespace

bool SessionImpl::IsQuery(const parse::Statement& statement) {
  return std::holds_alternative<parse::SelectStatement>(statement.node) || std::holds_alternative<parse::InsertStatement>(statement.node) ||
         std::holds_alternative<parse::UpdateStatement>(statement.node) || std::holds_alternative<parse::DeleteStatement>(statement.node);
}

void SessionImpl::Prepare(PreparedStatement& prepared, bool fixed_columns) {
  if (!IsQuery(*prepared.statement)) {
    prepared.columns = UtilityColumns(*prepared.statement);
    prepared.returns_rows = !prepared.columns.empty();
    return;
  }
  const bool valid = prepared.plan != nullptr && prepared.plan->catalog_version == catalog_->version() && prepared.settings_version == settings_seen_;
  if (valid) return;
  const std::vector<const types::TypeDesc*>& declared = prepared.plan == nullptr ? prepared.declared_parameters : prepared.parameters;
  planned_text_ = prepared.text;
  const analyze::QueryPtr query = analyze::Analyze(analysis(), *prepared.statement, declared, prepared.infer_parameters);
  plan::PlanPtr plan = plan::BuildPlan(*catalog_, *query);
  planned_text_.clear();
  std::vector<ResultColumn> columns;
  for (const plan::ResultField& field : plan->fields) columns.push_back({field.name, field.table, field.attribute, field.type, field.typmod});
  if (fixed_columns && !SameColumns(columns, prepared.columns)) {
    Throw(SqlError::MakeText(kFeatureNotSupported, "cached plan must not change result type"));
  }
  prepared.parameters = plan->parameter_types;
  prepared.columns = std::move(columns);
  prepared.returns_rows = plan->command == analyze::Command::kSelect || !prepared.columns.empty();
  prepared.plan = std::move(plan);
  prepared.lock = query->lock;
  prepared.constant_error = analyze::FindConstantError(analysis(), *query);
  prepared.settings_version = settings_seen_;
  prepared.idle_execution.reset();
}

Step SessionImpl::RunPortal(Portal& portal, int32_t rows_max, bool may_block, ResultSink& sink) {
  if (portal.done && !portal.prepared->returns_rows) return Step::kDone;
  return IsQuery(*portal.prepared->statement) ? RunQuery(portal, rows_max, may_block, sink) : RunUtility(portal, rows_max, may_block, sink);
}

Step SessionImpl::RunQuery(Portal& portal, int32_t rows_max, bool may_block, ResultSink& sink) {
  if (!portal.started) {
    Prepare(*portal.prepared, true);
    RequirePlannable(*portal.prepared);
    if (!may_block && !portal.prepared->plan->never_blocks) return Step::kWouldBlock;
    OpenQuery(portal);
    portal.undescribed = simple_ != nullptr && portal.prepared->returns_rows;
    // One that writes is run before its rows are described, so that its errors stand alone.
    if (portal.undescribed && !portal.prepared->plan->writes) Describe(portal, sink);
  } else if (portal.done) {
    // Executed again after its end: no rows.
    portal.tag = portal.prepared->plan->command == analyze::Command::kSelect ? "SELECT 0" : portal.tag;
    return Step::kDone;
  } else if (!may_block && !portal.prepared->plan->never_blocks) {
    return Step::kWouldBlock;
  }
  if (rows_max > 0 && portal.held == nullptr && portal.prepared->plan->writes && portal.prepared->returns_rows) HoldRows(portal);
  const uint64_t sent_before = portal.rows_sent;
  const bool at_end = SendRows(portal, rows_max <= 0 ? UINT64_MAX : static_cast<uint64_t>(rows_max), sink);
  if (!at_end) return Step::kDone;
  const analyze::Command command = portal.execution->plan().command;
  // What is fetched counts where rows come back.
  const bool fetched = command == analyze::Command::kSelect || portal.held != nullptr;
  const uint64_t rows = fetched ? portal.rows_sent - sent_before : portal.execution->rows_changed();
  const std::string_view name = CommandName(command);
  portal.tag = command == analyze::Command::kInsert ? fmt::format("INSERT 0 {}", rows) : fmt::format("{} {}", name, rows);
  FinishQuery(portal);
  return Step::kDone;
}

void SessionImpl::OpenQuery(Portal& portal) {
  PreparedStatement& prepared = *portal.prepared;
  RequireWritable(prepared);
  txn_.TakeSnapshot();
  LockWrittenTables(portal);
  portal.execution = prepared.idle_execution != nullptr && &prepared.idle_execution->plan() == prepared.plan.get()
                         ? std::move(prepared.idle_execution)
                         : std::make_unique<exec::Execution>(prepared.plan);
  portal.storage = std::make_unique<exec::StorageAccess>(instance_.engine());
  portal.storage->Reset(txn_.storage(), prepared.plan->single_row);
  portal.catalog = catalog_;
  portal.context = MakeExecContext(portal);
  portal.execution->Open(*portal.context);
  portal.started = true;
}

void SessionImpl::RequirePlannable(const PreparedStatement& prepared) {
  if (prepared.constant_error) Throw(SqlError(*prepared.constant_error));
}

void SessionImpl::RequireWritable(const PreparedStatement& prepared) const {
  const bool writes = prepared.plan->writes || prepared.lock != analyze::RowLock::kNone;
  if (!writes || !txn_.read_only()) return;
  Throw(SqlError::Make(kReadOnlySqlTransaction, "cannot execute {} in a read-only transaction", CommandTag(prepared)));
}

// DDL cannot happen to a table while it is written. If it happened before the lock was got, the plan is made anew.
void SessionImpl::LockWrittenTables(Portal& portal) {
  if (portal.prepared->plan->written_tables.empty()) return;
  storage::Transaction& txn = txn_.StorageForWrite();
  while (true) {
    const plan::PlanPtr plan = portal.prepared->plan;
    written_tables_ = plan->written_tables;
    for (const catalog::TablePtr& table : plan->written_tables) {
      std::move(txn.Lock(store::RelationLockKey(table->oid), storage::LockMode::kShared, lock_options())).value();
    }
    if (txn_.CatalogVersionNow() == plan->catalog_version) return;
    catalog_ = txn_.CatalogSnapshot();
    names_ = catalog::MakeNameResolver(*catalog_, search_path_);
    call_.io.names = names_.get();
    Prepare(*portal.prepared, true);
  }
}

std::unique_ptr<exec::ExecContext> SessionImpl::MakeExecContext(Portal& portal) {
  const bool writes = txn_.storage() != nullptr;
  return std::make_unique<exec::ExecContext>(exec::ExecContext{.call = call_,
                                                               .storage = *portal.storage,
                                                               .catalog = *portal.catalog,
                                                               .runtime = this,
                                                               .params = portal.parameters,
                                                               .outer_params = {},
                                                               .memory = memory_,
                                                               .lock = lock_options(),
                                                               .write_time_ms = writes ? instance_.engine().TtlNowMs() : 0,
                                                               .work_mem_bytes = work_mem_bytes_});
}

void SessionImpl::Describe(Portal& portal, ResultSink& sink) {
  sink.RowDescription(portal.prepared->columns, portal.result_formats);
  portal.undescribed = false;
}

void SessionImpl::HoldRows(Portal& portal) {
  portal.held = std::make_unique<exec::RowBuffer>(portal.execution->plan().root->output);
  portal.held->Clear(&memory_);
  while (const types::Batch* batch = portal.execution->Next()) portal.held->Append(*batch);
  portal.held_vectors = portal.held->MakeVectors();
  for (const types::Vector& vector : portal.held_vectors) portal.held_batch.columns.push_back(&vector);
}

const types::Batch* SessionImpl::NextBatch(Portal& portal) {
  if (portal.held == nullptr) return portal.execution->Next();
  const size_t count = std::min(types::kBatchRows, portal.held->size() - portal.held_position);
  if (count == 0) return nullptr;
  std::vector<uint32_t> ids(count);
  std::iota(ids.begin(), ids.end(), static_cast<uint32_t>(portal.held_position));
  portal.held->Gather(ids.data(), count, portal.held_vectors);
  portal.held_position += count;
  portal.held_batch.rows = count;
  return &portal.held_batch;
}

// Sends up to `rows_max` rows; true at the end of the result.
bool SessionImpl::SendRows(Portal& portal, uint64_t rows_max, ResultSink& sink) {
  const bool returns_rows = portal.prepared->returns_rows;
  while (rows_max > 0) {
    if (portal.batch == nullptr) {
      portal.batch = NextBatch(portal);
      portal.batch_position = 0;
      if (portal.undescribed) Describe(portal, sink);
      if (portal.batch == nullptr) return true;
      if (returns_rows && portal.rows_sent == 0) RequireSendable(portal.prepared->columns, portal.result_formats);
    }
    const types::Selection rows = portal.batch->selection();
    const size_t count = std::min<uint64_t>(rows_max, rows.count - portal.batch_position);
    if (returns_rows) {
      types::Batch part = *portal.batch;
      std::vector<uint16_t> selected;
      if (count != rows.count) {
        for (size_t i = 0; i < count; ++i) selected.push_back(static_cast<uint16_t>(rows[portal.batch_position + i]));
        part.selected = selected.data();
        part.selected_count = count;
      }
      sink.Rows(part, portal.prepared->columns, portal.result_formats, call_.io);
    }
    portal.rows_sent += count;
    rows_max -= count;
    portal.batch_position += count;
    if (portal.batch_position == rows.count) portal.batch = nullptr;
  }
  return false;
}

void SessionImpl::FinishQuery(Portal& portal) {
  portal.done = true;
  // One that may have stopped in the midst of a scan is not kept: the scan would outlive its view.
  const bool keep = portal.execution->plan().single_row && portal.prepared->plan.get() == &portal.execution->plan();
  if (keep) portal.prepared->idle_execution = std::move(portal.execution);
  portal.execution.reset();
  portal.context.reset();
  portal.storage.reset();
}

}  // namespace mayfly::session
