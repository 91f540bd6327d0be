// record: the anonymous row, (1,'a',NULL). It lives in memory only: no column has this type, so its bytes may name types by
// address.
//
//   u32 fields | per field: address of the TypeDesc (8 bytes) | u32 length, or 0xFFFFFFFF for NULL | payload: the value as in
//   memory (fixed-size types), or the bytes
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "sql/types/type.h"

namespace mayfly::types {

struct RecordField {
  const TypeDesc* type = nullptr;
  Datum value;
};

// Borrows from `bytes`.
std::vector<RecordField> ReadRecord(std::string_view bytes);

class RecordBuilder {
 public:
  void Append(const TypeDesc& type, const Datum& value);
  Datum Finish(Arena& arena) const;

 private:
  uint32_t count_ = 0;
  std::string fields_;
};

// The btree order of records: field by field, NULL last. 42883 where a type has no order, 42804 `cannot compare dissimilar column
// types …`, and `cannot compare record types with different numbers of columns`; thrown.
int CompareRecords(std::string_view a, std::string_view b);

}  // namespace mayfly::types
