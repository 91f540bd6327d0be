// Functions of bytea: encode and decode (hex, base64, escape), bytes and bits by number (PostgreSQL manual, 9.5).
#include <array>

#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/bytea.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr size_t kBase64LineMax = 76;

// Lines of 76 characters, as MIME has it.
void AppendBase64(std::string_view bytes, std::string& out) {
  size_t line = 0;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](size_t at) {
      return at < bytes.size() ? static_cast<uint32_t>(static_cast<unsigned char>(bytes[at])) : 0;
    };
    const uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    out += kBase64[group >> 18];
    out += kBase64[(group >> 12) & 63];
    out += i + 1 < bytes.size() ? kBase64[(group >> 6) & 63] : '=';
    out += i + 2 < bytes.size() ? kBase64[group & 63] : '=';
    line += 4;
    if (line >= kBase64LineMax && i + 3 < bytes.size()) {
      out += '\n';
      line = 0;
    }
  }
}

constexpr std::array<int8_t, 256> MakeBase64Values() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (size_t i = 0; i < kBase64.size(); ++i) values[static_cast<unsigned char>(kBase64[i])] = static_cast<int8_t>(i);
  return values;
}

void DecodeBase64(std::string_view text, std::string& out) {
  static constexpr std::array<int8_t, 256> kValues = MakeBase64Values();
  uint32_t group = 0;
  int position = 0;
  int end = 0;  // 1: the group ends with "==", 2: with "="
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    int value = 0;
    if (c == '=') {
      if (end == 0) {
        if (position == 2) {
          end = 1;
        } else if (position == 3) {
          end = 2;
        } else {
          Throw(SqlError::Make(kInvalidParameterValue, "unexpected \"=\" while decoding base64 sequence"));
        }
      }
    } else {
      value = kValues[static_cast<unsigned char>(c)];
      if (value < 0) {
        Throw(SqlError::Make(kInvalidParameterValue, "invalid symbol \"{}\" found while decoding base64 sequence",
                             text.substr(i, types::Utf8Length(c))));
      }
    }
    group = (group << 6) + static_cast<uint32_t>(value);
    if (++position < 4) continue;
    out += static_cast<char>(group >> 16);
    if (end == 0 || end > 1) out += static_cast<char>(group >> 8);
    if (end == 0 || end > 2) out += static_cast<char>(group);
    group = 0;
    position = 0;
  }
  if (position != 0) {
    Throw(SqlError::Make(kInvalidParameterValue, "invalid base64 end sequence")
              .Hint("Input data is missing padding, is truncated, or is otherwise corrupted."));
  }
}

std::string AsciiLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

[[noreturn]] void ThrowUnknownEncoding(std::string_view name) {
  Throw(SqlError::Make(kInvalidParameterValue, "unrecognized encoding: \"{}\"", name));
}

size_t CheckIndex(int32_t index, std::string_view bytes) {
  if (index < 0 || static_cast<size_t>(index) >= bytes.size()) {
    Throw(
        SqlError::Make(kArrayElementError, "index {} out of valid range, 0..{}", index, static_cast<int64_t>(bytes.size()) - 1));
  }
  return static_cast<size_t>(index);
}

// Bit n of the bytes, from the lowest bit of the first one.
size_t CheckBit(int64_t bit, std::string_view bytes) {
  const auto bits = static_cast<int64_t>(bytes.size()) * 8;
  if (bit < 0 || bit >= bits) Throw(SqlError::Make(kArrayElementError, "index {} out of valid range, 0..{}", bit, bits - 1));
  return static_cast<size_t>(bit);
}

}  // namespace

void BinaryEncode(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view bytes, std::string_view encoding) {
    const std::string name = AsciiLower(encoding);
    scratch.clear();
    if (name == "hex") {
      types::AppendHex(bytes, scratch);
    } else if (name == "base64") {
      AppendBase64(bytes, scratch);
    } else if (name == "escape") {
      // Unlike bytea's output, only NUL, bytes past ASCII and the backslash are escaped.
      for (const char c : bytes) {
        if (c == '\0' || (static_cast<unsigned char>(c) & 0x80) != 0) {
          scratch += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
          if (c == '\\') scratch += c;
          scratch += c;
        }
      }
    } else {
      ThrowUnknownEncoding(encoding);
    }
    return Keep(call, scratch);
  });
}

void BinaryDecode(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view text, std::string_view encoding) {
    const std::string name = AsciiLower(encoding);
    scratch.clear();
    if (name == "hex") {
      types::DecodeHex(text, scratch).value();
    } else if (name == "base64") {
      DecodeBase64(text, scratch);
    } else if (name == "escape") {
      types::DecodeByteaEscape(text, scratch).value();
    } else {
      ThrowUnknownEncoding(encoding);
    }
    return Keep(call, scratch);
  });
}

void ByteaGetByte(const KernelCall& call) {
  Lift<int32_t(std::string_view, int32_t)>(call, [](std::string_view bytes, int32_t index) {
    return int32_t{static_cast<unsigned char>(bytes[CheckIndex(index, bytes)])};
  });
}
void ByteaSetByte(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, int32_t, int32_t)>(call, [&](std::string_view bytes, int32_t index, int32_t value) {
    const size_t at = CheckIndex(index, bytes);
    scratch.assign(bytes);
    scratch[at] = static_cast<char>(value);
    return Keep(call, scratch);
  });
}

void ByteaGetBit(const KernelCall& call) {
  Lift<int32_t(std::string_view, int64_t)>(call, [](std::string_view bytes, int64_t index) {
    const size_t bit = CheckBit(index, bytes);
    return (static_cast<unsigned char>(bytes[bit / 8]) >> (bit % 8)) & 1;
  });
}
void ByteaSetBit(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, int64_t, int32_t)>(call, [&](std::string_view bytes, int64_t index, int32_t value) {
    const size_t bit = CheckBit(index, bytes);
    if (value != 0 && value != 1) Throw(SqlError::Make(kInvalidParameterValue, "new bit must be 0 or 1"));
    scratch.assign(bytes);
    const int mask = 1 << (bit % 8);
    const int old = static_cast<unsigned char>(scratch[bit / 8]);
    scratch[bit / 8] = static_cast<char>(value == 1 ? old | mask : old & ~mask);
    return Keep(call, scratch);
  });
}
void ByteaBitCount(const KernelCall& call) {
  Lift<int64_t(std::string_view)>(call, [](std::string_view bytes) {
    int64_t count = 0;
    for (const char c : bytes) count += __builtin_popcount(static_cast<unsigned char>(c));
    return count;
  });
}

}  // namespace mayfly::func
