// Functions and aggregates that make json and jsonb of SQL values (PostgreSQL manual, 9.16 and 9.21).
#include "sql/func/aggregate_state.h"
#include "sql/func/array_function.h"
#include "sql/func/json_build.h"
#include "sql/func/text_result.h"

namespace mayfly::func {

namespace {

using types::Datum;
using types::JsonbBuilder;

void ToJsonKernel(const KernelCall& call, bool may_be_pretty) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const bool pretty = may_be_pretty && call.args.size() > 1 && call.args[1]->Get(row).get<bool>();
    text.clear();
    AppendJsonValue(*call.arg_types[0].type, call.args[0]->Get(row), call.context.io, pretty, text);
    call.result.SetBytes(row, text);
  }
}

SqlError OddArguments(std::string_view what) {
  return SqlError::Make(kInvalidParameterValue, "argument list must have even number of elements")
      .Hint(fmt::format("The arguments of {} must consist of alternating keys and values.", what));
}

template <typename BuildRow>
void BuildKernel(const KernelCall& call, BuildRow build_row) {
  for (size_t i = 0; i < call.rows.count; ++i) build_row(call.rows[i]);
}

std::string NullKey(size_t argument, bool binary) {
  return binary ? fmt::format("argument {}: key must not be null", argument)
                : fmt::format("argument {} cannot be null", argument);
}

void BuildObjectText(const KernelCall& call, size_t row) {
  std::string text = "{";
  for (size_t at = 0; at + 1 < call.args.size(); at += 2) {
    if (at > 0) text += ", ";
    types::AppendJsonString(
        JsonKeyText(*call.arg_types[at].type, call.args[at]->Get(row), call.context.io, NullKey(at + 1, false)), text);
    text += " : ";
    AppendJsonValue(*call.arg_types[at + 1].type, call.args[at + 1]->Get(row), call.context.io, false, text);
  }
  text += '}';
  call.result.SetBytes(row, text);
}
void BuildObjectBinary(const KernelCall& call, size_t row) {
  JsonbBuilder builder;
  builder.OpenObject();
  for (size_t at = 0; at + 1 < call.args.size(); at += 2) {
    builder.AddKey(JsonKeyText(*call.arg_types[at].type, call.args[at]->Get(row), call.context.io, NullKey(at + 1, true)));
    AddJsonbValue(*call.arg_types[at + 1].type, call.args[at + 1]->Get(row), call.context.io, builder);
  }
  builder.Close();
  call.result.SetBytes(row, builder.result());
}
void BuildArrayText(const KernelCall& call, size_t row) {
  std::string text = "[";
  for (size_t at = 0; at < call.args.size(); ++at) {
    if (at > 0) text += ", ";
    AppendJsonValue(*call.arg_types[at].type, call.args[at]->Get(row), call.context.io, false, text);
  }
  text += ']';
  call.result.SetBytes(row, text);
}
void BuildArrayBinary(const KernelCall& call, size_t row) {
  JsonbBuilder builder;
  builder.OpenArray();
  for (size_t at = 0; at < call.args.size(); ++at) {
    AddJsonbValue(*call.arg_types[at].type, call.args[at]->Get(row), call.context.io, builder);
  }
  builder.Close();
  call.result.SetBytes(row, builder.result());
}

// json_agg and json_object_agg keep the text so far, jsonb_agg and jsonb_object_agg an open builder.
using TextState = HeapState<std::string>;
using BuilderState = HeapState<JsonbBuilder>;

void JsonAggUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  const types::TypeDesc& type = *call.arg_types[0].type;
  for (size_t i = 0; i < rows.count; ++i) {
    const bool first = TextState::Get(states[i]) == nullptr;
    std::string& text = TextState::GetOrMake(states[i]);
    text += first ? "[" : ", ";
    const Datum value = call.args[0]->Get(rows[i]);
    if (!first && IsJsonContainer(type) && !value.is_null()) text += "\n ";
    AppendJsonValue(type, value, call.context.io, false, text);
  }
}
void JsonObjectAggUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  for (size_t i = 0; i < rows.count; ++i) {
    const bool first = TextState::Get(states[i]) == nullptr;
    std::string& text = TextState::GetOrMake(states[i]);
    text += first ? "{ " : ", ";
    types::AppendJsonString(
        JsonKeyText(*call.arg_types[0].type, call.args[0]->Get(rows[i]), call.context.io, "field name must not be null"), text);
    text += " : ";
    AppendJsonValue(*call.arg_types[1].type, call.args[1]->Get(rows[i]), call.context.io, false, text);
  }
}
template <bool is_object>
void TextFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  const std::string* text = TextState::Get(state);
  if (text == nullptr) {
    result.SetNull(row);
  } else {
    result.SetBytes(row, *text + (is_object ? " }" : "]"));
  }
}

void JsonbAggUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  for (size_t i = 0; i < rows.count; ++i) {
    const bool first = BuilderState::Get(states[i]) == nullptr;
    JsonbBuilder& builder = BuilderState::GetOrMake(states[i]);
    if (first) builder.OpenArray();
    AddJsonbValue(*call.arg_types[0].type, call.args[0]->Get(rows[i]), call.context.io, builder);
  }
}
void JsonbObjectAggUpdate(const AggregateCall& call, types::Selection rows, void* const* states) {
  for (size_t i = 0; i < rows.count; ++i) {
    const bool first = BuilderState::Get(states[i]) == nullptr;
    JsonbBuilder& builder = BuilderState::GetOrMake(states[i]);
    if (first) builder.OpenObject();
    builder.AddKey(
        JsonKeyText(*call.arg_types[0].type, call.args[0]->Get(rows[i]), call.context.io, "field name must not be null"));
    AddJsonbValue(*call.arg_types[1].type, call.args[1]->Get(rows[i]), call.context.io, builder);
  }
}
// A window may ask again after more rows: the builder in the state stays open.
void BuilderFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  const JsonbBuilder* builder = BuilderState::Get(state);
  if (builder == nullptr) {
    result.SetNull(row);
    return;
  }
  result.SetBytes(row, builder->ClosedResult());
}

template <typename State>
constexpr AggregateOps Aggregate(decltype(AggregateOps::update) update, decltype(AggregateOps::finalize) finalize) {
  return {.state_bytes = State::kBytes,
          .skips_nulls = false,
          .init = State::Init,
          .destroy = State::Destroy,
          .update = update,
          .finalize = finalize};
}

// json_object(text[]) and json_object(keys, values).
void CollectPairs(const types::ArrayReader& array, std::vector<Datum>& keys, std::vector<Datum>& values) {
  if (array.dimension_count() > 2) Throw(SqlError::Make(kArrayElementError, "wrong number of array subscripts"));
  if (array.dimension_count() == 1 && array.count() % 2 != 0) {
    Throw(SqlError::Make(kArrayElementError, "array must have even number of elements"));
  }
  if (array.dimension_count() == 2 && array.dimensions()[1].length != 2) {
    Throw(SqlError::Make(kArrayElementError, "array must have two columns"));
  }
  for (size_t at = 0; at < array.count(); ++at) (at % 2 == 0 ? keys : values).push_back(array.Element(at));
}

void ObjectKernel(const KernelCall& call, bool binary) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    std::vector<Datum> keys;
    std::vector<Datum> values;
    const ArrayArgument first(call, 0, row);
    std::optional<ArrayArgument> second;
    if (call.args.size() == 1) {
      CollectPairs(*first, keys, values);
    } else {
      second.emplace(call, 1, row);
      if (first->dimension_count() > 1 || first->dimension_count() != (*second)->dimension_count()) {
        Throw(SqlError::Make(kArrayElementError, "wrong number of array subscripts"));
      }
      if (first->count() != (*second)->count()) Throw(SqlError::Make(kArrayElementError, "mismatched array dimensions"));
      for (size_t at = 0; at < first->count(); ++at) {
        keys.push_back(first->Element(at));
        values.push_back((*second)->Element(at));
      }
    }
    JsonbBuilder builder;
    builder.OpenObject();
    std::string text = "{";
    for (size_t at = 0; at < keys.size(); ++at) {
      if (keys[at].is_null()) Throw(SqlError::Make(kNullValueNotAllowed, "null value not allowed for object key"));
      if (binary) {
        builder.AddKey(keys[at].bytes());
        if (values[at].is_null()) {
          builder.AddNull();
        } else {
          builder.AddString(values[at].bytes());
        }
        continue;
      }
      if (at > 0) text += ", ";
      types::AppendJsonString(keys[at].bytes(), text);
      text += " : ";
      if (values[at].is_null()) {
        text += "null";
      } else {
        types::AppendJsonString(values[at].bytes(), text);
      }
    }
    builder.Close();
    text += '}';
    call.result.SetBytes(row, binary ? builder.result() : text);
  }
}

}  // namespace

void ToJson(const KernelCall& call) { ToJsonKernel(call, false); }
void ArrayToJson(const KernelCall& call) { ToJsonKernel(call, false); }
void ArrayToJsonPretty(const KernelCall& call) { ToJsonKernel(call, true); }
void RowToJson(const KernelCall& call) { ToJsonKernel(call, false); }
void RowToJsonPretty(const KernelCall& call) { ToJsonKernel(call, true); }

void ToJsonb(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    JsonbBuilder builder;
    AddJsonbValue(*call.arg_types[0].type, call.args[0]->Get(row), call.context.io, builder);
    call.result.SetBytes(row, builder.result());
  }
}

void JsonBuildObject(const KernelCall& call) {
  if (call.args.size() % 2 != 0) Throw(OddArguments("json_build_object()"));
  BuildKernel(call, [&](size_t row) { BuildObjectText(call, row); });
}
void JsonbBuildObject(const KernelCall& call) {
  if (call.args.size() % 2 != 0) Throw(OddArguments("jsonb_build_object()"));
  BuildKernel(call, [&](size_t row) { BuildObjectBinary(call, row); });
}
void JsonBuildArray(const KernelCall& call) {
  BuildKernel(call, [&](size_t row) { BuildArrayText(call, row); });
}
void JsonbBuildArray(const KernelCall& call) {
  BuildKernel(call, [&](size_t row) { BuildArrayBinary(call, row); });
}
void JsonBuildObjectNoargs(const KernelCall& call) { JsonBuildObject(call); }
void JsonbBuildObjectNoargs(const KernelCall& call) { JsonbBuildObject(call); }
void JsonBuildArrayNoargs(const KernelCall& call) { JsonBuildArray(call); }
void JsonbBuildArrayNoargs(const KernelCall& call) { JsonbBuildArray(call); }

void JsonObject(const KernelCall& call) { ObjectKernel(call, false); }
void JsonObjectTwoArg(const KernelCall& call) { ObjectKernel(call, false); }
void JsonbObject(const KernelCall& call) { ObjectKernel(call, true); }
void JsonbObjectTwoArg(const KernelCall& call) { ObjectKernel(call, true); }

extern const AggregateOps AggJsonAggAnyelement, AggJsonbAggAnyelement, AggJsonObjectAggAnyAny, AggJsonbObjectAggAnyAny;
const AggregateOps AggJsonAggAnyelement = Aggregate<TextState>(JsonAggUpdate, TextFinalize<false>);
const AggregateOps AggJsonbAggAnyelement = Aggregate<BuilderState>(JsonbAggUpdate, BuilderFinalize);
const AggregateOps AggJsonObjectAggAnyAny = Aggregate<TextState>(JsonObjectAggUpdate, TextFinalize<true>);
const AggregateOps AggJsonbObjectAggAnyAny = Aggregate<BuilderState>(JsonbObjectAggUpdate, BuilderFinalize);

}  // namespace mayfly::func
