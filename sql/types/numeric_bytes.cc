// numeric as bytes: encoding, and what can be answered without decoding (order, hash, small values).
#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "sql/types/hash.h"
#include "sql/types/numeric.h"

namespace mayfly::types {

namespace {

constexpr uint16_t kSignMask = 0xC000;
constexpr uint16_t kNegativeBits = 0x4000;
constexpr uint16_t kSpecialBits = 0x8000;
constexpr size_t kHeaderBytes = 4;

// The parts of a value's bytes, borrowed; digits are loaded one by one because they need not be aligned.
struct NumericView {
  explicit NumericView(std::string_view bytes)
      : head(LoadLittleEndian<uint16_t>(bytes.data())),
        weight(LoadLittleEndian<int16_t>(bytes.data() + 2)),
        digits(bytes.data() + kHeaderBytes),
        count((bytes.size() - kHeaderBytes) / sizeof(int16_t)) {}

  bool special() const { return (head & kSignMask) == kSpecialBits; }
  bool negative() const { return (head & kSignMask) == kNegativeBits; }
  NumericKind kind() const { return special() ? static_cast<NumericKind>((head & 3) + 1) : NumericKind::kFinite; }
  int16_t digit(size_t i) const { return LoadLittleEndian<int16_t>(digits + i * sizeof(int16_t)); }
  // Place in the order of kinds and signs: -Infinity, negative, zero, positive, Infinity, NaN.
  int rank() const {
    switch (kind()) {
      case NumericKind::kMinusInfinity: return -2;
      case NumericKind::kInfinity: return 2;
      case NumericKind::kNan: return 3;
      case NumericKind::kFinite: break;
    }
    return count == 0 ? 0 : negative() ? -1 : 1;
  }

  uint16_t head;
  int32_t weight;
  const char* digits;
  size_t count;
};

uint16_t Head(const Numeric& value) {
  if (!value.is_finite()) return static_cast<uint16_t>(kSpecialBits | (static_cast<int>(value.kind) - 1));
  return static_cast<uint16_t>((value.negative ? kNegativeBits : 0) | value.scale);
}

char* WriteHead(char* at, uint16_t head, int weight) {
  const uint16_t head_bytes = ToLittleEndian(head);
  const int16_t weight_bytes = ToLittleEndian(static_cast<int16_t>(weight));
  std::memcpy(at, &head_bytes, 2);
  std::memcpy(at + 2, &weight_bytes, 2);
  return at + kHeaderBytes;
}

StringRef WriteDigits(uint16_t head, int weight, const int16_t* digits, size_t count, Arena& arena) {
  const size_t size = kHeaderBytes + count * sizeof(int16_t);
  char small[StringRef::kInlineBytes];
  char* const bytes = size <= sizeof small ? small : arena.Allocate(size);
  char* const at = WriteHead(bytes, head, weight);
  if constexpr (std::endian::native == std::endian::little) {
    if (count != 0) std::memcpy(at, digits, count * sizeof(int16_t));
  } else {
    for (size_t i = 0; i < count; ++i) {
      const int16_t digit = ToLittleEndian(digits[i]);
      std::memcpy(at + i * sizeof(int16_t), &digit, sizeof digit);
    }
  }
  return StringRef(std::string_view(bytes, size));
}

}  // namespace

Numeric DecodeNumeric(std::string_view bytes) {
  const NumericView view(bytes);
  Numeric value;
  if (view.special()) {
    value.kind = view.kind();
    return value;
  }
  value.negative = view.negative();
  value.weight = view.weight;
  value.scale = view.head & kNumericStoredScaleMax;
  value.digits.Resize(view.count);
  int16_t* const digits = value.digits.data();
  for (size_t i = 0; i < view.count; ++i) digits[i] = view.digit(i);
  return value;
}

Result<StringRef> TryEncodeNumeric(const Numeric& value, Arena& arena) {
  if (!value.is_finite()) return WriteDigits(Head(value), 0, nullptr, 0, arena);
  // A result of arithmetic may still have zero digits at its ends.
  const int16_t* digits = value.digits.data();
  size_t count = value.digits.size();
  int weight = value.weight;
  for (; count != 0 && *digits == 0; ++digits, --count) --weight;
  while (count != 0 && digits[count - 1] == 0) --count;
  if (count == 0) weight = 0;
  if (weight > kNumericWeightMax || weight < INT16_MIN || value.scale > kNumericStoredScaleMax) {
    return SqlError::Make(kNumericValueOutOfRange, "value overflows numeric format");
  }
  const bool negative = value.negative && count != 0;
  const auto head = static_cast<uint16_t>((negative ? kNegativeBits : 0) | value.scale);
  return WriteDigits(head, weight, digits, count, arena);
}

StringRef EncodeNumeric(const Numeric& value, Arena& arena) { return TryEncodeNumeric(value, arena).value(); }

StringRef NumericFromInt64(int64_t value, Arena& arena) { return NumericFromScaledInt64(value, 0, arena); }

StringRef NumericFromScaledInt64(int64_t value, int scale, Arena& arena) {
  static constexpr uint64_t kPowers[] = {1, 10, 100, 1000};
  uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const int fraction_digits = (scale + kNumericBaseDigits - 1) / kNumericBaseDigits;
  // Line the point up with a digit's edge; what does not fit 64 bits then is carried in the first digit's product.
  const auto shift = static_cast<unsigned>(fraction_digits * kNumericBaseDigits - scale);
  unsigned __int128 wide = static_cast<unsigned __int128>(magnitude) * kPowers[shift];
  int16_t digits[8];
  size_t first = 8;
  while (wide > UINT64_MAX) {
    digits[--first] = static_cast<int16_t>(wide % kNumericBase);
    wide /= kNumericBase;
  }
  for (magnitude = static_cast<uint64_t>(wide); magnitude != 0; magnitude /= kNumericBase) {
    digits[--first] = static_cast<int16_t>(magnitude % kNumericBase);
  }
  size_t count = 8 - first;
  const int weight = count == 0 ? 0 : static_cast<int>(count) - 1 - fraction_digits;
  while (count != 0 && digits[first + count - 1] == 0) --count;
  return WriteDigits(static_cast<uint16_t>((value < 0 ? kNegativeBits : 0) | scale), weight, digits + first, count, arena);
}

int CompareNumericBytes(std::string_view a, std::string_view b) {
  const NumericView x(a);
  const NumericView y(b);
  const int rank = x.rank();
  if (rank != y.rank()) return rank < y.rank() ? -1 : 1;
  if (rank != 1 && rank != -1) return 0;
  int order = x.weight - y.weight;
  for (size_t i = 0, common = std::min(x.count, y.count); order == 0 && i < common; ++i) order = x.digit(i) - y.digit(i);
  if (order == 0) order = x.count == y.count ? 0 : x.count < y.count ? -1 : 1;
  if (order == 0) return 0;
  return (order < 0) == (rank > 0) ? -1 : 1;
}

uint64_t HashNumericBytes(std::string_view bytes) {
  const NumericView view(bytes);
  if (view.special()) return HashInt64(view.rank());
  const uint64_t seed = (static_cast<uint64_t>(static_cast<uint16_t>(view.weight)) << 1) | (view.negative() ? 1U : 0U);
  return HashCombine(seed, HashBytes({view.digits, view.count * sizeof(int16_t)}));
}

bool NumericAsScaledInt64(std::string_view bytes, int fraction_digits, int64_t& scaled) {
  const NumericView view(bytes);
  if (view.special()) return false;
  const int count = static_cast<int>(view.count);
  if (count == 0) {
    scaled = 0;
    return true;
  }
  const int zeros = view.weight + fraction_digits - count + 1;  // digits of zero to append
  if (zeros < 0 || count + zeros > 4) return false;
  int64_t value = 0;
  for (int i = 0; i < count; ++i) value = value * kNumericBase + view.digit(static_cast<size_t>(i));
  for (int i = 0; i < zeros; ++i) value *= kNumericBase;
  scaled = view.negative() ? -value : value;
  return true;
}

}  // namespace mayfly::types
