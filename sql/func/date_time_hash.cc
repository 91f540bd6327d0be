// time_hash, timestamp_hash, interval_hash, with and without seed: hashint8 of the value, or of an interval's span.
#include "sql/func/lift.h"
#include "sql/func/stable_hash.h"
#include "sql/types/interval.h"

namespace mayfly::func {

namespace {

using types::Interval;

// The 32 bits that stand for 64, as hashint8 folds them.
uint32_t Word(int64_t value) {
  const auto low = static_cast<uint32_t>(value);
  const auto high = static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
  return low ^ (value >= 0 ? high : ~high);
}
int32_t Hash(int64_t value) { return StableHash(4).Add(Word(value)).Finish32(); }
int64_t HashSeeded(int64_t value, int64_t seed) { return StableHash(4, static_cast<uint64_t>(seed)).Add(Word(value)).Finish64(); }
int64_t LowSpan(const Interval& interval) { return static_cast<int64_t>(types::IntervalSpan(interval)); }

}  // namespace

void TimeHash(const KernelCall& call) {
  Lift<int32_t(int64_t)>(call, Hash);
}
void TimeHashExtended(const KernelCall& call) {
  Lift<int64_t(int64_t, int64_t)>(call, HashSeeded);
}
void TimestampHash(const KernelCall& call) {
  Lift<int32_t(int64_t)>(call, Hash);
}
void TimestampHashExtended(const KernelCall& call) {
  Lift<int64_t(int64_t, int64_t)>(call, HashSeeded);
}
void IntervalHash(const KernelCall& call) {
  Lift<int32_t(Interval)>(call, [](const Interval& i) { return Hash(LowSpan(i)); });
}
void IntervalHashExtended(const KernelCall& call) {
  Lift<int64_t(Interval, int64_t)>(call, [](const Interval& i, int64_t seed) { return HashSeeded(LowSpan(i), seed); });
}

}  // namespace mayfly::func
