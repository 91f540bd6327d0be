// A few threads that all statements share for the parts of large scans. The calling thread works too, so a busy pool delays
// nobody.
#pragma once

#include <cstddef>

#include "base/function_ref.h"

namespace mayfly::exec {

// Threads that can work on one statement's parts, the calling one included.
size_t WorkerCount();

// Calls work(0) … work(count - 1), each once, in any order and on any of the threads; returns when all are done. Throws what the
// first failed one (by number) threw; the others still run to their end.
void RunParts(size_t count, FunctionRef<void(size_t)> work);

}  // namespace mayfly::exec
