// Functions on strings, arrays and JSON against PostgreSQL's own answers (make_string_golden.py), with constant and with varying
// arguments.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/sql_error.h"
#include "sql/func/kernel.h"
#include "sql/types/time_zone.h"
#include "tests/sql/func/string_types.h"

namespace mayfly::func {

#define KERNEL(name) void name(const KernelCall& call);
#include "tests/sql/func/string_kernels.inc"
#undef KERNEL

namespace {

using types::Datum;
using types::TypeDesc;
using types::Vector;

Kernel KernelNamed(const std::string& name) {
  static const std::map<std::string, Kernel> kernels = {
#define KERNEL(name) {#name, name},
#include "tests/sql/func/string_kernels.inc"
#undef KERNEL
  };
  return kernels.at(name);
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::optional<std::string> Unescape(const std::string& field) {
  if (field == "\\N") return std::nullopt;
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

// Calls a kernel with one row of text arguments, as constants or as row 2 of a selection; the result as the golden file has it.
class Caller {
 public:
  explicit Caller(bool constant) : constant_(constant) { settings_.time_zone = types::TimeZone::Find("UTC"); }

  std::optional<std::string> Call(Kernel kernel, const std::vector<const TypeDesc*>& types, const TypeDesc& result_type,
                                  const std::vector<std::optional<std::string>>& arguments) {
    std::vector<std::unique_ptr<Vector>> vectors;
    std::vector<const Vector*> args;
    std::vector<TypeUse> uses;
    for (size_t i = 0; i < types.size(); ++i) {
      vectors.push_back(std::make_unique<Vector>(types[i]->physical(), 8));
      uses.push_back({types[i], -1});
      Datum value;
      if (arguments[i]) value = types[i]->ops->in(*types[i], *arguments[i], -1, context_.io, arena_).value();
      if (constant_) {
        vectors[i]->SetConstant();
        vectors[i]->SetDatum(0, value);
      } else {
        for (size_t row = 0; row < 3; ++row) vectors[i]->SetDatum(row, value);
      }
      args.push_back(vectors[i].get());
    }
    Vector result(result_type.physical(), 8);
    const uint16_t rows[] = {0, 2};
    try {
      kernel({context_, args, {rows, 2}, result, uses, {&result_type, -1}});
    } catch (const SqlException& exception) {
      const SqlError& error = exception.error();
      return fmt::format("!{} {}|{}|{}", error.state.code(), error.message, error.detail, error.hint);
    }
    const Datum value = result.Get(2);
    if (value.is_null()) return std::nullopt;
    std::string text;
    result_type.ops->out(result_type, value, context_.io, text);
    return text;
  }

 private:
  bool constant_;
  types::IoSettings settings_;
  CallContext context_{.io = {settings_}};
  Arena arena_;
};

TEST(StringFunctions, AnswerAsPostgresql) {
  std::ifstream file(MAYFLY_SOURCE_DIR "/tests/sql/func/string_functions.golden");
  size_t cases = 0;
  size_t not_built = 0;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> fields = Split(line, '\t');
    std::vector<const TypeDesc*> types;
    for (const std::string& name : Split(fields[1], ',')) types.push_back(&TypeNamed(name));
    fields.resize(types.size() + 4);
    std::vector<std::optional<std::string>> arguments;
    for (size_t i = 0; i < types.size(); ++i) arguments.push_back(Unescape(fields[3 + i]));
    const std::optional<std::string> expected = Unescape(fields.back());
    ++cases;
    for (const bool constant : {true, false}) {
      const std::optional<std::string> actual =
          Caller(constant).Call(KernelNamed(fields[0]), types, TypeNamed(fields[2]), arguments);
      if (actual && actual->starts_with("!0A000")) {  // what is not built says so
        ++not_built;
        continue;
      }
      EXPECT_EQ(actual, expected) << line;
    }
  }
  EXPECT_GT(cases, 3000U);
  EXPECT_LT(not_built, cases / 50);
}

}  // namespace
}  // namespace mayfly::func
