// Type descriptors by name for tests of functions on strings, arrays and JSON.
#pragma once

#include <map>
#include <string>

#include "sql/types/type.h"

namespace mayfly::func {

// Built without the catalog: only what the functions look at (operations, elements, delimiter) is filled in.
inline const types::TypeDesc& TypeNamed(const std::string& name) {
  using namespace types;
  static std::map<std::string, TypeDesc> descs;
  if (descs.empty()) {
    struct Row {
      const char* name;
      uint32_t oid;
      uint32_t array_oid;
      const TypeOps* ops;
    };
    const Row rows[] = {{"text", 25, 1009, &kTextOps},
                        {"varchar", 1043, 1015, &kVarcharOps},
                        {"bpchar", 1042, 1014, &kBpcharOps},
                        {"name", 19, 1003, &kNameOps},
                        {"char", 18, 1002, &kCharOps},
                        {"bytea", 17, 1001, &kByteaOps},
                        {"uuid", 2950, 2951, &kUuidOps},
                        {"json", 114, 199, &kJsonOps},
                        {"jsonb", 3802, 3807, &kJsonbOps},
                        {"int2", 21, 1005, &kInt2Ops},
                        {"int4", 23, 1007, &kInt4Ops},
                        {"int8", 20, 1016, &kInt8Ops},
                        {"float4", 700, 1021, &kFloat4Ops},
                        {"float8", 701, 1022, &kFloat8Ops},
                        {"numeric", 1700, 1231, &kNumericOps},
                        {"bool", 16, 1000, &kBoolOps},
                        {"oid", 26, 1028, &kOidOps},
                        {"xid", 28, 1011, &kXidOps},
                        {"timestamptz", 1184, 1185, &kTimestamptzOps},
                        {"timestamp", 1114, 1115, &kTimestampOps},
                        {"date", 1082, 1182, &kDateOps},
                        {"record", 2249, 2287, &kRecordOps}};
    for (const Row& row : rows) {
      TypeDesc& element = descs[row.name];
      element = {.oid = Oid{row.oid}, .name = row.name, .ops = row.ops};
      const auto array =
          descs.emplace(std::string("_") + row.name, TypeDesc{.oid = Oid{row.array_oid}, .name = {}, .ops = &kArrayOps}).first;
      array->second.name = array->first;
      array->second.element = &element;
      element.array = &array->second;
    }
  }
  return descs.at(name);
}

}  // namespace mayfly::func
