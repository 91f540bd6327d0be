// Functions on numbers against PostgreSQL's own answers (make_number_golden.py): each call with constants, and all calls of a
// kernel at once as a dense batch and through a selection, because those are other loops.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/sql_error.h"
#include "sql/func/kernel.h"
#include "tests/sql/func/string_types.h"

namespace mayfly::func {

#define KERNEL(name) void name(const KernelCall& call);
#include "tests/sql/func/number_kernels.inc"
#undef KERNEL
std::unique_ptr<SetFunction> GenerateSeriesInt4(const SetFunctionCall& call);
std::unique_ptr<SetFunction> GenerateSeriesStepInt4(const SetFunctionCall& call);
std::unique_ptr<SetFunction> GenerateSeriesStepInt8(const SetFunctionCall& call);
std::unique_ptr<SetFunction> GenerateSeriesStepNumeric(const SetFunctionCall& call);
void Drandom(const KernelCall& call);
void Setseed(const KernelCall& call);
void Numeric(const KernelCall& call);

namespace {

using types::Datum;
using types::TypeDesc;
using types::Vector;

Kernel NumberKernel(const std::string& name) {
  static const std::map<std::string, Kernel> kernels = {
#define KERNEL(name) {#name, name},
#include "tests/sql/func/number_kernels.inc"
#undef KERNEL
  };
  return kernels.at(name);
}

std::vector<std::string> SplitFields(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// Calls that share kernel and types.
struct CallGroup {
  Kernel kernel = nullptr;
  std::vector<const TypeDesc*> types;
  const TypeDesc* result = nullptr;
  std::vector<std::vector<std::string>> arguments;
  std::vector<std::string> expected;
  std::vector<std::string> lines;
};

std::map<std::string, CallGroup> ReadGroups() {
  std::ifstream file(MAYFLY_SOURCE_DIR "/tests/sql/func/number_functions.golden");
  std::map<std::string, CallGroup> groups;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> fields = SplitFields(line, '\t');
    CallGroup& group = groups[fields[0] + " " + fields[1] + " " + fields[2]];
    if (group.kernel == nullptr) {
      group.kernel = NumberKernel(fields[0]);
      for (const std::string& name : SplitFields(fields[1], ',')) group.types.push_back(&TypeNamed(name));
      group.result = &TypeNamed(fields[2]);
    }
    fields.resize(3 + group.types.size() + 1);  // an empty last field is not split off
    const auto first = fields.begin() + 3;
    group.arguments.emplace_back(first, first + static_cast<std::ptrdiff_t>(group.types.size()));
    group.expected.push_back(fields.at(3 + group.types.size()));
    group.lines.push_back(line);
  }
  return groups;
}

class NumberFunctions : public testing::Test {
 protected:
  Datum Parse(const TypeDesc& type, std::string_view text) { return type.ops->in(type, text, -1, context_.io, arena_).value(); }
  std::string Show(const TypeDesc& type, const Datum& value) {
    if (value.is_null()) return "\\N";
    std::string text;
    type.ops->out(type, value, context_.io, text);
    return text;
  }

  // The result of row `row` of a call, or the error.
  std::string CallConstant(const CallGroup& group, size_t call) {
    std::vector<Vector> vectors;
    std::vector<const Vector*> args;
    std::vector<TypeUse> uses;
    for (size_t i = 0; i < group.types.size(); ++i) {
      vectors.emplace_back(group.types[i]->physical(), 8);
      vectors.back().SetConstant();
      vectors.back().SetDatum(0, Parse(*group.types[i], group.arguments[call][i]));
      uses.push_back({group.types[i], -1});
    }
    for (const Vector& vector : vectors) args.push_back(&vector);
    Vector result(group.result->physical(), 8);
    const uint16_t rows[] = {3};
    try {
      group.kernel({context_, args, {rows, 1}, result, uses, {group.result, -1}});
    } catch (const SqlException& exception) {
      return fmt::format("!{} {}", exception.error().state.code(), exception.error().message);
    }
    return Show(*group.result, result.Get(3));
  }

  // All calls of the group that succeed, at once; `constant` is the argument that is the same for all rows (only those calls
  // then), or -1.
  void CallDense(const CallGroup& group, bool selected, int constant) {
    std::vector<size_t> calls;
    for (size_t call = 0; call < group.lines.size(); ++call) {
      if (group.expected[call].starts_with('!')) continue;
      const auto fixed = static_cast<size_t>(constant);
      if (constant >= 0 && !calls.empty() && group.arguments[call][fixed] != group.arguments[calls[0]][fixed]) continue;
      calls.push_back(call);
    }
    if (calls.empty()) return;
    std::vector<Vector> vectors;
    std::vector<const Vector*> args;
    std::vector<TypeUse> uses;
    for (size_t i = 0; i < group.types.size(); ++i) {
      vectors.emplace_back(group.types[i]->physical());
      uses.push_back({group.types[i], -1});
      const bool is_constant = constant == static_cast<int>(i);
      if (is_constant) vectors.back().SetConstant();
      for (size_t row = 0; row < (is_constant ? 1 : calls.size()); ++row) {
        vectors.back().SetDatum(row, Parse(*group.types[i], group.arguments[calls[row]][i]));
      }
    }
    for (const Vector& vector : vectors) args.push_back(&vector);
    std::vector<uint16_t> rows;
    for (size_t row = 0; row < calls.size(); ++row) rows.push_back(static_cast<uint16_t>(row));
    Vector result(group.result->physical());
    group.kernel({context_, args, {selected ? rows.data() : nullptr, rows.size()}, result, uses, {group.result, -1}});
    for (size_t row = 0; row < calls.size(); ++row) {
      EXPECT_EQ(Show(*group.result, result.Get(row)), group.expected[calls[row]])
          << group.lines[calls[row]] << " selected " << selected;
    }
  }

  types::IoSettings settings_;
  std::mt19937_64 random_{7};
  CallContext context_{.io = {settings_}, .random = &random_};
  Arena arena_;
};

TEST_F(NumberFunctions, AnswerAsPostgresql) {
  size_t calls = 0;
  for (const auto& [name, group] : ReadGroups()) {
    for (size_t call = 0; call < group.lines.size(); ++call, ++calls) {
      EXPECT_EQ(CallConstant(group, call), group.expected[call]) << group.lines[call];
    }
    CallDense(group, false, -1);
    CallDense(group, true, -1);
    if (group.types.size() == 2) {
      CallDense(group, false, 0);
      CallDense(group, false, 1);
      CallDense(group, true, 1);
    }
  }
  EXPECT_GT(calls, 4000U);
}

TEST_F(NumberFunctions, OneOverflowInABatchIsAnError) {
  const TypeDesc& int4 = TypeNamed("int4");
  Vector a(types::PhysicalType::kInt32);
  Vector b(types::PhysicalType::kInt32);
  for (size_t row = 0; row < 100; ++row) {
    a.Set(row, int32_t{1});
    b.Set(row, int32_t{2});
  }
  a.Set(57, INT32_MAX);
  Vector result(types::PhysicalType::kInt32);
  const Vector* args[] = {&a, &b};
  const TypeUse uses[] = {{&int4, -1}, {&int4, -1}};
  EXPECT_THROW(Int4pl({context_, args, {nullptr, 100}, result, uses, {&int4, -1}}), SqlException);
  EXPECT_THROW(Int4mul({context_, args, {nullptr, 100}, result, uses, {&int4, -1}}), SqlException);
  Int4mi({context_, args, {nullptr, 100}, result, uses, {&int4, -1}});
  EXPECT_EQ(result.data<int32_t>()[57], INT32_MAX - 2);
  // A row that is not selected may hold anything.
  const uint16_t rows[] = {56, 58};
  Int4pl({context_, args, {rows, 2}, result, uses, {&int4, -1}});
  EXPECT_EQ(result.data<int32_t>()[58], 3);
}

TEST_F(NumberFunctions, NumericIsCutToItsModifier) {
  const TypeDesc& numeric = TypeNamed("numeric");
  const TypeDesc& int4 = TypeNamed("int4");
  const auto cast = [&](const char* text, std::vector<int32_t> modifiers) -> std::string {
    Vector value(numeric.physical(), 8);
    value.SetDatum(0, Parse(numeric, text));
    Vector typmod(int4.physical(), 8);
    typmod.SetConstant();
    typmod.Set(0, numeric.ops->typmod_in(modifiers).value());
    Vector result(numeric.physical(), 8);
    const Vector* args[] = {&value, &typmod};
    const TypeUse uses[] = {{&numeric, -1}, {&int4, -1}};
    try {
      func::Numeric({context_, args, {nullptr, 1}, result, uses, {&numeric, -1}});
    } catch (const SqlException& exception) {
      return fmt::format("!{} {}", exception.error().state.code(), exception.error().detail);
    }
    return Show(numeric, result.Get(0));
  };
  EXPECT_EQ(cast("1.005", {10, 2}), "1.01");
  EXPECT_EQ(cast("1234", {3, -1}), "1230");
  EXPECT_EQ(cast("NaN", {3, 1}), "NaN");
  EXPECT_EQ(cast("123.456", {5, 3}), "!22003 A field with precision 5, scale 3 must round to an absolute value less than 10^2.");
  EXPECT_EQ(cast("1", {2, 2}), "!22003 A field with precision 2, scale 2 must round to an absolute value less than 1.");
  EXPECT_EQ(cast("0.0123", {2, 4}), "!22003 A field with precision 2, scale 4 must round to an absolute value less than 10^-2.");
  EXPECT_EQ(cast("inf", {3, 1}), "!22003 A field with precision 3, scale 1 cannot hold an infinite value.");
}

TEST_F(NumberFunctions, SeriesRunToTheirEnd) {
  const auto series = [&](SetFunctionFactory factory, const char* type_name, std::vector<const char*> texts) -> std::string {
    const TypeDesc& type = TypeNamed(type_name);
    std::vector<Datum> args;
    std::vector<TypeUse> uses;
    for (const char* text : texts) {
      args.push_back(Parse(type, text));
      uses.push_back({&type, -1});
    }
    std::string all;
    try {
      const std::unique_ptr<SetFunction> function = factory({context_, args, uses, {&type, -1}});
      for (;;) {
        Vector column(type.physical());
        Vector* columns[] = {&column};
        const size_t rows = function->Next(2, columns);
        if (rows == 0) return all;
        for (size_t row = 0; row < rows; ++row) all += Show(type, column.Get(row)) + " ";
      }
    } catch (const SqlException& exception) {
      return exception.error().message;
    }
  };
  EXPECT_EQ(series(GenerateSeriesInt4, "int4", {"1", "5"}), "1 2 3 4 5 ");
  EXPECT_EQ(series(GenerateSeriesInt4, "int4", {"5", "1"}), "");
  EXPECT_EQ(series(GenerateSeriesStepInt4, "int4", {"5", "1", "-2"}), "5 3 1 ");
  EXPECT_EQ(series(GenerateSeriesStepInt4, "int4", {"2147483645", "2147483647", "2"}), "2147483645 2147483647 ");
  EXPECT_EQ(series(GenerateSeriesStepInt8, "int8", {"1", "2", "0"}), "step size cannot equal zero");
  EXPECT_EQ(series(GenerateSeriesStepInt8, "int8", {"-9223372036854775807", "-9223372036854775808", "-1"}),
            "-9223372036854775807 -9223372036854775808 ");
  EXPECT_EQ(series(GenerateSeriesStepNumeric, "numeric", {"1.0", "2", "0.25"}), "1.0 1.25 1.50 1.75 2.00 ");
  EXPECT_EQ(series(GenerateSeriesStepNumeric, "numeric", {"3", "1.5", "-1"}), "3 2 ");
  EXPECT_EQ(series(GenerateSeriesStepNumeric, "numeric", {"NaN", "1", "1"}), "start value cannot be NaN");
  EXPECT_EQ(series(GenerateSeriesStepNumeric, "numeric", {"1", "inf", "1"}), "stop value cannot be infinity");
  EXPECT_EQ(series(GenerateSeriesStepNumeric, "numeric", {"1", "2", "0.0"}), "step size cannot equal zero");
}

TEST_F(NumberFunctions, RandomRepeatsAfterTheSameSeed) {
  const TypeDesc& float8 = TypeNamed("float8");
  const auto seed = [&](double value) {
    Vector argument(types::PhysicalType::kFloat64, 8);
    argument.Set(0, value);
    Vector nothing(types::PhysicalType::kBytes, 8);
    const Vector* args[] = {&argument};
    const TypeUse uses[] = {{&float8, -1}};
    Setseed({context_, args, {nullptr, 1}, nothing, uses, {&TypeNamed("text"), -1}});
  };
  const auto draw = [&] {
    Vector result(types::PhysicalType::kFloat64, 8);
    Drandom({context_, {}, {nullptr, 8}, result, {}, {&float8, -1}});
    return std::vector<double>(result.data<double>(), result.data<double>() + 8);
  };
  seed(0.5);
  const std::vector<double> first = draw();
  EXPECT_NE(first, draw());
  seed(0.5);
  EXPECT_EQ(first, draw());
  seed(-0.25);
  EXPECT_NE(first, draw());
  for (const double value : first) {
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
  }
  EXPECT_THROW(seed(1.5), SqlException);
}

}  // namespace
}  // namespace mayfly::func
