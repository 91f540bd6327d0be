#include "sql/types/jsonb.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace mayfly::types {

namespace {

enum Tag : char { kTagNull = 0, kTagFalse = 1, kTagTrue = 2, kTagNumber = 3, kTagString = 4, kTagArray = 5, kTagObject = 6 };

constexpr uint32_t kStringBytesMax = 0x0FFFFFFF;

// The order of keys inside an object.
bool KeyLess(std::string_view a, std::string_view b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

// An I/O context for numeric, which depends on no setting.
const IoContext& PlainIo() {
  static const IoSettings settings;
  static const IoContext io{settings};
  return io;
}

}  // namespace

const TypeDesc& JsonNumberType() {
  static constexpr TypeDesc kNumeric{.oid = Oid{1700}, .name = "numeric", .ops = &kNumericOps, .category = 'N'};
  return kNumeric;
}

JsonKind JsonbView::kind() const {
  switch (node_[0]) {
    case kTagNull: return JsonKind::kNull;
    case kTagFalse:
    case kTagTrue: return JsonKind::kBool;
    case kTagNumber: return JsonKind::kNumber;
    case kTagString: return JsonKind::kString;
    case kTagArray: return JsonKind::kArray;
    case kTagObject: return JsonKind::kObject;
    default: break;
  }
  Unreachable();
}

bool JsonbView::boolean() const { return node_[0] == kTagTrue; }

// The u32 words after the kind byte: word 0 is the count.
uint32_t JsonbView::Word(size_t index) const { return LoadLittleEndian<uint32_t>(node_.data() + 1 + index * 4); }

size_t JsonbView::count() const { return Word(0); }

JsonbView JsonbView::Element(size_t index) const {
  const size_t base = 5 + count() * 4;
  const size_t begin = index == 0 ? 0 : Word(index);
  return JsonbView(node_.substr(base + begin, Word(index + 1) - begin));
}

std::string_view JsonbView::Key(size_t index) const {
  const size_t base = 5 + count() * 8;
  const size_t begin = index == 0 ? 0 : Word(index);
  return node_.substr(base + begin, Word(index + 1) - begin);
}

JsonbView JsonbView::Value(size_t index) const {
  const size_t pairs = count();
  const size_t base = 5 + pairs * 8 + Word(pairs);
  const size_t begin = index == 0 ? 0 : Word(pairs + index);
  return JsonbView(node_.substr(base + begin, Word(pairs + index + 1) - begin));
}

std::optional<JsonbView> JsonbView::Find(std::string_view key) const {
  size_t low = 0;
  size_t high = count();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (KeyLess(Key(middle), key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < count() && Key(low) == key) return Value(low);
  return std::nullopt;
}

void JsonbBuilder::Add(std::string_view node) {
  if (frames_.empty()) {
    result_.assign(node);
    return;
  }
  Frame& frame = frames_.back();
  frame.nodes.append(node);
  if (frame.nodes.size() > kStringBytesMax) {
    Throw(SqlError::Make(kProgramLimitExceeded, "total size of jsonb {} elements exceeds the maximum of {} bytes",
                         frame.is_object ? "object" : "array", kStringBytesMax));
  }
  frame.node_ends.push_back(static_cast<uint32_t>(frame.nodes.size()));
}

void JsonbBuilder::AddNull() { Add(std::string_view("\0", 1)); }
void JsonbBuilder::AddBool(bool value) { Add(value ? std::string_view("\2", 1) : std::string_view("\1", 1)); }
void JsonbBuilder::AddNumber(const Datum& numeric) {
  scratch_.assign(1, kTagNumber);
  scratch_.append(numeric.bytes());
  Add(scratch_);
}
void JsonbBuilder::AddString(std::string_view text) {
  scratch_.assign(1, kTagString);
  scratch_.append(text);
  Add(scratch_);
}
void JsonbBuilder::AddNode(JsonbView node) { Add(node.bytes()); }
void JsonbBuilder::OpenArray() { frames_.emplace_back(); }
void JsonbBuilder::OpenObject() { frames_.emplace_back().is_object = true; }
void JsonbBuilder::AddKey(std::string_view key) {
  Frame& frame = frames_.back();
  frame.keys.append(key);
  frame.key_ends.push_back(static_cast<uint32_t>(frame.keys.size()));
}

std::string JsonbBuilder::Encode(const Frame& frame) {
  std::string node;
  if (frame.is_object) {
    EncodeObject(frame, node);
  } else {
    EncodeArray(frame, node);
  }
  return node;
}

void JsonbBuilder::Close() {
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  Add(Encode(frame));
}

std::string JsonbBuilder::ClosedResult() const {
  Check(frames_.size() == 1, "one container must be open");
  return Encode(frames_.back());
}

void JsonbBuilder::EncodeArray(const Frame& frame, std::string& out) {
  out.reserve(5 + frame.node_ends.size() * 4 + frame.nodes.size());
  out += kTagArray;
  AppendLittleEndian<uint32_t>(out, static_cast<uint32_t>(frame.node_ends.size()));
  for (const uint32_t end : frame.node_ends) AppendLittleEndian<uint32_t>(out, end);
  out += frame.nodes;
}

void JsonbBuilder::EncodeObject(const Frame& frame, std::string& out) {
  const auto piece = [](const std::string& bytes, const std::vector<uint32_t>& ends, size_t i) {
    const uint32_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(bytes).substr(begin, ends[i] - begin);
  };
  const auto key = [&](size_t i) { return piece(frame.keys, frame.key_ends, i); };
  std::vector<uint32_t> order(frame.key_ends.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return KeyLess(key(a), key(b)); });
  // Of equal keys the last one stays.
  size_t kept = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i + 1 < order.size() && key(order[i]) == key(order[i + 1])) continue;
    order[kept++] = order[i];
  }
  order.resize(kept);

  out += kTagObject;
  AppendLittleEndian<uint32_t>(out, static_cast<uint32_t>(kept));
  uint32_t end = 0;
  for (const uint32_t i : order) AppendLittleEndian<uint32_t>(out, end += static_cast<uint32_t>(key(i).size()));
  end = 0;
  for (const uint32_t i : order) {
    AppendLittleEndian<uint32_t>(out, end += static_cast<uint32_t>(piece(frame.nodes, frame.node_ends, i).size()));
  }
  for (const uint32_t i : order) out += key(i);
  for (const uint32_t i : order) out += piece(frame.nodes, frame.node_ends, i);
}

Status JsonbBuilder::BeginObject(const char*) {
  OpenObject();
  return Ok();
}
Status JsonbBuilder::EndObject(const char*) {
  Close();
  return Ok();
}
Status JsonbBuilder::BeginArray(const char*) {
  OpenArray();
  return Ok();
}
Status JsonbBuilder::EndArray(const char*) {
  Close();
  return Ok();
}

namespace {
Status CheckStringLength(std::string_view text) {
  if (text.size() <= kStringBytesMax) return Ok();
  return SqlError::Make(kProgramLimitExceeded, "string too long to represent as jsonb string")
      .Detail(fmt::format("Due to an implementation restriction, jsonb strings cannot exceed {} bytes.", kStringBytesMax));
}
}  // namespace

Status JsonbBuilder::Key(std::string_view text) {
  TRY_OK(CheckStringLength(text));
  AddKey(text);
  return Ok();
}
Status JsonbBuilder::Scalar(JsonKind kind, std::string_view raw, std::string_view text) {
  if (kind == JsonKind::kNull) {
    AddNull();
  } else if (kind == JsonKind::kBool) {
    AddBool(raw == "true");
  } else if (kind == JsonKind::kString) {
    TRY_OK(CheckStringLength(text));
    AddString(text);
  } else {
    arena_.Reset();
    TRY(const Datum, number, kNumericOps.in(JsonNumberType(), raw, -1, PlainIo(), arena_));
    AddNumber(number);
  }
  return Ok();
}

Result<std::string> ParseJsonb(std::string_view text) {
  JsonbBuilder builder;
  TRY_OK(ParseJson(text, &builder));
  return builder.result();
}

namespace {

void AppendScalar(JsonbView value, std::string& out) {
  switch (value.kind()) {
    case JsonKind::kNull: out += "null"; break;
    case JsonKind::kBool: out += value.boolean() ? "true" : "false"; break;
    case JsonKind::kNumber: kNumericOps.out(JsonNumberType(), value.number(), PlainIo(), out); break;
    case JsonKind::kString: AppendJsonString(value.string(), out); break;
    default: Unreachable();
  }
}

// indent < 0: on one line.
void AppendText(JsonbView value, int indent, std::string& out) {
  if (value.is_scalar()) {
    AppendScalar(value, out);
    return;
  }
  const bool is_object = value.kind() == JsonKind::kObject;
  const auto line = [&](int depth) {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<size_t>(depth) * 4, ' ');
  };
  out += is_object ? '{' : '[';
  for (size_t i = 0; i < value.count(); ++i) {
    if (i > 0) out += indent < 0 ? ", " : ",";
    line(indent + 1);
    if (is_object) {
      AppendJsonString(value.Key(i), out);
      out += ": ";
    }
    AppendText(is_object ? value.Value(i) : value.Element(i), indent < 0 ? -1 : indent + 1, out);
  }
  line(indent);
  out += is_object ? '}' : ']';
}

int Sign(int64_t n) { return n < 0 ? -1 : n > 0 ? 1 : 0; }

int CompareSameScalar(JsonbView a, JsonbView b) {
  switch (a.kind()) {
    case JsonKind::kBool: return Sign(int{a.boolean()} - int{b.boolean()});
    case JsonKind::kNumber: return kNumericOps.compare(JsonNumberType(), a.number(), b.number());
    case JsonKind::kString: return Sign(a.string().compare(b.string()));
    default: return 0;
  }
}

// Of values inside containers.
int CompareNodes(JsonbView a, JsonbView b) {
  if (a.kind() != b.kind()) return a.kind() < b.kind() ? -1 : 1;
  if (a.is_scalar()) return CompareSameScalar(a, b);
  if (a.count() != b.count()) return a.count() < b.count() ? -1 : 1;
  const bool is_object = a.kind() == JsonKind::kObject;
  for (size_t i = 0; i < a.count(); ++i) {
    int order = 0;
    if (is_object) {
      order = Sign(a.Key(i).compare(b.Key(i)));
      if (order == 0) order = CompareNodes(a.Value(i), b.Value(i));
    } else {
      order = CompareNodes(a.Element(i), b.Element(i));
    }
    if (order != 0) return order;
  }
  return 0;
}

bool IsEmptyArray(JsonbView value) { return value.kind() == JsonKind::kArray && value.count() == 0; }

}  // namespace

void AppendJsonbText(JsonbView value, std::string& out) { AppendText(value, -1, out); }
void AppendJsonbPretty(JsonbView value, std::string& out) { AppendText(value, 0, out); }

int CompareJsonb(JsonbView a, JsonbView b) {
  // A scalar on top counts as an array of one element: greater than an empty array, less than any other.
  if (a.is_scalar() && IsEmptyArray(b)) return 1;
  if (b.is_scalar() && IsEmptyArray(a)) return -1;
  return CompareNodes(a, b);
}

}  // namespace mayfly::types
