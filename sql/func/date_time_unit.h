// The first argument of date_part, extract and date_trunc: a unit's name, found once for a batch where it is constant.
#pragma once

#include <string>
#include <string_view>

#include "base/sql_error.h"
#include "sql/func/kernel.h"
#include "sql/types/date_time_token.h"

namespace mayfly::func {

// A unit, or a reserved word such as 'epoch' (in `part`); kNone where the word is unknown.
struct DateTimeUnit {
  types::DateTimePart kind = types::DateTimePart::kNone;
  types::DateTimePart part = types::DateTimePart::kNone;
  std::string name;  // in lower case, cut to 63 bytes, for messages

  bool is_unit() const { return kind == types::DateTimePart::kUnit; }
  bool is_epoch() const { return kind == types::DateTimePart::kReserved && part == types::DateTimePart::kEpoch; }
};
// `with_dates`: look among the words of dates too, for 'dow', 'doy', 'epoch', 'julian', ….
DateTimeUnit FindDateTimeUnit(std::string_view text, bool with_dates);

// 0A000 `unit "x" not supported for type t` for a known unit, 22023 `unit "x" not recognized for type t` else. `is_known`: see FindDateTimeUnit.
SqlError UnsupportedUnit(const DateTimeUnit& unit, bool is_known, std::string_view type_name);

// Calls body(unit, row) for each selected row; args[0] is the unit's name.
template <typename Body>
void ForEachUnit(const KernelCall& call, bool with_dates, Body&& body) {
  const types::Vector& names = *call.args[0];
  DateTimeUnit unit;
  std::string_view found;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const std::string_view name = names.data<types::StringRef>()[names.Index(row)].view();
    const bool is_same = i > 0 && (names.is_constant() || name == found);
    if (!is_same) {
      unit = FindDateTimeUnit(name, with_dates);
      found = name;
    }
    body(unit, row);
  }
}

}  // namespace mayfly::func
