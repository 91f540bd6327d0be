#include "sql/exec/row_buffer.h"

#include <algorithm>

namespace mayfly::exec {

using types::kBatchRows;

RowBuffer::RowBuffer(const std::vector<plan::OutputColumn>& columns) {
  for (const plan::OutputColumn& column : columns) physical_.push_back(column.type->physical());
}

RowBuffer::~RowBuffer() { Clear(nullptr); }

void RowBuffer::Clear(MemoryAccount* account) {
  if (account_ != nullptr) {
    for (const auto& chunk : chunks_) account_->Shrink(static_cast<int64_t>(chunk->accounted_bytes));
  }
  chunks_.clear();
  size_ = 0;
  account_ = account;
}

void RowBuffer::Append(const types::Batch& batch) {
  const types::Selection rows = batch.selection();
  for (size_t done = 0; done < rows.count;) {
    if (size_ % kBatchRows == 0) {
      chunks_.push_back(std::make_unique<Chunk>());
      for (const types::PhysicalType physical : physical_) chunks_.back()->columns.emplace_back(physical);
    }
    const size_t count = std::min(rows.count - done, kBatchRows - size_ % kBatchRows);
    AppendRows(batch, rows, done, count);
    AccountFor(*chunks_.back());
    done += count;
  }
}

// Copies `count` selected rows, from the `first` one on, to the last chunk, which has room for them.
void RowBuffer::AppendRows(const types::Batch& batch, types::Selection rows, size_t first, size_t count) {
  const size_t at = size_ % kBatchRows;
  for (size_t column = 0; column < physical_.size(); ++column) {
    const types::Vector& from = *batch.columns[column];
    types::Vector& to = chunks_.back()->columns[column];
    const size_t width = PhysicalSize(physical_[column]);
    for (size_t i = 0; i < count; ++i) {
      const size_t row = rows[first + i];
      if (from.IsNull(row)) {
        to.SetNull(at + i);
      } else if (physical_[column] == types::PhysicalType::kBytes) {
        to.SetBytes(at + i, from.data<types::StringRef>()[from.Index(row)].view());
      } else {
        std::memcpy(to.data<char>() + (at + i) * width, from.data<char>() + from.Index(row) * width, width);
      }
    }
  }
  size_ += count;
}

void RowBuffer::AccountFor(Chunk& chunk) {
  if (account_ == nullptr) return;
  size_t bytes = 0;
  for (types::Vector& column : chunk.columns)
    bytes += kBatchRows * PhysicalSize(column.physical()) + column.heap().reserved_bytes();
  if (bytes > chunk.accounted_bytes) account_->Grow(static_cast<int64_t>(bytes - chunk.accounted_bytes)).value();
  chunk.accounted_bytes = bytes;
}

std::vector<types::Vector> RowBuffer::MakeVectors() const {
  std::vector<types::Vector> vectors;
  for (const types::PhysicalType physical : physical_) vectors.emplace_back(physical);
  return vectors;
}

void RowBuffer::Gather(const uint32_t* ids, size_t count, std::vector<types::Vector>& out, size_t first_column) const {
  for (size_t column = 0; column < physical_.size(); ++column) {
    types::Vector& to = out[first_column + column];
    const size_t width = PhysicalSize(physical_[column]);
    for (size_t i = 0; i < count; ++i) {
      if (ids[i] == kNullRow) {
        to.SetNull(i);
        continue;
      }
      const types::Vector& from = chunks_[ids[i] / kBatchRows]->columns[column];
      const size_t row = ids[i] % kBatchRows;
      if (from.IsNull(row)) {
        to.SetNull(i);
      } else {
        std::memcpy(to.data<char>() + i * width, from.data<char>() + row * width, width);
      }
    }
  }
}

}  // namespace mayfly::exec
