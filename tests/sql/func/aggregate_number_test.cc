// Aggregates of numbers against PostgreSQL's answers (psql 15, each row below was asked), by three ways: all rows into one state,
// rows into states one by one, and halves that are combined.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "base/sql_error.h"
#include "sql/func/kernel.h"
#include "tests/sql/func/string_types.h"

namespace mayfly::func {

#define AGGREGATES(X)                                                                                                           \
  X(AggCountAny)                                                                                                                \
  X(AggSumInt2) X(AggSumInt4) X(AggSumInt8) X(AggSumFloat4) X(AggSumFloat8) X(AggSumNumeric) X(AggAvgInt2) X(AggAvgInt4)        \
      X(AggAvgInt8) X(AggAvgFloat4) X(AggAvgFloat8) X(AggAvgNumeric) X(AggMaxInt2) X(AggMaxInt4) X(AggMaxInt8) X(AggMaxOid)     \
          X(AggMaxFloat4) X(AggMaxFloat8) X(AggMaxNumeric) X(AggMinInt2) X(AggMinInt4) X(AggMinInt8) X(AggMinOid)               \
              X(AggMinFloat4) X(AggMinFloat8) X(AggMinNumeric) X(AggBoolAndBool) X(AggBoolOrBool) X(AggEveryBool)               \
                  X(AggBitAndInt4) X(AggBitOrInt4) X(AggBitXorInt4) X(AggBitAndInt2) X(AggBitXorInt8) X(AggStddevInt4)          \
                      X(AggStddevPopInt4) X(AggVarianceInt8) X(AggVarPopInt2) X(AggStddevSampNumeric) X(AggVarPopNumeric)       \
                          X(AggVarianceNumeric) X(AggStddevFloat8) X(AggStddevPopFloat8) X(AggVarSampFloat8) X(AggVarPopFloat4) \
                              X(AggCorrFloat8Float8) X(AggCovarPopFloat8Float8) X(AggCovarSampFloat8Float8)                     \
                                  X(AggRegrAvgxFloat8Float8) X(AggRegrAvgyFloat8Float8) X(AggRegrCountFloat8Float8)             \
                                      X(AggRegrInterceptFloat8Float8) X(AggRegrR2Float8Float8) X(AggRegrSlopeFloat8Float8)      \
                                          X(AggRegrSxxFloat8Float8) X(AggRegrSxyFloat8Float8) X(AggRegrSyyFloat8Float8)

#define X(name) extern const AggregateOps name;
AGGREGATES(X)
#undef X
extern const AggregateOps AggCount;

namespace {

using types::Datum;
using types::TypeDesc;
using types::Vector;

const AggregateOps& AggregateNamed(const std::string& name) {
#define X(known) \
  if (name == #known) return known;
  AGGREGATES(X)
#undef X
  return AggCount;
}

class AggregateState {
 public:
  explicit AggregateState(const AggregateOps& ops) : ops_(ops), bytes_(::operator new (ops.state_bytes, std::align_val_t{16})) {
    ops.init(bytes_);
  }
  ~AggregateState() {
    if (ops_.destroy != nullptr) ops_.destroy(bytes_);
    ::operator delete (bytes_, std::align_val_t{16});
  }
  AggregateState(const AggregateState&) = delete;
  AggregateState& operator=(const AggregateState&) = delete;
  void* get() { return bytes_; }

 private:
  const AggregateOps& ops_;
  void* bytes_;
};

struct AggregateCase {
  const char* aggregate;
  const char* types;
  const char* result;
  // Rows apart by blanks, the columns of a row by a slash.
  const char* rows;
  const char* expected;
  bool exact_by_parts = true;  // false: floating-point sums of halves may differ in the last digit
};

const AggregateCase kCases[] = {
    {"AggCount", "int4", "int8", "1 2 3", "3"},
    {"AggCountAny", "int4", "int8", "", "0"},
    {"AggSumInt2", "int2", "int8", "32767 32767 1", "65535"},
    {"AggSumInt4", "int4", "int8", "2147483647 1 -3", "2147483645"},
    {"AggSumInt4", "int4", "int8", "", "\\N"},
    {"AggSumInt8", "int8", "numeric", "9223372036854775807 1", "9223372036854775808"},
    {"AggSumInt8", "int8", "numeric", "-9223372036854775808 -9223372036854775808", "-18446744073709551616"},
    {"AggSumInt8", "int8", "numeric", "", "\\N"},
    {"AggSumFloat4", "float4", "float4", "0.1 0.2 0.3", "0.6", false},
    {"AggSumFloat8", "float8", "float8", "1 2 4", "7"},
    {"AggSumFloat8", "float8", "float8", "-0 -0", "-0"},
    {"AggSumFloat8", "float8", "float8", "inf -inf", "NaN"},
    {"AggSumFloat8", "float8", "float8", "1e308 1e308", "!22003 value out of range: overflow"},
    {"AggSumNumeric", "numeric", "numeric", "1.10 2.2 -0.001", "3.299"},
    {"AggSumNumeric", "numeric", "numeric", "0.00 0", "0.00"},
    {"AggSumNumeric", "numeric", "numeric", "-5 3 -0.50", "-2.50"},
    {"AggSumNumeric", "numeric", "numeric",
     "99999999999999999999999999999999999999999999 1 -0.00000000000000000000000000000000000000000001",
     "99999999999999999999999999999999999999999999.99999999999999999999999999999999999999999999"},
    {"AggSumNumeric", "numeric", "numeric", "9999999999999999999999999999999999999999 1 -3",
     "9999999999999999999999999999999999999997"},
    {"AggSumNumeric", "numeric", "numeric", "-9999999999999999999999999999999999999999 -9999999999999999999999999999999999999999",
     "-19999999999999999999999999999999999999998"},
    {"AggSumNumeric", "numeric", "numeric", "inf 1 -inf", "NaN"},
    {"AggSumNumeric", "numeric", "numeric", "1 inf", "Infinity"},
    {"AggSumNumeric", "numeric", "numeric", "NaN 1", "NaN"},
    {"AggAvgInt2", "int2", "numeric", "1 2 4", "2.3333333333333333"},
    {"AggAvgInt4", "int4", "numeric", "10 20", "15.0000000000000000"},
    {"AggAvgInt8", "int8", "numeric", "9223372036854775807 9223372036854775806", "9223372036854775807"},
    {"AggAvgInt8", "int8", "numeric", "", "\\N"},
    {"AggAvgFloat4", "float4", "float8", "1 2 4", "2.3333333333333335"},
    {"AggAvgFloat8", "float8", "float8", "1 2 NaN", "NaN"},
    {"AggAvgNumeric", "numeric", "numeric", "1.50 2.5", "2.0000000000000000"},
    {"AggAvgNumeric", "numeric", "numeric", "inf", "Infinity"},
    {"AggMaxInt2", "int2", "int2", "-32768 -32767", "-32767"},
    {"AggMaxInt4", "int4", "int4", "-2147483648", "-2147483648"},
    {"AggMaxInt8", "int8", "int8", "5 7 6", "7"},
    {"AggMaxInt8", "int8", "int8", "", "\\N"},
    {"AggMaxOid", "oid", "oid", "4294967295 1", "4294967295"},
    {"AggMinOid", "oid", "oid", "4294967295 2147483648", "2147483648"},
    {"AggMinInt2", "int2", "int2", "3 2", "2"},
    {"AggMinInt4", "int4", "int4", "2147483647", "2147483647"},
    {"AggMinInt8", "int8", "int8", "5 -7 6", "-7"},
    {"AggMaxFloat4", "float4", "float4", "1 NaN 2", "NaN"},
    {"AggMinFloat4", "float4", "float4", "NaN", "NaN"},
    {"AggMaxFloat8", "float8", "float8", "-inf", "-Infinity"},
    {"AggMinFloat8", "float8", "float8", "NaN 1", "1"},
    {"AggMaxNumeric", "numeric", "numeric", "1.0 1.00", "1.00"},
    {"AggMinNumeric", "numeric", "numeric", "1.0 1.00 NaN", "1.00"},
    {"AggBoolAndBool", "bool", "bool", "t f", "f"},
    {"AggBoolOrBool", "bool", "bool", "t f", "t"},
    {"AggEveryBool", "bool", "bool", "", "\\N"},
    {"AggEveryBool", "bool", "bool", "t t", "t"},
    {"AggBitAndInt4", "int4", "int4", "5 3", "1"},
    {"AggBitOrInt4", "int4", "int4", "5 3", "7"},
    {"AggBitXorInt4", "int4", "int4", "5 3", "6"},
    {"AggBitAndInt2", "int2", "int2", "", "\\N"},
    {"AggBitXorInt8", "int8", "int8", "-1 1", "-2"},
    {"AggStddevInt4", "int4", "numeric", "1 2 4", "1.5275252316519467"},
    {"AggStddevInt4", "int4", "numeric", "5", "\\N"},
    {"AggStddevPopInt4", "int4", "numeric", "5", "0"},
    {"AggVarianceInt8", "int8", "numeric", "1 2 4", "2.3333333333333333"},
    {"AggVarPopInt2", "int2", "numeric", "1 2 4", "1.5555555555555556"},
    {"AggVarPopNumeric", "numeric", "numeric", "1 2 4", "1.5555555555555556"},
    {"AggVarianceNumeric", "numeric", "numeric", "inf", "\\N"},
    {"AggVarianceNumeric", "numeric", "numeric", "inf 1", "NaN"},
    {"AggStddevSampNumeric", "numeric", "numeric", "1.5 2.25 3", "0.75000000000000000000"},
    {"AggStddevFloat8", "float8", "float8", "5", "\\N"},
    {"AggStddevPopFloat8", "float8", "float8", "1 2 4", "1.247219128924647", false},
    {"AggVarSampFloat8", "float8", "float8", "1e200 -1e200", "!22003 value out of range: overflow"},
    {"AggVarSampFloat8", "float8", "float8", "inf 1", "NaN"},
    {"AggVarPopFloat4", "float4", "float8", "5", "0"},
    {"AggCorrFloat8Float8", "float8,float8", "float8", "1/2 2/4.5 3/5", "0.9332565252573828", false},
    {"AggCovarPopFloat8Float8", "float8,float8", "float8", "1/1 2/2 4/3", "1", false},
    {"AggCovarSampFloat8Float8", "float8,float8", "float8", "1/1", "\\N"},
    {"AggRegrAvgxFloat8Float8", "float8,float8", "float8", "1/2 2/4", "3"},
    {"AggRegrAvgyFloat8Float8", "float8,float8", "float8", "1/2 2/4", "1.5"},
    {"AggRegrCountFloat8Float8", "float8,float8", "int8", "", "0"},
    {"AggRegrInterceptFloat8Float8", "float8,float8", "float8", "2/1 4/2", "0"},
    {"AggRegrR2Float8Float8", "float8,float8", "float8", "1/1 1/2", "1"},
    {"AggRegrSlopeFloat8Float8", "float8,float8", "float8", "2/1 4/2", "2"},
    {"AggRegrSxxFloat8Float8", "float8,float8", "float8", "2/1 4/2", "0.5"},
    {"AggRegrSxyFloat8Float8", "float8,float8", "float8", "2/1 4/2", "1"},
    {"AggRegrSyyFloat8Float8", "float8,float8", "float8", "2/1 4/2", "2"},
    {"AggCorrFloat8Float8", "float8,float8", "float8", "1/1 1/2", "\\N"},
};

class AggregateNumbers : public testing::Test {
 protected:
  enum class Way { kOne, kEach, kCombined };

  static std::vector<std::string> Parts(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
  }

  std::string Run(const AggregateCase& c, Way way) {
    const AggregateOps& ops = AggregateNamed(c.aggregate);
    const TypeDesc& result_type = TypeNamed(c.result);
    std::vector<Vector> vectors;
    std::vector<const Vector*> args;
    std::vector<TypeUse> uses;
    const std::vector<std::string> rows = Parts(c.rows, ' ');
    for (const std::string& name : Parts(c.types, ',')) {
      const TypeDesc& type = TypeNamed(name);
      vectors.emplace_back(type.physical());
      uses.push_back({&type, -1});
      for (size_t row = 0; row < rows.size(); ++row) {
        const std::string text = Parts(rows[row], '/')[vectors.size() - 1];
        vectors.back().SetDatum(row, type.ops->in(type, text, -1, context_.io, arena_).value());
      }
    }
    for (const Vector& vector : vectors) args.push_back(&vector);
    const AggregateCall call{context_, args, uses, {&result_type, -1}};
    Vector result(result_type.physical(), 8);
    try {
      AggregateState state(ops);
      AggregateState other(ops);
      const size_t half = rows.size() / 2;
      std::vector<uint16_t> tail;
      for (size_t row = half; row < rows.size(); ++row) tail.push_back(static_cast<uint16_t>(row));
      switch (way) {
        case Way::kOne: ops.update_one(call, {nullptr, rows.size()}, state.get()); break;
        case Way::kEach: {
          const std::vector<void*> states(rows.size(), state.get());
          ops.update(call, {nullptr, rows.size()}, states.data());
          break;
        }
        case Way::kCombined:
          ops.update_one(call, {nullptr, half}, state.get());
          ops.update_one(call, {tail.data(), tail.size()}, other.get());
          ops.combine(call, state.get(), other.get());
          break;
      }
      ops.finalize(call, state.get(), result, 3);
    } catch (const SqlException& exception) {
      return fmt::format("!{} {}", exception.error().state.code(), exception.error().message);
    }
    const Datum value = result.Get(3);
    if (value.is_null()) return "\\N";
    std::string text;
    result_type.ops->out(result_type, value, context_.io, text);
    return text;
  }

  types::IoSettings settings_;
  CallContext context_{.io = {settings_}};
  Arena arena_;
};

TEST_F(AggregateNumbers, AnswerAsPostgresql) {
  for (const AggregateCase& c : kCases) {
    EXPECT_EQ(Run(c, Way::kOne), c.expected) << c.aggregate << " of " << c.rows;
    EXPECT_EQ(Run(c, Way::kEach), c.expected) << c.aggregate << " of " << c.rows;
    if (!c.exact_by_parts) continue;
    EXPECT_EQ(Run(c, Way::kCombined), c.expected) << c.aggregate << " of " << c.rows;
  }
}

}  // namespace
}  // namespace mayfly::func
