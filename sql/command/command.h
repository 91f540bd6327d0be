// Utility statements that change or name objects: CREATE, ALTER, DROP, TRUNCATE, COMMENT, LOCK, CHECKPOINT, VACUUM. Each runs inside a
// transaction that the session has begun, and takes effect when that commits.
//
// Statements about the session itself (SET, SHOW, BEGIN, PREPARE, COPY, EXPLAIN …) are sql/session's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "sql/analyze/expr.h"
#include "sql/parse/ast.h"
#include "sql/types/owned_datum.h"
#include "sql/types/type.h"
#include "storage/engine.h"

namespace mayfly::command {

// The session, as commands see it.
class CommandHost {
 public:
  virtual ~CommandHost() = default;
  // The catalog changes of the current transaction; begun when first asked for. Its snapshot() is the newest the transaction sees.
  virtual catalog::CatalogTransaction& catalog_txn() = 0;
  virtual storage::Transaction& storage_txn() = 0;
  virtual storage::Engine& engine() = 0;
  virtual const std::vector<std::string>& search_path() const = 0;
  virtual types::IoContext io() const = 0;
  virtual Oid current_role() const = 0;
  virtual std::string_view database_name() const = 0;
  virtual storage::LockOptions lock_options() const = 0;
  // NOTICE and WARNING; SqlError::severity says which.
  virtual void Notice(SqlError notice) = 0;
  // The value of an analyzed expression without columns, in this statement (ADD COLUMN … DEFAULT).
  virtual types::OwnedDatum Evaluate(const analyze::ExprPtr& expr) = 0;
};

// True for statements that RunCommand runs.
bool IsCommand(const parse::Statement& statement);

// Runs it and returns the command tag ("CREATE TABLE"). Throws SqlException with PostgreSQL's codes, texts and positions.
std::string RunCommand(CommandHost& host, const parse::Statement& statement);

}  // namespace mayfly::command
