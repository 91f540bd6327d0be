// Prepared statements and portals.
//
// A prepared statement keeps its syntax tree; what it means (query, plan) is made anew when the catalog or the search path changed. One idle
// Execution is kept with it, so that running a statement again costs no allocation.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sql/command/copy.h"
#include "sql/exec/executor.h"
#include "sql/exec/row_buffer.h"
#include "sql/parse/ast.h"
#include "sql/session/session.h"

namespace mayfly::session {

struct PreparedStatement {
  std::string name;
  std::string text;
  std::shared_ptr<const parse::Statement> statement;           // null: an empty query
  std::vector<const types::TypeDesc*> declared_parameters;     // null = to be inferred
  std::vector<const types::TypeDesc*> parameters;
  std::vector<ResultColumn> columns;                           // empty: returns no rows
  bool returns_rows = false;
  bool infer_parameters = false;  // $n may be used beyond the declared ones
  bool from_sql = false;          // PREPARE
  analyze::RowLock lock = analyze::RowLock::kNone;  // SELECT … FOR UPDATE and kin
  std::optional<SqlError> constant_error;           // of a constant expression: running it fails before it begins

  // SELECT, INSERT, UPDATE, DELETE only. Null until first planned.
  plan::PlanPtr plan;
  uint64_t settings_version = 0;  // the search path it was planned under
  std::unique_ptr<exec::Execution> idle_execution;
};
using PreparedPtr = std::shared_ptr<PreparedStatement>;

struct Portal {
  PreparedPtr prepared;
  std::vector<types::OwnedDatum> parameters;
  std::vector<Format> result_formats;  // one a column

  // While it runs. Scans of the execution end before the view that they read.
  std::unique_ptr<exec::StorageAccess> storage;
  std::unique_ptr<exec::ExecContext> context;
  std::unique_ptr<exec::Execution> execution;
  catalog::SnapshotPtr catalog;
  // Rows of a statement that writes, where the client takes them piece by piece: it runs to its end first, as in PostgreSQL.
  std::unique_ptr<exec::RowBuffer> held;
  size_t held_position = 0;
  std::vector<types::Vector> held_vectors;
  types::Batch held_batch;
  const types::Batch* batch = nullptr;  // partly sent
  size_t batch_position = 0;
  uint64_t rows_sent = 0;
  bool started = false;
  bool done = false;
  std::string tag;
  std::unique_ptr<Portal> executed;  // of EXECUTE
  size_t savepoints = 0;             // how many there were when it was made: it goes when one below is rolled back

  // Gives back what a running query holds; it cannot go on.
  void Stop() {
    held.reset();
    execution.reset();
    context.reset();
    storage.reset();
    batch = nullptr;
    if (executed != nullptr) executed->Stop();
    stopped = started && !done;
  }
  bool stopped = false;
  bool running = false;
  bool undescribed = false;  // a simple query's RowDescription is still to be sent
};

}  // namespace mayfly::session
