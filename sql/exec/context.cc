#include "sql/exec/context.h"

namespace mayfly::exec {

void ExecContext::ThrowInterrupted() { Throw(SqlError::Make(kQueryCanceled, "canceling statement due to user request")); }

}  // namespace mayfly::exec
