// json (text that is valid JSON, kept as it was written; no order) and jsonb as types.
//
//   jsonb's wire format: version byte 1, then its text
//   jsonb's key: the top value's class (1 empty array, 2 scalar, 3 array, 4 object, in the order of CompareJsonb), then nodes:
//     rank byte (JsonKind + 16) and  nothing | text bytes | numeric key | 0 or 1 | u32 count, nodes | u32 count, (key, node)
//     pairs
#include "sql/types/jsonb.h"
#include "sql/types/text_ops.h"

namespace mayfly::types {

namespace {

Result<Datum> JsonIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena& arena) {
  TRY_OK(ValidateUtf8(text));
  TRY_OK(ParseJson(text, nullptr));
  return KeepBytes(text, arena);
}

Result<Datum> JsonbIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena& arena) {
  TRY_OK(ValidateUtf8(text));
  TRY(const std::string, bytes, ParseJsonb(text));
  return KeepBytes(bytes, arena);
}
void JsonbOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendJsonbText(JsonbView(value.bytes()), out);
}

Result<Datum> JsonbRecv(const TypeDesc& type, std::string_view bytes, int32_t typmod, const IoContext& io, Arena& arena) {
  if (bytes.empty()) return SqlError::Make(kProtocolViolation, "no data left in message");
  if (bytes[0] != 1) return SqlError::Make(kInternalError, "unsupported jsonb version number {}", static_cast<int>(bytes[0]));
  return JsonbIn(type, bytes.substr(1), typmod, io, arena);
}
void JsonbSend(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out) {
  out += '\1';
  JsonbOut(type, value, io, out);
}

int JsonbCompare(const TypeDesc&, const Datum& a, const Datum& b) {
  return CompareJsonb(JsonbView(a.bytes()), JsonbView(b.bytes()));
}

uint64_t HashNode(JsonbView value) {
  uint64_t hash = HashInt64(static_cast<int64_t>(value.kind()));
  switch (value.kind()) {
    case JsonKind::kNull: return hash;
    case JsonKind::kBool: return HashCombine(hash, HashInt64(value.boolean() ? 1 : 0));
    case JsonKind::kNumber: return HashCombine(hash, kNumericOps.hash(JsonNumberType(), value.number()));
    case JsonKind::kString: return HashCombine(hash, HashBytes(value.string()));
    case JsonKind::kArray:
      for (size_t i = 0; i < value.count(); ++i) hash = HashCombine(hash, HashNode(value.Element(i)));
      return hash;
    case JsonKind::kObject:
      for (size_t i = 0; i < value.count(); ++i)
        hash = HashCombine(HashCombine(hash, HashBytes(value.Key(i))), HashNode(value.Value(i)));
      return hash;
  }
  return hash;
}
uint64_t JsonbHash(const TypeDesc&, const Datum& value) { return HashNode(JsonbView(value.bytes())); }

constexpr uint8_t kRankBase = 16;

void EncodeNode(JsonbView value, std::string& out) {
  out += static_cast<char>(kRankBase + static_cast<uint8_t>(value.kind()));
  switch (value.kind()) {
    case JsonKind::kNull: return;
    case JsonKind::kBool: out += value.boolean() ? '\1' : '\0'; return;
    case JsonKind::kNumber: kNumericOps.encode_key(JsonNumberType(), value.number(), out); return;
    case JsonKind::kString: AppendKeyBytes(out, value.string()); return;
    case JsonKind::kArray:
    case JsonKind::kObject: break;
  }
  const bool is_object = value.kind() == JsonKind::kObject;
  AppendBigEndian<uint32_t>(out, static_cast<uint32_t>(value.count()));
  for (size_t i = 0; i < value.count(); ++i) {
    if (is_object) AppendKeyBytes(out, value.Key(i));
    EncodeNode(is_object ? value.Value(i) : value.Element(i), out);
  }
}

void JsonbEncodeKey(const TypeDesc&, const Datum& value, std::string& out) {
  const JsonbView top(value.bytes());
  char top_class = '\2';
  if (top.kind() == JsonKind::kArray) top_class = top.count() == 0 ? '\1' : '\3';
  if (top.kind() == JsonKind::kObject) top_class = '\4';
  out += top_class;
  EncodeNode(top, out);
}

SqlError Malformed() { return SqlError::Make(kDataCorrupted, "a key is malformed in its jsonb column"); }

[[gnu::noinline]] Status FailMalformed() { return Malformed(); }

[[gnu::noinline]] Status DecodeScalar(JsonKind kind, ByteReader& key, Arena& arena, JsonbBuilder& builder) {
  if (kind == JsonKind::kNull) {
    builder.AddNull();
  } else if (kind == JsonKind::kBool) {
    builder.AddBool(key.BigEndian<uint8_t>() != 0);
  } else if (kind == JsonKind::kNumber) {
    TRY(const Datum, number, kNumericOps.decode_key(JsonNumberType(), key, arena));
    builder.AddNumber(number);
  } else {
    TRY(const std::string_view, text, ReadKeyBytes(key, arena));
    builder.AddString(text);
  }
  return key.ok() ? Ok() : FailMalformed();
}

[[gnu::noinline]] Status DecodeName(ByteReader& key, Arena& arena, JsonbBuilder& builder) {
  TRY(const std::string_view, name, ReadKeyBytes(key, arena));
  builder.AddKey(name);
  return Ok();
}

// Calls itself once a level: its frame is kept small.
Status DecodeNode(ByteReader& key, Arena& arena, JsonbBuilder& builder) {
  const auto kind = static_cast<JsonKind>(key.BigEndian<uint8_t>() - kRankBase);
  if (!key.ok() || kind > JsonKind::kObject) return FailMalformed();
  if (kind < JsonKind::kArray) return DecodeScalar(kind, key, arena, builder);
  const bool is_object = kind == JsonKind::kObject;
  if (is_object) {
    builder.OpenObject();
  } else {
    builder.OpenArray();
  }
  const auto count = key.BigEndian<uint32_t>();
  for (uint32_t i = 0; i < count && key.ok(); ++i) {
    Status status;
    if (is_object) status = DecodeName(key, arena, builder);
    if (status.ok()) status = DecodeNode(key, arena, builder);
    if (!status.ok()) return status;
  }
  builder.Close();
  return key.ok() ? Ok() : FailMalformed();
}

Result<Datum> JsonbDecodeKey(const TypeDesc&, ByteReader& key, Arena& arena) {
  key.BigEndian<uint8_t>();
  JsonbBuilder builder;
  TRY_OK(DecodeNode(key, arena, builder));
  return KeepBytes(builder.result(), arena);
}

}  // namespace

constexpr TypeOps kJsonOps = {
    .physical = PhysicalType::kBytes,
    .in = JsonIn,
    .out = TextOut,
    .recv = JsonIn,
    .send = TextOut,
};

constexpr TypeOps kJsonbOps = {
    .physical = PhysicalType::kBytes,
    .in = JsonbIn,
    .out = JsonbOut,
    .recv = JsonbRecv,
    .send = JsonbSend,
    .compare = JsonbCompare,
    .hash = JsonbHash,
    .encode_key = JsonbEncodeKey,
    .decode_key = JsonbDecodeKey,
};

}  // namespace mayfly::types
