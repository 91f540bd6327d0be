#include "base/check.h"

#include <cstdio>
#include <cstdlib>

#include "base/sql_error.h"

namespace mayfly {

void CheckFailed(std::string_view what, std::source_location where) {
#ifdef NDEBUG
  Throw(SqlError::Make(kInternalError, "{} ({}:{})", what, where.file_name(), where.line()));
#else
  fmt::print(stderr, "{}:{}: {}\n", where.file_name(), where.line(), what);
  std::abort();
#endif
}

}  // namespace mayfly
