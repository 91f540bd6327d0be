#include "sql/types/format_type.h"

#include <span>
#include <string_view>

namespace mayfly::types {

namespace {

struct SqlTypeName {
  uint32_t oid;
  uint32_t array_oid;
  std::string_view name;
  // What stands after the modifier: "timestamp(3) with time zone".
  std::string_view suffix = {};
  const TypeOps* modifiers = nullptr;         // prints typmods; null where the type has none, or none that we know
  std::string_view name_without_typmod = {};  // printed for a given typmod of -1
};

constexpr SqlTypeName kNames[] = {
    {16, 1000, "boolean"},
    {18, 1002, "\"char\""},
    {20, 1016, "bigint"},
    {21, 1005, "smallint"},
    {23, 1007, "integer"},
    {700, 1021, "real"},
    {701, 1022, "double precision"},
    {1042, 1014, "character", "", &kBpcharOps, "bpchar"},
    {1043, 1015, "character varying", "", &kVarcharOps},
    {1083, 1183, "time", " without time zone", &kTimeOps},
    {1114, 1115, "timestamp", " without time zone", &kTimestampOps},
    {1184, 1185, "timestamp", " with time zone", &kTimestamptzOps},
    {1186, 1187, "interval", "", &kIntervalOps},
    {1266, 1270, "time", " with time zone", &kTimeOps},
    {1560, 1561, "bit", "", nullptr, "\"bit\""},
    {1562, 1563, "bit varying"},
    {1700, 1231, "numeric", "", &kNumericOps},
    {2276, 0, "\"any\""},
};

// typmod_out of the time types gives "(3)" or "(3) with time zone": only the part in parentheses goes between name and suffix.
void AppendModifier(const SqlTypeName& row, int32_t typmod, std::string& out) {
  if (typmod < 0 || row.modifiers == nullptr || row.modifiers->typmod_out == nullptr) {
    out += row.suffix;
    return;
  }
  std::string text;
  row.modifiers->typmod_out(typmod, text);
  if (row.suffix.empty()) {
    out += text;
    return;
  }
  out += std::string_view(text).substr(0, text.find(')') + 1);
  out += row.suffix;
}

}  // namespace

bool AppendSqlTypeName(Oid type, bool typmod_given, int32_t typmod, std::string& out) {
  if (!type.valid()) return false;
  for (const SqlTypeName& row : kNames) {
    if (row.oid != type.value && row.array_oid != type.value) continue;
    const bool bare = typmod_given && typmod < 0 && !row.name_without_typmod.empty();
    out += bare ? row.name_without_typmod : row.name;
    AppendModifier(row, typmod, out);
    if (row.array_oid == type.value) out += "[]";
    return true;
  }
  return false;
}

std::string FormatType(const TypeDesc& type, int32_t typmod) {
  std::string out;
  if (AppendSqlTypeName(type.oid, false, typmod, out)) return out;
  const bool is_array = type.element != nullptr && type.element->array == &type;
  out += is_array ? type.element->name : type.name;
  if (is_array) out += "[]";
  return out;
}

}  // namespace mayfly::types
