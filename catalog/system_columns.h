// Column ids of the hidden system columns: not part of *, not assignable. The row_ ones exist on TTL tables only.
#pragma once

#include "base/strong_id.h"

namespace mayfly::catalog::system_column {

inline constexpr ColumnId kTableOid{-6};
inline constexpr ColumnId kRowTtlTimestamp{-101};
inline constexpr ColumnId kRowExpiresAt{-102};
// The row's storage key, as bytes. For plans of UPDATE, DELETE and row locks; no name leads to it.
inline constexpr ColumnId kRowKey{-103};

}  // namespace mayfly::catalog::system_column
