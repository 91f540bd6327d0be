// Vectors that a table's stored rows are decoded into, as an executor's output.
#pragma once

#include <vector>

#include "sql/exec/executor.h"
#include "sql/store/row_codec.h"

namespace mayfly::exec {

class RowOutput {
 public:
  RowOutput(const catalog::TableDescriptor& table, const std::vector<ColumnId>& columns, size_t capacity);
  // Forgets all rows.
  void Clear();
  // Adds a row; XX001 for damaged bytes, thrown.
  void Append(const storage::StoredRow& row);
  size_t rows() const { return rows_; }
  // All rows, until Clear.
  types::Batch& batch() {
    batch_.rows = rows_;
    batch_.selected = nullptr;
    return batch_;
  }

 private:
  store::RowDecoder decoder_;
  std::vector<types::Vector> vectors_;
  std::vector<types::Vector*> pointers_;
  types::Batch batch_;
  size_t rows_ = 0;
};

}  // namespace mayfly::exec
