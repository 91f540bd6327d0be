// Text and binary forms of bool, integers, oid, xid, floats and numeric against PostgreSQL's own (make_encoding_golden.py), and
// what order, hash and keys must keep.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "sql/types/numeric.h"
#include "sql/types/type.h"

namespace mayfly::types {
namespace {

constexpr TypeDesc kBool{.oid = Oid{16}, .name = "bool", .ops = &kBoolOps};
constexpr TypeDesc kInt2{.oid = Oid{21}, .name = "int2", .ops = &kInt2Ops};
constexpr TypeDesc kInt4{.oid = Oid{23}, .name = "int4", .ops = &kInt4Ops};
constexpr TypeDesc kInt8{.oid = Oid{20}, .name = "int8", .ops = &kInt8Ops};
constexpr TypeDesc kOidType{.oid = Oid{26}, .name = "oid", .ops = &kOidOps};
constexpr TypeDesc kXid{.oid = Oid{28}, .name = "xid", .ops = &kXidOps};
constexpr TypeDesc kFloat4{.oid = Oid{700}, .name = "float4", .ops = &kFloat4Ops};
constexpr TypeDesc kFloat8{.oid = Oid{701}, .name = "float8", .ops = &kFloat8Ops};
constexpr TypeDesc kNumeric{.oid = Oid{1700}, .name = "numeric", .ops = &kNumericOps};

const TypeDesc& NumberType(const std::string& name) {
  for (const TypeDesc* type : {&kBool, &kInt2, &kInt4, &kInt8, &kOidType, &kXid, &kFloat4, &kFloat8, &kNumeric}) {
    if (type->name == name) return *type;
  }
  ADD_FAILURE() << "no type " << name;
  return kBool;
}

std::string Unescape(const std::string& field) {
  std::string out;
  for (size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\') {
      out += field[i];
    } else if (field[++i] == 'x') {
      out += static_cast<char>(std::stoi(field.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += field[i] == 't' ? '\t' : field[i] == 'n' ? '\n' : field[i];
    }
  }
  return out;
}

std::string Hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

struct Case {
  std::string line;
  const TypeDesc* type = nullptr;
  int32_t typmod = -1;
  std::string literal;
  std::string text;    // or "!SQLSTATE"
  std::string binary;  // or the message
};

// "numeric(10,2)" is a type and its modifiers.
void ReadType(const std::string& spelled, Case& c) {
  const size_t open = spelled.find('(');
  c.type = &NumberType(spelled.substr(0, open));
  if (open == std::string::npos) return;
  std::vector<int32_t> modifiers;
  std::stringstream stream(spelled.substr(open + 1));
  for (std::string part; std::getline(stream, part, ',');) modifiers.push_back(std::stoi(part));
  c.typmod = c.type->ops->typmod_in(modifiers).value();
}

std::vector<Case> ReadCases() {
  std::ifstream file(MAYFLY_SOURCE_DIR "/tests/sql/types/golden/encoding_number.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> fields;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    Case c{.line = line, .literal = Unescape(fields.at(1)), .text = Unescape(fields.at(2)), .binary = Unescape(fields.at(3))};
    ReadType(fields[0], c);
    cases.push_back(std::move(c));
  }
  return cases;
}

class NumberIo : public testing::Test {
 protected:
  std::string Text(const TypeDesc& type, const Datum& value) {
    std::string text;
    type.ops->out(type, value, io_, text);
    return text;
  }
  std::string Binary(const TypeDesc& type, const Datum& value) {
    std::string binary;
    type.ops->send(type, value, io_, binary);
    return binary;
  }
  std::string Key(const TypeDesc& type, const Datum& value) {
    std::string key;
    type.ops->encode_key(type, value, key);
    return key;
  }
  Datum Parse(const TypeDesc& type, std::string_view text) { return type.ops->in(type, text, -1, io_, arena_).value(); }

  // Order, equality, hash and keys agree for each pair of `values`; keys give equal values back.
  void ExpectOrdered(const TypeDesc& type, const std::vector<Datum>& values) {
    for (const Datum& a : values) {
      const std::string key_a = Key(type, a);
      ByteReader reader(key_a);
      const Datum back = type.ops->decode_key(type, reader, arena_).value();
      EXPECT_TRUE(reader.AtEnd());
      EXPECT_EQ(type.ops->compare(type, a, back), 0) << Text(type, a);
      if (type.ops->key_is_lossless) {
        EXPECT_EQ(Text(type, a), Text(type, back));
      }
      for (const Datum& b : values) {
        const int order = type.ops->compare(type, a, b);
        const std::string key_b = Key(type, b);
        const int keys = key_a.compare(key_b);
        EXPECT_EQ(order < 0, keys < 0) << type.name << ' ' << Text(type, a) << ' ' << Text(type, b);
        EXPECT_EQ(order == 0, keys == 0) << type.name << ' ' << Text(type, a) << ' ' << Text(type, b);
        EXPECT_EQ(order, -type.ops->compare(type, b, a));
        if (order == 0) {
          EXPECT_EQ(type.ops->hash(type, a), type.ops->hash(type, b));
        } else {
          EXPECT_FALSE(key_b.starts_with(key_a)) << Text(type, a) << ' ' << Text(type, b);
        }
      }
    }
  }

  IoSettings settings_;
  IoContext io_{settings_};
  Arena arena_;
};

TEST_F(NumberIo, LiteralsReadAndShowAsInPostgresql) {
  const std::vector<Case> cases = ReadCases();
  EXPECT_GT(cases.size(), 300U);
  for (const Case& c : cases) {
    const TypeDesc& type = *c.type;
    const Result<Datum> value = type.ops->in(type, c.literal, c.typmod, io_, arena_);
    if (c.text.starts_with('!')) {
      ASSERT_FALSE(value.ok()) << c.line;
      EXPECT_EQ(fmt::format("!{} {}", value.error().state.code(), value.error().message), c.text + " " + c.binary);
      continue;
    }
    ASSERT_TRUE(value.ok()) << c.line << value.error().message;
    EXPECT_EQ(Text(type, *value), c.text) << c.line;
    EXPECT_EQ(Hex(Binary(type, *value)), c.binary) << c.line;
    const Result<Datum> received = type.ops->recv(type, Binary(type, *value), c.typmod, io_, arena_);
    ASSERT_TRUE(received.ok()) << c.line;
    EXPECT_EQ(Text(type, *received), c.text) << c.line;
  }
}

TEST_F(NumberIo, BinaryFormsOfAnotherLengthAreRefused) {
  for (const TypeDesc* type : {&kBool, &kInt2, &kInt4, &kInt8, &kOidType, &kXid, &kFloat4, &kFloat8, &kNumeric}) {
    const std::string good = Binary(*type, Parse(*type, "1"));
    for (size_t size = 0; size < good.size(); ++size) {
      const Result<Datum> value = type->ops->recv(*type, good.substr(0, size), -1, io_, arena_);
      ASSERT_FALSE(value.ok()) << type->name << ' ' << size;
      EXPECT_EQ(value.error().state.code(), "08P01") << type->name;
    }
    const Result<Datum> value = type->ops->recv(*type, good + "x", -1, io_, arena_);
    ASSERT_FALSE(value.ok()) << type->name;
    EXPECT_EQ(value.error().state.code(), "22P03") << type->name;
  }
}

TEST_F(NumberIo, MalformedBinaryNumericsAreRefused) {
  const struct {
    std::string bytes;
    std::string_view message;
  } cases[] = {
      {std::string("\0\1\0\0\x12\x34\0\0\0\1", 10), "invalid sign in external \"numeric\" value"},
      {std::string("\0\1\0\0\0\0\xFF\xFF\0\1", 10), "invalid scale in external \"numeric\" value"},
      {std::string("\0\1\0\0\0\0\0\0\x27\x10", 10), "invalid digit in external \"numeric\" value"},
      {std::string("\0\2\0\0\0\0\0\0\0\1", 10), "insufficient data left in message"},
  };
  for (const auto& c : cases) {
    const Result<Datum> value = kNumericOps.recv(kNumeric, c.bytes, -1, io_, arena_);
    ASSERT_FALSE(value.ok()) << Hex(c.bytes);
    EXPECT_EQ(value.error().message, c.message);
  }
  // Digits beyond the scale are cut off, and zero digits at the ends are not kept.
  const std::string hidden("\0\3\0\1\0\0\0\1\0\0\0\1\x0D\x05", 14);
  EXPECT_EQ(Text(kNumeric, kNumericOps.recv(kNumeric, hidden, -1, io_, arena_).value()), "1.3");
}

TEST_F(NumberIo, ExtraFloatDigitsChooseTheForm) {
  const struct {
    double value;
    int digits;
    std::string_view float8;
    std::string_view float4;
  } cases[] = {
      {0.1, 0, "0.1", "0.1"},
      {1.0 / 3, 0, "0.333333333333333", "0.333333"},
      {1.0 / 3, -5, "0.3333333333", "0.3"},
      {1.0 / 3, -15, "0.3", "0.3"},
      {1.0 / 3, 3, "0.3333333333333333", "0.33333334"},
      {1e20, 0, "1e+20", "1e+20"},
      {123456, -13, "1.2e+05", "1e+05"},
  };
  for (const auto& c : cases) {
    settings_.extra_float_digits = c.digits;
    EXPECT_EQ(Text(kFloat8, Datum(c.value)), c.float8) << c.value << ' ' << c.digits;
    EXPECT_EQ(Text(kFloat4, Datum(static_cast<float>(c.value))), c.float4) << c.value << ' ' << c.digits;
  }
}

TEST_F(NumberIo, NumericModifiersArePostgresqls) {
  const auto typmod = [](std::vector<int32_t> modifiers) { return kNumericOps.typmod_in(modifiers); };
  EXPECT_EQ(typmod({10, 2}).value(), ((10 << 16) | 2) + 4);
  EXPECT_EQ(typmod({5}).value(), (5 << 16) + 4);
  const struct {
    std::vector<int32_t> modifiers;
    std::string_view message;
  } errors[] = {
      {{0}, "NUMERIC precision 0 must be between 1 and 1000"},
      {{1001, 0}, "NUMERIC precision 1001 must be between 1 and 1000"},
      {{5, 1001}, "NUMERIC scale 1001 must be between -1000 and 1000"},
      {{1, 2, 3}, "invalid NUMERIC type modifier"},
  };
  for (const auto& c : errors) {
    const Result<int32_t> result = typmod(c.modifiers);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, c.message);
    EXPECT_EQ(result.error().state, kInvalidParameterValue);
  }
  for (const std::vector<int32_t>& modifiers : {std::vector<int32_t>{10, 2}, {3, -2}, {2, 4}, {1000, 1000}, {1000, -1000}}) {
    std::string text;
    kNumericOps.typmod_out(typmod(modifiers).value(), text);
    EXPECT_EQ(text, fmt::format("({},{})", modifiers[0], modifiers[1]));
  }
}

TEST_F(NumberIo, IntegersFloatsAndBoolsKeepTheirOrderInKeys) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  std::vector<Datum> int2{Datum(int16_t{0}), Datum(std::numeric_limits<int16_t>::min()),
                          Datum(std::numeric_limits<int16_t>::max()), Datum(int16_t{-1}), Datum(int16_t{1})};
  std::vector<Datum> int4{Datum(int32_t{0}), Datum(INT32_MIN), Datum(INT32_MAX), Datum(int32_t{-1}), Datum(int32_t{1})};
  std::vector<Datum> int8{Datum(int64_t{0}), Datum(std::numeric_limits<int64_t>::min()),
                          Datum(std::numeric_limits<int64_t>::max())};
  std::vector<Datum> oid{Datum(uint32_t{0}), Datum(UINT32_MAX), Datum(uint32_t{1} << 31)};
  std::vector<Datum> float4;
  std::vector<Datum> float8;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double value :
       {0.0, -0.0, 1.0, -1.0, std::nan(""), -std::nan(""), kInfinity, -kInfinity, 5e-324, 1.7e308, -1.7e308}) {
    float8.push_back(Datum(value));
    float4.push_back(Datum(static_cast<float>(value)));
  }
  for (int i = 0; i < 60; ++i) {
    const uint64_t bits = random() >> (random() % 64);
    int2.push_back(Datum(static_cast<int16_t>(bits)));
    int4.push_back(Datum(static_cast<int32_t>(bits)));
    int8.push_back(Datum(static_cast<int64_t>(random() % 2 == 0 ? bits : ~bits)));
    oid.push_back(Datum(static_cast<uint32_t>(bits)));
    float8.push_back(Datum(std::bit_cast<double>(random())));
    float4.push_back(Datum(std::bit_cast<float>(static_cast<uint32_t>(random()))));
  }
  ExpectOrdered(kBool, {Datum(false), Datum(true)});
  ExpectOrdered(kInt2, int2);
  ExpectOrdered(kInt4, int4);
  ExpectOrdered(kInt8, int8);
  ExpectOrdered(kOidType, oid);
  ExpectOrdered(kFloat4, float4);
  ExpectOrdered(kFloat8, float8);
}

TEST_F(NumberIo, NumericsKeepTheirOrderInKeys) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  std::vector<Datum> values;
  for (const char* text :
       {"0",       "0.00",    "-0",   "1",     "1.0",   "1.000", "-1",       "10000",     "9999",       "0.0001",
        "0.00010", "-0.0001", "1e30", "-1e30", "1e-30", "NaN",   "Infinity", "-Infinity", "10000.0001", "10000.00010000"}) {
    values.push_back(Parse(kNumeric, text));
  }
  for (int i = 0; i < 150; ++i) {
    std::string text = random() % 2 == 0 ? "-" : "";
    for (uint64_t n = 1 + random() % 12; n > 0; --n) text += static_cast<char>('0' + (random() % 3 == 0 ? 0 : random() % 10));
    text += '.';
    for (uint64_t n = random() % 12; n > 0; --n) text += static_cast<char>('0' + (random() % 3 == 0 ? 0 : random() % 10));
    values.push_back(Parse(kNumeric, text));
  }
  ExpectOrdered(kNumeric, values);
}

TEST_F(NumberIo, KeysThatEndTooEarlyAreAnError) {
  for (const TypeDesc* type : {&kBool, &kInt2, &kInt4, &kInt8, &kOidType, &kFloat4, &kFloat8, &kNumeric}) {
    const std::string key = Key(*type, Parse(*type, "1"));
    for (size_t size = 0; size < key.size(); ++size) {
      ByteReader reader(std::string_view(key).substr(0, size));
      const Result<Datum> value = type->ops->decode_key(*type, reader, arena_);
      ASSERT_FALSE(value.ok()) << type->name << ' ' << size;
      EXPECT_EQ(value.error().state, kDataCorrupted);
    }
  }
}

TEST_F(NumberIo, NumericsAtTheLimitsOfTheFormat) {
  const std::string huge = "1" + std::string(131071, '0');
  EXPECT_EQ(Text(kNumeric, Parse(kNumeric, "1e131071")), huge);
  const std::string tiny = "0." + std::string(16382, '0') + "1";
  EXPECT_EQ(Text(kNumeric, Parse(kNumeric, "1e-16383")), tiny);
  EXPECT_EQ(Text(kNumeric, Parse(kNumeric, huge)), huge);
  Arena arena;
  EXPECT_THROW(EncodeNumeric(MultiplyNumeric(ParseNumeric("1e131071").value(), ParseNumeric("10").value()), arena), SqlException);
}

}  // namespace
}  // namespace mayfly::types
