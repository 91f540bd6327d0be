// Hashes of values, for hash joins, GROUP BY and DISTINCT within one process. Never stored, never shown.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace mayfly::types {

// Mixes all bits of `value` (the finalizer of MurmurHash3).
constexpr uint64_t HashMix(uint64_t value) {
  value ^= value >> 33;
  value *= 0xFF51AFD7ED558CCDU;
  value ^= value >> 33;
  value *= 0xC4CEB9FE1A85EC53U;
  value ^= value >> 33;
  return value;
}
constexpr uint64_t HashInt64(int64_t value) { return HashMix(static_cast<uint64_t>(value) + 0x9E3779B97F4A7C15U); }
// Order matters.
constexpr uint64_t HashCombine(uint64_t seed, uint64_t hash) { return HashMix(seed * 31 + hash + 0x9E3779B97F4A7C15U); }

inline uint64_t HashBytes(std::string_view bytes) {
  constexpr uint64_t kPrime = 0x9FB21C651E98DF25U;
  uint64_t hash = bytes.size() * kPrime;
  const char* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    const auto product = static_cast<unsigned __int128>(hash ^ word) * (kPrime | 1);
    hash = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  uint64_t tail = 0;
  if (left != 0) std::memcpy(&tail, at, left);
  return HashMix(hash ^ tail);
}

}  // namespace mayfly::types
