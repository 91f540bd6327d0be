// Puts the rows of a bulk load in the order of their keys: in memory, or past a bound in sorted runs on disk that are merged at
// the end.
//
//   record, in memory and in runs   | key size: u32 | value size: u32 | key | value |
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/result.h"

namespace mayfly::storage {

// Used by one thread. Run files are removed when the sorter is destroyed.
class RowSorter {
 public:
  // Run files are named `run_prefix` and a number.
  RowSorter(std::string run_prefix, size_t memory_bytes_max);
  ~RowSorter();
  RowSorter(const RowSorter&) = delete;
  RowSorter& operator=(const RowSorter&) = delete;

  // Room for a value of `value_size` that belongs to `key`; to be filled in before the next call.
  Result<char*> Add(std::string_view key, size_t value_size);
  // Bytes in memory.
  size_t memory_bytes() const { return memory_bytes_; }
  bool has_runs() const { return !runs_.empty(); }
  // Calls `fn` for every row in the order of keys, equal keys one after the other, until it returns false or fails. Empties the
  // memory, keeps runs.
  using SortedFn = FunctionRef<Result<bool>(std::string_view key, std::string_view value)>;
  Status ForEachSorted(SortedFn fn);

 private:
  // The first bytes of a key that differ between rows of a table, as a number: most comparisons end there.
  struct Ref {
    uint64_t prefix;
    const char* record;
  };
  struct Run;

  void SortMemory();
  Status Spill();
  void ClearMemory();

  const std::string run_prefix_;
  const size_t memory_bytes_max_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  size_t free_bytes_ = 0;
  size_t memory_bytes_ = 0;
  std::vector<Ref> refs_;
  std::vector<std::unique_ptr<Run>> runs_;
};

}  // namespace mayfly::storage
