// time: microseconds since midnight, 24:00:00 included.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace mayfly::types {

// Rounds to typmod digits of a second where typmod >= 0; may become 24:00:00.
int64_t AdjustTimeForTypmod(int64_t micros, int32_t typmod);

}  // namespace mayfly::types
