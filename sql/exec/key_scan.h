// The key range of a scan, from its conditions, and the rows of a range; shared by the serial and the parallel scan.
#pragma once

#include <optional>

#include "sql/exec/expr_state.h"
#include "sql/exec/row_output.h"
#include "sql/store/key_codec.h"

namespace mayfly::exec {

class KeyRangeState {
 public:
  KeyRangeState(const plan::KeyScan& op, const BuildContext& build);
  // nullopt where a bound is NULL or the range is empty: no rows.
  std::optional<storage::KeyRange> Evaluate(ExecContext& context);

 private:
  struct Bound {
    ExprStatePtr value;
    bool inclusive = true;
  };
  store::KeyCodec keys_;
  std::vector<ExprStatePtr> equal_;
  std::optional<Bound> lower_;
  std::optional<Bound> upper_;
};

// The rows of a range that pass the scan's filter, batch by batch.
class KeyRangeScan {
 public:
  KeyRangeScan(const plan::KeyScan& op, const BuildContext& build);
  void Open(ExecContext& context, storage::KeyRange range);
  // No rows.
  void Close() { scan_.reset(); }
  // The next non-empty batch, valid until the next call; null at the end.
  types::Batch* Next();

 private:
  storage::TableOptions options_;
  storage::ScanOptions scan_options_;
  RowOutput output_;
  Predicate filter_;
  ExecContext* context_ = nullptr;
  std::unique_ptr<storage::Scan> scan_;
};

}  // namespace mayfly::exec
