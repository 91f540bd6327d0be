// regclass, regtype … : an OID whose text form is a name. Names are resolved by IoContext::names; digits and '-' (none) need
// nobody.
#include <algorithm>
#include <charconv>

#include "sql/types/hash.h"
#include "sql/types/key_encoding.h"
#include "sql/types/type.h"

namespace mayfly::types {

namespace {

Result<Datum> RegIn(const TypeDesc& type, std::string_view text, int32_t, const IoContext& io, Arena&) {
  if (text == "-") return Datum(uint32_t{0});
  if (!text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    uint32_t oid = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), oid);
    if (error != std::errc{})
      return SqlError::Make(kNumericValueOutOfRange, "value \"{}\" is out of range for type {}", text, "oid");
    return Datum(oid);
  }
  if (io.names == nullptr) return SqlError::NotSupported(fmt::format("a name as value of type {} here", type.name));
  TRY(const Oid, oid, io.names->ResolveName(type.name, text));
  return Datum(oid.value);
}

void RegOut(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out) {
  const auto oid = value.get<uint32_t>();
  if (oid == 0) {
    out += '-';
  } else if (io.names == nullptr) {
    out += fmt::format("{}", oid);
  } else {
    io.names->AppendName(type.name, Oid{oid}, out);
  }
}

Result<Datum> RegRecv(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena&) {
  if (bytes.size() < 4) return SqlError::Make(kProtocolViolation, "insufficient data left in message");
  if (bytes.size() > 4) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  return Datum(LoadBigEndian<uint32_t>(bytes.data()));
}
void RegSend(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendBigEndian(out, value.get<uint32_t>());
}

int RegCompare(const TypeDesc&, const Datum& a, const Datum& b) {
  const auto x = a.get<uint32_t>();
  const auto y = b.get<uint32_t>();
  return x < y ? -1 : x > y ? 1 : 0;
}
uint64_t RegHash(const TypeDesc&, const Datum& value) { return HashInt64(int64_t{value.get<uint32_t>()}); }
void RegEncodeKey(const TypeDesc&, const Datum& value, std::string& out) { AppendBigEndian(out, value.get<uint32_t>()); }
Result<Datum> RegDecodeKey(const TypeDesc&, ByteReader& key, Arena&) {
  const auto oid = key.BigEndian<uint32_t>();
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key is too short for its oid column");
  return Datum(oid);
}

constexpr TypeOps kRegOps = {
    .physical = PhysicalType::kInt32,
    .in = RegIn,
    .out = RegOut,
    .recv = RegRecv,
    .send = RegSend,
    .compare = RegCompare,
    .hash = RegHash,
    .encode_key = RegEncodeKey,
    .decode_key = RegDecodeKey,
    .key_is_lossless = true,
};

}  // namespace

constexpr TypeOps kRegclassOps = kRegOps;
constexpr TypeOps kRegtypeOps = kRegOps;
constexpr TypeOps kRegprocOps = kRegOps;
constexpr TypeOps kRegprocedureOps = kRegOps;
constexpr TypeOps kRegoperOps = kRegOps;
constexpr TypeOps kRegoperatorOps = kRegOps;
constexpr TypeOps kRegnamespaceOps = kRegOps;
constexpr TypeOps kRegroleOps = kRegOps;

}  // namespace mayfly::types
