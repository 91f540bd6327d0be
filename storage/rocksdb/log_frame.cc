#include "storage/rocksdb/log_frame.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "base/bytes.h"

namespace mayfly::storage {

namespace {

uint64_t Checksum(uint32_t salt, uint64_t offset, std::string_view bytes) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), (uint64_t{salt} << 32) ^ offset);
}

}  // namespace

uint32_t LogSalt(uint64_t log_number) { return static_cast<uint32_t>(log_number * 0x9e3779b1U) ^ 0x6d61796cU; }

void EncodeLogFrameHead(uint32_t salt, uint64_t offset, std::string_view bytes, char* out) {
  const uint32_t size = ToLittleEndian(static_cast<uint32_t>(bytes.size()));
  const uint32_t stored_salt = ToLittleEndian(salt);
  const uint64_t checksum = ToLittleEndian(Checksum(salt, offset, bytes));
  std::memcpy(out, &size, 4);
  std::memcpy(out + 4, &stored_salt, 4);
  std::memcpy(out + 8, &checksum, 8);
}

uint32_t LogFrameSize(uint32_t salt, const char* head) {
  if (LoadLittleEndian<uint32_t>(head + 4) != salt) return 0;
  const auto size = LoadLittleEndian<uint32_t>(head);
  return size <= kLogFrameBytesMax ? size : 0;
}

bool IsLogFrame(uint32_t salt, uint64_t offset, const char* head, std::string_view bytes) {
  return LoadLittleEndian<uint64_t>(head + 8) == Checksum(salt, offset, bytes);
}

}  // namespace mayfly::storage
