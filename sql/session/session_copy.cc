// COPY: the bytes between the client and sql/command/copy.h.
#include "sql/analyze/analyze.h"
#include "sql/command/copy.h"
#include "sql/session/guard.h"

namespace mayfly::session {

namespace {

session::CopyFormat WireFormat(command::CopyFormatKind kind, size_t columns) {
  return {kind == command::CopyFormatKind::kBinary, static_cast<int16_t>(columns)};
}

}  // namespace

Step SessionImpl::StartCopy(Portal& portal, const parse::CopyStatement& statement, bool, ResultSink& sink) {
  portal.started = true;
  if (!statement.is_from) {
    RunCopyOut(portal, statement, sink);
    portal.done = true;
    return Step::kDone;
  }
  parse::TableRef named = statement.table;
  named.pos = {};  // PostgreSQL gives no position
  const catalog::TablePtr table = analyze::ResolveTable(analysis(), named);
  if (txn_.read_only()) Throw(SqlError::MakeText(kReadOnlySqlTransaction, "cannot execute COPY FROM in a read-only transaction"));
  txn_.TakeSnapshot();
  written_tables_ = {table};
  storage::Transaction& txn = txn_.StorageForWrite();
  std::move(txn.Lock(store::RelationLockKey(table->oid), storage::LockMode::kShared, lock_options())).value();
  catalog_ = txn_.CatalogSnapshot();
  auto running = std::make_unique<Portal>();
  running->prepared = portal.prepared;
  running->storage = std::make_unique<exec::StorageAccess>(instance_.engine());
  running->storage->Reset(&txn, false);
  running->catalog = catalog_;
  running->context = MakeExecContext(*running);
  std::unique_ptr<command::CopyIn> copy = command::StartCopyIn(statement, analysis(), *running->context);
  sink.CopyInResponse(WireFormat(copy->format(), copy->column_count()));
  copy_.emplace(CopyState{std::move(copy), std::move(running), false});
  return Step::kCopyIn;
}

Result<Step> SessionImpl::CopyData(std::string_view bytes, bool may_block, ResultSink& sink) {
  if (!may_block) return Step::kWouldBlock;
  return Guard(sink, [&]() -> Step {
    copy_->copy->Data(bytes);
    return Step::kCopyIn;
  });
}

Result<Step> SessionImpl::CopyDone(bool may_block, ResultSink& sink) {
  if (!may_block) return Step::kWouldBlock;
  query_text_ = {};
  return Guard(sink, [&]() -> Step {
    if (copy_) {
      const uint64_t rows = copy_->copy->Finish();
      const bool simple = copy_->simple;
      const std::string tag = fmt::format("COPY {}", rows);
      copy_.reset();
      if (!simple) {
        sink.CommandComplete(tag);
        return Step::kDone;
      }
      simple_->portal->tag = tag;
      simple_->portal->done = true;
    }
    return ContinueSimpleQuery(true, sink);
  });
}

SqlError SessionImpl::CopyFail(std::string_view message, ResultSink& sink) {
  Result<Step> failed = Guard(sink, [&]() -> Step {
    SqlError error = SqlError::Make(kQueryCanceled, "COPY from stdin failed: {}", message);
    if (copy_) error.context = copy_->copy->Context();
    Throw(std::move(error));
  });
  return std::move(failed).error();
}

void SessionImpl::RunCopyOut(Portal& portal, const parse::CopyStatement& statement, ResultSink& sink) {
  const command::CopyOptions options = command::ParseCopyOptions(statement);
  Portal source;
  source.prepared = std::make_shared<PreparedStatement>();
  if (statement.query != nullptr) {
    source.prepared->statement = std::shared_ptr<const parse::Statement>(portal.prepared->statement, statement.query.get());
  } else {
    source.prepared->statement = command::CopySource(statement, analysis());
  }
  if (!IsQuery(*source.prepared->statement)) Throw(SqlError::NotSupported("COPY of this statement"));
  Prepare(*source.prepared, false);
  RequirePlannable(*source.prepared);
  if (!source.prepared->returns_rows) Throw(SqlError::MakeText(kFeatureNotSupported, "COPY query must have a RETURNING clause"));
  OpenQuery(source);
  std::vector<command::CopyColumn> columns;
  for (const ResultColumn& column : source.prepared->columns) columns.push_back({column.name, column.type});
  if (statement.query != nullptr) {
    for (const std::string& name : options.force_quote) {
      if (std::none_of(columns.begin(), columns.end(), [&](const command::CopyColumn& column) { return column.name == name; })) {
        Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" does not exist", name));
      }
    }
  }
  const std::unique_ptr<command::CopyOut> out = command::MakeCopyOut(options, columns, call_.io);
  sink.CopyOutResponse(WireFormat(options.format, columns.size()));
  // One message a row, as clients expect; the header line is one, the binary signature goes with the first row.
  std::string bytes;
  const auto send = [&] {
    sink.CopyData(bytes);
    bytes.clear();
  };
  out->Begin(bytes);
  if (options.header) send();
  uint64_t rows = 0;
  while (const types::Batch* batch = source.execution->Next()) {
    const types::Selection selection = batch->selection();
    rows += selection.count;
    for (size_t i = 0; i < selection.count; ++i) {
      out->Row(*batch, selection[i], bytes);
      send();
    }
  }
  out->End(bytes);
  if (!bytes.empty()) send();
  sink.CopyDone();
  portal.tag = fmt::format("COPY {}", rows);
}

}  // namespace mayfly::session
