// The hash functions that PostgreSQL shows to users (hashtext, hashint4 …): Bob Jenkins's lookup3, with PostgreSQL's initial
// value. Their results are part of what users see, unlike those of sql/types/hash.h.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace mayfly::func {

class StableHash {
 public:
  explicit StableHash(size_t length, uint64_t seed = 0) {
    a_ = b_ = c_ = 0x9E3779B9U + static_cast<uint32_t>(length) + 3923095U;
    if (seed == 0) return;
    a_ += static_cast<uint32_t>(seed >> 32);
    b_ += static_cast<uint32_t>(seed);
    Mix();
  }

  StableHash& Add(std::string_view bytes) {
    for (; bytes.size() >= 12; bytes.remove_prefix(12)) {
      a_ += LoadLittleEndian<uint32_t>(bytes.data());
      b_ += LoadLittleEndian<uint32_t>(bytes.data() + 4);
      c_ += LoadLittleEndian<uint32_t>(bytes.data() + 8);
      Mix();
    }
    // The lowest byte of c is the length's.
    for (size_t i = 0; i < bytes.size(); ++i) {
      const uint32_t byte = static_cast<unsigned char>(bytes[i]);
      if (i < 4) a_ += byte << (i * 8);
      if (i >= 4 && i < 8) b_ += byte << ((i - 4) * 8);
      if (i >= 8) c_ += byte << ((i - 7) * 8);
    }
    return *this;
  }
  StableHash& Add(uint32_t word) {
    a_ += word;
    return *this;
  }

  int32_t Finish32() {
    Final();
    return static_cast<int32_t>(c_);
  }
  int64_t Finish64() {
    Final();
    return static_cast<int64_t>(uint64_t{b_} << 32 | c_);
  }

 private:
  void Mix() {
    Step(a_, c_, b_, 4);
    Step(b_, a_, c_, 6);
    Step(c_, b_, a_, 8);
    Step(a_, c_, b_, 16);
    Step(b_, a_, c_, 19);
    Step(c_, b_, a_, 4);
  }
  static void Step(uint32_t& x, uint32_t& y, uint32_t z, int bits) {
    x -= y;
    x ^= std::rotl(y, bits);
    y += z;
  }
  void Final() {
    FinalStep(c_, b_, 14);
    FinalStep(a_, c_, 11);
    FinalStep(b_, a_, 25);
    FinalStep(c_, b_, 16);
    FinalStep(a_, c_, 4);
    FinalStep(b_, a_, 14);
    FinalStep(c_, b_, 24);
  }
  static void FinalStep(uint32_t& x, uint32_t y, int bits) {
    x ^= y;
    x -= std::rotl(y, bits);
  }

  uint32_t a_, b_, c_;
};

}  // namespace mayfly::func
