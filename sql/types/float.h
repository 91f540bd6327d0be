// float4 and float8 as text: the shortest digits that give the same value back, or as many as extra_float_digits says.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::types {

// Blanks around are skipped; NaN, Infinity and inf with a sign are read in any case. 22P02, or 22003 where the value is beyond
// the type.
Result<float> ParseFloat4(std::string_view text);
Result<double> ParseFloat8(std::string_view text);

void AppendFloat4(float value, int extra_float_digits, std::string& out);
void AppendFloat8(double value, int extra_float_digits, std::string& out);

// The order of the btree class: NaN equals itself and is the greatest, -0 is 0.
template <typename A, typename B>
constexpr int CompareFloats(A a, B b) {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a == b) return 0;
  return static_cast<int>(a != a) - static_cast<int>(b != b);
}

}  // namespace mayfly::types
