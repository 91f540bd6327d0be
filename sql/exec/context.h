// What a running statement has at hand: storage, parameters, settings, memory. One for each execution; executors borrow it
// between Open and the end.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/memory_account.h"
#include "catalog/virtual_table.h"
#include "sql/func/kernel.h"
#include "sql/types/owned_datum.h"
#include "storage/engine.h"

namespace mayfly::exec {

// The statement's access to storage. Reads go through the transaction where there is one, else through a view of the statement's
// own, made when first needed; a single Get outside a transaction needs no view at all.
class StorageAccess {
 public:
  explicit StorageAccess(storage::Engine& engine) : engine_(engine) {}

  // For a statement inside `txn`, or (null) outside of any.
  void Reset(storage::Transaction* txn, bool single_get) {
    txn_ = txn;
    view_.reset();
    single_get_ = single_get;
  }
  storage::Engine& engine() const { return engine_; }
  // Requires: the statement writes or locks; the session has made a transaction for it.
  storage::Transaction& txn() const { return *txn_; }
  bool in_transaction() const { return txn_ != nullptr; }
  const storage::ReadView& view() {
    if (txn_ != nullptr) return *txn_;
    if (view_ == nullptr) view_ = engine_.NewReadView();
    return *view_;
  }
  Result<bool> Get(const storage::TableOptions& table, std::string_view key, storage::GetBuffer& buffer) {
    if (txn_ != nullptr) return txn_->Get(table, key, buffer);
    if (single_get_) return engine_.GetLatest(table, key, buffer);
    return view().Get(table, key, buffer);
  }

 private:
  storage::Engine& engine_;
  storage::Transaction* txn_ = nullptr;
  std::unique_ptr<storage::ReadView> view_;
  bool single_get_ = false;
};

struct ExecContext {
  func::CallContext& call;
  StorageAccess& storage;
  const catalog::Snapshot& catalog;
  const catalog::RuntimeInfo* runtime = nullptr;  // may be null
  std::span<const types::OwnedDatum> params;      // $1 … as the plan's parameter types say
  // Values of OuterParams of the (sub)plan that runs.
  std::vector<types::OwnedDatum> outer_params;
  MemoryAccount& memory;
  storage::LockOptions lock;
  int64_t write_time_ms = 0;  // the statement's clock reading
  int64_t work_mem_bytes = int64_t{4} << 20;
  // Differs between executions of one Execution, so that what holds for a whole execution is computed once; 0 = not known.
  uint64_t execution = 0;

  // 57014 where the statement was asked to stop; called at least once a batch.
  void CheckForInterrupt() const {
    if (lock.interrupt != nullptr && lock.interrupt->requested.load(std::memory_order_relaxed)) [[unlikely]]
      ThrowInterrupted();
  }
  [[noreturn]] static void ThrowInterrupted();
};

}  // namespace mayfly::exec
