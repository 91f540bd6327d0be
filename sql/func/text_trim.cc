// The trim and pad families (PostgreSQL manual, 9.4). The second argument of trims is a set of characters, in any order.
#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

using types::Utf8Count;
using types::Utf8Length;
using types::Utf8Offset;

bool Contains(std::string_view set, std::string_view character) {
  for (size_t at = 0; at < set.size(); at += Utf8Length(set[at])) {
    if (set.substr(at, Utf8Length(set[at])) == character) return true;
  }
  return false;
}

std::string_view TrimStart(std::string_view text, std::string_view set) {
  while (!text.empty()) {
    const size_t length = Utf8Length(text[0]);
    if (!Contains(set, text.substr(0, length))) break;
    text.remove_prefix(length);
  }
  return text;
}
std::string_view TrimEnd(std::string_view text, std::string_view set) {
  while (!text.empty()) {
    size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (!Contains(set, text.substr(start))) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

std::string_view TrimBytesStart(std::string_view bytes, std::string_view set) {
  const size_t at = bytes.find_first_not_of(set);
  return at == std::string_view::npos ? std::string_view() : bytes.substr(at);
}
std::string_view TrimBytesEnd(std::string_view bytes, std::string_view set) {
  return bytes.substr(0, bytes.find_last_not_of(set) + 1);
}

template <typename Trim>
void TrimKernel(const KernelCall& call, Trim trim) {
  Lift<std::string_view(std::string_view, std::string_view)>(call, trim);
}
template <typename Trim>
void TrimSpaceKernel(const KernelCall& call, Trim trim) {
  Lift<std::string_view(std::string_view)>(call, [trim](std::string_view text) { return trim(text, " "); });
}

// What to put before or after `text` to make it `length` characters; `text` is cut where it is longer.
std::string_view Pad(const KernelCall& call, std::string_view text, int32_t length, std::string_view fill, bool left) {
  const size_t wanted = length < 0 ? 0 : static_cast<size_t>(length);
  const size_t have = Utf8Count(text);
  if (have >= wanted || fill.empty()) return text.substr(0, Utf8Offset(text, wanted));
  const size_t missing = wanted - have;
  if (wanted * 4 > kTextBytesMax) ThrowTooLong();
  const size_t fill_count = Utf8Count(fill);
  std::string padding;
  padding.reserve(missing / fill_count * fill.size() + fill.size() + text.size());
  for (size_t i = 0; i < missing / fill_count; ++i) padding += fill;
  padding += fill.substr(0, Utf8Offset(fill, missing % fill_count));
  if (left) {
    padding += text;
  } else {
    padding.insert(0, text);
  }
  return call.result.heap().Copy(padding);
}

void PadKernel(const KernelCall& call, bool left) {
  Lift<std::string_view(std::string_view, int32_t, std::string_view)>(
      call,
      [&, left](std::string_view text, int32_t length, std::string_view fill) { return Pad(call, text, length, fill, left); });
}
void PadSpaceKernel(const KernelCall& call, bool left) {
  Lift<std::string_view(std::string_view, int32_t)>(
      call, [&, left](std::string_view text, int32_t length) { return Pad(call, text, length, " ", left); });
}

}  // namespace

void Btrim(const KernelCall& call) {
  TrimKernel(call, [](std::string_view text, std::string_view set) { return TrimEnd(TrimStart(text, set), set); });
}
void Btrim1(const KernelCall& call) {
  TrimSpaceKernel(call, [](std::string_view text, std::string_view set) { return TrimEnd(TrimStart(text, set), set); });
}
void Ltrim(const KernelCall& call) { TrimKernel(call, TrimStart); }
void Ltrim1(const KernelCall& call) { TrimSpaceKernel(call, TrimStart); }
void Rtrim(const KernelCall& call) { TrimKernel(call, TrimEnd); }
void Byteatrim(const KernelCall& call) {
  TrimKernel(call, [](std::string_view bytes, std::string_view set) { return TrimBytesEnd(TrimBytesStart(bytes, set), set); });
}
void Bytealtrim(const KernelCall& call) { TrimKernel(call, TrimBytesStart); }
void Byteartrim(const KernelCall& call) { TrimKernel(call, TrimBytesEnd); }

void Lpad(const KernelCall& call) { PadKernel(call, true); }
void Rpad(const KernelCall& call) { PadKernel(call, false); }
void Lpad879(const KernelCall& call) { PadSpaceKernel(call, true); }
void Rpad880(const KernelCall& call) { PadSpaceKernel(call, false); }

}  // namespace mayfly::func
