// Type input: whatever bytes a client sends as a value of whatever type, in text or binary form, the answer is a value or an SqlError. A value
// that was read prints, reads again as an equal value, and prints the same again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "catalog/facts.h"
#include "sql/types/time_zone.h"

namespace {

using mayfly::types::Datum;

const std::vector<const mayfly::types::TypeDesc*>& ReadableTypes() {
  static const auto* const types = [] {
    auto* list = new std::vector<const mayfly::types::TypeDesc*>;
    for (const mayfly::catalog::TypeRow& row : mayfly::catalog::AllTypes()) {
      const mayfly::types::TypeOps* ops = row.desc->ops;
      if (ops != nullptr && ops->in != nullptr && ops->out != nullptr) list->push_back(row.desc);
    }
    return list;
  }();
  return *types;
}

// Prints, reads and prints again.
void CheckRoundTrip(const mayfly::types::TypeDesc& type, const Datum& value, const mayfly::types::IoContext& io) {
  mayfly::Arena arena;
  std::string first;
  type.ops->out(type, value, io, first);
  const mayfly::Result<Datum> again = type.ops->in(type, first, -1, io, arena);
  // What the binary form can hold and no text can say (years far off) need not read again.
  if (!again.ok()) return;
  std::string second;
  type.ops->out(type, *again, io, second);
  if (first != second) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  mayfly::types::IoSettings settings;
  settings.time_zone = mayfly::types::TimeZone::Utc();
  const mayfly::types::IoContext io{settings};
  const auto& types = ReadableTypes();
  const mayfly::types::TypeDesc& type = *types[data[0] % types.size()];
  const bool binary = (data[1] & 1) != 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  mayfly::Arena arena;
  if (binary && type.ops->recv != nullptr) {
    const mayfly::Result<Datum> value = type.ops->recv(type, bytes, -1, io, arena);
    if (value.ok()) CheckRoundTrip(type, *value, io);
  } else if (!binary) {
    const mayfly::Result<Datum> value = type.ops->in(type, bytes, -1, io, arena);
    if (value.ok()) CheckRoundTrip(type, *value, io);
  }
  return 0;
}
