// How the bytes of the log lie in a file that exists at full size before they are written, and was used for an older log before.
//
//   file    | frame | frame | ... | anything: zeros, or frames of an older log |
//   frame   | size: u32 | salt: u32 | checksum: u64 | `size` bytes as RocksDB appended them |
//
// The salt is the number of the log file and of the use, the checksum covers salt, offset and bytes. The log ends at the first
// frame that does not fit: what follows was never written, or not completely, or belongs to another log. So recovery reads
// exactly a prefix of what was appended, and RocksDB sees a file that simply ends there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mayfly::storage {

inline constexpr size_t kLogFrameHeadBytes = 16;
// Larger appends are written as several frames.
inline constexpr size_t kLogFrameBytesMax = size_t{1} << 24;

// The salt of a log file, from its name's number.
uint32_t LogSalt(uint64_t log_number);
// Writes the head of a frame that lies at `offset` to `out`, kLogFrameHeadBytes.
void EncodeLogFrameHead(uint32_t salt, uint64_t offset, std::string_view bytes, char* out);
// The size of the frame whose head is at `head`; 0 where it is none of this log.
uint32_t LogFrameSize(uint32_t salt, const char* head);
// Whether the frame at `offset` is whole.
bool IsLogFrame(uint32_t salt, uint64_t offset, const char* head, std::string_view bytes);

}  // namespace mayfly::storage
