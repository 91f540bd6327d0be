// hashtext and its kin for text, name, bpchar, "char" and uuid, which users may call.
#include "sql/func/lift.h"
#include "sql/func/stable_hash.h"
#include "sql/types/text.h"

namespace mayfly::func {

namespace {

std::string_view Whole(std::string_view bytes) { return bytes; }

template <typename Prepare>
void HashBytesKernel(const KernelCall& call, Prepare prepare) {
  Lift<int32_t(std::string_view)>(call, [prepare](std::string_view a) {
    const std::string_view bytes = prepare(a);
    return StableHash(bytes.size()).Add(bytes).Finish32();
  });
}
template <typename Prepare>
void HashBytesSeededKernel(const KernelCall& call, Prepare prepare) {
  Lift<int64_t(std::string_view, int64_t)>(call, [prepare](std::string_view a, int64_t seed) {
    const std::string_view bytes = prepare(a);
    return StableHash(bytes.size(), static_cast<uint64_t>(seed)).Add(bytes).Finish64();
  });
}
std::string_view UuidBytes(const types::Uuid& uuid) { return {reinterpret_cast<const char*>(uuid.bytes), sizeof uuid.bytes}; }

}  // namespace

void Hashtext(const KernelCall& call) { HashBytesKernel(call, Whole); }
void Hashtextextended(const KernelCall& call) { HashBytesSeededKernel(call, Whole); }
void Hashname(const KernelCall& call) { HashBytesKernel(call, Whole); }
void Hashnameextended(const KernelCall& call) { HashBytesSeededKernel(call, Whole); }
void Hashbpchar(const KernelCall& call) { HashBytesKernel(call, types::TrimBlanks); }
void Hashbpcharextended(const KernelCall& call) { HashBytesSeededKernel(call, types::TrimBlanks); }

// The byte counts as a signed one.
void Hashchar(const KernelCall& call) {
  Lift<int32_t(int32_t)>(call, [](int32_t c) { return StableHash(4).Add(static_cast<uint32_t>(static_cast<int8_t>(c))).Finish32(); });
}
void Hashcharextended(const KernelCall& call) {
  Lift<int64_t(int32_t, int64_t)>(call, [](int32_t c, int64_t seed) {
    return StableHash(4, static_cast<uint64_t>(seed)).Add(static_cast<uint32_t>(static_cast<int8_t>(c))).Finish64();
  });
}

void UuidHash(const KernelCall& call) {
  Lift<int32_t(types::Uuid)>(call, [](const types::Uuid& uuid) { return StableHash(16).Add(UuidBytes(uuid)).Finish32(); });
}
void UuidHashExtended(const KernelCall& call) {
  Lift<int64_t(types::Uuid, int64_t)>(call, [](const types::Uuid& uuid, int64_t seed) {
    return StableHash(16, static_cast<uint64_t>(seed)).Add(UuidBytes(uuid)).Finish64();
  });
}

}  // namespace mayfly::func
