// Type descriptors by name for tests of functions on strings, arrays and JSON.
#pragma once

#include <map>
#include <string>

#include "sql/types/type.h"

namespace mayfly::func {

// Built without the catalog: only what the functions look at (operations, elements, delimiter) is filled in.
inline const types::TypeDesc& TypeNamed(const std::string& name) {
  using types::TypeDesc;
  using types::TypeOps;
  static std::map<std::string, TypeDesc> descs;
  if (descs.empty()) {
    struct Row {
      const char* name;
      uint32_t oid;
      uint32_t array_oid;
      const TypeOps* ops;
    };
    const Row rows[] = {{"text", 25, 1009, &types::kTextOps},
                        {"varchar", 1043, 1015, &types::kVarcharOps},
                        {"bpchar", 1042, 1014, &types::kBpcharOps},
                        {"name", 19, 1003, &types::kNameOps},
                        {"char", 18, 1002, &types::kCharOps},
                        {"bytea", 17, 1001, &types::kByteaOps},
                        {"uuid", 2950, 2951, &types::kUuidOps},
                        {"json", 114, 199, &types::kJsonOps},
                        {"jsonb", 3802, 3807, &types::kJsonbOps},
                        {"int2", 21, 1005, &types::kInt2Ops},
                        {"int4", 23, 1007, &types::kInt4Ops},
                        {"int8", 20, 1016, &types::kInt8Ops},
                        {"float4", 700, 1021, &types::kFloat4Ops},
                        {"float8", 701, 1022, &types::kFloat8Ops},
                        {"numeric", 1700, 1231, &types::kNumericOps},
                        {"bool", 16, 1000, &types::kBoolOps},
                        {"oid", 26, 1028, &types::kOidOps},
                        {"xid", 28, 1011, &types::kXidOps},
                        {"timestamptz", 1184, 1185, &types::kTimestamptzOps},
                        {"timestamp", 1114, 1115, &types::kTimestampOps},
                        {"date", 1082, 1182, &types::kDateOps},
                        {"record", 2249, 2287, &types::kRecordOps}};
    for (const Row& row : rows) {
      TypeDesc& element = descs[row.name];
      element = {.oid = Oid{row.oid}, .name = row.name, .ops = row.ops};
      const auto array =
          descs.emplace(std::string("_") + row.name, TypeDesc{.oid = Oid{row.array_oid}, .name = {}, .ops = &types::kArrayOps})
              .first;
      array->second.name = array->first;
      array->second.element = &element;
      element.array = &array->second;
    }
  }
  return descs.at(name);
}

}  // namespace mayfly::func
