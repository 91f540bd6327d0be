// The extended query protocol: Parse, Bind, Describe, Execute, Close, Sync.
#include "sql/parse/parser.h"
#include "sql/session/guard.h"

namespace mayfly::session {

namespace {

struct Nothing {};

Status ToStatus(Result<Nothing> result) {
  if (result.ok()) return Ok();
  return std::move(result).error();
}

std::vector<Format> ExpandResultFormats(std::span<const Format> formats, size_t count) {
  if (formats.empty()) return std::vector<Format>(count, Format::kText);
  if (formats.size() == 1) return std::vector<Format>(count, formats[0]);
  if (formats.size() != count) {
    Throw(SqlError::Make(kProtocolViolation, "bind message has {} result formats but query has {} columns", formats.size(), count));
  }
  return {formats.begin(), formats.end()};
}

SqlError UnsupportedFormat(Format format) {
  return SqlError::Make(kInvalidParameterValue, "unsupported format code: {}", static_cast<int>(format));
}

bool IsKnown(Format format) { return format == Format::kText || format == Format::kBinary; }

Result<types::Datum> ReadParameter(const types::TypeDesc& type, Format format, std::string_view bytes, const types::IoContext& io, Arena& arena) {
  if (!IsKnown(format)) return UnsupportedFormat(format);
  if (type.ops == nullptr) return SqlError::NotSupported(fmt::format("a parameter of type {}", type.name));
  const auto read = format == Format::kText ? type.ops->in : type.ops->recv;
  if (read == nullptr) {
    return SqlError::Make(kUndefinedFunction, "no {}input function available for type {}", format == Format::kText ? "" : "binary ", type.name);
  }
  return read(type, bytes, -1, io, arena);
}

}  // namespace

// What rows of these columns need, in these formats.
void SessionImpl::RequireSendable(std::span<const ResultColumn> columns, std::span<const Format> formats) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!IsKnown(formats[i])) Throw(UnsupportedFormat(formats[i]));
    const types::TypeDesc& type = *columns[i].type;
    if (type.ops == nullptr) Throw(SqlError::NotSupported(fmt::format("a result of type {}", type.name)));
    if (formats[i] == Format::kBinary && type.ops->send == nullptr) {
      Throw(SqlError::Make(kUndefinedFunction, "no binary output function available for type {}", type.name));
    }
    if (formats[i] == Format::kText && type.ops->out == nullptr) {
      Throw(SqlError::Make(kUndefinedFunction, "no output function available for type {}", type.name));
    }
  }
}

Status SessionImpl::Parse(std::string_view name, std::string_view text, std::span<const Oid> parameter_types, ResultSink& sink) {
  return ToStatus(Guard(sink, [&]() -> Nothing {
    if (name.empty()) prepared_.erase("");
    std::vector<parse::StatementPtr> statements = parse::Parse(text).value();
    if (statements.size() > 1) {
      Throw(SqlError::MakeText(kSyntaxError, "cannot insert multiple commands into a prepared statement"));
    }
    auto prepared = std::make_shared<PreparedStatement>();
    prepared->name = name;
    prepared->text = text;
    if (!statements.empty()) prepared->statement = std::move(statements[0]);
    RequireUsable(prepared->statement.get());
    BeginStatement();
    for (const Oid oid : parameter_types) {
      const types::TypeDesc* type = oid.valid() && oid != catalog::kOidUnknown ? catalog::FindType(oid) : nullptr;
      if (type == nullptr && oid.valid() && oid != catalog::kOidUnknown) {
        Throw(SqlError::Make(kUndefinedObject, "type with OID {} does not exist", oid.value));
      }
      prepared->declared_parameters.push_back(type);
    }
    prepared->infer_parameters = true;
    if (prepared->statement != nullptr) Prepare(*prepared, false);
    if (name.empty()) {
      prepared_.insert_or_assign(std::string(), std::move(prepared));
    } else if (!prepared_.try_emplace(std::string(name), std::move(prepared)).second) {
      Throw(SqlError::Make(kDuplicatePstatement, "prepared statement \"{}\" already exists", name));
    }
    return {};
  }));
}

PreparedPtr SessionImpl::FindPreparedPtr(std::string_view name) {
  const auto at = prepared_.find(name);
  if (at != prepared_.end()) return at->second;
  if (name.empty()) Throw(SqlError::MakeText(kInvalidSqlStatementName, "unnamed prepared statement does not exist"));
  Throw(SqlError::Make(kInvalidSqlStatementName, "prepared statement \"{}\" does not exist", name));
}

Portal& SessionImpl::FindPortal(std::string_view name) {
  const auto at = portals_.find(name);
  if (at == portals_.end()) Throw(SqlError::Make(kInvalidCursorName, "portal \"{}\" does not exist", name));
  return *at->second;
}

void SessionImpl::StopPortals(size_t savepoints) {
  for (auto& [name, portal] : portals_) {
    if (portal->savepoints >= savepoints || portal->running) portal->Stop();
  }
}

void SessionImpl::EndPortals(size_t savepoints) {
  StopPortals(savepoints);
  ended_portals_ = savepoints;
}

void SessionImpl::DropEndedPortals() {
  if (!ended_portals_) return;
  const size_t savepoints = *std::exchange(ended_portals_, std::nullopt);
  std::erase_if(portals_, [&](const auto& entry) { return entry.second->savepoints >= savepoints; });
}

void SessionImpl::MovePortals(size_t savepoints) {
  for (auto& [name, portal] : portals_) portal->savepoints = std::min(portal->savepoints, savepoints);
}

Status SessionImpl::Bind(const BindRequest& request, ResultSink& sink) {
  return ToStatus(Guard(sink, [&]() -> Nothing {
    PreparedPtr prepared = FindPreparedPtr(request.statement);
    if (request.parameters.size() != prepared->parameters.size()) {
      Throw(SqlError::Make(kProtocolViolation, "bind message supplies {} parameters, but prepared statement \"{}\" requires {}",
                           request.parameters.size(), request.statement, prepared->parameters.size()));
    }
    RequireUsable(prepared->statement.get());
    BeginStatement();
    auto portal = std::make_unique<Portal>();
    portal->prepared = prepared;
    BindParameters(*portal, request);
    if (prepared->statement != nullptr) Prepare(*prepared, true);
    RequirePlannable(*prepared);
    portal->result_formats = ExpandResultFormats(request.result_formats, prepared->columns.size());
    portal->savepoints = txn_.savepoint_count();
    if (request.portal.empty()) {
      portals_.insert_or_assign(std::string(), std::move(portal));
    } else if (!portals_.try_emplace(std::string(request.portal), std::move(portal)).second) {
      Throw(SqlError::Make(kDuplicateCursor, "cursor \"{}\" already exists", request.portal));
    }
    return {};
  }));
}

void SessionImpl::BindParameters(Portal& portal, const BindRequest& request) {
  const PreparedStatement& prepared = *portal.prepared;
  if (request.parameter_formats.size() > 1 && request.parameter_formats.size() != request.parameters.size()) {
    Throw(SqlError::Make(kProtocolViolation, "bind message has {} parameter formats but {} parameters", request.parameter_formats.size(),
                         request.parameters.size()));
  }
  Arena arena;
  portal.parameters.reserve(request.parameters.size());
  for (size_t i = 0; i < request.parameters.size(); ++i) {
    const types::TypeDesc& type = *prepared.parameters[i];
    const std::span<const Format> formats = request.parameter_formats;
    const Format format = formats.empty() ? Format::kText : formats.size() == 1 ? formats[0] : formats[i];
    if (!request.parameters[i] && IsKnown(format)) {
      portal.parameters.emplace_back();
      continue;
    }
    Result<types::Datum> value = ReadParameter(type, format, request.parameters[i].value_or(""), call_.io, arena);
    if (!value.ok()) {
      SqlError error = std::move(value).error();
      if (error.message == "incorrect binary data format") error.message += fmt::format(" in bind parameter {}", i + 1);
      std::string where = request.portal.empty() ? "unnamed portal" : fmt::format("portal \"{}\"", request.portal);
      where += fmt::format(" parameter ${}", i + 1);
      // PostgreSQL hides the text unless it is told to log parameters.
      if (format == Format::kText) where += " = '...'";
      Throw(std::move(error).Context(std::move(where)));
    }
    portal.parameters.emplace_back(type.physical(), *value);
  }
}

Status SessionImpl::DescribeStatement(std::string_view name, ResultSink& sink) {
  return ToStatus(Guard(sink, [&]() -> Nothing {
    const PreparedPtr prepared = FindPreparedPtr(name);
    if (txn_.failed() && !prepared->columns.empty()) RequireUsable(prepared->statement.get());
    std::vector<Oid> types;
    for (const types::TypeDesc* type : prepared->parameters) types.push_back(type->oid);
    sink.ParameterDescription(types);
    if (prepared->columns.empty() && !prepared->returns_rows) {
      sink.NoData();
    } else {
      BeginStatement();
      Prepare(*prepared, true);
      sink.RowDescription(prepared->columns, std::vector<Format>(prepared->columns.size(), Format::kText));
    }
    return {};
  }));
}

Status SessionImpl::DescribePortal(std::string_view name, ResultSink& sink) {
  return ToStatus(Guard(sink, [&]() -> Nothing {
    const Portal& portal = FindPortal(name);
    const PreparedStatement& prepared = *portal.prepared;
    if (txn_.failed() && !prepared.columns.empty()) RequireUsable(prepared.statement.get());
    if (prepared.columns.empty() && !prepared.returns_rows) {
      sink.NoData();
    } else {
      sink.RowDescription(prepared.columns, portal.result_formats);
    }
    return {};
  }));
}

Result<Step> SessionImpl::Execute(std::string_view name, int32_t rows_max, bool may_block, ResultSink& sink) {
  return Guard(sink, [&]() -> Step {
    Portal& portal = FindPortal(name);
    if (portal.prepared->statement == nullptr) {
      sink.EmptyQuery();
      return Step::kDone;
    }
    RequireUsable(portal.prepared->statement.get());
    if (portal.stopped) Throw(SqlError::Make(kObjectNotInPrerequisiteState, "portal \"{}\" cannot be run", name));
    if (!portal.started) BeginStatement();
    portal.running = true;
    const Step step = RunPortal(portal, rows_max, may_block, sink);
    portal.running = false;
    if (step == Step::kCopyIn) copy_->simple = false;
    if (step != Step::kDone) return step;
    if (portal.done) {
      sink.CommandComplete(portal.tag);
    } else {
      sink.PortalSuspended();
    }
    DropEndedPortals();
    return Step::kDone;
  });
}

void SessionImpl::CloseStatement(std::string_view name) {
  if (const auto at = prepared_.find(name); at != prepared_.end()) prepared_.erase(at);
}

void SessionImpl::ClosePortal(std::string_view name) {
  if (const auto at = portals_.find(name); at != portals_.end()) portals_.erase(at);
}

Result<Step> SessionImpl::Sync(bool may_block, ResultSink& sink) {
  return Guard(sink, [&]() -> Step {
    if (!txn_.in_block()) {
      if (txn_.CommitMayBlock() && !may_block) return Step::kWouldBlock;
      // Portals live no longer than their transaction.
      portals_.clear();
      txn_.CommitImplicit();
    }
    FinishStatement(sink);
    return Step::kDone;
  });
}

}  // namespace mayfly::session
