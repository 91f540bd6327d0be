// Statements without a plan: transactions, settings, prepared statements, EXPLAIN, and the commands of sql/command.
#include <algorithm>

#include "base/check.h"
#include "sql/analyze/analyze.h"
#include "sql/session/session_impl.h"
#include "sql/types/format_type.h"

namespace mayfly::session {

namespace {

ResultColumn TextColumn(std::string name) {
  ResultColumn column;
  column.name = std::move(name);
  column.type = catalog::FindType(catalog::kOidText);
  return column;
}

// Utility statements that neither wait nor touch the disk.
bool NeverBlocks(const parse::Statement& statement) {
  if (const auto* transaction = std::get_if<parse::TransactionStatement>(&statement.node)) {
    using Kind = parse::TransactionStatement::Kind;
    return transaction->kind == Kind::kBegin || transaction->kind == Kind::kStart || transaction->kind == Kind::kSavepoint ||
           transaction->kind == Kind::kRelease;
  }
  return std::holds_alternative<parse::SetStatement>(statement.node) || std::holds_alternative<parse::ShowStatement>(statement.node) ||
         std::holds_alternative<parse::PrepareStatement>(statement.node) || std::holds_alternative<parse::DeallocateStatement>(statement.node) ||
         std::holds_alternative<parse::ExecuteStatement>(statement.node);
}

}  // namespace

std::vector<ResultColumn> SessionImpl::UtilityColumns(const parse::Statement& statement) {
  if (const auto* show = std::get_if<parse::ShowStatement>(&statement.node)) {
    if (show->name == "all") return {TextColumn("name"), TextColumn("setting"), TextColumn("description")};
    const session::SettingRow* row = FindSetting(show->name);
    if (row == nullptr) settings_.Show(show->name);
    return {TextColumn(row == nullptr ? show->name : std::string(row->name))};
  }
  if (std::holds_alternative<parse::ExplainStatement>(statement.node)) return {TextColumn("QUERY PLAN")};
  if (const auto* execute = std::get_if<parse::ExecuteStatement>(&statement.node)) {
    // One that is not there is an error of execution, not of parsing.
    const auto at = prepared_.find(execute->name);
    if (at == prepared_.end() || at->second->statement == nullptr) return {};
    PreparedStatement& prepared = *at->second;
    Prepare(prepared, true);
    return prepared.columns;
  }
  return {};
}

Step SessionImpl::RunUtility(Portal& portal, int32_t rows_max, bool may_block, ResultSink& sink) {
  const parse::Statement& statement = *portal.prepared->statement;
  if (!may_block && !NeverBlocks(statement)) return Step::kWouldBlock;
  if (const auto* execute = std::get_if<parse::ExecuteStatement>(&statement.node)) return RunExecute(portal, *execute, rows_max, may_block, sink);
  if (const auto* copy = std::get_if<parse::CopyStatement>(&statement.node)) return StartCopy(portal, *copy, may_block, sink);
  portal.started = true;
  portal.done = true;
  if (command::IsCommand(statement)) {
    RunSqlCommand(portal);
  } else {
    RunOther(portal, sink);
  }
  return Step::kDone;
}

void SessionImpl::RunOther(Portal& portal, ResultSink& sink) {
  const parse::Statement& statement = *portal.prepared->statement;
  if (const auto* node = std::get_if<parse::TransactionStatement>(&statement.node)) {
    portal.tag = RunTransaction(*node);
  } else if (const auto* set = std::get_if<parse::SetStatement>(&statement.node)) {
    portal.tag = RunSet(*set);
  } else if (const auto* show = std::get_if<parse::ShowStatement>(&statement.node)) {
    RunShow(portal, *show, sink);
    portal.tag = "SHOW";
  } else if (const auto* discard = std::get_if<parse::DiscardStatement>(&statement.node)) {
    RunDiscard(*discard);
    portal.tag = discard->target == parse::DiscardStatement::Target::kAll ? "DISCARD ALL" : "DISCARD PLANS";
  } else if (const auto* prepare = std::get_if<parse::PrepareStatement>(&statement.node)) {
    portal.tag = RunPrepare(portal, *prepare);
  } else if (const auto* deallocate = std::get_if<parse::DeallocateStatement>(&statement.node)) {
    portal.tag = RunDeallocate(*deallocate);
  } else if (const auto* explain = std::get_if<parse::ExplainStatement>(&statement.node)) {
    RunExplain(portal, *explain, sink);
    portal.tag = "EXPLAIN";
  } else {
    Check(false, "a statement that nothing runs");
  }
}

void SessionImpl::RunSqlCommand(Portal& portal) {
  const parse::Statement& statement = *portal.prepared->statement;
  const std::string_view written = command::WritingCommand(statement);
  if (!written.empty() && txn_.read_only()) {
    Throw(SqlError::Make(kReadOnlySqlTransaction, "cannot execute {} in a read-only transaction", written));
  }
  if (!std::holds_alternative<parse::LockTableStatement>(statement.node)) txn_.TakeSnapshot();
  command::CommandContext context{.host = *this,
                                  .engine = instance_.engine(),
                                  .call = call_,
                                  .lock = lock_options(),
                                  .isolation = txn_.isolation(),
                                  .search_path = search_path_,
                                  .role = role_,
                                  .role_name = user_,
                                  .session_role_name = user_,
                                  .database_name = database_,
                                  .in_transaction_block = InBlock()};
  portal.tag = command::RunCommand(context, statement).tag;
}

// COMMIT AND CHAIN, ROLLBACK AND CHAIN: the next block begins at once, with the same modes.
std::string SessionImpl::RunChained(const parse::TransactionStatement& statement) {
  const bool commits = statement.kind == parse::TransactionStatement::Kind::kCommit;
  if (!txn_.in_block()) {
    Throw(SqlError::Make(kNoActiveSqlTransaction, "{} AND CHAIN can only be used in transaction blocks", commits ? "COMMIT" : "ROLLBACK"));
  }
  const parse::TransactionModes modes = txn_.CurrentModes();
  parse::TransactionStatement plain{.kind = statement.kind, .modes = {}, .name = {}, .chain = false};
  std::string tag = RunTransaction(plain);
  BeginStatement();
  txn_.BeginBlock(modes, [this](const SqlError& notice) { Warn(notice); });
  return tag;
}

std::string SessionImpl::RunTransaction(const parse::TransactionStatement& statement) {
  using Kind = parse::TransactionStatement::Kind;
  const auto warn = [this](const SqlError& notice) { Warn(notice); };
  if (statement.chain) return RunChained(statement);
  switch (statement.kind) {
    case Kind::kBegin:
    case Kind::kStart: txn_.BeginBlock(statement.modes, warn); return statement.kind == Kind::kBegin ? "BEGIN" : "START TRANSACTION";
    case Kind::kCommit:
      EndPortals(0);
      return txn_.CommitBlock(warn) ? "COMMIT" : "ROLLBACK";
    case Kind::kRollback:
      EndPortals(0);
      txn_.RollbackBlock(warn);
      return "ROLLBACK";
    case Kind::kSavepoint: txn_.SetSavepoint(statement.name); return "SAVEPOINT";
    case Kind::kRelease: MovePortals(txn_.ReleaseSavepoint(statement.name)); return "RELEASE";
    case Kind::kRollbackTo:
      EndPortals(txn_.FindSavepoint(statement.name, "ROLLBACK TO SAVEPOINT") + 1);
      txn_.RollbackToSavepoint(statement.name);
      return "ROLLBACK";
    case Kind::kPrepare: Throw(SqlError::NotSupported("PREPARE TRANSACTION"));
    case Kind::kCommitPrepared: Throw(SqlError::NotSupported("COMMIT PREPARED"));
    case Kind::kRollbackPrepared: Throw(SqlError::NotSupported("ROLLBACK PREPARED"));
  }
  Unreachable();
}

std::string SessionImpl::RunSet(const parse::SetStatement& statement) {
  using Kind = parse::SetStatement::Kind;
  const bool local = statement.is_local;
  if (local && !txn_.in_block()) {
    Warn(SqlError::Make(kNoActiveSqlTransaction, "SET LOCAL can only be used in transaction blocks").As(Severity::kWarning));
  }
  switch (statement.kind) {
    case Kind::kValue: {
      const session::SettingRow* row = FindSetting(statement.name);
      if (statement.values.size() > 1 && (row == nullptr || !row->is_list())) {
        Throw(SqlError::Make(kInvalidParameterValue, "SET {} takes only one argument", statement.name));
      }
      std::string value;
      for (const std::string& part : statement.values) {
        if (!value.empty()) value += ", ";
        value += statement.name == "search_path" ? QuoteIfNeeded(part) : part;
      }
      settings_.Set(statement.name, value, local).value();
      return "SET";
    }
    case Kind::kDefault:
    case Kind::kReset: settings_.Reset(statement.name).value(); return statement.kind == Kind::kReset ? "RESET" : "SET";
    case Kind::kCurrent: settings_.Set(statement.name, settings_.Show(statement.name), local).value(); return "SET";
    case Kind::kResetAll: settings_.ResetAll(); return "RESET";
    case Kind::kTransaction:
      if (!txn_.in_block()) {
        Warn(SqlError::Make(kNoActiveSqlTransaction, "SET TRANSACTION can only be used in transaction blocks").As(Severity::kWarning));
      }
      txn_.SetModes(statement.modes);
      return "SET";
    case Kind::kSessionCharacteristics:
      if (statement.modes.isolation) settings_.Set("default_transaction_isolation", *statement.modes.isolation, false).value();
      if (statement.modes.read_only) settings_.Set("default_transaction_read_only", *statement.modes.read_only ? "on" : "off", false).value();
      if (statement.modes.deferrable) settings_.Set("default_transaction_deferrable", *statement.modes.deferrable ? "on" : "off", false).value();
      return "SET";
  }
  Unreachable();
}

// A name of a list as SHOW prints it: in quotes unless it is a plain lower-case identifier.
std::string SessionImpl::QuoteIfNeeded(const std::string& name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!name.empty() && std::all_of(name.begin(), name.end(), plain) && !(name[0] >= '0' && name[0] <= '9')) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

void SessionImpl::RunShow(Portal& portal, const parse::ShowStatement& statement, ResultSink& sink) {
  std::vector<std::vector<std::optional<std::string>>> rows;
  if (statement.name == "all") {
    for (const session::SettingRow& row : AllSettings()) {
      rows.push_back({std::string(row.name), settings_.Show(row.name), std::string(row.description)});
    }
  } else {
    rows.push_back({settings_.Show(statement.name)});
  }
  SendTextRows(portal, rows, sink);
}

void SessionImpl::SendTextRows(Portal& portal, const std::vector<std::vector<std::optional<std::string>>>& rows, ResultSink& sink) {
  if (simple_ != nullptr) Describe(portal, sink);
  for (size_t done = 0; done < rows.size(); done += types::kBatchRows) {
    types::Batch batch;
    batch.rows = std::min(types::kBatchRows, rows.size() - done);
    std::vector<types::Vector> vectors;
    for (size_t i = 0; i < portal.prepared->columns.size(); ++i) vectors.emplace_back(types::PhysicalType::kBytes, batch.rows);
    for (size_t row = 0; row < batch.rows; ++row) {
      for (size_t i = 0; i < vectors.size(); ++i) {
        const std::optional<std::string>& value = rows[done + row][i];
        if (value) {
          vectors[i].SetBytes(row, *value);
        } else {
          vectors[i].SetNull(row);
        }
      }
    }
    for (const types::Vector& vector : vectors) batch.columns.push_back(&vector);
    sink.Rows(batch, portal.prepared->columns, portal.result_formats, call_.io);
  }
  portal.rows_sent = rows.size();
}

void SessionImpl::RunDiscard(const parse::DiscardStatement& statement) {
  using Target = parse::DiscardStatement::Target;
  if (statement.target == Target::kSequences || statement.target == Target::kTemp) {
    Throw(SqlError::NotSupported(statement.target == Target::kTemp ? "DISCARD TEMP" : "DISCARD SEQUENCES"));
  }
  if (statement.target == Target::kAll) {
    if (InBlock()) Throw(SqlError::MakeText(kActiveSqlTransaction, "DISCARD ALL cannot run inside a transaction block"));
    settings_.ResetAll();
    prepared_.clear();
    EndPortals(0);
  }
  for (auto& [name, prepared] : prepared_) {
    prepared->plan.reset();
    prepared->idle_execution.reset();
  }
}

std::string SessionImpl::RunPrepare(const Portal& portal, const parse::PrepareStatement& statement) {
  auto prepared = std::make_shared<PreparedStatement>();
  prepared->name = statement.name;
  prepared->from_sql = true;
  prepared->text = portal.prepared->text.empty() ? query_text_ : std::string_view(portal.prepared->text);
  // The statement belongs to the syntax tree of the PREPARE, which is kept alive with it.
  prepared->statement = std::shared_ptr<const parse::Statement>(portal.prepared->statement, statement.query.get());
  for (const parse::TypeName& type : statement.types) prepared->declared_parameters.push_back(analyze::ResolveType(analysis(), type).type);
  prepared->infer_parameters = true;
  Prepare(*prepared, false);
  if (!prepared_.try_emplace(statement.name, std::move(prepared)).second) {
    Throw(SqlError::Make(kDuplicatePstatement, "prepared statement \"{}\" already exists", statement.name));
  }
  return "PREPARE";
}

std::string SessionImpl::RunDeallocate(const parse::DeallocateStatement& statement) {
  if (statement.name.empty()) {
    prepared_.clear();
    return "DEALLOCATE ALL";
  }
  FindPreparedPtr(statement.name);
  prepared_.erase(statement.name);
  return "DEALLOCATE";
}

std::unique_ptr<Portal> SessionImpl::MakeExecutePortal(const parse::ExecuteStatement& statement) {
  auto portal = std::make_unique<Portal>();
  portal->prepared = FindPreparedPtr(statement.name);
  const PreparedStatement& prepared = *portal->prepared;
  if (statement.args.size() != prepared.parameters.size()) {
    Throw(SqlError::Make(kSyntaxError, "wrong number of parameters for prepared statement \"{}\"", statement.name)
              .Detail(fmt::format("Expected {} parameters but got {}.", prepared.parameters.size(), statement.args.size())));
  }
  for (size_t i = 0; i < statement.args.size(); ++i) {
    const types::TypeDesc& type = *prepared.parameters[i];
    const analyze::ExprPtr given = analyze::AnalyzeScalar(analysis(), *statement.args[i], nullptr, -1, "EXECUTE parameters");
    const bool is_constant = given->As<analyze::Const>() != nullptr;
    if (!is_constant && !analyze::CanCoerce(*given->type, type, catalog::CastContext::kAssignment)) {
      Throw(SqlError::Make(kDatatypeMismatch, "parameter ${} of type {} cannot be coerced to the expected type {}", i + 1,
                           types::FormatType(*given->type, -1), types::FormatType(type, -1))
                .Hint("You will need to rewrite or cast the expression.")
                .At(given->pos));
    }
    const analyze::ExprPtr value = analyze::AnalyzeScalar(analysis(), *statement.args[i], &type, -1, "EXECUTE parameters");
    portal->parameters.push_back(Evaluate(value));
  }
  return portal;
}

// The value of an expression without columns.
types::OwnedDatum SessionImpl::Evaluate(const analyze::ExprPtr& expr) {
  exec::StorageAccess storage(instance_.engine());
  storage.Reset(txn_.storage(), false);
  exec::ExecContext context{.call = call_, .storage = storage, .catalog = *catalog_, .runtime = this, .params = {}, .outer_params = {}, .memory = memory_, .lock = lock_options()};
  const plan::Plan no_plan;
  const exec::BuildContext build{no_plan, 1};
  const exec::ExprStatePtr state = exec::MakeExprState(*expr, build);
  return types::OwnedDatum(expr->type->physical(), exec::EvalScalar(*state, context));
}

Step SessionImpl::RunExecute(Portal& portal, const parse::ExecuteStatement& statement, int32_t rows_max, bool may_block, ResultSink& sink) {
  if (portal.executed == nullptr) {
    portal.executed = MakeExecutePortal(statement);
    RequireUsable(portal.executed->prepared->statement.get());
    portal.executed->result_formats = portal.result_formats;
  }
  const Step step = RunPortal(*portal.executed, rows_max, may_block, sink);
  portal.started = portal.executed->started;
  portal.done = portal.executed->done;
  portal.tag = portal.executed->tag;
  return step;
}

}  // namespace mayfly::session
