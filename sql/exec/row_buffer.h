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
  types::Datum Get(size_t row, size_t column) const { return chunks_[row / types::kBatchRows]->columns[column].Get(row % types::kBatchRows); }

  // Copies rows `ids` to rows 0.. of `out` (one vector a column), borrowing bytes.
  void Gather(const uint32_t* ids, size_t count, std::vector<types::Vector>& out) const;
  // Vectors for Gather.
  std::vector<types::Vector> MakeVectors() const;

 private:
  struct Chunk {
    std::vector<types::Vector> columns;
    size_t accounted_bytes = 0;
  };
  void AppendRow(const types::Batch& batch, size_t row);
  void AccountFor(Chunk& chunk);

  std::vector<types::PhysicalType> physical_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  size_t size_ = 0;
  MemoryAccount* account_ = nullptr;
};

}  // namespace mayfly::exec
