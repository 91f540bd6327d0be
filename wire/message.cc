#include "wire/message.h"

#include "base/bytes.h"
#include "sql/types/utf8.h"

namespace mayfly::wire {
namespace {

SqlError Violation(std::string_view text) { return SqlError::MakeText(kProtocolViolation, std::string(text)); }
SqlError Insufficient() { return Violation("insufficient data left in message"); }

// Reads a body with PostgreSQL's errors. The first error stays; reads after it give zero or empty.
class BodyReader {
 public:
  explicit BodyReader(std::string_view body) : reader_(body) {}

  std::string_view String() {
    if (failed()) return {};
    const std::string_view text = reader_.CString();
    if (!reader_.ok()) return Fail(Violation("invalid string in message"));
    if (auto valid = types::ValidateUtf8(text); !valid.ok()) return Fail(std::move(valid).error());
    return text;
  }
  template <typename T>
  T Integer() {
    if (failed()) return T{};
    const T value = reader_.BigEndian<T>();
    if (!reader_.ok()) Fail(Insufficient());
    return value;
  }
  char Byte() {
    if (failed()) return 0;
    const char value = static_cast<char>(reader_.BigEndian<uint8_t>());
    if (!reader_.ok()) Fail(Violation("no data left in message"));
    return value;
  }
  std::string_view Bytes(int32_t size) {
    if (failed()) return {};
    if (size < 0) return Fail(Insufficient());
    const std::string_view bytes = reader_.Bytes(static_cast<size_t>(size));
    if (!reader_.ok()) return Fail(Insufficient());
    return bytes;
  }
  // `count` elements of `size` bytes must be there: looked at before memory is taken for them.
  bool Has(size_t count, size_t size) {
    if (failed()) return false;
    if (reader_.remaining() / size < count) Fail(Insufficient());
    return !failed();
  }
  std::string_view Fail(SqlError error) {
    if (!error_) error_ = std::move(error);
    return {};
  }
  void AddContext(std::string context) { error_->context = std::move(context); }
  bool failed() const { return error_.has_value(); }
  // The message, unless something was wrong or bytes are left.
  Result<FrontendMessage> Finish(FrontendMessage message) {
    if (!failed() && !reader_.AtEnd()) Fail(Violation("invalid message format"));
    if (failed()) return std::move(*error_);
    return message;
  }

 private:
  ByteReader reader_;
  std::optional<SqlError> error_;
};

void ReadFormats(BodyReader& reader, std::vector<Format>& formats) {
  formats.clear();
  const auto count = reader.Integer<uint16_t>();
  if (!reader.Has(count, sizeof(int16_t))) return;
  for (uint16_t i = 0; i < count; ++i) formats.push_back(static_cast<Format>(reader.Integer<int16_t>()));
}

// One format stands for all parameters; none means text.
bool IsText(const std::vector<Format>& formats, size_t parameter) {
  if (formats.empty()) return true;
  const size_t at = formats.size() == 1 ? 0 : parameter;
  return at >= formats.size() || formats[at] == Format::kText;
}

// Where PostgreSQL says that an error of a parameter lies.
std::string ParameterContext(std::string_view portal, uint16_t index) {
  if (portal.empty()) return fmt::format("unnamed portal parameter ${}", index + 1);
  return fmt::format("portal \"{}\" parameter ${}", portal, index + 1);
}

void ReadParameters(BodyReader& reader, std::string_view portal, DecodeScratch& scratch) {
  scratch.parameters.clear();
  const auto count = reader.Integer<uint16_t>();
  if (!reader.Has(count, sizeof(int32_t))) return;
  for (uint16_t i = 0; i < count && !reader.failed(); ++i) {
    const auto size = reader.Integer<int32_t>();
    if (size == -1) {
      scratch.parameters.emplace_back(std::nullopt);
      continue;
    }
    const std::string_view value = reader.Bytes(size);
    if (IsText(scratch.parameter_formats, i)) {
      if (auto valid = types::ValidateUtf8(value); !valid.ok()) reader.Fail(std::move(valid).error());
    }
    scratch.parameters.emplace_back(value);
    if (reader.failed()) reader.AddContext(ParameterContext(portal, i));
  }
}

Result<FrontendMessage> DecodeBind(BodyReader reader, DecodeScratch& scratch) {
  frontend::Bind bind;
  bind.portal = reader.String();
  bind.statement = reader.String();
  ReadFormats(reader, scratch.parameter_formats);
  ReadParameters(reader, bind.portal, scratch);
  ReadFormats(reader, scratch.result_formats);
  bind.parameter_formats = scratch.parameter_formats;
  bind.parameters = scratch.parameters;
  bind.result_formats = scratch.result_formats;
  return reader.Finish(bind);
}

Result<FrontendMessage> DecodeParse(BodyReader reader, DecodeScratch& scratch) {
  frontend::Parse parse;
  parse.statement = reader.String();
  parse.text = reader.String();
  const auto count = reader.Integer<uint16_t>();
  scratch.oids.clear();
  if (reader.Has(count, sizeof(uint32_t))) {
    for (uint16_t i = 0; i < count; ++i) scratch.oids.push_back(Oid{reader.Integer<uint32_t>()});
  }
  parse.parameter_types = scratch.oids;
  return reader.Finish(parse);
}

// Describe and Close: a statement or a portal by name.
template <typename Message>
Result<FrontendMessage> DecodeTargeted(BodyReader reader, std::string_view word) {
  const char kind = reader.Byte();
  const std::string_view name = reader.String();
  auto message = reader.Finish(Message{static_cast<frontend::Target>(kind), name});
  if (message.ok() && kind != 'S' && kind != 'P') {
    return SqlError::Make(kProtocolViolation, "invalid {} message subtype {}", word, static_cast<int>(kind));
  }
  return message;
}

template <typename T>
void AppendInteger(std::string& out, T value) {
  AppendBigEndian<T>(out, value);
}

void AppendCopyFormat(std::string& out, const session::CopyFormat& format) {
  out.push_back(format.binary ? '\1' : '\0');
  AppendInteger<int16_t>(out, format.columns);
  for (int16_t i = 0; i < format.columns; ++i) AppendInteger<int16_t>(out, format.binary ? 1 : 0);
}

// Type length and attribute numbers as clients see them in pg_type and pg_attribute.
void AppendColumn(MessageWriter& writer, std::string& out, const session::ResultColumn& column, Format format) {
  writer.String(column.name);
  AppendInteger<uint32_t>(out, column.table.value);
  AppendInteger<int16_t>(out, column.attribute);
  AppendInteger<uint32_t>(out, column.type->oid.value);
  AppendInteger<int16_t>(out, column.type->length);
  AppendInteger<int32_t>(out, column.typmod);
  AppendInteger<int16_t>(out, static_cast<int16_t>(format));
}

struct Encoder {
  std::string& out;

  void Plain(char tag) const { out.append({tag, 0, 0, 0, 4}); }
  void Authentication(int32_t kind, std::string_view data) const {
    MessageWriter writer(out, 'R');
    AppendInteger<int32_t>(out, kind);
    out.append(data);
  }

  void operator()(const backend::AuthenticationOk&) const { Authentication(0, {}); }
  void operator()(const backend::AuthenticationSasl& m) const {
    std::string list;
    for (const std::string_view mechanism : m.mechanisms) list.append(mechanism).push_back('\0');
    list.push_back('\0');
    Authentication(10, list);
  }
  void operator()(const backend::AuthenticationSaslContinue& m) const { Authentication(11, m.data); }
  void operator()(const backend::AuthenticationSaslFinal& m) const { Authentication(12, m.data); }
  void operator()(const backend::BackendKeyData& m) const {
    MessageWriter writer(out, 'K');
    AppendInteger<int32_t>(out, m.pid);
    AppendInteger<uint32_t>(out, m.secret);
  }
  void operator()(const backend::ParameterStatus& m) const {
    MessageWriter writer(out, 'S');
    writer.String(m.name);
    writer.String(m.value);
  }
  void operator()(const backend::NegotiateProtocolVersion& m) const {
    MessageWriter writer(out, 'v');
    AppendInteger<int32_t>(out, 3 << 16);
    AppendInteger<int32_t>(out, static_cast<int32_t>(m.unknown_options.size()));
    for (const std::string& option : m.unknown_options) writer.String(option);
  }
  void operator()(const backend::ReadyForQuery& m) const { out.append({'Z', 0, 0, 0, 5, m.status}); }
  void operator()(const backend::ParseComplete&) const { Plain('1'); }
  void operator()(const backend::BindComplete&) const { Plain('2'); }
  void operator()(const backend::CloseComplete&) const { Plain('3'); }
  void operator()(const backend::NoData&) const { Plain('n'); }
  void operator()(const backend::EmptyQueryResponse&) const { Plain('I'); }
  void operator()(const backend::PortalSuspended&) const { Plain('s'); }
  void operator()(const backend::CommandComplete& m) const {
    MessageWriter writer(out, 'C');
    writer.String(m.tag);
  }
  void operator()(const backend::ParameterDescription& m) const {
    MessageWriter writer(out, 't');
    AppendInteger<uint16_t>(out, static_cast<uint16_t>(m.types.size()));
    for (const Oid type : m.types) AppendInteger<uint32_t>(out, type.value);
  }
  void operator()(const backend::RowDescription& m) const {
    MessageWriter writer(out, 'T');
    AppendInteger<uint16_t>(out, static_cast<uint16_t>(m.columns.size()));
    for (size_t i = 0; i < m.columns.size(); ++i) {
      AppendColumn(writer, out, m.columns[i], i < m.formats.size() ? m.formats[i] : Format::kText);
    }
  }
  void operator()(const backend::CopyInResponse& m) const {
    MessageWriter writer(out, 'G');
    AppendCopyFormat(out, m.format);
  }
  void operator()(const backend::CopyOutResponse& m) const {
    MessageWriter writer(out, 'H');
    AppendCopyFormat(out, m.format);
  }
  void operator()(const backend::CopyData& m) const {
    MessageWriter writer(out, 'd');
    out.append(m.bytes);
  }
  void operator()(const backend::CopyDone&) const { Plain('c'); }
};

}  // namespace

void DecodeScratch::Shrink() { *this = DecodeScratch(); }

uint32_t FrontendLengthLimit(char tag) {
  switch (tag) {
    case 'Q':
    case 'P':
    case 'B':
    case 'F':
    case 'd': return kLargeMessageLimit;
    case 'X':
    case 'C':
    case 'D':
    case 'E':
    case 'H':
    case 'S':
    case 'c':
    case 'f': return kSmallMessageLimit;
    default: return 0;
  }
}

Result<FrontendMessage> DecodeFrontend(char tag, std::string_view body, DecodeScratch& scratch) {
  BodyReader reader(body);
  switch (tag) {
    case 'Q': {
      const std::string_view text = reader.String();
      return reader.Finish(frontend::Query{text});
    }
    case 'P': return DecodeParse(std::move(reader), scratch);
    case 'B': return DecodeBind(std::move(reader), scratch);
    case 'D': return DecodeTargeted<frontend::Describe>(std::move(reader), "DESCRIBE");
    case 'C': return DecodeTargeted<frontend::Close>(std::move(reader), "CLOSE");
    case 'E': {
      frontend::Execute execute{};
      execute.portal = reader.String();
      execute.rows_max = reader.Integer<int32_t>();
      return reader.Finish(execute);
    }
    case 'S': return reader.Finish(frontend::Sync{});
    case 'H': return reader.Finish(frontend::Flush{});
    // PostgreSQL looks at nothing in these three.
    case 'X': return FrontendMessage(frontend::Terminate{});
    case 'F': return FrontendMessage(frontend::FunctionCall{});
    case 'c': return FrontendMessage(frontend::CopyDone{});
    case 'd': return FrontendMessage(frontend::CopyData{body});
    case 'f': {
      const std::string_view message = reader.String();
      if (reader.failed()) return reader.Finish(frontend::CopyFail{});
      return FrontendMessage(frontend::CopyFail{message});
    }
    default: break;
  }
  return SqlError::Make(kProtocolViolation, "invalid frontend message type {}",
                        static_cast<int>(static_cast<unsigned char>(tag)));
}

void Append(std::string& out, const BackendMessage& message) { std::visit(Encoder{out}, message); }

MessageWriter::~MessageWriter() {
  const auto length = ToBigEndian(static_cast<uint32_t>(out_.size() - start_));
  std::memcpy(out_.data() + start_, &length, sizeof length);
}

}  // namespace mayfly::wire
