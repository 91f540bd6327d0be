#include "sql/exec/row_output.h"

namespace mayfly::exec {

RowOutput::RowOutput(const catalog::TableDescriptor& table, const std::vector<ColumnId>& columns, size_t capacity)
    : decoder_(table, columns) {
  vectors_.reserve(columns.size());
  for (const types::PhysicalType physical : decoder_.physical_types()) vectors_.emplace_back(physical, capacity);
  for (types::Vector& vector : vectors_) {
    pointers_.push_back(&vector);
    batch_.columns.push_back(&vector);
  }
}

void RowOutput::Clear() {
  for (types::Vector& vector : vectors_) vector.Reset();
  rows_ = 0;
}

void RowOutput::Append(const storage::StoredRow& row) { decoder_.Decode(row, rows_++, pointers_).value(); }

}  // namespace mayfly::exec
