// Bit operators of integers, and to_hex.
#include <charconv>

#include "sql/func/number_loop.h"

namespace mayfly::func {

namespace {

// The count is taken modulo the width that the machine shifts by (32 for int2), as PostgreSQL's C does on common machines.
template <typename T>
using ShiftType = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <typename T>
void ShiftLeft(const KernelCall& call) {
  using U = ShiftType<T>;
  MapNumbers<T, T, int32_t>(
      call, [](T a, int32_t n) { return static_cast<T>(static_cast<U>(a) << (static_cast<uint32_t>(n) & (sizeof(U) * 8 - 1))); });
}
template <typename T>
void ShiftRight(const KernelCall& call) {
  using U = ShiftType<T>;
  MapNumbers<T, T, int32_t>(call, [](T a, int32_t n) {
    return static_cast<T>(static_cast<std::make_signed_t<U>>(a) >> (static_cast<uint32_t>(n) & (sizeof(U) * 8 - 1)));
  });
}

template <typename T>
void AppendHex(const KernelCall& call) {
  MapNumber<types::StringRef, T>(call, [&call](T a) {
    char text[16];
    const auto end = std::to_chars(text, text + sizeof text, static_cast<std::make_unsigned_t<T>>(a), 16).ptr;
    const std::string_view digits(text, static_cast<size_t>(end - text));
    return types::StringRef(digits.size() <= types::StringRef::kInlineBytes ? digits : call.result.heap().Copy(digits));
  });
}

}  // namespace

void Int2and(const KernelCall& call) {
  MapNumbers<int16_t, int16_t, int16_t>(call, [](int16_t a, int16_t b) { return static_cast<int16_t>(a & b); });
}
void Int2or(const KernelCall& call) {
  MapNumbers<int16_t, int16_t, int16_t>(call, [](int16_t a, int16_t b) { return static_cast<int16_t>(a | b); });
}
void Int2xor(const KernelCall& call) {
  MapNumbers<int16_t, int16_t, int16_t>(call, [](int16_t a, int16_t b) { return static_cast<int16_t>(a ^ b); });
}
void Int2not(const KernelCall& call) {
  MapNumber<int16_t, int16_t>(call, [](int16_t a) { return static_cast<int16_t>(~a); });
}
void Int2shl(const KernelCall& call) { ShiftLeft<int16_t>(call); }
void Int2shr(const KernelCall& call) { ShiftRight<int16_t>(call); }

void Int4and(const KernelCall& call) {
  MapNumbers<int32_t, int32_t, int32_t>(call, [](int32_t a, int32_t b) { return static_cast<int32_t>(a & b); });
}
void Int4or(const KernelCall& call) {
  MapNumbers<int32_t, int32_t, int32_t>(call, [](int32_t a, int32_t b) { return static_cast<int32_t>(a | b); });
}
void Int4xor(const KernelCall& call) {
  MapNumbers<int32_t, int32_t, int32_t>(call, [](int32_t a, int32_t b) { return static_cast<int32_t>(a ^ b); });
}
void Int4not(const KernelCall& call) {
  MapNumber<int32_t, int32_t>(call, [](int32_t a) { return static_cast<int32_t>(~a); });
}
void Int4shl(const KernelCall& call) { ShiftLeft<int32_t>(call); }
void Int4shr(const KernelCall& call) { ShiftRight<int32_t>(call); }

void Int8and(const KernelCall& call) {
  MapNumbers<int64_t, int64_t, int64_t>(call, [](int64_t a, int64_t b) { return static_cast<int64_t>(a & b); });
}
void Int8or(const KernelCall& call) {
  MapNumbers<int64_t, int64_t, int64_t>(call, [](int64_t a, int64_t b) { return static_cast<int64_t>(a | b); });
}
void Int8xor(const KernelCall& call) {
  MapNumbers<int64_t, int64_t, int64_t>(call, [](int64_t a, int64_t b) { return static_cast<int64_t>(a ^ b); });
}
void Int8not(const KernelCall& call) {
  MapNumber<int64_t, int64_t>(call, [](int64_t a) { return static_cast<int64_t>(~a); });
}
void Int8shl(const KernelCall& call) { ShiftLeft<int64_t>(call); }
void Int8shr(const KernelCall& call) { ShiftRight<int64_t>(call); }

void ToHex32(const KernelCall& call) { AppendHex<int32_t>(call); }
void ToHex64(const KernelCall& call) { AppendHex<int64_t>(call); }

}  // namespace mayfly::func
