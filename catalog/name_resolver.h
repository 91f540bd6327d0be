// Names as values: 'pg_class'::regclass and back, over a snapshot and a search path.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "catalog/catalog.h"

namespace mayfly::catalog {

// Borrows the snapshot; copies nothing but the schemas of the path. Errors of ResolveName are PostgreSQL's: 42P01, 42704, 42883,
// 42725, 3F000, 42602, 42601, 22P02, 0A000.
std::unique_ptr<types::NameResolver> MakeNameResolver(const Snapshot& snapshot, std::span<const std::string> search_path);

}  // namespace mayfly::catalog
