// Canonical text of an analyzed query, for golden tests: one clause a line.
#pragma once

#include <string>

#include "sql/analyze/query.h"

namespace mayfly::analyze {

std::string PrintQuery(const Query& query, size_t indent = 0);

}  // namespace mayfly::analyze
