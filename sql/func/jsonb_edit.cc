// Functions that change jsonb: || - #- jsonb_set, jsonb_insert, jsonb_strip_nulls; and its casts to SQL types (PostgreSQL
// manual, 9.16).
#include <charconv>
#include <limits>

#include "sql/func/array_function.h"
#include "sql/func/json_tree.h"
#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/jsonb.h"
#include "sql/types/numeric.h"

namespace mayfly::func {

namespace {

using types::ArrayReader;
using types::Datum;
using types::JsonbBuilder;
using types::JsonbView;
using types::JsonKind;

SqlError InvalidCall(std::string message) { return SqlError::MakeText(kInvalidParameterValue, std::move(message)); }

void AddElements(JsonbView array, JsonbBuilder& builder) {
  for (size_t i = 0; i < array.count(); ++i) builder.AddNode(array.Element(i));
}
void AddPairs(JsonbView object, JsonbBuilder& builder) {
  for (size_t i = 0; i < object.count(); ++i) {
    builder.AddKey(object.Key(i));
    builder.AddNode(object.Value(i));
  }
}

// Objects merge, the right one wins; everything else becomes one array.
std::string Concatenate(JsonbView a, JsonbView b) {
  JsonbBuilder builder;
  if (a.kind() == JsonKind::kObject && b.kind() == JsonKind::kObject) {
    builder.OpenObject();
    AddPairs(a, builder);
    AddPairs(b, builder);
    builder.Close();
    return builder.result();
  }
  builder.OpenArray();
  for (const JsonbView side : {a, b}) {
    if (side.kind() == JsonKind::kArray) {
      AddElements(side, builder);
    } else {
      builder.AddNode(side);
    }
  }
  builder.Close();
  return builder.result();
}

// Without the members that `drop` names: keys of an object, strings of an array.
template <typename Drop>
std::string Without(JsonbView value, Drop drop) {
  if (value.is_scalar()) Throw(InvalidCall("cannot delete from scalar"));
  JsonbBuilder builder;
  if (value.kind() == JsonKind::kObject) {
    builder.OpenObject();
    for (size_t i = 0; i < value.count(); ++i) {
      if (drop(value.Key(i))) continue;
      builder.AddKey(value.Key(i));
      builder.AddNode(value.Value(i));
    }
  } else {
    builder.OpenArray();
    for (size_t i = 0; i < value.count(); ++i) {
      if (value.Element(i).kind() == JsonKind::kString && drop(value.Element(i).string())) continue;
      builder.AddNode(value.Element(i));
    }
  }
  builder.Close();
  return builder.result();
}

std::string WithoutIndex(JsonbView value, int64_t index) {
  if (value.is_scalar()) Throw(InvalidCall("cannot delete from scalar"));
  if (value.kind() == JsonKind::kObject) Throw(InvalidCall("cannot delete from object using integer index"));
  if (index < 0) index += static_cast<int64_t>(value.count());
  JsonbBuilder builder;
  builder.OpenArray();
  for (size_t i = 0; i < value.count(); ++i) {
    if (static_cast<int64_t>(i) != index) builder.AddNode(value.Element(i));
  }
  builder.Close();
  return builder.result();
}

// jsonb_set, jsonb_insert and #- walk one path and rebuild what lies on it.
enum class PathAction { kSet, kInsertBefore, kInsertAfter, kDelete };
class PathEditor {
 public:
  PathEditor(const ArrayReader& path, PathAction action, bool create, std::optional<JsonbView> value)
      : path_(path), action_(action), create_(create), value_(value) {}

  void Edit(JsonbView node, size_t level, JsonbBuilder& builder) const {
    Step(level);  // NULL is an error even where the path leads nowhere
    if (node.kind() == JsonKind::kObject) {
      EditObject(node, level, builder);
    } else if (node.kind() == JsonKind::kArray) {
      EditArray(node, level, builder);
    } else {
      builder.AddNode(node);
    }
  }

 private:
  bool is_last(size_t level) const { return level + 1 == path_.count(); }
  bool inserts() const { return action_ == PathAction::kInsertBefore || action_ == PathAction::kInsertAfter; }
  Datum Step(size_t level) const {
    if (path_.IsNull(level)) {
      Throw(SqlError::Make(kNullValueNotAllowed, "path element at position {} is null", level + 1));
    }
    return path_.Element(level);
  }

  void EditObject(JsonbView node, size_t level, JsonbBuilder& builder) const {
    const Datum step = Step(level);
    bool found = false;
    builder.OpenObject();
    for (size_t i = 0; i < node.count(); ++i) {
      if (node.Key(i) != step.bytes()) {
        builder.AddKey(node.Key(i));
        builder.AddNode(node.Value(i));
        continue;
      }
      found = true;
      if (is_last(level) && inserts()) {
        Throw(InvalidCall("cannot replace existing key").Hint("Try using the function jsonb_set to replace key value."));
      }
      if (is_last(level) && action_ == PathAction::kDelete) continue;
      builder.AddKey(node.Key(i));
      if (is_last(level)) {
        builder.AddNode(*value_);
      } else {
        Edit(node.Value(i), level + 1, builder);
      }
    }
    if (!found && is_last(level) && create_) {
      builder.AddKey(step.bytes());
      builder.AddNode(*value_);
    }
    builder.Close();
  }

  int64_t Index(size_t level) const {
    const Datum step = Step(level);
    int32_t index = 0;
    const char* const end = step.bytes().data() + step.bytes().size();
    const auto [stop, error] = std::from_chars(step.bytes().data(), end, index);
    if (error != std::errc{} || stop != end || step.bytes().empty()) {
      Throw(SqlError::Make(kInvalidTextRepresentation, "path element at position {} is not an integer: \"{}\"", level + 1,
                           step.bytes()));
    }
    return index;
  }

  // An index beyond either end means that end, where a value is added.
  void EditArray(JsonbView node, size_t level, JsonbBuilder& builder) const {
    const auto count = static_cast<int64_t>(node.count());
    int64_t index = Index(level);
    if (index < 0) index = -index > count ? std::numeric_limits<int64_t>::min() : index + count;
    const bool add = is_last(level) && create_;
    builder.OpenArray();
    if (add && (index == std::numeric_limits<int64_t>::min() || count == 0)) builder.AddNode(*value_);
    for (int64_t i = 0; i < count; ++i) {
      const JsonbView element = node.Element(static_cast<size_t>(i));
      if (i != index) {
        builder.AddNode(element);
      } else if (!is_last(level)) {
        Edit(element, level + 1, builder);
      } else if (action_ == PathAction::kSet) {
        builder.AddNode(*value_);
      } else if (inserts()) {
        if (action_ == PathAction::kInsertBefore) builder.AddNode(*value_);
        builder.AddNode(element);
        if (action_ == PathAction::kInsertAfter) builder.AddNode(*value_);
      }
    }
    if (add && index >= count && count > 0) builder.AddNode(*value_);
    builder.Close();
  }

  const ArrayReader& path_;
  PathAction action_;
  bool create_;
  std::optional<JsonbView> value_;
};

std::string EditPath(JsonbView target, const ArrayReader& path, PathAction action, bool create, std::optional<JsonbView> value) {
  if (path.dimension_count() > 1) Throw(SqlError::Make(kArrayElementError, "wrong number of array subscripts"));
  if (target.is_scalar()) {
    Throw(InvalidCall(action == PathAction::kDelete ? "cannot delete path in scalar" : "cannot set path in scalar"));
  }
  if (path.count() == 0 || (target.count() == 0 && !create)) return std::string(target.bytes());
  JsonbBuilder builder;
  PathEditor(path, action, create, value).Edit(target, 0, builder);
  return builder.result();
}

void StripNulls(JsonbView node, JsonbBuilder& builder) {
  if (node.is_scalar()) {
    builder.AddNode(node);
    return;
  }
  if (node.kind() == JsonKind::kArray) {
    builder.OpenArray();
    for (size_t i = 0; i < node.count(); ++i) StripNulls(node.Element(i), builder);
  } else {
    builder.OpenObject();
    for (size_t i = 0; i < node.count(); ++i) {
      if (node.Value(i).kind() == JsonKind::kNull) continue;
      builder.AddKey(node.Key(i));
      StripNulls(node.Value(i), builder);
    }
  }
  builder.Close();
}
void StripNulls(const JsonNode& node, std::string& out) {
  if (!node.is_container()) {
    out += node.raw;
    return;
  }
  const bool is_object = node.kind == JsonKind::kObject;
  out += is_object ? '{' : '[';
  bool first = true;
  for (const JsonNode& child : node.children) {
    if (is_object && child.kind == JsonKind::kNull) continue;
    if (!first) out += ',';
    first = false;
    if (is_object) {
      types::AppendJsonString(child.key, out);
      out += ':';
    }
    StripNulls(child, out);
  }
  out += is_object ? '}' : ']';
}

SqlError CannotCast(JsonKind kind, std::string_view type) {
  const std::string_view name = kind == JsonKind::kNumber ? "numeric" : types::JsonKindName(kind);
  return SqlError::Make(kInvalidParameterValue, "cannot cast jsonb {} to type {}", name, type);
}

types::Numeric NumberOf(std::string_view bytes, std::string_view type) {
  const JsonbView value(bytes);
  if (value.kind() != JsonKind::kNumber) Throw(CannotCast(value.kind(), type));
  return types::DecodeNumeric(value.number().bytes());
}

template <typename T>
void IntegerCast(const KernelCall& call, std::string_view type) {
  Lift<T(std::string_view)>(call, [type](std::string_view bytes) {
    return static_cast<T>(
        types::NumericToInt64(NumberOf(bytes, type), type, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  });
}

}  // namespace

void JsonbConcat(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view a, std::string_view b) {
    return call.result.heap().Copy(Concatenate(JsonbView(a), JsonbView(b)));
  });
}
void JsonbDelete(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view value, std::string_view name) {
    return call.result.heap().Copy(Without(JsonbView(value), [name](std::string_view key) { return key == name; }));
  });
}
void JsonbDeleteIdx(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t)>(call, [&](std::string_view value, int32_t index) {
    return call.result.heap().Copy(WithoutIndex(JsonbView(value), index));
  });
}
void JsonbDeleteArray(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Datum value = call.args[0]->Get(row);
    const ArrayArgument names(call, 1, row);
    if (names->dimension_count() > 1) Throw(SqlError::Make(kArrayElementError, "wrong number of array subscripts"));
    call.result.SetBytes(row, Without(JsonbView(value.bytes()), [&](std::string_view key) {
                           for (size_t at = 0; at < names->count(); ++at) {
                             if (!names->IsNull(at) && names->Element(at).bytes() == key) return true;
                           }
                           return false;
                         }));
  }
}
void JsonbDeletePath(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Datum value = call.args[0]->Get(row);
    const ArrayArgument path(call, 1, row);
    call.result.SetBytes(row, EditPath(JsonbView(value.bytes()), *path, PathAction::kDelete, false, std::nullopt));
  }
}

void JsonbSet(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Datum target = call.args[0]->Get(row);
    const ArrayArgument path(call, 1, row);
    const Datum value = call.args[2]->Get(row);
    const bool create = call.args[3]->Get(row).get<bool>();
    call.result.SetBytes(row, EditPath(JsonbView(target.bytes()), *path, PathAction::kSet, create, JsonbView(value.bytes())));
  }
}
// As jsonb_set, with a choice of what a NULL value means; NULL where another argument is.
void JsonbSetLax(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row) || call.args[1]->IsNull(row) || call.args[3]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const Datum treatment = call.args[4]->Get(row);
    const std::string_view word = treatment.is_null() ? std::string_view() : treatment.bytes();
    if (treatment.is_null() || (call.args[2]->IsNull(row) && word != "raise_exception" && word != "use_json_null" &&
                                word != "delete_key" && word != "return_target")) {
      Throw(InvalidCall(
          "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\""));
    }
    const Datum target = call.args[0]->Get(row);
    const ArrayArgument path(call, 1, row);
    const bool create = call.args[3]->Get(row).get<bool>();
    if (!call.args[2]->IsNull(row)) {
      const Datum value = call.args[2]->Get(row);
      call.result.SetBytes(row, EditPath(JsonbView(target.bytes()), *path, PathAction::kSet, create, JsonbView(value.bytes())));
    } else if (word == "raise_exception") {
      Throw(SqlError::Make(kNullValueNotAllowed, "JSON value must not be null")
                .Detail("Exception was raised because null_value_treatment is \"raise_exception\".")
                .Hint("To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed."));
    } else if (word == "use_json_null") {
      const JsonbView null(std::string_view("\0", 1));
      call.result.SetBytes(row, EditPath(JsonbView(target.bytes()), *path, PathAction::kSet, create, null));
    } else if (word == "delete_key") {
      call.result.SetBytes(row, EditPath(JsonbView(target.bytes()), *path, PathAction::kDelete, false, std::nullopt));
    } else {
      call.result.SetDatum(row, target);
    }
  }
}

void JsonbInsert(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Datum target = call.args[0]->Get(row);
    const ArrayArgument path(call, 1, row);
    const Datum value = call.args[2]->Get(row);
    const PathAction action = call.args[3]->Get(row).get<bool>() ? PathAction::kInsertAfter : PathAction::kInsertBefore;
    call.result.SetBytes(row, EditPath(JsonbView(target.bytes()), *path, action, true, JsonbView(value.bytes())));
  }
}

void JsonbStripNulls(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view bytes) {
    JsonbBuilder builder;
    StripNulls(JsonbView(bytes), builder);
    return call.result.heap().Copy(builder.result());
  });
}
void JsonStripNulls(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view text) {
    scratch.clear();
    StripNulls(ParseJsonTree(text), scratch);
    return Keep(call, scratch);
  });
}
void JsonbPretty(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view bytes) {
    scratch.clear();
    types::AppendJsonbPretty(JsonbView(bytes), scratch);
    return Keep(call, scratch);
  });
}

void JsonbBool(const KernelCall& call) {
  Lift<bool(std::string_view)>(call, [](std::string_view bytes) {
    const JsonbView value(bytes);
    if (value.kind() != JsonKind::kBool) Throw(CannotCast(value.kind(), "boolean"));
    return value.boolean();
  });
}
void JsonbNumeric(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [](std::string_view bytes) {
    if (JsonbView(bytes).kind() != JsonKind::kNumber) Throw(CannotCast(JsonbView(bytes).kind(), "numeric"));
    return bytes.substr(1);
  });
}
void JsonbInt2(const KernelCall& call) { IntegerCast<int16_t>(call, "smallint"); }
void JsonbInt4(const KernelCall& call) { IntegerCast<int32_t>(call, "integer"); }
void JsonbInt8(const KernelCall& call) { IntegerCast<int64_t>(call, "bigint"); }
void JsonbFloat4(const KernelCall& call) {
  Lift<float(std::string_view)>(
      call, [](std::string_view bytes) { return static_cast<float>(types::NumericToDouble(NumberOf(bytes, "real"))); });
}
void JsonbFloat8(const KernelCall& call) {
  Lift<double(std::string_view)>(
      call, [](std::string_view bytes) { return types::NumericToDouble(NumberOf(bytes, "double precision")); });
}

}  // namespace mayfly::func
