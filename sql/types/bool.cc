// bool (manual, 8.6), and void, the type of functions that return nothing.
#include "base/bytes.h"
#include "sql/types/hash.h"
#include "sql/types/type.h"

namespace mayfly::types {

namespace {

bool IsBoolBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A prefix of `word` of at least `shortest` letters, in any case.
bool IsBoolWord(std::string_view text, std::string_view word, size_t shortest = 1) {
  if (text.size() < shortest || text.size() > word.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    if (c != word[i]) return false;
  }
  return true;
}

Result<Datum> BoolIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena&) {
  std::string_view word = text;
  while (!word.empty() && IsBoolBlank(word.front())) word.remove_prefix(1);
  while (!word.empty() && IsBoolBlank(word.back())) word.remove_suffix(1);
  if (IsBoolWord(word, "true") || IsBoolWord(word, "yes") || IsBoolWord(word, "on", 2) || word == "1") return Datum(true);
  if (IsBoolWord(word, "false") || IsBoolWord(word, "no") || IsBoolWord(word, "off", 2) || word == "0") return Datum(false);
  return SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}: \"{}\"", "boolean", text);
}
void BoolOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) { out += value.get<bool>() ? 't' : 'f'; }

Result<Datum> BoolReceive(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena&) {
  if (bytes.empty()) return SqlError::Make(kProtocolViolation, "no data left in message");
  if (bytes.size() > 1) return SqlError::Make(kInvalidBinaryRepresentation, "incorrect binary data format");
  return Datum(bytes[0] != 0);
}
void BoolSend(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) { out += value.get<bool>() ? '\1' : '\0'; }

int BoolCompare(const TypeDesc&, const Datum& a, const Datum& b) { return int{a.get<bool>()} - int{b.get<bool>()}; }
uint64_t BoolHash(const TypeDesc&, const Datum& value) { return HashInt64(value.get<bool>()); }

void BoolEncodeKey(const TypeDesc&, const Datum& value, std::string& out) { out += value.get<bool>() ? '\1' : '\0'; }
Result<Datum> BoolDecodeKey(const TypeDesc&, ByteReader& key, Arena&) {
  const std::string_view byte = key.Bytes(1);
  if (!key.ok()) return SqlError::Make(kDataCorrupted, "a key ends within its boolean column");
  return Datum(byte[0] != 0);
}

// PostgreSQL's void_in, which nothing but tests of it calls, takes any text.
Result<Datum> VoidIn(const TypeDesc&, std::string_view, int32_t, const IoContext&, Arena&) { return Datum(std::string_view()); }
void VoidOut(const TypeDesc&, const Datum&, const IoContext&, std::string&) {}

}  // namespace

const TypeOps kBoolOps = {
    .physical = PhysicalType::kBool,
    .in = BoolIn,
    .out = BoolOut,
    .recv = BoolReceive,
    .send = BoolSend,
    .compare = BoolCompare,
    .hash = BoolHash,
    .encode_key = BoolEncodeKey,
    .decode_key = BoolDecodeKey,
    .key_is_lossless = true,
};

// One empty value: the result column of SELECT setseed(…) is an empty string.
const TypeOps kVoidOps = {.physical = PhysicalType::kBytes, .in = VoidIn, .out = VoidOut, .recv = VoidIn, .send = VoidOut};

}  // namespace mayfly::types
