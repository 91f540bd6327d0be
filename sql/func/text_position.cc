// Lengths, positions and parts of text, counted in characters from 1 (PostgreSQL manual, 9.4); the same of bytea, counted in
// bytes.
#include <algorithm>
#include <limits>

#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/text.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

using types::Utf8Count;
using types::Utf8Offset;

void CountCharacters(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call, [](std::string_view text) { return static_cast<int32_t>(Utf8Count(text)); });
}
void CountBytes(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call, [](std::string_view bytes) { return static_cast<int32_t>(bytes.size()); });
}
void CountBits(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call, [](std::string_view bytes) { return static_cast<int32_t>(bytes.size() * 8); });
}

// Positions before the first character count, but select nothing: substring('abc' from 0 for 2) is 'a'.
struct Range {
  size_t begin = 0;
  size_t count = 0;
};
Range ToRange(int32_t start, int64_t length) {
  const int64_t begin = std::max<int64_t>(int64_t{start} - 1, 0);
  const int64_t end = int64_t{start} - 1 + length;
  return end <= begin ? Range{0, 0} : Range{static_cast<size_t>(begin), static_cast<size_t>(end - begin)};
}
constexpr int64_t kToTheEnd = std::numeric_limits<int32_t>::max() * int64_t{4};

int64_t CheckLength(int32_t length) {
  if (length < 0) Throw(SqlError::Make(kSubstringError, "negative substring length not allowed"));
  return length;
}

std::string_view Characters(std::string_view text, Range range) {
  if (range.count == 0) return {};
  const std::string_view rest = text.substr(Utf8Offset(text, range.begin));
  return rest.substr(0, Utf8Offset(rest, range.count));
}
std::string_view Bytes(std::string_view bytes, Range range) {
  if (range.count == 0 || range.begin >= bytes.size()) return {};
  return bytes.substr(range.begin, range.count);
}

// overlay(text placing with from start for length) with the given way to cut.
template <typename Cut>
std::string_view Overlay(const KernelCall& call, std::string_view text, std::string_view with, int32_t start, int64_t length,
                         Cut cut) {
  if (start <= 0) Throw(SqlError::Make(kSubstringError, "negative substring length not allowed"));
  const int64_t after = start + length;
  if (after > std::numeric_limits<int32_t>::max()) Throw(SqlError::Make(kNumericValueOutOfRange, "integer out of range"));
  std::string result(cut(text, ToRange(1, start - 1)));
  result += with;
  result += cut(text, ToRange(static_cast<int32_t>(after), kToTheEnd));
  return call.result.heap().Copy(result);
}

void Position(const KernelCall& call) {
  Lift<int32_t(std::string_view, std::string_view)>(call, [](std::string_view text, std::string_view part) {
    const size_t at = text.find(part);
    return at == std::string_view::npos ? 0 : static_cast<int32_t>(Utf8Count(text.substr(0, at)) + 1);
  });
}

}  // namespace

void Textlen(const KernelCall& call) { CountCharacters(call); }
void Bpcharlen(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call,
                                  [](std::string_view text) { return static_cast<int32_t>(Utf8Count(types::TrimBlanks(text))); });
}
void Textoctetlen(const KernelCall& call) { CountBytes(call); }
void Bpcharoctetlen(const KernelCall& call) { CountBytes(call); }
void Byteaoctetlen(const KernelCall& call) { CountBytes(call); }
void BitLength1810(const KernelCall& call) { CountBits(call); }
void BitLength1811(const KernelCall& call) { CountBits(call); }

void TextSubstr(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t, int32_t)>(call, [](std::string_view text, int32_t start, int32_t length) {
    return Characters(text, ToRange(start, CheckLength(length)));
  });
}
void TextSubstrNoLen(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t)>(
      call, [](std::string_view text, int32_t start) { return Characters(text, ToRange(start, kToTheEnd)); });
}
void ByteaSubstr(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t, int32_t)>(call, [](std::string_view bytes, int32_t start, int32_t length) {
    return Bytes(bytes, ToRange(start, CheckLength(length)));
  });
}
void ByteaSubstrNoLen(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t)>(
      call, [](std::string_view bytes, int32_t start) { return Bytes(bytes, ToRange(start, kToTheEnd)); });
}

// A negative n means all but the last |n| characters.
void TextLeft(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t)>(call, [](std::string_view text, int32_t n) {
    if (n >= 0) return text.substr(0, Utf8Offset(text, static_cast<size_t>(n)));
    const int64_t keep = static_cast<int64_t>(Utf8Count(text)) + n;
    return keep <= 0 ? std::string_view() : text.substr(0, Utf8Offset(text, static_cast<size_t>(keep)));
  });
}
void TextRight(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t)>(call, [](std::string_view text, int32_t n) {
    const int64_t skip = n < 0 ? -int64_t{n} : static_cast<int64_t>(Utf8Count(text)) - n;
    return skip <= 0 ? text : text.substr(Utf8Offset(text, static_cast<size_t>(skip)));
  });
}

void Textoverlay(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view, int32_t, int32_t)>(
      call, [&](std::string_view text, std::string_view with, int32_t start, int32_t length) {
        return Overlay(call, text, with, start, length, Characters);
      });
}
void TextoverlayNoLen(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view, int32_t)>(
      call, [&](std::string_view text, std::string_view with, int32_t start) {
        return Overlay(call, text, with, start, static_cast<int64_t>(Utf8Count(with)), Characters);
      });
}
void Byteaoverlay(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view, int32_t, int32_t)>(
      call, [&](std::string_view bytes, std::string_view with, int32_t start, int32_t length) {
        return Overlay(call, bytes, with, start, length, Bytes);
      });
}
void ByteaoverlayNoLen(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view, int32_t)>(
      call, [&](std::string_view bytes, std::string_view with, int32_t start) {
        return Overlay(call, bytes, with, start, static_cast<int64_t>(with.size()), Bytes);
      });
}

// position(part in text) and strpos(text, part): 0 where it is not there, 1 for an empty part.
void Textpos(const KernelCall& call) { Position(call); }
void Byteapos(const KernelCall& call) {
  Lift<int32_t(std::string_view, std::string_view)>(call, [](std::string_view bytes, std::string_view part) {
    const size_t at = bytes.find(part);
    return at == std::string_view::npos ? 0 : static_cast<int32_t>(at + 1);
  });
}
void TextStartsWith(const KernelCall& call) {
  Lift<bool(std::string_view, std::string_view)>(
      call, [](std::string_view text, std::string_view prefix) { return text.starts_with(prefix); });
}

}  // namespace mayfly::func
