// pg_size_pretty(bytes): the largest unit that leaves enough digits, rounded half away from zero (PostgreSQL manual, 9.27.7).
#include "sql/func/lift.h"
#include "sql/func/text_result.h"

namespace mayfly::func {

namespace {

struct SizeUnit {
  std::string_view name;
  uint64_t limit;  // a number below this is shown in this unit
  bool has_half;   // the number is kept in halves, for rounding
  int bits;
};
constexpr SizeUnit kUnits[] = {{"bytes", 10 * 1024, false, 0},  {"kB", 20 * 1024 - 1, true, 10}, {"MB", 20 * 1024 - 1, true, 20},
                               {"GB", 20 * 1024 - 1, true, 30}, {"TB", 20 * 1024 - 1, true, 40}, {"PB", 20 * 1024 - 1, true, 50}};

std::string Pretty(int64_t size) {
  for (size_t i = 0;; ++i) {
    const SizeUnit& unit = kUnits[i];
    const uint64_t magnitude = size < 0 ? 0 - static_cast<uint64_t>(size) : static_cast<uint64_t>(size);
    if (i + 1 == std::size(kUnits) || magnitude < unit.limit) {
      if (unit.has_half) size = (size + (size < 0 ? -1 : 1)) / 2;
      return fmt::format("{} {}", size, unit.name);
    }
    const int bits = kUnits[i + 1].bits - unit.bits - (kUnits[i + 1].has_half ? 1 : 0) + (unit.has_half ? 1 : 0);
    size /= int64_t{1} << bits;
  }
}

}  // namespace

void PgSizePretty(const KernelCall& call) {
  std::string text;
  Lift<std::string_view(int64_t)>(call, [&](int64_t size) {
    text = Pretty(size);
    return Keep(call, text);
  });
}

}  // namespace mayfly::func
