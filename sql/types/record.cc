#include "sql/types/record.h"

#include <algorithm>

#include "sql/types/format_type.h"
#include "sql/types/text_ops.h"

namespace mayfly::types {

namespace {

constexpr uint32_t kNullLength = 0xFFFFFFFF;

// A fixed-size value from its bytes in memory.
Datum FromPayload(const TypeDesc& type, std::string_view payload) {
  if (type.physical() == PhysicalType::kBytes) return Datum(payload);
  const auto load = [&]<typename T>(T) {
    T value;
    std::memcpy(&value, payload.data(), sizeof value);
    return Datum(value);
  };
  switch (payload.size()) {
    case 1: return load(bool{});
    case 2: return load(int16_t{});
    case 4: return load(int32_t{});
    case 8: return load(int64_t{});
    default: return load(Uuid{});
  }
}

}  // namespace

std::vector<RecordField> ReadRecord(std::string_view bytes) {
  ByteReader in(bytes);
  std::vector<RecordField> fields(in.LittleEndian<uint32_t>());
  for (RecordField& field : fields) {
    field.type = reinterpret_cast<const TypeDesc*>(static_cast<uintptr_t>(in.LittleEndian<uint64_t>()));
    const auto length = in.LittleEndian<uint32_t>();
    if (length != kNullLength) field.value = FromPayload(*field.type, in.Bytes(length));
  }
  return fields;
}

void RecordBuilder::Append(const TypeDesc& type, const Datum& value) {
  ++count_;
  AppendLittleEndian<uint64_t>(fields_, reinterpret_cast<uintptr_t>(&type));
  if (value.is_null()) {
    AppendLittleEndian<uint32_t>(fields_, kNullLength);
    return;
  }
  const std::string_view payload =
      type.physical() == PhysicalType::kBytes
          ? value.bytes()
          : std::string_view(static_cast<const char*>(value.payload()), PhysicalSize(type.physical()));
  AppendLittleEndian<uint32_t>(fields_, static_cast<uint32_t>(payload.size()));
  fields_ += payload;
}

Datum RecordBuilder::Finish(Arena& arena) const {
  std::string bytes;
  AppendLittleEndian<uint32_t>(bytes, count_);
  bytes += fields_;
  return KeepBytes(bytes, arena);
}

int CompareRecords(std::string_view a, std::string_view b) {
  const std::vector<RecordField> x = ReadRecord(a);
  const std::vector<RecordField> y = ReadRecord(b);
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (x[i].type != y[i].type) {
      Throw(SqlError::Make(kDatatypeMismatch, "cannot compare dissimilar column types {} and {} at record column {}",
                           FormatType(*x[i].type), FormatType(*y[i].type), i + 1));
    }
    if (x[i].type->ops->compare == nullptr) {
      Throw(SqlError::Make(kUndefinedFunction, "could not identify a comparison function for type {}", FormatType(*x[i].type)));
    }
    if (x[i].value.is_null() && y[i].value.is_null()) continue;
    if (x[i].value.is_null()) return 1;
    if (y[i].value.is_null()) return -1;
    if (const int order = x[i].type->ops->compare(*x[i].type, x[i].value, y[i].value); order != 0) return order;
  }
  if (x.size() != y.size())
    Throw(SqlError::Make(kDatatypeMismatch, "cannot compare record types with different numbers of columns"));
  return 0;
}

namespace {

bool NeedsQuotes(std::string_view text) {
  return text.empty() || text.find_first_of("\"\\(), \t\n\r\f\v") != std::string_view::npos;
}

Result<Datum> RecordIn(const TypeDesc&, std::string_view, int32_t, const IoContext&, Arena&) {
  return SqlError::Make(kFeatureNotSupported, "input of anonymous composite types is not implemented");
}

void RecordOut(const TypeDesc&, const Datum& value, const IoContext& io, std::string& out) {
  const std::string_view bytes = value.bytes();
  std::string text;
  out += '(';
  bool first = true;
  for (const RecordField& field : ReadRecord(bytes)) {
    if (!first) out += ',';
    first = false;
    if (field.value.is_null()) continue;
    text.clear();
    field.type->ops->out(*field.type, field.value, io, text);
    if (!NeedsQuotes(text)) {
      out += text;
      continue;
    }
    out += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') out += c;
      out += c;
    }
    out += '"';
  }
  out += ')';
}

// int32 fields | per field: OID | int32 length (-1 = NULL) | bytes
void RecordSend(const TypeDesc&, const Datum& value, const IoContext& io, std::string& out) {
  const std::string_view bytes = value.bytes();
  const std::vector<RecordField> fields = ReadRecord(bytes);
  AppendBigEndian<int32_t>(out, static_cast<int32_t>(fields.size()));
  for (const RecordField& field : fields) {
    AppendBigEndian<uint32_t>(out, field.type->oid.value);
    if (field.value.is_null()) {
      AppendBigEndian<int32_t>(out, -1);
      continue;
    }
    const size_t length_at = out.size();
    out.append(4, '\0');
    field.type->ops->send(*field.type, field.value, io, out);
    const int32_t length = ToBigEndian(static_cast<int32_t>(out.size() - length_at - 4));
    std::memcpy(out.data() + length_at, &length, 4);
  }
}

int RecordCompare(const TypeDesc&, const Datum& a, const Datum& b) { return CompareRecords(a.bytes(), b.bytes()); }

uint64_t RecordHash(const TypeDesc&, const Datum& value) {
  const std::string_view bytes = value.bytes();
  uint64_t hash = 0;
  for (const RecordField& field : ReadRecord(bytes)) {
    hash = HashCombine(
        hash, field.value.is_null() || field.type->ops->hash == nullptr ? 0 : field.type->ops->hash(*field.type, field.value));
  }
  return hash;
}

}  // namespace

constexpr TypeOps kRecordOps = {
    .physical = PhysicalType::kBytes,
    .in = RecordIn,
    .out = RecordOut,
    .send = RecordSend,
    .compare = RecordCompare,
    .hash = RecordHash,
};

}  // namespace mayfly::types
