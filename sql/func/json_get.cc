// Parts of json and jsonb: -> ->> #> #>> and the functions that count, list and unfold members (PostgreSQL manual, 9.16).
#include <charconv>
#include <optional>

#include "sql/func/array_function.h"
#include "sql/func/json_tree.h"
#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/jsonb.h"

namespace mayfly::func {

namespace {

using types::Datum;
using types::JsonbView;
using types::JsonKind;

// One interface over json's tree and jsonb's nodes.
struct JsonCursor {
  const JsonNode* node;
  JsonKind kind() const { return node->kind; }
  size_t count() const { return node->children.size(); }
  std::optional<JsonCursor> Field(std::string_view name) const { return Wrap(node->Find(name)); }
  std::optional<JsonCursor> At(int64_t index) const { return Wrap(node->At(index)); }
  void AppendValue(std::string& out) const { out += node->raw; }
  void AppendPlain(std::string& out) const { out += node->plain(); }
  static std::optional<JsonCursor> Wrap(const JsonNode* found) {
    return found == nullptr ? std::nullopt : std::optional(JsonCursor{found});
  }
};
struct JsonbCursor {
  JsonbView view;
  JsonKind kind() const { return view.kind(); }
  size_t count() const { return view.count(); }
  std::optional<JsonbCursor> Field(std::string_view name) const { return Wrap(view.Find(name)); }
  std::optional<JsonbCursor> At(int64_t index) const {
    const auto size = static_cast<int64_t>(view.count());
    if (index < 0) index += size;
    return index < 0 || index >= size ? std::nullopt : std::optional(JsonbCursor{view.Element(static_cast<size_t>(index))});
  }
  void AppendValue(std::string& out) const { out += view.bytes(); }
  void AppendPlain(std::string& out) const {
    if (view.kind() == JsonKind::kString) {
      out += view.string();
    } else {
      types::AppendJsonbText(view, out);
    }
  }
  static std::optional<JsonbCursor> Wrap(const std::optional<JsonbView>& found) {
    return found ? std::optional(JsonbCursor{*found}) : std::nullopt;
  }
};

// Calls `body` with a cursor on the value in `bytes`.
template <typename Cursor, typename Body>
auto WithCursor(std::string_view bytes, Body body) {
  if constexpr (std::is_same_v<Cursor, JsonCursor>) {
    const JsonNode tree = ParseJsonTree(bytes);
    return body(JsonCursor{&tree});
  } else {
    return body(JsonbCursor{JsonbView(bytes)});
  }
}

// A value as json or jsonb, or as text: then null is NULL.
template <typename Cursor>
bool AppendResult(const std::optional<Cursor>& found, bool as_text, std::string& out) {
  if (!found || (as_text && found->kind() == JsonKind::kNull)) return false;
  if (as_text) {
    found->AppendPlain(out);
  } else {
    found->AppendValue(out);
  }
  return true;
}

template <typename Cursor, typename Key, typename Find>
void GetKernel(const KernelCall& call, bool as_text, Find find) {
  std::string scratch;
  Lift<std::optional<std::string_view>(std::string_view, Key)>(
      call, [&](std::string_view bytes, Key key) -> std::optional<std::string_view> {
        scratch.clear();
        const bool found =
            WithCursor<Cursor>(bytes, [&](const Cursor& top) { return AppendResult(find(top, key), as_text, scratch); });
        return found ? std::optional(Keep(call, scratch)) : std::nullopt;
      });
}
template <typename Cursor>
void FieldKernel(const KernelCall& call, bool as_text) {
  GetKernel<Cursor, std::string_view>(call, as_text, [](const Cursor& top, std::string_view name) {
    return top.kind() == JsonKind::kObject ? top.Field(name) : std::nullopt;
  });
}
template <typename Cursor>
void ElementKernel(const KernelCall& call, bool as_text) {
  GetKernel<Cursor, int32_t>(call, as_text, [](const Cursor& top, int32_t index) {
    // A jsonb scalar on top counts as an array of one element.
    if (std::is_same_v<Cursor, JsonbCursor> && top.kind() < JsonKind::kArray && (index == 0 || index == -1))
      return std::optional(top);
    return top.kind() == JsonKind::kArray ? top.At(index) : std::nullopt;
  });
}

template <typename Cursor>
std::optional<Cursor> Follow(const Cursor& top, const types::ArrayReader& path) {
  std::optional<Cursor> at = top;
  for (size_t i = 0; i < path.count() && at; ++i) {
    const Datum step = path.Element(i);
    if (at->kind() == JsonKind::kObject) {
      at = at->Field(step.bytes());
    } else if (at->kind() == JsonKind::kArray) {
      int32_t index = 0;
      const char* const end = step.bytes().data() + step.bytes().size();
      const auto [stop, error] = std::from_chars(step.bytes().data(), end, index);
      at = error == std::errc{} && stop == end && !step.bytes().empty() ? at->At(index) : std::nullopt;
    } else {
      at = std::nullopt;
    }
  }
  return at;
}

template <typename Cursor>
void PathKernel(const KernelCall& call, bool as_text) {
  std::string scratch;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Datum value = call.args[0]->Get(row);
    const ArrayArgument path(call, 1, row);
    bool has_null = false;
    for (size_t at = 0; at < path->count(); ++at) has_null = has_null || path->IsNull(at);
    scratch.clear();
    const bool found = !has_null && WithCursor<Cursor>(value.bytes(), [&](const Cursor& top) {
      return AppendResult(Follow(top, *path), as_text, scratch);
    });
    if (found) {
      call.result.SetBytes(row, scratch);
    } else {
      call.result.SetNull(row);
    }
  }
}

SqlError InvalidCall(std::string message) { return SqlError::MakeText(kInvalidParameterValue, std::move(message)); }

template <typename Cursor>
void LengthKernel(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call, [](std::string_view bytes) {
    return WithCursor<Cursor>(bytes, [](const Cursor& top) {
      if (top.kind() == JsonKind::kObject) Throw(InvalidCall("cannot get array length of a non-array"));
      if (top.kind() != JsonKind::kArray) Throw(InvalidCall("cannot get array length of a scalar"));
      return static_cast<int32_t>(top.count());
    });
  });
}

// Rows of a set function, made at its start: each column a value or NULL.
class RowsFunction final : public SetFunction {
 public:
  std::vector<std::optional<std::string>> values;  // row by row
  size_t width = 1;

  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    size_t row = 0;
    for (; row < rows_max && next_ < values.size(); ++row) {
      for (size_t column = 0; column < width; ++column, ++next_) {
        if (values[next_]) {
          columns[column]->SetBytes(row, *values[next_]);
        } else {
          columns[column]->SetNull(row);
        }
      }
    }
    return row;
  }

 private:
  size_t next_ = 0;
};

template <typename Cursor>
std::optional<std::string> MemberValue(const Cursor& member, bool as_text) {
  std::string out;
  return AppendResult(std::optional(member), as_text, out) ? std::optional(std::move(out)) : std::nullopt;
}

std::unique_ptr<SetFunction> ElementsOfJson(const SetFunctionCall& call, bool as_text) {
  const JsonNode tree = ParseJsonTree(call.args[0].bytes());
  const std::string_view name = as_text ? "json_array_elements_text" : "json_array_elements";
  if (tree.kind == JsonKind::kObject) Throw(InvalidCall(fmt::format("cannot call {} on a non-array", name)));
  if (tree.kind != JsonKind::kArray) Throw(InvalidCall(fmt::format("cannot call {} on a scalar", name)));
  auto rows = std::make_unique<RowsFunction>();
  for (const JsonNode& child : tree.children) rows->values.push_back(MemberValue(JsonCursor{&child}, as_text));
  return rows;
}
std::unique_ptr<SetFunction> ElementsOfJsonb(const SetFunctionCall& call, bool as_text) {
  const JsonbView value(call.args[0].bytes());
  if (value.kind() == JsonKind::kObject) Throw(InvalidCall("cannot extract elements from an object"));
  if (value.kind() != JsonKind::kArray) Throw(InvalidCall("cannot extract elements from a scalar"));
  auto rows = std::make_unique<RowsFunction>();
  for (size_t i = 0; i < value.count(); ++i) rows->values.push_back(MemberValue(JsonbCursor{value.Element(i)}, as_text));
  return rows;
}

std::unique_ptr<SetFunction> EachOfJson(const SetFunctionCall& call, bool as_text) {
  const JsonNode tree = ParseJsonTree(call.args[0].bytes());
  if (tree.kind == JsonKind::kArray) Throw(InvalidCall("cannot deconstruct an array as an object"));
  if (tree.kind != JsonKind::kObject) Throw(InvalidCall("cannot deconstruct a scalar"));
  auto rows = std::make_unique<RowsFunction>();
  rows->width = 2;
  for (const JsonNode& child : tree.children) {
    rows->values.emplace_back(child.key);
    rows->values.push_back(MemberValue(JsonCursor{&child}, as_text));
  }
  return rows;
}
std::unique_ptr<SetFunction> EachOfJsonb(const SetFunctionCall& call, bool as_text) {
  const JsonbView value(call.args[0].bytes());
  if (value.kind() != JsonKind::kObject) {
    Throw(InvalidCall(fmt::format("cannot call {} on a non-object", as_text ? "jsonb_each_text" : "jsonb_each")));
  }
  auto rows = std::make_unique<RowsFunction>();
  rows->width = 2;
  for (size_t i = 0; i < value.count(); ++i) {
    rows->values.emplace_back(value.Key(i));
    rows->values.push_back(MemberValue(JsonbCursor{value.Value(i)}, as_text));
  }
  return rows;
}

void RequireObject(JsonKind kind, std::string_view name) {
  if (kind == JsonKind::kArray) Throw(InvalidCall(fmt::format("cannot call {} on an array", name)));
  if (kind != JsonKind::kObject) Throw(InvalidCall(fmt::format("cannot call {} on a scalar", name)));
}

}  // namespace

void JsonObjectField(const KernelCall& call) { FieldKernel<JsonCursor>(call, false); }
void JsonObjectFieldText(const KernelCall& call) { FieldKernel<JsonCursor>(call, true); }
void JsonArrayElement(const KernelCall& call) { ElementKernel<JsonCursor>(call, false); }
void JsonArrayElementText(const KernelCall& call) { ElementKernel<JsonCursor>(call, true); }
void JsonExtractPath(const KernelCall& call) { PathKernel<JsonCursor>(call, false); }
void JsonExtractPathText(const KernelCall& call) { PathKernel<JsonCursor>(call, true); }
void JsonArrayLength(const KernelCall& call) { LengthKernel<JsonCursor>(call); }
void JsonTypeof(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call,
                                           [](std::string_view text) { return types::JsonKindName(ParseJsonTree(text).kind); });
}

void JsonbObjectField(const KernelCall& call) { FieldKernel<JsonbCursor>(call, false); }
void JsonbObjectFieldText(const KernelCall& call) { FieldKernel<JsonbCursor>(call, true); }
void JsonbArrayElement(const KernelCall& call) { ElementKernel<JsonbCursor>(call, false); }
void JsonbArrayElementText(const KernelCall& call) { ElementKernel<JsonbCursor>(call, true); }
void JsonbExtractPath(const KernelCall& call) { PathKernel<JsonbCursor>(call, false); }
void JsonbExtractPathText(const KernelCall& call) { PathKernel<JsonbCursor>(call, true); }
void JsonbArrayLength(const KernelCall& call) { LengthKernel<JsonbCursor>(call); }
void JsonbTypeof(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call,
                                           [](std::string_view bytes) { return types::JsonKindName(JsonbView(bytes).kind()); });
}

std::unique_ptr<SetFunction> JsonArrayElements(const SetFunctionCall& call) { return ElementsOfJson(call, false); }
std::unique_ptr<SetFunction> JsonArrayElementsText(const SetFunctionCall& call) { return ElementsOfJson(call, true); }
std::unique_ptr<SetFunction> JsonbArrayElements(const SetFunctionCall& call) { return ElementsOfJsonb(call, false); }
std::unique_ptr<SetFunction> JsonbArrayElementsText(const SetFunctionCall& call) { return ElementsOfJsonb(call, true); }
std::unique_ptr<SetFunction> JsonEach(const SetFunctionCall& call) { return EachOfJson(call, false); }
std::unique_ptr<SetFunction> JsonEachText(const SetFunctionCall& call) { return EachOfJson(call, true); }
std::unique_ptr<SetFunction> JsonbEach(const SetFunctionCall& call) { return EachOfJsonb(call, false); }
std::unique_ptr<SetFunction> JsonbEachText(const SetFunctionCall& call) { return EachOfJsonb(call, true); }

std::unique_ptr<SetFunction> JsonObjectKeys(const SetFunctionCall& call) {
  const JsonNode tree = ParseJsonTree(call.args[0].bytes());
  RequireObject(tree.kind, "json_object_keys");
  auto rows = std::make_unique<RowsFunction>();
  for (const JsonNode& child : tree.children) rows->values.emplace_back(child.key);
  return rows;
}
std::unique_ptr<SetFunction> JsonbObjectKeys(const SetFunctionCall& call) {
  const JsonbView value(call.args[0].bytes());
  RequireObject(value.kind(), "jsonb_object_keys");
  auto rows = std::make_unique<RowsFunction>();
  for (size_t i = 0; i < value.count(); ++i) rows->values.emplace_back(value.Key(i));
  return rows;
}

}  // namespace mayfly::func
