// What INSERT, UPDATE and DELETE share: rows as datums, and RETURNING.
#pragma once

#include "sql/exec/executors.h"
#include "sql/exec/row_buffer.h"
#include "sql/exec/row_output.h"
#include "sql/store/table_writer.h"

namespace mayfly::exec {

store::WriteContext MakeWriteContext(ExecContext& context);

// The rows of one statement's RETURNING, or only their number. Executors of modifications add rows, then drain it.
class Returning {
 public:
  Returning(const std::vector<analyze::ExprPtr>& exprs, const BuildContext& build);
  bool wanted() const { return !exprs_.empty(); }
  void Clear(ExecContext& context);
  // Evaluates the list for the selected rows of `batch` and keeps the results.
  void Add(ExecContext& context, const types::Batch& batch);
  const types::Batch* Next();

 private:
  static std::vector<plan::OutputColumn> Columns(const std::vector<analyze::ExprPtr>& exprs);
  std::vector<ExprStatePtr> exprs_;
  RowBuffer rows_;
  std::vector<types::Vector> output_;
  types::Batch batch_;
  size_t next_ = 0;
};

// One row of a target table in vectors of one row, by the plan's target columns.
class TargetRow {
 public:
  TargetRow(const catalog::TableDescriptor& table, std::vector<ColumnId> columns);
  // A row as it would be stored: its live values, and the tag it would get.
  void SetValues(std::span<const types::Datum> values, storage::Tag tag);
  // A stored row.
  void SetStored(const storage::StoredRow& row);
  const std::vector<types::Vector>& vectors() const { return vectors_; }
  size_t live_count() const { return live_count_; }

 private:
  const catalog::TableDescriptor& table_;
  std::vector<ColumnId> columns_;
  size_t live_count_ = 0;
  store::RowDecoder decoder_;
  std::vector<types::Vector> vectors_;
  std::vector<types::Vector*> pointers_;
};

}  // namespace mayfly::exec
