// The one place where a RocksDB status becomes an SqlError.
#pragma once

#include <rocksdb/status.h>

#include <string_view>

#include "base/result.h"

namespace mayfly::storage {

// Requires: !status.ok(). `what` says what was being done ("could not write to the log").
SqlError TranslateStatus(const rocksdb::Status& status, std::string_view what);

inline Status ToStatus(const rocksdb::Status& status, std::string_view what) {
  if (status.ok()) [[likely]]
    return Ok();
  return TranslateStatus(status, what);
}

}  // namespace mayfly::storage
