#include "sql/func/json_build.h"

#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/array.h"
#include "sql/types/record.h"

namespace mayfly::func {

namespace {

using types::ArrayReader;
using types::Datum;
using types::IoContext;
using types::JsonbBuilder;
using types::JsonbView;
using types::TypeDesc;
using types::TypeOps;

enum class Category { kBool, kNumber, kNumeric, kDate, kTimestamp, kTimestamptz, kJson, kJsonb, kArray, kRecord, kOther };

Category CategoryOf(const TypeDesc& type) {
  using namespace types;
  const TypeOps* ops = type.ops;
  if (ops == &kBoolOps) return Category::kBool;
  if (ops == &kInt2Ops || ops == &kInt4Ops || ops == &kInt8Ops || ops == &kFloat4Ops || ops == &kFloat8Ops)
    return Category::kNumber;
  if (ops == &kNumericOps) return Category::kNumeric;
  if (ops == &kDateOps) return Category::kDate;
  if (ops == &kTimestampOps) return Category::kTimestamp;
  if (ops == &kTimestamptzOps) return Category::kTimestamptz;
  if (ops == &kJsonOps) return Category::kJson;
  if (ops == &kJsonbOps) return Category::kJsonb;
  if (ops == &kArrayOps) return Category::kArray;
  if (ops == &kRecordOps) return Category::kRecord;
  return Category::kOther;
}

std::string TextOf(const TypeDesc& type, const Datum& value, const IoContext& io) {
  std::string text;
  type.ops->out(type, value, io, text);
  return text;
}

// 2024-01-01T00:00:00+00:00, whatever DateStyle says.
std::string IsoText(const TypeDesc& type, Category category, const Datum& value, const IoContext& io) {
  types::IoSettings settings = io.settings;
  settings.date_style = types::DateStyle::kIso;
  std::string text = TextOf(type, value, IoContext{settings, io.names});
  if (category == Category::kDate || text.find_first_of("0123456789") == std::string::npos) return text;
  const size_t blank = text.find(' ');
  if (blank == std::string::npos) return text;
  text[blank] = 'T';
  if (category == Category::kTimestamptz) {
    // The zone stands as +hh, +hh:mm or +hh:mm:ss; minutes are always shown.
    const size_t sign = text.find_first_of("+-", blank);
    const size_t end = std::min(text.find(' ', blank), text.size());
    if (sign != std::string::npos && end - sign == 3) text.insert(end, ":00");
  }
  return text;
}

// NaN and infinities are no JSON numbers.
bool IsJsonNumber(std::string_view text) {
  const char last = text.back();
  return last >= '0' && last <= '9';
}

void AppendArray(const ArrayReader& array, size_t level, size_t& index, const IoContext& io, bool pretty, std::string& out) {
  out += '[';
  for (int32_t i = 0; i < array.dimensions()[level].length; ++i) {
    if (i > 0) out += pretty ? ",\n " : ",";
    if (level + 1 < array.dimensions().size()) {
      AppendArray(array, level + 1, index, io, false, out);
    } else {
      AppendJsonValue(array.element_type(), array.Element(index++), io, false, out);
    }
  }
  out += ']';
}

void AddArray(const ArrayReader& array, size_t level, size_t& index, const IoContext& io, JsonbBuilder& builder) {
  builder.OpenArray();
  for (int32_t i = 0; i < array.dimensions()[level].length; ++i) {
    if (level + 1 < array.dimensions().size()) {
      AddArray(array, level + 1, index, io, builder);
    } else {
      AddJsonbValue(array.element_type(), array.Element(index++), io, builder);
    }
  }
  builder.Close();
}

// Fields of an anonymous record have no names: f1, f2, ….
void AppendRecord(std::string_view bytes, const IoContext& io, bool pretty, std::string& out) {
  out += '{';
  size_t number = 0;
  for (const types::RecordField& field : types::ReadRecord(bytes)) {
    if (number > 0) out += pretty ? ",\n " : ",";
    out += fmt::format("\"f{}\":", ++number);
    AppendJsonValue(*field.type, field.value, io, false, out);
  }
  out += '}';
}

}  // namespace

bool IsJsonContainer(const TypeDesc& type) { return type.ops == &types::kArrayOps || type.ops == &types::kRecordOps; }

void AppendJsonValue(const TypeDesc& type, const Datum& value, const IoContext& io, bool pretty, std::string& out) {
  if (value.is_null()) {
    out += "null";
    return;
  }
  const Category category = CategoryOf(type);
  switch (category) {
    case Category::kBool: out += value.get<bool>() ? "true" : "false"; return;
    case Category::kNumber:
    case Category::kNumeric: {
      const std::string text = TextOf(type, value, io);
      if (IsJsonNumber(text)) {
        out += text;
      } else {
        types::AppendJsonString(text, out);
      }
      return;
    }
    case Category::kDate:
    case Category::kTimestamp:
    case Category::kTimestamptz: types::AppendJsonString(IsoText(type, category, value, io), out); return;
    case Category::kJson: out += value.bytes(); return;
    case Category::kJsonb: types::AppendJsonbText(JsonbView(value.bytes()), out); return;
    case Category::kArray: {
      const ArrayReader array(*type.element, value.bytes());
      size_t index = 0;
      if (array.count() == 0) {
        out += "[]";
      } else {
        AppendArray(array, 0, index, io, pretty, out);
      }
      return;
    }
    case Category::kRecord: AppendRecord(value.bytes(), io, pretty, out); return;
    case Category::kOther: types::AppendJsonString(TextOf(type, value, io), out); return;
  }
}

void AddJsonbValue(const TypeDesc& type, const Datum& value, const IoContext& io, JsonbBuilder& builder) {
  if (value.is_null()) {
    builder.AddNull();
    return;
  }
  const Category category = CategoryOf(type);
  switch (category) {
    case Category::kBool: builder.AddBool(value.get<bool>()); return;
    case Category::kNumber:
    case Category::kNumeric: {
      const std::string text = TextOf(type, value, io);
      if (IsJsonNumber(text)) {
        builder.Scalar(types::JsonKind::kNumber, text, text).value();
      } else {
        builder.AddString(text);
      }
      return;
    }
    case Category::kDate:
    case Category::kTimestamp:
    case Category::kTimestamptz: builder.AddString(IsoText(type, category, value, io)); return;
    case Category::kJson: types::ParseJson(value.bytes(), &builder).value(); return;
    case Category::kJsonb: builder.AddNode(JsonbView(value.bytes())); return;
    case Category::kArray: {
      const ArrayReader array(*type.element, value.bytes());
      size_t index = 0;
      if (array.count() == 0) {
        builder.OpenArray();
        builder.Close();
      } else {
        AddArray(array, 0, index, io, builder);
      }
      return;
    }
    case Category::kRecord: {
      builder.OpenObject();
      size_t number = 0;
      for (const types::RecordField& field : types::ReadRecord(value.bytes())) {
        builder.AddKey(fmt::format("f{}", ++number));
        AddJsonbValue(*field.type, field.value, io, builder);
      }
      builder.Close();
      return;
    }
    case Category::kOther: builder.AddString(TextOf(type, value, io)); return;
  }
}

std::string JsonKeyText(const TypeDesc& type, const Datum& value, const IoContext& io, std::string_view null_message) {
  if (value.is_null()) {
    SqlError error = SqlError::MakeText(kInvalidParameterValue, std::string(null_message));
    if (null_message.ends_with("cannot be null")) error.hint = "Object keys should be text.";
    Throw(std::move(error));
  }
  const Category category = CategoryOf(type);
  if (category == Category::kJson || category == Category::kArray || category == Category::kRecord ||
      (category == Category::kJsonb && !JsonbView(value.bytes()).is_scalar())) {
    Throw(SqlError::Make(kInvalidParameterValue, "key value must be scalar, not array, composite, or json"));
  }
  if (category == Category::kDate || category == Category::kTimestamp || category == Category::kTimestamptz) {
    return IsoText(type, category, value, io);
  }
  return TextOf(type, value, io);
}

}  // namespace mayfly::func
