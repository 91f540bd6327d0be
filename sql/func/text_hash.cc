// hashtext, uuid_hash and their kin, which users may call, with PostgreSQL's results.
#include "sql/func/lift.h"
#include "sql/func/stable_hash.h"
#include "sql/types/array.h"
#include "sql/types/text.h"

namespace mayfly::func {

namespace {

using types::TrimBlanks;
using types::Uuid;

int32_t Hash(std::string_view bytes) { return StableHash(bytes.size()).Add(bytes).Finish32(); }
int64_t HashSeeded(std::string_view bytes, int64_t seed) {
  return StableHash(bytes.size(), static_cast<uint64_t>(seed)).Add(bytes).Finish64();
}
std::string_view Bytes(const Uuid& uuid) { return {reinterpret_cast<const char*>(uuid.bytes), sizeof uuid.bytes}; }

void HashKernel(const KernelCall& call) { Lift<int32_t(std::string_view)>(call, Hash); }
void HashSeededKernel(const KernelCall& call) { Lift<int64_t(std::string_view, int64_t)>(call, HashSeeded); }

// "char" is a signed byte there.
uint32_t CharWord(int32_t c) { return static_cast<uint32_t>(int32_t{static_cast<int8_t>(c)}); }

std::string VectorBytes(const types::TypeDesc& type, std::string_view value) {
  const types::ArrayReader array(*type.element, value);
  std::string bytes;
  for (size_t i = 0; i < array.count(); ++i) AppendLittleEndian(bytes, array.Element(i).get<uint32_t>());
  return bytes;
}

}  // namespace

void Hashtext(const KernelCall& call) { HashKernel(call); }
void Hashtextextended(const KernelCall& call) { HashSeededKernel(call); }
void Hashname(const KernelCall& call) { HashKernel(call); }
void Hashnameextended(const KernelCall& call) { HashSeededKernel(call); }
void Hashbpchar(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call, [](std::string_view text) { return Hash(TrimBlanks(text)); });
}
void Hashbpcharextended(const KernelCall& call) {
  Lift<int64_t(std::string_view, int64_t)>(
      call, [](std::string_view text, int64_t seed) { return HashSeeded(TrimBlanks(text), seed); });
}
void Hashchar(const KernelCall& call) {
  Lift<int32_t(int32_t)>(call, [](int32_t c) { return StableHash(4).Add(CharWord(c)).Finish32(); });
}
void Hashcharextended(const KernelCall& call) {
  Lift<int64_t(int32_t, int64_t)>(
      call, [](int32_t c, int64_t seed) { return StableHash(4, static_cast<uint64_t>(seed)).Add(CharWord(c)).Finish64(); });
}
void UuidHash(const KernelCall& call) {
  Lift<int32_t(Uuid)>(call, [](const Uuid& uuid) { return Hash(Bytes(uuid)); });
}
void UuidHashExtended(const KernelCall& call) {
  Lift<int64_t(Uuid, int64_t)>(call, [](const Uuid& uuid, int64_t seed) { return HashSeeded(Bytes(uuid), seed); });
}
void Hashoidvector(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call,
                                  [&](std::string_view value) { return Hash(VectorBytes(*call.arg_types[0].type, value)); });
}
void Hashoidvectorextended(const KernelCall& call) {
  Lift<int64_t(std::string_view, int64_t)>(
      call, [&](std::string_view value, int64_t seed) { return HashSeeded(VectorBytes(*call.arg_types[0].type, value), seed); });
}

}  // namespace mayfly::func
