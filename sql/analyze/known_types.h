// The types that the rules of analysis name, looked up once.
#pragma once

#include "catalog/facts.h"

namespace mayfly::analyze {

#define KNOWN_TYPE(function, oid)                                      \
  inline const types::TypeDesc* function() {                           \
    static const types::TypeDesc* const type = catalog::FindType(oid); \
    return type;                                                       \
  }
KNOWN_TYPE(BoolType, catalog::kOidBool)
KNOWN_TYPE(Int4Type, catalog::kOidInt4)
KNOWN_TYPE(Int8Type, catalog::kOidInt8)
KNOWN_TYPE(NumericType, catalog::kOidNumeric)
KNOWN_TYPE(TextType, catalog::kOidText)
KNOWN_TYPE(NameType, catalog::kOidName)
KNOWN_TYPE(UnknownType, catalog::kOidUnknown)
KNOWN_TYPE(RecordType, catalog::kOidRecord)
KNOWN_TYPE(OidType, catalog::kOidOid)
KNOWN_TYPE(DateType, catalog::kOidDate)
KNOWN_TYPE(TimeType, catalog::kOidTime)
KNOWN_TYPE(TimestampType, catalog::kOidTimestamp)
KNOWN_TYPE(TimestamptzType, catalog::kOidTimestamptz)
#undef KNOWN_TYPE

inline bool IsUnknown(const types::TypeDesc* type) { return type->oid == catalog::kOidUnknown; }

}  // namespace mayfly::analyze
