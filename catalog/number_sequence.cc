// Reserving blocks of numbers in storage transactions of their own.
#include "catalog/number_sequence.h"

#include <limits>

namespace mayfly::catalog {

Result<uint32_t> NumberSequence::Next() {
  const std::lock_guard lock(mutex_);
  if (next_ == reserved_) TRY_OK(Reserve());
  return next_++;
}

Status NumberSequence::Reserve() {
  if (reserved_ > std::numeric_limits<uint32_t>::max() - kBlock) {
    return SqlError::Make(kProgramLimitExceeded, "all {} are used up",
                          which_ == Which::kOid ? "object identifiers" : "storage identifiers");
  }
  const uint32_t reserved = reserved_ + kBlock;
  const std::unique_ptr<storage::Transaction> txn = engine_.NewTransaction({});
  txn->BeginStatement();
  const std::string key = ObjectKey(ObjectKind::kSequence, static_cast<uint32_t>(which_));
  TRY_OK(txn->Lock(key, storage::LockMode::kExclusive, {}));
  std::string value;
  AppendLittleEndian(value, reserved);
  TRY_OK(txn->Put(CatalogStorage(), key, value, storage::kNeverTag));
  TRY_OK(txn->Commit(storage::Durability::kFlushed));
  reserved_ = reserved;
  return Ok();
}

}  // namespace mayfly::catalog
