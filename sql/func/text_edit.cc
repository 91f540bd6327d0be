// Functions that make new text from text: repeat, replace, translate, reverse, split_part, chr, ascii (PostgreSQL manual, 9.4).
#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

using types::Utf8Length;

// The set's character at `index`, empty past its end.
std::string_view CharacterAt(std::string_view set, size_t index) {
  const size_t at = types::Utf8Offset(set, index);
  return at >= set.size() ? std::string_view() : set.substr(at, Utf8Length(set[at]));
}

// The index of `character` in `set`, counted in characters; npos where it is not there.
size_t IndexOf(std::string_view set, std::string_view character) {
  size_t index = 0;
  for (size_t at = 0; at < set.size(); at += Utf8Length(set[at]), ++index) {
    if (set.substr(at, Utf8Length(set[at])) == character) return index;
  }
  return std::string_view::npos;
}

std::string_view SplitFromStart(std::string_view text, std::string_view separator, int64_t field) {
  for (;;) {
    const size_t at = text.find(separator);
    if (--field == 0) return text.substr(0, at);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + separator.size());
  }
}
// Finds separators from the end: they may overlap differently than from the start.
std::string_view SplitFromEnd(std::string_view text, std::string_view separator, int64_t field) {
  // Fields are cut as from the start; the n-th from the end is found by their number.
  int64_t fields = 1;
  for (size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator, at + separator.size())) ++fields;
  return field > fields ? std::string_view() : SplitFromStart(text, separator, fields - field + 1);
}

char32_t CheckCodePoint(int32_t n) {
  if (n < 0) Throw(SqlError::Make(kInvalidParameterValue, "character number must be positive"));
  if (n == 0) Throw(SqlError::Make(kProgramLimitExceeded, "null character not permitted"));
  if (n > 0x10FFFF) Throw(SqlError::Make(kProgramLimitExceeded, "requested character too large for encoding: {}", n));
  if (n >= 0xD800 && n <= 0xDFFF)
    Throw(SqlError::Make(kProgramLimitExceeded, "requested character not valid for encoding: {}", n));
  return static_cast<char32_t>(n);
}

}  // namespace

void Repeat(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t)>(call, [&](std::string_view text, int32_t n) -> std::string_view {
    if (n <= 0 || text.empty()) return {};
    const size_t size = text.size() * static_cast<size_t>(n);
    if (size > kTextBytesMax) ThrowTooLong();
    char* const at = call.result.heap().Allocate(size);
    for (size_t i = 0; i < size; i += text.size()) std::copy(text.begin(), text.end(), at + i);
    return {at, size};
  });
}

void ReplaceText(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view, std::string_view)>(
      call, [&](std::string_view text, std::string_view from, std::string_view to) {
        if (from.empty() || from.size() > text.size()) return text;
        size_t at = text.find(from);
        if (at == std::string_view::npos) return text;
        scratch.clear();
        size_t done = 0;
        for (; at != std::string_view::npos; at = text.find(from, done)) {
          scratch += text.substr(done, at - done);
          scratch += to;
          done = at + from.size();
        }
        scratch += text.substr(done);
        return Keep(call, scratch);
      });
}

void Translate(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view, std::string_view)>(
      call, [&](std::string_view text, std::string_view from, std::string_view to) {
        scratch.clear();
        for (size_t at = 0; at < text.size(); at += Utf8Length(text[at])) {
          const std::string_view character = text.substr(at, Utf8Length(text[at]));
          const size_t index = IndexOf(from, character);
          scratch += index == std::string_view::npos ? character : CharacterAt(to, index);
        }
        return Keep(call, scratch);
      });
}

void TextReverse(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view text) {
    char* const out = call.result.heap().Allocate(text.size());
    char* to = out + text.size();
    for (size_t at = 0; at < text.size();) {
      const size_t length = std::min(Utf8Length(text[at]), text.size() - at);
      to -= length;
      std::copy_n(text.data() + at, length, to);
      at += length;
    }
    return std::string_view(out, text.size());
  });
}

void SplitPart(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view, int32_t)>(
      call, [](std::string_view text, std::string_view separator, int32_t field) -> std::string_view {
        if (field == 0) Throw(SqlError::Make(kInvalidParameterValue, "field position must not be zero"));
        if (text.empty()) return {};
        if (separator.empty()) return field == 1 || field == -1 ? text : std::string_view();
        return field > 0 ? SplitFromStart(text, separator, field) : SplitFromEnd(text, separator, -int64_t{field});
      });
}

void Ascii(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(
      call, [](std::string_view text) { return text.empty() ? 0 : static_cast<int32_t>(types::DecodeUtf8(text)); });
}
void Chr(const KernelCall& call) {
  std::string text;
  Lift<std::string_view(int32_t)>(call, [&](int32_t n) {
    text.clear();
    types::AppendUtf8(text, CheckCodePoint(n));
    return std::string_view(text);
  });
}

}  // namespace mayfly::func
