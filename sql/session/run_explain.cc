// EXPLAIN [ANALYZE], in PostgreSQL's text form.
#include <chrono>

#include "sql/analyze/analyze.h"
#include "sql/session/session_impl.h"

namespace mayfly::session {

namespace {

struct Options {
  bool analyze = false;
  bool verbose = false;
  bool costs = true;
  bool timing = true;
  bool timing_given = false;
  bool wal = false;
  bool summary = false;
  bool summary_given = false;
};

bool AsBool(const parse::DefinitionItem& item) {
  if (!item.value) return true;
  const std::string& text = *item.value;
  if (text == "true" || text == "on" || text == "1") return true;
  if (text == "false" || text == "off" || text == "0") return false;
  Throw(SqlError::Make(kSyntaxError, "{} requires a Boolean value", item.name));
}

void RequireTextFormat(const parse::DefinitionItem& item) {
  const std::string format = item.value.value_or("");
  if (format == "text") return;
  if (format == "xml" || format == "json" || format == "yaml") Throw(SqlError::NotSupported(fmt::format("EXPLAIN (FORMAT {})", format), item.pos));
  Throw(SqlError::Make(kInvalidParameterValue, "unrecognized value for EXPLAIN option \"{}\": \"{}\"", item.name, format).At(item.pos));
}

Options ReadOptions(const std::vector<parse::DefinitionItem>& items) {
  Options options;
  const parse::DefinitionItem* unsupported = nullptr;
  for (const parse::DefinitionItem& item : items) {
    if (item.name == "analyze") {
      options.analyze = AsBool(item);
    } else if (item.name == "verbose") {
      options.verbose = AsBool(item);
    } else if (item.name == "costs") {
      options.costs = AsBool(item);
    } else if (item.name == "timing") {
      options.timing = AsBool(item);
      options.timing_given = true;
    } else if (item.name == "summary") {
      options.summary = AsBool(item);
      options.summary_given = true;
    } else if (item.name == "format") {
      RequireTextFormat(item);
    } else if (item.name == "wal") {
      if (AsBool(item)) unsupported = &item;
      options.wal = AsBool(item);
    } else if (item.name == "buffers" || item.name == "settings") {
      if (AsBool(item)) unsupported = &item;
    } else {
      Throw(SqlError::Make(kSyntaxError, "unrecognized EXPLAIN option \"{}\"", item.name).At(item.pos));
    }
  }
  if (options.wal && !options.analyze) Throw(SqlError::MakeText(kInvalidParameterValue, "EXPLAIN option WAL requires ANALYZE"));
  if (options.timing_given && options.timing && !options.analyze) {
    Throw(SqlError::MakeText(kInvalidParameterValue, "EXPLAIN option TIMING requires ANALYZE"));
  }
  if (unsupported != nullptr) Throw(SqlError::NotSupported(fmt::format("EXPLAIN ({})", unsupported->name), unsupported->pos));
  if (!options.summary_given) options.summary = options.analyze;
  return options;
}

double MillisSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void SessionImpl::RunExplain(Portal& portal, const parse::ExplainStatement& statement, ResultSink& sink) {
  const Options options = ReadOptions(statement.options);
  const auto planning_start = std::chrono::steady_clock::now();
  std::unique_ptr<Portal> explained;
  if (const auto* execute = std::get_if<parse::ExecuteStatement>(&statement.query->node)) {
    explained = MakeExecutePortal(*execute);
    Prepare(*explained->prepared, true);
  } else {
    if (!IsQuery(*statement.query)) Throw(SqlError::NotSupported("EXPLAIN of this statement"));
    explained = std::make_unique<Portal>();
    explained->prepared = std::make_shared<PreparedStatement>();
    explained->prepared->statement = std::shared_ptr<const parse::Statement>(portal.prepared->statement, statement.query.get());
    Prepare(*explained->prepared, false);
  }
  RequirePlannable(*explained->prepared);
  const double planning_ms = MillisSince(planning_start);

  exec::Instrumentation instrumentation;
  double execution_ms = 0;
  if (options.analyze) {
    const auto start = std::chrono::steady_clock::now();
    OpenQuery(*explained);
    explained->execution = std::make_unique<exec::Execution>(explained->prepared->plan, &instrumentation);
    explained->execution->Open(*explained->context);
    while (explained->execution->Next() != nullptr) {
    }
    execution_ms = MillisSince(start);
  }
  plan::ExplainOptions format;
  format.costs = options.costs;
  format.verbose = options.verbose;
  format.timing = options.timing;
  if (options.analyze) {
    format.actual_state = &instrumentation;
    format.actual = [](const void* state, const plan::Node* node) { return static_cast<const exec::Instrumentation*>(state)->Find(node); };
  }
  std::vector<std::string> lines = plan::Explain(*explained->prepared->plan, format);
  if (options.summary) lines.push_back(fmt::format("Planning Time: {:.3f} ms", planning_ms));
  if (options.analyze && options.summary) lines.push_back(fmt::format("Execution Time: {:.3f} ms", execution_ms));
  std::vector<std::vector<std::optional<std::string>>> rows;
  for (std::string& line : lines) rows.push_back({std::move(line)});
  SendTextRows(portal, rows, sink);
}

}  // namespace mayfly::session
