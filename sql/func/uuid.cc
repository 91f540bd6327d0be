// gen_random_uuid(): version 4, from the session's generator.
#include "sql/func/lift.h"

namespace mayfly::func {

void GenRandomUuid(const KernelCall& call) {
  if (call.context.random == nullptr) Throw(SqlError::NotSupported("gen_random_uuid() without a source of randomness"));
  for (size_t i = 0; i < call.rows.count; ++i) {
    types::Uuid uuid;
    const uint64_t words[2] = {(*call.context.random)(), (*call.context.random)()};
    std::memcpy(uuid.bytes, words, sizeof words);
    uuid.bytes[6] = static_cast<uint8_t>((uuid.bytes[6] & 0x0F) | 0x40);
    uuid.bytes[8] = static_cast<uint8_t>((uuid.bytes[8] & 0x3F) | 0x80);
    call.result.Set(call.rows[i], uuid);
  }
}

}  // namespace mayfly::func
