// String-like and composite types against PostgreSQL's own text and binary forms (make_string_golden.py), and what order and keys
// must keep.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sql/types/array.h"
#include "sql/types/format_type.h"
#include "sql/types/type.h"

namespace mayfly::types {
namespace {

constexpr TypeDesc kText{.oid = Oid{25}, .name = "text", .ops = &kTextOps};
constexpr TypeDesc kVarchar{.oid = Oid{1043}, .name = "varchar", .ops = &kVarcharOps};
constexpr TypeDesc kBpchar{.oid = Oid{1042}, .name = "bpchar", .ops = &kBpcharOps};
constexpr TypeDesc kName{.oid = Oid{19}, .name = "name", .ops = &kNameOps};
constexpr TypeDesc kChar{.oid = Oid{18}, .name = "char", .ops = &kCharOps};
constexpr TypeDesc kBytea{.oid = Oid{17}, .name = "bytea", .ops = &kByteaOps};
constexpr TypeDesc kUuid{.oid = Oid{2950}, .name = "uuid", .ops = &kUuidOps};
constexpr TypeDesc kJson{.oid = Oid{114}, .name = "json", .ops = &kJsonOps};
constexpr TypeDesc kJsonb{.oid = Oid{3802}, .name = "jsonb", .ops = &kJsonbOps};
constexpr TypeDesc kInt4{.oid = Oid{23}, .name = "int4", .ops = &kInt4Ops};
constexpr TypeDesc kInt2{.oid = Oid{21}, .name = "int2", .ops = &kInt2Ops};
constexpr TypeDesc kOid{.oid = Oid{26}, .name = "oid", .ops = &kOidOps};
constexpr TypeDesc kBool{.oid = Oid{16}, .name = "bool", .ops = &kBoolOps};
constexpr TypeDesc kTextArray{.oid = Oid{1009}, .name = "_text", .ops = &kArrayOps, .element = &kText};
constexpr TypeDesc kInt4Array{.oid = Oid{1007}, .name = "_int4", .ops = &kArrayOps, .element = &kInt4};
constexpr TypeDesc kVarcharArray{.oid = Oid{1015}, .name = "_varchar", .ops = &kArrayOps, .element = &kVarchar};
constexpr TypeDesc kJsonbArray{.oid = Oid{3807}, .name = "_jsonb", .ops = &kArrayOps, .element = &kJsonb};
constexpr TypeDesc kBoolArray{.oid = Oid{1000}, .name = "_bool", .ops = &kArrayOps, .element = &kBool};
constexpr TypeDesc kOidvector{.oid = Oid{30}, .name = "oidvector", .ops = &kOidvectorOps, .element = &kOid};
constexpr TypeDesc kInt2vector{.oid = Oid{22}, .name = "int2vector", .ops = &kInt2vectorOps, .element = &kInt2};

const TypeDesc& TypeNamed(const std::string& name) {
  static const std::map<std::string, const TypeDesc*> types = [] {
    std::map<std::string, const TypeDesc*> map;
    for (const TypeDesc* type : {&kText, &kVarchar, &kBpchar, &kName, &kChar, &kBytea, &kUuid, &kJson, &kJsonb, &kTextArray,
                                 &kInt4Array, &kVarcharArray, &kJsonbArray, &kBoolArray, &kOidvector, &kInt2vector}) {
      map[std::string(type->name)] = type;
    }
    return map;
  }();
  return *types.at(name);
}

std::string Unescape(const std::string& field) {
  std::string out;
  for (size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      out += field[i];
      continue;
    }
    const char c = field[++i];
    out += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return out;
}

struct Case {
  std::string line;
  const TypeDesc* type = nullptr;
  int32_t typmod = -1;
  std::string literal;
  std::string binary;
  std::string text;
};

std::vector<Case> ReadCases() {
  std::ifstream file(MAYFLY_SOURCE_DIR "/tests/sql/types/string_io.golden");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> fields;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    fields.resize(5);
    cases.push_back({line, &TypeNamed(fields[0]), std::stoi(fields[1]), Unescape(fields[2]), fields[3], Unescape(fields[4])});
  }
  return cases;
}

std::string Hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return out;
}

std::string ErrorText(const SqlError& error) {
  return fmt::format("{} {}|{}|{}|{}", error.state.code(), error.message, error.detail, error.hint, error.context);
}

class StringIo : public testing::Test {
 protected:
  std::string Out(const TypeDesc& type, const Datum& value) {
    std::string text;
    type.ops->out(type, value, io_, text);
    return text;
  }
  std::string Send(const TypeDesc& type, const Datum& value) {
    std::string bytes;
    type.ops->send(type, value, io_, bytes);
    return bytes;
  }
  Result<Datum> In(const TypeDesc& type, std::string_view text, int32_t typmod = -1) {
    return type.ops->in(type, text, typmod, io_, arena_);
  }
  std::string Key(const TypeDesc& type, const Datum& value) {
    std::string key;
    type.ops->encode_key(type, value, key);
    return key;
  }

  IoSettings settings_;
  IoContext io_{settings_};
  Arena arena_;
};

TEST_F(StringIo, TextAndBinaryAreAsPostgresqlHasThem) {
  const std::vector<Case> cases = ReadCases();
  ASSERT_GT(cases.size(), 1000U);
  for (const Case& c : cases) {
    const Result<Datum> value = In(*c.type, c.literal, c.typmod);
    // A refused literal has no binary; an empty text has none either, but no error code before it.
    const bool refused = c.binary.empty() && c.text.size() > 6 && c.text[5] == ' ' && c.text.find('|') != std::string::npos;
    if (refused) {
      EXPECT_FALSE(value.ok()) << c.line;
      if (!value.ok()) {
        EXPECT_EQ(ErrorText(value.error()), c.text) << c.line;
      }
      continue;
    }
    ASSERT_TRUE(value.ok()) << c.line << "\n" << ErrorText(value.error());
    EXPECT_EQ(Out(*c.type, *value), c.text) << c.line;
    const std::string sent = Send(*c.type, *value);
    EXPECT_EQ(Hex(sent), c.binary) << c.line;
    const Result<Datum> received = c.type->ops->recv(*c.type, sent, c.typmod, io_, arena_);
    ASSERT_TRUE(received.ok()) << c.line << "\n" << ErrorText(received.error());
    EXPECT_EQ(Out(*c.type, *received), c.text) << c.line;
  }
}

TEST_F(StringIo, KeysSortAsValuesCompareAndEqualValuesHashEqual) {
  std::map<const TypeDesc*, std::vector<Datum>> values;
  for (const Case& c : ReadCases()) {
    if (c.type->ops->encode_key == nullptr) continue;
    if (const Result<Datum> value = In(*c.type, c.literal, c.typmod); value.ok() && values[c.type].size() < 120)
      values[c.type].push_back(*value);
  }
  ASSERT_GT(values.size(), 10U);
  for (const auto& [type, list] : values) {
    for (const Datum& a : list) {
      const std::string key = Key(*type, a);
      ByteReader reader(key);
      const Result<Datum> decoded = type->ops->decode_key(*type, reader, arena_);
      ASSERT_TRUE(decoded.ok()) << type->name << " " << Out(*type, a);
      EXPECT_TRUE(reader.AtEnd()) << type->name << " " << Out(*type, a);
      EXPECT_EQ(type->ops->compare(*type, a, *decoded), 0) << type->name << " " << Out(*type, a);
      if (type->ops->key_is_lossless) {
        EXPECT_EQ(Out(*type, a), Out(*type, *decoded)) << type->name;
      }
      for (const Datum& b : list) {
        const int order = type->ops->compare(*type, a, b);
        const int key_order = key.compare(Key(*type, b));
        EXPECT_EQ(order < 0, key_order < 0) << type->name << "\n" << Out(*type, a) << "\n" << Out(*type, b);
        EXPECT_EQ(order == 0, key_order == 0) << type->name << "\n" << Out(*type, a) << "\n" << Out(*type, b);
        EXPECT_EQ(order<0, type->ops->compare(*type, b, a)> 0) << type->name << "\n" << Out(*type, a) << "\n" << Out(*type, b);
        if (order == 0) {
          EXPECT_EQ(type->ops->hash(*type, a), type->ops->hash(*type, b)) << type->name << "\n" << Out(*type, a);
        }
      }
    }
  }
}

TEST_F(StringIo, JsonbOrderIsPostgresql) {
  // As SELECT … ORDER BY j has it.
  const char* const ascending[] = {"[]",    "null",   "\"\"",   "\"a\"",      "\"ab\"",     "-1",         "0",          "1.5",
                                   "false", "true",   "[null]", "[\"a\"]",    "[1]",        "[2]",        "[true]",     "[[]]",
                                   "[{}]",  "[1, 1]", "{}",     "{\"a\": 1}", "{\"a\": 2}", "{\"b\": 1}", "{\"aa\": 1}"};
  // "b" sorts after "aa" among keys of an object by length, but a comparison of pairs compares keys as text.
  for (size_t i = 0; i + 1 < std::size(ascending) - 2; ++i) {
    EXPECT_LT(kJsonbOps.compare(kJsonb, *In(kJsonb, ascending[i]), *In(kJsonb, ascending[i + 1])), 0)
        << ascending[i] << " " << ascending[i + 1];
  }
  EXPECT_EQ(kJsonbOps.compare(kJsonb, *In(kJsonb, "1"), *In(kJsonb, "1.00")), 0);
}

TEST_F(StringIo, MalformedBinaryIsRefused) {
  const auto recv = [&](const TypeDesc& type, std::string_view bytes) { return type.ops->recv(type, bytes, -1, io_, arena_); };
  EXPECT_EQ(recv(kText, "a\xFF").error().message, "invalid byte sequence for encoding \"UTF8\": 0xff");
  EXPECT_EQ(recv(kText, std::string_view("a\0b", 3)).error().message, "invalid byte sequence for encoding \"UTF8\": 0x00");
  EXPECT_EQ(recv(kText, "\xE2\x82").error().message, "invalid byte sequence for encoding \"UTF8\": 0xe2 0x82");
  EXPECT_EQ(recv(kText, "\xED\xA0\x80").error().state, kCharacterNotInRepertoire);  // a surrogate
  EXPECT_EQ(recv(kUuid, "short").error().state, kProtocolViolation);
  EXPECT_FALSE(recv(kJsonb, std::string_view("\2{}", 3)).ok());
  EXPECT_FALSE(recv(kJsonb, "").ok());
  EXPECT_FALSE(recv(kInt4Array, "").ok());
  const std::string good = Send(kInt4Array, *In(kInt4Array, "{{1,2},{3,NULL}}"));
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(recv(kInt4Array, std::string_view(good).substr(0, size)).ok()) << size;
  EXPECT_FALSE(recv(kInt4Array, good + "x").ok());
  std::string wrong_type = good;
  wrong_type[11] = 25;
  EXPECT_EQ(recv(kInt4Array, wrong_type).error().state, kDatatypeMismatch);
  std::string huge = good;
  huge[12] = 0x7F;
  EXPECT_EQ(recv(kInt4Array, huge).error().state, kProgramLimitExceeded);
}

TEST_F(StringIo, DeeplyNestedJsonIsAnError) {
  const std::string deep(100000, '[');
  EXPECT_EQ(In(kJson, deep).error().state, kStatementTooComplex);
  EXPECT_EQ(In(kJsonb, deep).error().state, kStatementTooComplex);
  EXPECT_EQ(In(kJsonb, "{\"a\":" + deep).error().state, kStatementTooComplex);
  const std::string allowed = std::string(5000, '[') + std::string(5000, ']');
  const Datum value = *In(kJsonb, allowed);
  EXPECT_EQ(Out(kJsonb, value), allowed);
  EXPECT_EQ(kJsonbOps.compare(kJsonb, value, value), 0);
  const std::string key = Key(kJsonb, value);
  ByteReader reader(key);
  EXPECT_TRUE(kJsonbOps.decode_key(kJsonb, reader, arena_).ok());
}

TEST_F(StringIo, LengthModifiers) {
  const auto typmod_in = [](const TypeOps& ops, std::vector<int32_t> modifiers) { return ops.typmod_in(modifiers); };
  EXPECT_EQ(*typmod_in(kVarcharOps, {10}), 14);
  EXPECT_EQ(typmod_in(kVarcharOps, {0}).error().message, "length for type varchar must be at least 1");
  EXPECT_EQ(typmod_in(kBpcharOps, {20000000}).error().message, "length for type char cannot exceed 10485760");
  EXPECT_EQ(typmod_in(kBpcharOps, {1, 2}).error().message, "invalid type modifier");
}

TEST(FormatTypeTest, SqlNames) {
  EXPECT_EQ(FormatType(kInt4), "integer");
  EXPECT_EQ(FormatType(kVarchar, 14), "character varying(10)");
  EXPECT_EQ(FormatType(kVarcharArray, 14), "character varying(10)[]");
  EXPECT_EQ(FormatType(kBpchar, 5), "character(1)");
  EXPECT_EQ(FormatType(kBpchar), "character");
  EXPECT_EQ(FormatType(kChar), "\"char\"");
  EXPECT_EQ(FormatType(kJsonb), "jsonb");
  std::string name;
  EXPECT_TRUE(AppendSqlTypeName(Oid{1042}, true, -1, name));
  EXPECT_TRUE(AppendSqlTypeName(Oid{1184}, true, 3, name));
  EXPECT_TRUE(AppendSqlTypeName(Oid{1231}, true, (10 << 16) + 2 + 4, name));
  EXPECT_EQ(name, "bpchartimestamp(3) with time zonenumeric(10,2)[]");
}

TEST_F(StringIo, ArrayReaderFindsElements) {
  const Datum value = *In(kTextArray, "[0:1][5:6]={{a,NULL},{c,dddddddddddddddddd}}");
  const ArrayReader array(kText, value.bytes());
  const int32_t there[] = {1, 6};
  const int32_t outside[] = {2, 6};
  const int32_t too_few[] = {0};
  EXPECT_EQ(array.At(there).bytes(), "dddddddddddddddddd");
  EXPECT_TRUE(array.At(outside).is_null());
  EXPECT_TRUE(array.At(too_few).is_null());
  EXPECT_TRUE(array.IsNull(1));
  EXPECT_EQ(array.count(), 4U);
}

}  // namespace
}  // namespace mayfly::types
