// Rows kept by an executor (sort, join, modification): copied column by column into chunks, addressed by row number.
#pragma once

#include <memory>
#include <vector>

#include "base/memory_account.h"
#include "sql/plan/plan.h"
#include "sql/types/vector.h"

namespace mayfly::exec {

class RowBuffer {
 public:
  explicit RowBuffer(const std::vector<plan::OutputColumn>& columns);
  ~RowBuffer();
  RowBuffer(const RowBuffer&) = delete;
  RowBuffer& operator=(const RowBuffer&) = delete;

  // Forgets all rows; memory is accounted to `account` from now on.
  void Clear(MemoryAccount* account);
  // Copies the selected rows. 53200, thrown, where the memory limit is passed.
  void Append(const types::Batch& batch);
  size_t size() const { return size_; }
  // Exchanges the rows, and the accounts they are accounted to. Requires: the same columns.
  void Swap(RowBuffer& other) {
    chunks_.swap(other.chunks_);
    std::swap(size_, other.size_);
    std::swap(account_, other.account_);
  }
  types::Datum Get(size_t row, size_t column) const {
    return chunks_[row / types::kBatchRows]->columns[column].Get(row % types::kBatchRows);
  }

  // Stands for a row of NULLs in Gather.
  static constexpr uint32_t kNullRow = UINT32_MAX;
  // Copies rows `ids` to rows 0.. of `out` (one vector a column, from `first_column` on), borrowing bytes.
  void Gather(const uint32_t* ids, size_t count, std::vector<types::Vector>& out, size_t first_column = 0) const;
  // Vectors for Gather.
  std::vector<types::Vector> MakeVectors() const;

 private:
  struct Chunk {
    std::vector<types::Vector> columns;
    size_t accounted_bytes = 0;
  };
  void AppendRows(const types::Batch& batch, types::Selection rows, size_t first, size_t count);
  void AccountFor(Chunk& chunk);

  std::vector<types::PhysicalType> physical_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  size_t size_ = 0;
  MemoryAccount* account_ = nullptr;
};

}  // namespace mayfly::exec
