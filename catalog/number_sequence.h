// A durable counter whose numbers are never handed out twice: blocks are reserved in storage ahead of use, so a crash skips
// numbers, and repeats none.
#pragma once

#include <cstdint>
#include <mutex>

#include "catalog/object_codec.h"
#include "storage/engine.h"

namespace mayfly::catalog {

// Thread-safe.
class NumberSequence {
 public:
  enum class Which : uint32_t { kOid = 1, kStorage = 2 };
  static constexpr uint32_t kBlock = 64;

  NumberSequence(storage::Engine& engine, Which which, uint32_t first)
      : engine_(engine), which_(which), next_(first), reserved_(first) {}

  // The next number. 54000 when all are used up, and errors of storage.
  Result<uint32_t> Next();
  // What was found in storage when the catalog was opened.
  void Continue(uint32_t first_never_reserved) { next_ = reserved_ = first_never_reserved; }

 private:
  Status Reserve();

  storage::Engine& engine_;
  const Which which_;
  std::mutex mutex_;
  uint32_t next_;
  uint32_t reserved_;
};

}  // namespace mayfly::catalog
