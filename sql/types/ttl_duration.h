// The lifetime of a row, as table.kv.row.ttl gives it: '1h', ' 5 min', '1 day 12:00:00', 'PT1H'.
//
//   duration := blanks digits blanks unit            ns, us (µs), ms, s, m, h, d and their long names, in any case
//             | an interval literal                  without months and years
//             | an ISO 8601 duration                 without months and years
//
// Whole numbers only: a row's lifetime is kept in milliseconds, and what is below one rounds up.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace mayfly::types {

// Milliseconds, greater than zero. 22023 with what is wrong as detail and what is allowed as hint.
Result<int64_t> ParseTtlDuration(std::string_view text);

}  // namespace mayfly::types
