#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

SqlState StateOf(const rocksdb::Status& status) {
  if (status.IsNoSpace()) return kDiskFull;
  if (status.IsMemoryLimit()) return kOutOfMemory;
  switch (status.code()) {
    case rocksdb::Status::kCorruption: return kDataCorrupted;
    case rocksdb::Status::kIOError: return kIoError;
    case rocksdb::Status::kShutdownInProgress: return kAdminShutdown;
    case rocksdb::Status::kTimedOut:
    case rocksdb::Status::kBusy:
    case rocksdb::Status::kTryAgain: return kCannotConnectNow;
    case rocksdb::Status::kNotSupported: return kFeatureNotSupported;
    default: return kInternalError;
  }
}

}  // namespace

SqlError TranslateStatus(const rocksdb::Status& status, std::string_view what) {
  return SqlError::Make(StateOf(status), "{}: {}", what, status.ToString());
}

}  // namespace mayfly::storage
