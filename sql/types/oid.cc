// oid and xid: 32 bits without sign. xid has equality and no order.
#include <cerrno>
#include <cstdlib>

#include "sql/types/integer.h"
#include "sql/types/integer_ops.h"

namespace mayfly::types {

namespace {

bool IsOidBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// As strtoul() reads: a minus sign wraps around.
Result<Datum> OidIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena&) {
  const auto syntax = [text] {
    return SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}: \"{}\"", "oid", text);
  };
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const unsigned long value = std::strtoul(copy.c_str(), &end, 10);
  if (end == copy.c_str()) return syntax();
  const bool too_far = errno == ERANGE;
  while (IsOidBlank(*end)) ++end;
  // A negative number of 32 bits is the oid of the same bits.
  const auto oid = static_cast<uint32_t>(value);
  const auto sign_extended = static_cast<unsigned long>(static_cast<long>(static_cast<int32_t>(oid)));
  if (too_far || (value != oid && value != sign_extended)) {
    return SqlError::Make(kNumericValueOutOfRange, "value \"{}\" is out of range for type {}", text, "oid");
  }
  if (end != copy.c_str() + copy.size()) return syntax();
  return Datum(oid);
}

// PostgreSQL 15 takes anything: what is no number is 0, and 0x and 0 prefixes count.
Result<Datum> XidIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena&) {
  return Datum(static_cast<uint32_t>(std::strtoul(std::string(text).c_str(), nullptr, 0)));
}

void OidOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendInteger(out, value.get<uint32_t>());
}

}  // namespace

const TypeOps kOidOps = {
    .physical = PhysicalType::kInt32,
    .in = OidIn,
    .out = OidOut,
    .recv = PlainIntegerReceive<uint32_t>,
    .send = PlainIntegerSend<uint32_t>,
    .compare = PlainIntegerCompare<uint32_t>,
    .hash = PlainIntegerHash<uint32_t>,
    .encode_key = PlainIntegerEncodeKey<uint32_t>,
    .decode_key = PlainIntegerDecodeKey<uint32_t>,
    .key_is_lossless = true,
};

// The order serves equality only (DISTINCT, GROUP BY); PostgreSQL has a hash class and no btree class.
const TypeOps kXidOps = {
    .physical = PhysicalType::kInt32,
    .in = XidIn,
    .out = OidOut,
    .recv = PlainIntegerReceive<uint32_t>,
    .send = PlainIntegerSend<uint32_t>,
    .compare = PlainIntegerCompare<uint32_t>,
    .hash = PlainIntegerHash<uint32_t>,
};

}  // namespace mayfly::types
