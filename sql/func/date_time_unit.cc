#include "sql/func/date_time_unit.h"

#include <algorithm>

namespace mayfly::func {

DateTimeUnit FindDateTimeUnit(std::string_view text, bool with_dates) {
  constexpr size_t kNameBytesMax = 63;
  DateTimeUnit unit;
  unit.name = text.substr(0, kNameBytesMax);
  std::transform(unit.name.begin(), unit.name.end(), unit.name.begin(), types::ToLower);
  const types::DateTimeWord* word = types::FindUnitWord(unit.name);
  if (word == nullptr && with_dates) word = types::FindDateTimeWord(unit.name);
  if (word == nullptr) return unit;
  unit.kind = word->kind;
  unit.part = word->part;
  return unit;
}

SqlError UnsupportedUnit(const DateTimeUnit& unit, bool is_known, std::string_view type_name) {
  if (is_known) return SqlError::Make(kFeatureNotSupported, "unit \"{}\" not supported for type {}", unit.name, type_name);
  return SqlError::Make(kInvalidParameterValue, "unit \"{}\" not recognized for type {}", unit.name, type_name);
}

}  // namespace mayfly::func
