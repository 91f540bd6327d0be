// What functions like pg_get_indexdef, obj_description and pg_table_is_visible say about an object: text made from a snapshot.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace mayfly::catalog {

// `what` is the function's name, for comments with the catalog: "pg_get_constraintdef", "obj_description:pg_class",
// "col_description" (`sub_id` is the column). nullopt = NULL: no such object, or nothing to say. A function that describes kinds
// of objects that we do not have finds none. 42809 for pg_get_functiondef of an aggregate.
std::optional<std::string> DescribeObject(const Snapshot& snapshot, std::span<const std::string> search_path,
                                          std::string_view what, Oid oid, int32_t sub_id, bool pretty);

// Whether the object can be named without its schema; nullopt where there is none. `what` is the function's name
// ("pg_table_is_visible"). Answers pg_relation_is_publishable too.
std::optional<bool> IsVisible(const Snapshot& snapshot, std::span<const std::string> search_path, std::string_view what, Oid oid);

}  // namespace mayfly::catalog
