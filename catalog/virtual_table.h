// A system table whose rows are made from the catalog snapshot, the facts and the session when it is read: columns + generator.
#pragma once

#include <span>
#include <string_view>

#include "base/function_ref.h"
#include "catalog/catalog.h"
#include "sql/func/kernel.h"
#include "sql/types/datum.h"

namespace mayfly::catalog {

// Live sessions, settings …: what generators may ask beyond the snapshot. Implemented by sql/session. More members come with the views that
// need them.
class RuntimeInfo {
 public:
  virtual ~RuntimeInfo() = default;
  struct SettingRow {
    std::string_view name, value, unit, category, description, context, type, boot_value, reset_value;
    std::string_view min_value, max_value;  // empty = NULL
    std::vector<std::string_view> enum_values;
  };
  virtual void ForEachSetting(FunctionRef<void(const SettingRow&)> fn) const = 0;
};

struct GenerateContext {
  const Snapshot& snapshot;
  func::CallContext& call;
  const RuntimeInfo* runtime;  // may be null (no rows then)
};
// Receives one row: as many values as the table has columns; bytes live for the call.
using VirtualRowFn = FunctionRef<void(std::span<const types::Datum> row)>;

struct VirtualTable {
  void (*generate)(const GenerateContext& context, VirtualRowFn emit);
};

}  // namespace mayfly::catalog
