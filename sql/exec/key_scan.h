// The key range of a scan, from its conditions; shared by the serial and the parallel scan.
#pragma once

#include <optional>

#include "sql/exec/expr_state.h"
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

}  // namespace mayfly::exec
