// x IN (SELECT …) where the subquery takes nothing from the row around it: its rows are kept as a hash table, once an execution.
//
// Only for comparisons by a type's own equality, all of whose left sides look at the outer row and right sides at the subquery's
// alone.
#pragma once

#include <memory>
#include <vector>

#include "sql/exec/executor.h"
#include "sql/exec/key_table.h"

namespace mayfly::exec {

class HashedSubquery {
 public:
  // Null where `node` cannot be answered so. `rows` is where its SubPlanColumns find their values.
  static std::unique_ptr<HashedSubquery> Make(const analyze::SubPlan& node, const BuildContext& build,
                                              const types::Batch* const* rows);

  // Reads the subquery's rows: for each batch, the caller points `rows` of Make to it and calls Add.
  void Clear(ExecContext& context);
  void Add(ExecContext& context, const types::Batch& batch);

  // The left sides for `rows` of the outer batch; then Find answers for one of them.
  void Evaluate(ExecContext& context, const types::Batch& batch, types::Selection rows);
  enum class Answer : uint8_t {
    kFalse,
    kTrue,
    kNull,
    kUnknown
  };  // kUnknown: NULLs in some of several columns; compare row by row
  Answer Find(size_t row);

 private:
  std::vector<ExprStatePtr> left_;
  std::vector<ExprStatePtr> right_;
  std::vector<const types::TypeDesc*> types_;
  KeyTable keys_;
  size_t row_count_ = 0;
  bool has_null_row_ = false;
  std::vector<const types::Vector*> left_values_;
  std::string key_;
};

}  // namespace mayfly::exec
