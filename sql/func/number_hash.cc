// hashint4, hash_numeric and their kin, which users may call. Equal values of different types of one family have one hash.
#include <cmath>
#include <limits>

#include "sql/func/lift.h"
#include "sql/func/stable_hash.h"
#include "sql/types/numeric.h"

namespace mayfly::func {

namespace {

// The 32 bits that stand for an integer: those of an int8 that fits an int4 are the int4's.
uint32_t IntegerWord(int64_t value) {
  const auto low = static_cast<uint32_t>(value);
  const auto high = static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
  return low ^ (value >= 0 ? high : ~high);
}

template <typename T>
void HashIntegerKernel(const KernelCall& call) {
  Lift<int32_t(T)>(call, [](T a) { return StableHash(4).Add(IntegerWord(int64_t{a})).Finish32(); });
}
template <typename T>
void HashIntegerSeededKernel(const KernelCall& call) {
  Lift<int64_t(T, int64_t)>(
      call, [](T a, int64_t seed) { return StableHash(4, static_cast<uint64_t>(seed)).Add(IntegerWord(int64_t{a})).Finish64(); });
}

template <typename Finish>
auto HashFloat(double a, uint64_t seed, Finish finish) {
  if (std::isnan(a)) a = std::numeric_limits<double>::quiet_NaN();
  const auto bits = ToLittleEndian(std::bit_cast<uint64_t>(a));
  StableHash hash(sizeof bits, seed);
  hash.Add(std::string_view(reinterpret_cast<const char*>(&bits), sizeof bits));
  return finish(hash);
}
template <typename T>
void HashFloatKernel(const KernelCall& call) {
  Lift<int32_t(T)>(call, [](T a) { return a == 0 ? 0 : HashFloat(a, 0, [](StableHash& hash) { return hash.Finish32(); }); });
}
template <typename T>
void HashFloatSeededKernel(const KernelCall& call) {
  Lift<int64_t(T, int64_t)>(call, [](T a, int64_t seed) {
    return a == 0 ? seed : HashFloat(a, static_cast<uint64_t>(seed), [](StableHash& hash) { return hash.Finish64(); });
  });
}

StableHash HashDigits(const types::Numeric& value, uint64_t seed) {
  std::string digits;
  for (size_t i = 0; i < value.digits.size(); ++i) AppendLittleEndian(digits, value.digits[i]);
  StableHash hash(digits.size(), seed);
  hash.Add(digits);
  return hash;
}

}  // namespace

void Hashint2(const KernelCall& call) { HashIntegerKernel<int16_t>(call); }
void Hashint4(const KernelCall& call) { HashIntegerKernel<int32_t>(call); }
void Hashint8(const KernelCall& call) { HashIntegerKernel<int64_t>(call); }
void Hashint2extended(const KernelCall& call) { HashIntegerSeededKernel<int16_t>(call); }
void Hashint4extended(const KernelCall& call) { HashIntegerSeededKernel<int32_t>(call); }
void Hashint8extended(const KernelCall& call) { HashIntegerSeededKernel<int64_t>(call); }
void Hashoid(const KernelCall& call) {
  Lift<int32_t(uint32_t)>(call, [](uint32_t a) { return StableHash(4).Add(a).Finish32(); });
}
void Hashoidextended(const KernelCall& call) {
  Lift<int64_t(uint32_t, int64_t)>(
      call, [](uint32_t a, int64_t seed) { return StableHash(4, static_cast<uint64_t>(seed)).Add(a).Finish64(); });
}
void Hashfloat4(const KernelCall& call) { HashFloatKernel<float>(call); }
void Hashfloat8(const KernelCall& call) { HashFloatKernel<double>(call); }
void Hashfloat4extended(const KernelCall& call) { HashFloatSeededKernel<float>(call); }
void Hashfloat8extended(const KernelCall& call) { HashFloatSeededKernel<double>(call); }

void HashNumeric(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call, [](std::string_view a) {
    const types::Numeric value = types::DecodeNumeric(a);
    if (!value.is_finite()) return 0;
    if (value.is_zero()) return -1;
    return HashDigits(value, 0).Finish32() ^ value.weight;
  });
}
void HashNumericExtended(const KernelCall& call) {
  Lift<int64_t(std::string_view, int64_t)>(call, [](std::string_view a, int64_t seed) {
    const types::Numeric value = types::DecodeNumeric(a);
    if (!value.is_finite()) return seed;
    if (value.is_zero()) return static_cast<int64_t>(static_cast<uint64_t>(seed) - 1);
    return HashDigits(value, static_cast<uint64_t>(seed)).Finish64() ^ int64_t { value.weight };
  });
}

}  // namespace mayfly::func
