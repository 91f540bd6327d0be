// Set-returning functions and aggregates on strings, arrays and JSON, and functions that ask the session.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/sql_error.h"
#include "sql/func/kernel.h"
#include "sql/types/record.h"
#include "sql/types/time_zone.h"
#include "tests/sql/func/string_types.h"

namespace mayfly::func {

#define SET_FUNCTION(name) std::unique_ptr<SetFunction> name(const SetFunctionCall& call);
SET_FUNCTION(ArrayUnnest)
SET_FUNCTION(GenerateSubscripts)
SET_FUNCTION(TextToTableNull)
SET_FUNCTION(RegexpMatches)
SET_FUNCTION(RegexpSplitToTableNoFlags)
SET_FUNCTION(JsonEach)
SET_FUNCTION(JsonbEachText)
SET_FUNCTION(JsonArrayElements)
SET_FUNCTION(JsonbArrayElementsText)
SET_FUNCTION(JsonObjectKeys)
SET_FUNCTION(JsonbObjectKeys)
SET_FUNCTION(PgGetKeywords)
SET_FUNCTION(PgOptionsToTable)
#undef SET_FUNCTION
extern const AggregateOps AggStringAggTextText, AggMaxText, AggMinBpchar, AggMaxAnyarray, AggArrayAggAnynonarray,
    AggArrayAggAnyarray, AggJsonAggAnyelement, AggJsonbAggAnyelement, AggJsonObjectAggAnyAny, AggJsonbObjectAggAnyAny;
void FormatType(const KernelCall& call);
void PgTypeof(const KernelCall& call);
void ShowConfigByName(const KernelCall& call);
void CurrentSchemas(const KernelCall& call);
void PgGetUserbyid(const KernelCall& call);
void HasTablePrivilegeName(const KernelCall& call);
void ToRegclass(const KernelCall& call);
void TextRegclass(const KernelCall& call);
void ToJson(const KernelCall& call);
void RecordEq(const KernelCall& call);
void GenRandomUuid(const KernelCall& call);
void PgCollationFor(const KernelCall& call);

namespace {

using types::Datum;
using types::TypeDesc;
using types::Vector;
using Text = std::optional<std::string>;

class FakeSession final : public SessionInfo, public types::NameResolver {
 public:
  std::string_view database_name() const override { return "mayfly"; }
  std::string_view user_name() const override { return "postgres"; }
  std::string_view session_user_name() const override { return "postgres"; }
  int32_t backend_pid() const override { return 42; }
  std::vector<std::string> CurrentSchemas(bool with_implicit) const override {
    return with_implicit ? std::vector<std::string>{"pg_catalog", "public"} : std::vector<std::string>{"public"};
  }
  Text GetSetting(std::string_view name) const override { return name == "work_mem" ? Text("4MB") : std::nullopt; }
  std::string SetSetting(std::string_view, std::string_view value, bool) override { return std::string(value); }
  Text DescribeObject(std::string_view what, Oid oid, int32_t, bool) const override {
    return what == "pg_get_userbyid" && oid.value == 10 ? Text("postgres") : std::nullopt;
  }
  std::optional<bool> IsVisible(std::string_view, Oid) const override { return true; }
  Result<Oid> ResolveName(std::string_view kind, std::string_view text) const override {
    if (kind == "regclass" && text == "pg_class") return Oid{1259};
    return SqlError::Make(kUndefinedTable, "relation \"{}\" does not exist", text);
  }
  void AppendName(std::string_view, Oid oid, std::string& out) const override {
    out += oid.value == 2950 ? "uuid" : std::to_string(oid.value);
  }
};

class StringRows : public testing::Test {
 protected:
  StringRows() { settings_.time_zone = types::TimeZone::Find("UTC"); }

  Datum In(const TypeDesc& type, const Text& text) {
    return text ? type.ops->in(type, *text, -1, context_.io, arena_).value() : Datum::Null();
  }
  Text Out(const TypeDesc& type, const Datum& value) {
    if (value.is_null()) return std::nullopt;
    std::string text;
    type.ops->out(type, value, context_.io, text);
    return text;
  }

  // All rows of a set function, asked two rows at a time; the error text where it fails.
  std::vector<std::vector<Text>> Rows(SetFunctionFactory factory, std::vector<const char*> types, std::vector<Text> arguments,
                                      std::vector<const char*> result_types) {
    std::vector<Datum> values;
    std::vector<TypeUse> uses;
    for (size_t i = 0; i < types.size(); ++i) {
      uses.push_back({&TypeNamed(types[i]), -1});
      values.push_back(In(TypeNamed(types[i]), arguments[i]));
    }
    std::vector<std::unique_ptr<Vector>> columns;
    std::vector<Vector*> pointers;
    for (const char* type : result_types) {
      columns.push_back(std::make_unique<Vector>(TypeNamed(type).physical()));
      pointers.push_back(columns.back().get());
    }
    std::vector<std::vector<Text>> rows;
    try {
      const auto function = factory({context_, values, uses, {&TypeNamed(result_types[0]), -1}});
      for (;;) {
        for (Vector* column : pointers) column->Reset();
        const size_t count = function->Next(2, pointers);
        if (count == 0) return rows;
        for (size_t row = 0; row < count; ++row) {
          std::vector<Text>& out = rows.emplace_back();
          for (size_t i = 0; i < pointers.size(); ++i) out.push_back(Out(TypeNamed(result_types[i]), pointers[i]->Get(row)));
        }
      }
    } catch (const SqlException& exception) {
      return {{std::string(exception.error().state.code()) + " " + exception.error().message}};
    }
  }
  std::vector<Text> Column(SetFunctionFactory factory, std::vector<const char*> types, std::vector<Text> arguments,
                           const char* result_type) {
    std::vector<Text> column;
    for (const auto& row : Rows(factory, std::move(types), std::move(arguments), {result_type})) column.push_back(row[0]);
    return column;
  }

  // An aggregate over rows of arguments, all in one group.
  Text Aggregate(const AggregateOps& ops, std::vector<const char*> types, const std::vector<std::vector<Text>>& rows,
                 const char* result_type) {
    std::vector<std::unique_ptr<Vector>> columns;
    std::vector<const Vector*> args;
    std::vector<TypeUse> uses;
    for (size_t i = 0; i < types.size(); ++i) {
      const TypeDesc& type = TypeNamed(types[i]);
      columns.push_back(std::make_unique<Vector>(type.physical()));
      for (size_t row = 0; row < rows.size(); ++row) columns.back()->SetDatum(row, In(type, rows[row][i]));
      args.push_back(columns.back().get());
      uses.push_back({&type, -1});
    }
    std::vector<uint16_t> selected;
    for (size_t row = 0; row < rows.size(); ++row) {
      if (!ops.skips_nulls || !args[0]->IsNull(row)) selected.push_back(static_cast<uint16_t>(row));
    }
    alignas(16) char state[64];
    const std::vector<void*> states(selected.size(), state);
    Vector result(TypeNamed(result_type).physical());
    const AggregateCall call{context_, args, uses, {&TypeNamed(result_type), -1}};
    ops.init(state);
    try {
      ops.update(call, {selected.data(), selected.size()}, states.data());
      ops.finalize(call, state, result, 0);
    } catch (const SqlException& exception) {
      result = Vector(types::PhysicalType::kBytes);
      ops.destroy(state);
      return std::string(exception.error().state.code()) + " " + exception.error().message;
    }
    ops.destroy(state);
    return Out(TypeNamed(result_type), result.Get(0));
  }

  Text Call(Kernel kernel, std::vector<const char*> types, std::vector<Text> arguments, const char* result_type) {
    std::vector<std::unique_ptr<Vector>> vectors;
    std::vector<const Vector*> args;
    std::vector<TypeUse> uses;
    for (size_t i = 0; i < types.size(); ++i) {
      vectors.push_back(std::make_unique<Vector>(TypeNamed(types[i]).physical()));
      vectors.back()->SetDatum(0, In(TypeNamed(types[i]), arguments[i]));
      args.push_back(vectors.back().get());
      uses.push_back({&TypeNamed(types[i]), -1});
    }
    Vector result(TypeNamed(result_type).physical());
    try {
      kernel({context_, args, {nullptr, 1}, result, uses, {&TypeNamed(result_type), -1}});
    } catch (const SqlException& exception) {
      return std::string(exception.error().state.code()) + " " + exception.error().message;
    }
    return Out(TypeNamed(result_type), result.Get(0));
  }

  FakeSession session_;
  types::IoSettings settings_;
  std::mt19937_64 random_{1};
  CallContext context_{.io = {settings_, &session_}, .session = &session_, .random = &random_};
  Arena arena_;
};

TEST_F(StringRows, ArraysUnfold) {
  EXPECT_EQ(Column(ArrayUnnest, {"_text"}, {"{{a,NULL},{long enough to be on the heap,c}}"}, "text"),
            (std::vector<Text>{"a", std::nullopt, "long enough to be on the heap", "c"}));
  EXPECT_EQ(Column(ArrayUnnest, {"_int4"}, {"{}"}, "int4"), std::vector<Text>{});
  EXPECT_EQ(Column(GenerateSubscripts, {"_int4", "int4", "bool"}, {"[2:4]={7,8,9}", "1", "t"}, "int4"),
            (std::vector<Text>{"4", "3", "2"}));
  EXPECT_EQ(Column(GenerateSubscripts, {"_int4", "int4", "bool"}, {"{7}", "2", "f"}, "int4"), std::vector<Text>{});
}

TEST_F(StringRows, TextUnfolds) {
  EXPECT_EQ(Column(TextToTableNull, {"text", "text", "text"}, {"a,b,,x", ",", "x"}, "text"),
            (std::vector<Text>{"a", "b", "", std::nullopt}));
  EXPECT_EQ(Column(RegexpSplitToTableNoFlags, {"text", "text"}, {"a1b22c", "\\d+"}, "text"), (std::vector<Text>{"a", "b", "c"}));
  EXPECT_EQ(Column(RegexpMatches, {"text", "text", "text"}, {"foobarbequebazilbarfbonk", "(b[^b]+)(b[^b]+)", "g"}, "_text"),
            (std::vector<Text>{"{bar,beque}", "{bazil,barf}"}));
  EXPECT_EQ(Column(RegexpMatches, {"text", "text", "text"}, {"a", "(", ""}, "_text"),
            (std::vector<Text>{"2201B invalid regular expression: parentheses () not balanced"}));
}

TEST_F(StringRows, JsonUnfolds) {
  EXPECT_EQ(Rows(JsonEach, {"json"}, {R"({"a" : [1, 2], "a":"x"})"}, {"text", "json"}),
            (std::vector<std::vector<Text>>{{"a", "[1, 2]"}, {"a", "\"x\""}}));
  EXPECT_EQ(Rows(JsonbEachText, {"jsonb"}, {R"({"bb":null,"a":"x"})"}, {"text", "text"}),
            (std::vector<std::vector<Text>>{{"a", "x"}, {"bb", std::nullopt}}));
  EXPECT_EQ(Column(JsonArrayElements, {"json"}, {"[1, null,[ 2]]"}, "json"), (std::vector<Text>{"1", "null", "[ 2]"}));
  EXPECT_EQ(Column(JsonbArrayElementsText, {"jsonb"}, {R"([1,null,"x"])"}, "text"), (std::vector<Text>{"1", std::nullopt, "x"}));
  EXPECT_EQ(Column(JsonObjectKeys, {"json"}, {R"({"b":1,"a":2})"}, "text"), (std::vector<Text>{"b", "a"}));
  EXPECT_EQ(Column(JsonbObjectKeys, {"jsonb"}, {"[]"}, "text"),
            (std::vector<Text>{"22023 cannot call jsonb_object_keys on an array"}));
  EXPECT_EQ(Column(JsonArrayElements, {"json"}, {"{}"}, "json"),
            (std::vector<Text>{"22023 cannot call json_array_elements on a non-array"}));
  EXPECT_EQ(Column(JsonbArrayElementsText, {"jsonb"}, {"{}"}, "text"),
            (std::vector<Text>{"22023 cannot extract elements from an object"}));
  EXPECT_EQ(Rows(JsonEach, {"json"}, {"[]"}, {"text", "json"}),
            (std::vector<std::vector<Text>>{{"22023 cannot deconstruct an array as an object"}}));
}

TEST_F(StringRows, OptionsUnfold) {
  EXPECT_EQ(Rows(PgOptionsToTable, {"_text"}, {"{a=b,c,d=,table.kv.row.ttl=1=h}"}, {"text", "text"}),
            (std::vector<std::vector<Text>>{{"a", "b"}, {"c", std::nullopt}, {"d", ""}, {"table.kv.row.ttl", "1=h"}}));
  EXPECT_EQ(Call(PgCollationFor, {"text"}, {"a"}, "text"), "\"default\"");
  EXPECT_EQ(Call(PgCollationFor, {"int4"}, {"1"}, "text"), "42804 collations are not supported by type integer");
}

TEST_F(StringRows, KeywordsAreListed) {
  const auto rows = Rows(PgGetKeywords, {}, {}, {"text", "char", "bool", "text", "text"});
  EXPECT_EQ(rows.size(), 460U);
  EXPECT_EQ(rows[0], (std::vector<Text>{"abort", "U", "t", "unreserved", "can be bare label"}));
}

TEST_F(StringRows, TextAggregates) {
  EXPECT_EQ(Aggregate(AggStringAggTextText, {"text", "text"}, {{"a", "-"}, {std::nullopt, "-"}, {"b", "+"}, {"c", std::nullopt}},
                      "text"),
            "a+bc");
  EXPECT_EQ(Aggregate(AggStringAggTextText, {"text", "text"}, {{std::nullopt, "-"}}, "text"), std::nullopt);
  EXPECT_EQ(Aggregate(AggMaxText, {"text"}, {{"a"}, {std::nullopt}, {"é"}, {"z"}}, "text"), "é");
  EXPECT_EQ(Aggregate(AggMaxText, {"text"}, {}, "text"), std::nullopt);
  EXPECT_EQ(Aggregate(AggMinBpchar, {"bpchar"}, {{"b "}, {"a   "}}, "bpchar"), "a   ");
  EXPECT_EQ(Aggregate(AggMaxAnyarray, {"_int4"}, {{"{1,9}"}, {"{2}"}}, "_int4"), "{2}");
}

TEST_F(StringRows, ArrayAggregates) {
  EXPECT_EQ(Aggregate(AggArrayAggAnynonarray, {"int4"}, {{"1"}, {std::nullopt}, {"3"}}, "_int4"), "{1,NULL,3}");
  EXPECT_EQ(Aggregate(AggArrayAggAnynonarray, {"int4"}, {}, "_int4"), std::nullopt);
  EXPECT_EQ(Aggregate(AggArrayAggAnyarray, {"_int4"}, {{"{1,2}"}, {"{3,4}"}}, "_int4"), "{{1,2},{3,4}}");
  EXPECT_EQ(Aggregate(AggArrayAggAnyarray, {"_int4"}, {{"{1,2}"}, {"{3}"}}, "_int4"),
            "2202E cannot accumulate arrays of different dimensionality");
  EXPECT_EQ(Aggregate(AggArrayAggAnyarray, {"_int4"}, {{std::nullopt}}, "_int4"), "22004 cannot accumulate null arrays");
}

TEST_F(StringRows, JsonAggregates) {
  EXPECT_EQ(Aggregate(AggJsonAggAnyelement, {"text"}, {{"a"}, {std::nullopt}}, "json"), "[\"a\", null]");
  EXPECT_EQ(Aggregate(AggJsonAggAnyelement, {"_int4"}, {{"{1}"}, {"{2}"}}, "json"), "[[1], \n [2]]");
  EXPECT_EQ(Aggregate(AggJsonbAggAnyelement, {"numeric"}, {{"1.50"}, {"NaN"}}, "jsonb"), "[1.50, \"NaN\"]");
  EXPECT_EQ(Aggregate(AggJsonObjectAggAnyAny, {"text", "int4"}, {{"a", "1"}, {"a", "2"}}, "json"), "{ \"a\" : 1, \"a\" : 2 }");
  EXPECT_EQ(Aggregate(AggJsonbObjectAggAnyAny, {"text", "int4"}, {{"a", "1"}, {"a", "2"}}, "jsonb"), "{\"a\": 2}");
  EXPECT_EQ(Aggregate(AggJsonbObjectAggAnyAny, {"text", "int4"}, {{std::nullopt, "1"}}, "jsonb"),
            "22023 field name must not be null");
}

TEST_F(StringRows, JsonOfDatesIsIso8601) {
  settings_.date_style = types::DateStyle::kGerman;
  EXPECT_EQ(Call(ToJson, {"timestamptz"}, {"2024-01-02 03:04:05.6+02"}, "json"), "\"2024-01-02T01:04:05.6+00:00\"");
  EXPECT_EQ(Call(ToJson, {"timestamp"}, {"2024-01-02 03:04:05"}, "json"), "\"2024-01-02T03:04:05\"");
  EXPECT_EQ(Call(ToJson, {"date"}, {"2024-01-02"}, "json"), "\"2024-01-02\"");
  EXPECT_EQ(Call(ToJson, {"timestamp"}, {"infinity"}, "json"), "\"infinity\"");
}

TEST_F(StringRows, TheSessionAnswers) {
  EXPECT_EQ(Call(ShowConfigByName, {"text"}, {"work_mem"}, "text"), "4MB");
  EXPECT_EQ(Call(ShowConfigByName, {"text"}, {"nope"}, "text"), "42704 unrecognized configuration parameter \"nope\"");
  EXPECT_EQ(Call(CurrentSchemas, {"bool"}, {"t"}, "_name"), "{pg_catalog,public}");
  EXPECT_EQ(Call(PgGetUserbyid, {"oid"}, {"10"}, "name"), "postgres");
  EXPECT_EQ(Call(PgGetUserbyid, {"oid"}, {"11"}, "name"), "unknown (OID=11)");
  EXPECT_EQ(Call(FormatType, {"oid", "int4"}, {"2950", "-1"}, "text"), "uuid");
  EXPECT_EQ(Call(FormatType, {"oid", "int4"}, {"99999", std::nullopt}, "text"), "???");
  EXPECT_EQ(Call(FormatType, {"oid", "int4"}, {"1043", "14"}, "text"), "character varying(10)");
  EXPECT_EQ(Call(FormatType, {"oid", "int4"}, {std::nullopt, "14"}, "text"), std::nullopt);
  EXPECT_EQ(Call(PgTypeof, {"jsonb"}, {std::nullopt}, "oid"), "3802");
  EXPECT_EQ(Call(ToRegclass, {"text"}, {"pg_class"}, "oid"), "1259");
  EXPECT_EQ(Call(ToRegclass, {"text"}, {"nope"}, "oid"), std::nullopt);
  EXPECT_EQ(Call(TextRegclass, {"text"}, {"nope"}, "oid"), "42P01 relation \"nope\" does not exist");
  EXPECT_EQ(Call(HasTablePrivilegeName, {"text", "text"}, {"pg_class", "select, INSERT with grant option"}, "bool"), "t");
  EXPECT_EQ(Call(HasTablePrivilegeName, {"text", "text"}, {"pg_class", "foo"}, "bool"),
            "22023 unrecognized privilege type: \"foo\"");
}

TEST_F(StringRows, RandomUuidsAreOfVersionFour) {
  const std::string uuid = *Call(GenRandomUuid, {}, {}, "uuid");
  EXPECT_EQ(uuid[14], '4');
  EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
  EXPECT_NE(uuid, *Call(GenRandomUuid, {}, {}, "uuid"));
}

TEST_F(StringRows, RecordsShowAndCompare) {
  const auto record = [&](const char* number, const Text& text) {
    types::RecordBuilder builder;
    builder.Append(TypeNamed("int4"), In(TypeNamed("int4"), number));
    builder.Append(TypeNamed("text"), In(TypeNamed("text"), text));
    return builder.Finish(arena_);
  };
  const TypeDesc& type = TypeNamed("record");
  EXPECT_EQ(Out(type, record("1", "a b\"c")), "(1,\"a b\"\"c\")");
  EXPECT_EQ(Out(type, record("1", std::nullopt)), "(1,)");
  EXPECT_EQ(Out(type, record("1", "")), "(1,\"\")");
  EXPECT_LT(type.ops->compare(type, record("1", "b"), record("2", "a")), 0);
  EXPECT_LT(type.ops->compare(type, record("1", "b"), record("1", std::nullopt)), 0);
  EXPECT_EQ(type.ops->compare(type, record("1", std::nullopt), record("1", std::nullopt)), 0);
  types::RecordBuilder shorter;
  shorter.Append(TypeNamed("int4"), Datum(int32_t{1}));
  EXPECT_THROW(type.ops->compare(type, record("1", "b"), shorter.Finish(arena_)), SqlException);
}

}  // namespace
}  // namespace mayfly::func
