// Statements that are executed as they stand, without a plan: DDL, LOCK TABLE, CHECKPOINT, VACUUM. One file per object kind.
//
//   session ──Statement──> RunCommand ──descriptors──> catalog transaction     published by the session at commit
//                                     ──rows, locks──> storage transaction     committed by the session
//
// Rules: first lock (sql/command/object_lock.h), then look: a command reads the catalog anew after it has the lock. Everything a command
// changes goes through the two transactions, so that ROLLBACK undoes it whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sql_error.h"
#include "catalog/catalog.h"
#include "sql/func/kernel.h"
#include "sql/parse/ast.h"
#include "storage/engine.h"

namespace mayfly::command {

// What a command needs of the session that runs it. Implemented by sql/session.
class CommandHost {
 public:
  virtual ~CommandHost() = default;
  // The running transaction, begun where none was yet.
  virtual storage::Transaction& storage_transaction() = 0;
  // Its catalog changes. snapshot() of it shows what others have published meanwhile beside its own changes, so that a command that has waited
  // for a lock sees the object as it is now.
  virtual catalog::CatalogTransaction& catalog_transaction() = 0;
  // NOTICE, WARNING, INFO for the client.
  virtual void Notice(const SqlError& notice) = 0;
};

// Borrowed for the call.
struct CommandContext {
  CommandHost& host;
  storage::Engine& engine;
  func::CallContext& call;  // time, settings and random numbers for DEFAULT expressions
  storage::LockOptions lock;
  storage::Isolation isolation = storage::Isolation::kReadCommitted;
  // search_path with "$user" already replaced; names that do not exist are passed over.
  const std::vector<std::string>& search_path;
  Oid role;
  std::string_view role_name;
  std::string_view session_role_name;
  std::string_view database_name;
  // Inside BEGIN … COMMIT, or a text of several statements: VACUUM is refused there.
  bool in_transaction_block = false;

  catalog::SnapshotPtr snapshot() const { return host.catalog_transaction().snapshot(); }
};

struct CommandResult {
  std::string_view tag;  // for CommandComplete: "CREATE TABLE"
};

// Whether RunCommand executes this kind of statement. All of them may wait (locks, the disk): run them where waiting is allowed.
bool IsCommand(const parse::Statement& statement);

// The tag of a command that changes something ("CREATE TABLE"), and so may not run in a read-only transaction; empty for LOCK TABLE and VACUUM.
std::string_view WritingCommand(const parse::Statement& statement);

// Throws SqlException with PostgreSQL's codes, texts and positions. Requires: IsCommand(statement).
CommandResult RunCommand(CommandContext& context, const parse::Statement& statement);

}  // namespace mayfly::command
