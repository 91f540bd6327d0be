// A zone given as text to a function: an abbreviation wins over a full name. Found once for a batch where it is constant.
#pragma once

#include <string>
#include <string_view>

#include "sql/types/time_zone.h"
#include "sql/types/vector.h"

namespace mayfly::func {

struct ZoneMeaning {
  int32_t offset_seconds = 0;              // where zone is null
  const types::TimeZone* zone = nullptr;
  std::string abbreviation;                // not empty: what this meant in `zone` at the time counts
};
// 22023 `time zone "x" not recognized`, thrown.
ZoneMeaning FindZoneMeaning(std::string_view text);
// The offset at an instant, or at a local time (both in microseconds since 2000-01-01).
int32_t OffsetAt(const ZoneMeaning& meaning, int64_t timestamptz);
int32_t OffsetOfLocal(const ZoneMeaning& meaning, int64_t timestamp);

class TimeZoneArgument {
 public:
  explicit TimeZoneArgument(const types::Vector& names) : names_(names) {}
  // The reference is valid until the next call.
  const ZoneMeaning& At(size_t row) {
    const std::string_view name = names_.data<types::StringRef>()[names_.Index(row)].view();
    if (!has_found_ || (!names_.is_constant() && name != found_)) {
      meaning_ = FindZoneMeaning(name);
      found_ = name;
      has_found_ = true;
    }
    return meaning_;
  }

 private:
  const types::Vector& names_;
  ZoneMeaning meaning_;
  std::string_view found_;
  bool has_found_ = false;
};

}  // namespace mayfly::func
