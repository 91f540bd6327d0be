// The transaction of a session: implicit around single statements, explicit between BEGIN and COMMIT, failed after an error.
//
//   idle ──statement──> implicit ──end of query / Sync──> idle
//   idle, implicit ──BEGIN──> block ──COMMIT, ROLLBACK──> idle
//   block ──error──> failed ──ROLLBACK TO──> block, ──COMMIT, ROLLBACK──> idle (rolled back)
//
// A storage transaction exists only once something writes, locks, or needs one view for several statements; a catalog transaction only once
// there is DDL.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "sql/parse/ast.h"
#include "sql/session/settings.h"
#include "storage/engine.h"

namespace mayfly::session {

class TransactionState {
 public:
  TransactionState(storage::Engine& engine, catalog::Catalog& catalog, Settings& settings);

  char status() const { return failed_ ? 'E' : in_block_ ? 'T' : 'I'; }
  bool in_block() const { return in_block_; }
  bool failed() const { return failed_; }
  bool started() const { return started_; }

  // Before each statement that needs a transaction, implicit or not: `now` is the clock's reading (Unix microseconds).
  void BeginStatement(int64_t now_micros);
  // Start of the transaction, microseconds since 2000-01-01; of the last statement where none runs.
  int64_t transaction_timestamp() const { return transaction_timestamp_; }

  // Null where reads may go through a view of their own.
  storage::Transaction* storage() const { return storage_.get(); }
  storage::Transaction& StorageForWrite();
  catalog::CatalogTransaction& CatalogForWrite();
  bool has_catalog_changes() const { return catalog_txn_ != nullptr && catalog_txn_->has_changes(); }
  // What the statement sees: the transaction's own changes, or the newest published catalog.
  catalog::SnapshotPtr CatalogSnapshot() const;
  CatalogVersion CatalogVersionNow() const;

  // Before the first statement that reads or writes: the view of the transaction is fixed where it has one.
  void TakeSnapshot();
  size_t savepoint_count() const { return savepoints_.size(); }

  storage::Isolation isolation() const { return modes().isolation; }
  bool read_only() const { return modes().read_only; }
  // Committing would wait for the disk.
  bool CommitMayBlock() const { return (storage_ != nullptr && storage_->has_writes()) || has_catalog_changes(); }

  // BEGIN and friends. Notices go to `warn`. Errors are thrown.
  using Warn = FunctionRef<void(const SqlError&)>;
  void BeginBlock(const parse::TransactionModes& modes, Warn warn);
  // COMMIT; false where the transaction had failed and was rolled back instead.
  bool CommitBlock(Warn warn);
  void RollbackBlock(Warn warn);
  void SetSavepoint(const std::string& name);
  // How many savepoints there are below the named one. 25P01 outside of a block, naming the command; 3B001.
  size_t FindSavepoint(const std::string& name, std::string_view command) const;
  size_t ReleaseSavepoint(const std::string& name);  // the same
  void RollbackToSavepoint(const std::string& name);
  // As COMMIT AND CHAIN hands them on.
  parse::TransactionModes CurrentModes() const;
  void SetModes(const parse::TransactionModes& modes);

  // End of a simple query or Sync: commits the implicit transaction, if there is one.
  void CommitImplicit();
  // After an error: rolls back what is implicit, marks a block as failed.
  void OnError();

 private:
  struct Savepoint {
    std::string name;
    size_t storage = 0;
    std::optional<size_t> catalog;  // nullopt: there was no catalog transaction yet
    size_t settings = 0;
  };

  // What settings say of transactions, looked up when they changed.
  struct Modes {
    uint64_t version = 0;
    storage::Isolation isolation = storage::Isolation::kReadCommitted;
    bool read_only = false;
    bool buffered = false;
  };
  const Modes& modes() const;
  void Start(int64_t now_micros);
  void Commit();
  void Rollback();
  void Reset();
  void CheckModes(const parse::TransactionModes& modes) const;
  void RequireBlock(std::string_view command) const;

  storage::Engine& engine_;
  catalog::Catalog& catalog_;
  Settings& settings_;
  mutable Modes modes_;
  uint64_t plain_version_ = 0;  // settings under which a transaction starts with plain modes
  bool started_ = false;
  bool in_block_ = false;
  bool failed_ = false;
  bool has_snapshot_ = false;
  int64_t transaction_timestamp_ = 0;
  std::unique_ptr<storage::Transaction> storage_;
  std::unique_ptr<catalog::CatalogTransaction> catalog_txn_;
  std::vector<Savepoint> savepoints_;
};

}  // namespace mayfly::session
