// lower(), upper() and initcap(). ASCII is done by hand; other characters ask the C library's C.UTF-8 locale, which is what
// PostgreSQL does in a database of that locale.
#include "sql/func/letter_case.h"

#include <clocale>
#include <cwctype>

#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

// Null where the C library lacks the locale: then only ASCII has case.
locale_t Utf8Locale() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

constexpr bool IsAsciiLower(char32_t c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsAsciiUpper(char32_t c) { return c >= 'A' && c <= 'Z'; }

template <typename Map>
void AppendMapped(std::string_view text, std::string& out, Map map) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = types::Utf8Length(text[at]);
    if (length == 1) {
      out += static_cast<char>(map(static_cast<char32_t>(static_cast<unsigned char>(text[at]))));
    } else {
      types::AppendUtf8(out, map(types::DecodeUtf8(text.substr(at, length))));
    }
    at += length;
  }
}

template <typename Append>
void MapText(const KernelCall& call, Append append) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view text) {
    scratch.clear();
    append(text, scratch);
    return Keep(call, scratch);
  });
}

}  // namespace

char32_t ToLower(char32_t c) {
  if (c < 0x80) return IsAsciiUpper(c) ? c + 32 : c;
  return Utf8Locale() == nullptr ? c : static_cast<char32_t>(towlower_l(static_cast<wint_t>(c), Utf8Locale()));
}
char32_t ToUpper(char32_t c) {
  if (c < 0x80) return IsAsciiLower(c) ? c - 32 : c;
  return Utf8Locale() == nullptr ? c : static_cast<char32_t>(towupper_l(static_cast<wint_t>(c), Utf8Locale()));
}
bool IsAlphanumeric(char32_t c) {
  if (c < 0x80) return IsAsciiLower(c) || IsAsciiUpper(c) || (c >= '0' && c <= '9');
  return Utf8Locale() != nullptr && iswalnum_l(static_cast<wint_t>(c), Utf8Locale()) != 0;
}

void AppendLower(std::string_view text, std::string& out) { AppendMapped(text, out, ToLower); }
void AppendUpper(std::string_view text, std::string& out) { AppendMapped(text, out, ToUpper); }

void Lower(const KernelCall& call) { MapText(call, AppendLower); }
void Upper(const KernelCall& call) { MapText(call, AppendUpper); }

// The first letter of each word upper, the rest lower; words are runs of alphanumeric characters.
void Initcap(const KernelCall& call) {
  MapText(call, [](std::string_view text, std::string& out) {
    bool in_word = false;
    AppendMapped(text, out, [&](char32_t c) {
      const char32_t mapped = in_word ? ToLower(c) : ToUpper(c);
      in_word = IsAlphanumeric(mapped);
      return mapped;
    });
  });
}

}  // namespace mayfly::func
