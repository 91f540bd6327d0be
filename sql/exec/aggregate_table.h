// The groups of an aggregation and the states of its aggregates, in memory.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "sql/exec/aggregate_call.h"
#include "sql/exec/group_keys.h"
#include "sql/exec/row_buffer.h"

namespace mayfly::exec {

class AggregateTable {
 public:
  // `output`: the node's, group columns first.
  AggregateTable(const plan::Aggregate& op, const std::vector<plan::OutputColumn>& output, const BuildContext& build);
  ~AggregateTable() { DestroyStates(); }
  AggregateTable(const AggregateTable&) = delete;
  AggregateTable& operator=(const AggregateTable&) = delete;

  // Forgets everything; without GROUP BY there is one group from the start.
  void Clear(ExecContext& context);
  void Consume(const types::Batch& batch);
  // Adds the groups of `other`, made from the same node. Requires: every aggregate can be combined and keeps no rows.
  void Combine(AggregateTable& other);
  // After the last row: aggregates with DISTINCT or ORDER BY get theirs.
  void FeedKept();

  size_t size() const { return states_.size(); }
  // Writes groups first .. first + count - 1 to rows 0.. of `out`, one vector an output column.
  void Emit(size_t first, size_t count, std::vector<types::Vector>& out);

 private:
  static constexpr size_t kStateAlignment = 16;
  struct AlignedDelete {
    void operator()(char* bytes) const { ::operator delete[](bytes, std::align_val_t{kStateAlignment}); }
  };

  void NewGroup();
  void FindGroups(const types::Batch& batch);
  void UpdateGroups(const types::Batch& batch);
  void UpdateSingleGroup(const types::Batch& batch);
  void* StateOf(size_t group, size_t call) { return states_[group].get() + offsets_[call]; }
  void DestroyStates();

  std::vector<ExprStatePtr> group_exprs_;
  bool grouped_;
  std::vector<plan::OutputColumn> group_columns_;
  GroupKeys keys_;
  RowBuffer group_values_;
  std::vector<std::unique_ptr<AggregateCallState>> calls_;
  std::vector<size_t> offsets_;
  size_t row_bytes_ = 0;
  std::deque<std::unique_ptr<char[], AlignedDelete>> states_;  // by group
  std::deque<std::unique_ptr<RowBuffer>> kept_;                // by group and call; null where rows are not kept
  MemoryAccount* account_ = nullptr;
  int64_t accounted_bytes_ = 0;
  ExecContext* context_ = nullptr;

  // Of the batch at hand.
  std::vector<const types::Vector*> group_vectors_;
  std::vector<uint32_t> groups_of_rows_;
  std::vector<uint16_t> new_rows_;
  std::vector<void*> row_states_;
  std::vector<uint32_t> ids_;
};

}  // namespace mayfly::exec
