// An engine that keeps everything in memory, for tests. Nothing survives it.
#pragma once

#include <memory>

#include "base/clock.h"
#include "storage/engine.h"

namespace mayfly::storage {

// The clock outlives the engine.
std::unique_ptr<Engine> NewMemoryEngine(Clock& clock);

}  // namespace mayfly::storage
