// convert_from, convert_to, convert, length(bytea, encoding) and unistr (PostgreSQL manual, 9.4 and 9.5). UTF8, LATIN1 and
// SQL_ASCII are known.
#include <optional>

#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

enum class Encoding { kUtf8, kLatin1, kSqlAscii };

std::string PlainName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c + 32);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  return plain;
}

// `role` is "source " or "destination ", or empty.
Encoding FindEncoding(std::string_view name, std::string_view role) {
  const std::string plain = PlainName(name);
  if (plain == "utf8" || plain == "unicode") return Encoding::kUtf8;
  if (plain == "latin1" || plain == "iso88591") return Encoding::kLatin1;
  if (plain == "sqlascii") return Encoding::kSqlAscii;
  static constexpr std::string_view kKnown[] = {"latin", "win",   "euc",  "iso", "koi", "sjis", "big5",  "gb",     "uhc",
                                                "johab", "shift", "mule", "abc", "alt", "tcvn", "vscii", "windows"};
  for (const std::string_view prefix : kKnown) {
    if (plain.starts_with(prefix)) Throw(SqlError::NotSupported(fmt::format("conversion of encoding {}", name)));
  }
  Throw(SqlError::Make(kInvalidParameterValue, "invalid {}encoding name \"{}\"", role, name));
}

// `bytes` in UTF-8.
void AppendDecoded(std::string_view bytes, Encoding encoding, std::string& out) {
  if (encoding != Encoding::kLatin1) {
    types::ValidateUtf8(bytes).value();
    out += bytes;
    return;
  }
  for (const char c : bytes) {
    if (c == '\0') Throw(SqlError::Make(kCharacterNotInRepertoire, "invalid byte sequence for encoding \"LATIN1\": 0x00"));
    types::AppendUtf8(out, static_cast<char32_t>(static_cast<unsigned char>(c)));
  }
}

void AppendEncoded(std::string_view text, Encoding encoding, std::string& out) {
  if (encoding != Encoding::kLatin1) {
    out += text;
    return;
  }
  for (size_t at = 0; at < text.size(); at += types::Utf8Length(text[at])) {
    const std::string_view character = text.substr(at, types::Utf8Length(text[at]));
    const char32_t c = types::DecodeUtf8(character);
    if (c > 0xFF) {
      std::string hex;
      for (const char byte : character) {
        hex += fmt::format("{}0x{:02x}", hex.empty() ? "" : " ", static_cast<unsigned>(static_cast<unsigned char>(byte)));
      }
      Throw(SqlError::Make(kUntranslatableCharacter,
                           "character with byte sequence {} in encoding \"UTF8\" has no equivalent in encoding \"LATIN1\"", hex));
    }
    out += static_cast<char>(c);
  }
}

// Reads \XXXX, \+XXXXXX, \uXXXX and \UXXXXXXXX.
class Unescaper {
 public:
  Unescaper(std::string_view text, std::string& out) : text_(text), out_(out) {}

  void Run() {
    while (at_ < text_.size()) {
      if (text_[at_] != '\\') {
        RequireNoSurrogate();
        out_ += text_[at_++];
      } else if (text_.substr(at_ + 1).starts_with('\\')) {
        RequireNoSurrogate();
        out_ += '\\';
        at_ += 2;
      } else if (const auto code = Hex(1, 4)) {
        Add(*code, 5);
      } else if (const auto long_code = Prefixed('+', 6)) {
        Add(*long_code, 8);
      } else if (const auto u_code = Prefixed('u', 4)) {
        Add(*u_code, 6);
      } else if (const auto upper_code = Prefixed('U', 8)) {
        Add(*upper_code, 10);
      } else {
        Throw(SqlError::Make(kSyntaxError, "invalid Unicode escape")
                  .Hint("Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX."));
      }
    }
    RequireNoSurrogate();
  }

 private:
  [[noreturn]] static void ThrowPair() { Throw(SqlError::Make(kSyntaxError, "invalid Unicode surrogate pair")); }
  void RequireNoSurrogate() const {
    if (high_ != 0) ThrowPair();
  }
  std::optional<char32_t> Hex(size_t offset, size_t digits) const {
    if (at_ + offset + digits > text_.size()) return std::nullopt;
    char32_t value = 0;
    for (size_t i = 0; i < digits; ++i) {
      const char c = text_[at_ + offset + i];
      const char lower = static_cast<char>(c | 32);
      if (c >= '0' && c <= '9') {
        value = value * 16 + static_cast<char32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        value = value * 16 + static_cast<char32_t>(lower - 'a' + 10);
      } else {
        return std::nullopt;
      }
    }
    return value;
  }
  std::optional<char32_t> Prefixed(char mark, size_t digits) const {
    return at_ + 1 < text_.size() && text_[at_ + 1] == mark ? Hex(2, digits) : std::nullopt;
  }
  void Add(char32_t code, size_t length) {
    at_ += length;
    if (code >= 0xD800 && code <= 0xDBFF) {
      RequireNoSurrogate();
      high_ = code;
      return;
    }
    if (code >= 0xDC00 && code <= 0xDFFF) {
      if (high_ == 0) ThrowPair();
      code = 0x10000 + ((high_ - 0xD800) << 10) + (code - 0xDC00);
      high_ = 0;
    }
    RequireNoSurrogate();
    if (code == 0 || code > 0x10FFFF)
      Throw(SqlError::Make(kInvalidParameterValue, "invalid Unicode code point: {:04X}", static_cast<uint32_t>(code)));
    types::AppendUtf8(out_, code);
  }

  std::string_view text_;
  std::string& out_;
  size_t at_ = 0;
  char32_t high_ = 0;
};

}  // namespace

void PgConvertFrom(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view bytes, std::string_view name) {
    scratch.clear();
    AppendDecoded(bytes, FindEncoding(name, "source "), scratch);
    return Keep(call, scratch);
  });
}
void PgConvertTo(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view text, std::string_view name) {
    scratch.clear();
    AppendEncoded(text, FindEncoding(name, "destination "), scratch);
    return Keep(call, scratch);
  });
}
void PgConvert(const KernelCall& call) {
  std::string text;
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view, std::string_view)>(
      call, [&](std::string_view bytes, std::string_view from, std::string_view to) {
        text.clear();
        scratch.clear();
        const Encoding source = FindEncoding(from, "source ");
        const Encoding destination = FindEncoding(to, "destination ");
        AppendDecoded(bytes, source, text);
        AppendEncoded(text, destination, scratch);
        return Keep(call, scratch);
      });
}
void LengthInEncoding(const KernelCall& call) {
  Lift<int32_t(std::string_view, std::string_view)>(call, [](std::string_view bytes, std::string_view name) {
    const Encoding encoding = FindEncoding(name, "");
    if (encoding == Encoding::kSqlAscii) return static_cast<int32_t>(bytes.size());
    std::string text;
    AppendDecoded(bytes, encoding, text);
    return static_cast<int32_t>(types::Utf8Count(text));
  });
}

void Unistr(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view text) {
    scratch.clear();
    Unescaper(text, scratch).Run();
    return Keep(call, scratch);
  });
}

}  // namespace mayfly::func
